"""Points of time in running text, as hours from the moment it is said to be."""

import pytest

from packhorse_discovery.domain.moments import counted, find, now_in


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Nine in the morning now. Satchels by three this afternoon.", "due in 6 hours"),
        ("It's Monday 6 am now. Chairs due Wednesday noon.", "due in 54 hours"),
        ("six satchels by five, it's nine now", "due in 8 hours"),
        ("Now is Tuesday, 7 in the morning. Railings tomorrow at 7 in the morning.", "due in 24 hours"),
        ("It's half past seven in the morning now. She'll be here at noon.", "due in 4.5 hours"),
        ("We start Monday at six. Order A by quarter past four on Tuesday afternoon.", "due in 34.25 hours"),
        ("It's Thursday 8:00. By midnight on Friday.", "due in 40 hours"),
        ("it's ten at night now and they want it by six in the morning", "due in 8 hours"),
        ("By 5 p.m. today. At the moment it is 1 p.m.", "due in 4 hours"),
        ("It's Monday 8 am. By Monday 7 am.", "due in 167 hours"),
        ("It's noon. The day after tomorrow at noon.", "due in 48 hours"),
    ],
)
def test_a_point_of_time_is_counted_from_now(said: str, expected: str) -> None:
    assert expected in counted(said)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("The Delgado cake is due on Thursday at ten in the morning.", "due by Thursday 10:00"),
        ("due Wednesday at six in the evening", "due by Wednesday 18:00"),
        ("due Monday 18:00", "due by Monday 18:00"),
    ],
)
def test_without_a_now_a_point_of_time_is_written_alike(said: str, expected: str) -> None:
    assert expected in counted(said)


@pytest.mark.parametrize(
    "said",
    [
        "mugs in 4 days, bowls in 6 days",
        "3 to 5 hours",
        "due in 8 h",
        "due at t + 12 h",
        "2 lots of 5",
        "at 10 batches we stop",
        "6 loads, 5 hours from now",
    ],
)
def test_a_span_or_a_number_is_no_point_of_time(said: str) -> None:
    assert find(said) == []
    assert now_in(said) is None
    assert counted(said) == said


@pytest.mark.parametrize(
    "said",
    ["Thursday noon. Bread, 3 lots. Friday noon. Rolls, 2 lots.", "Bread by Thursday noon. Rolls by Friday noon."],
)
def test_a_time_alone_is_not_now_where_another_stands_alone_too(said: str) -> None:
    assert now_in(said) is None


def test_next_week_is_not_guessed() -> None:
    assert counted("It's Monday 8 am now, due next Wednesday at noon.").endswith("next Wednesday at noon.")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("its 10am rn. aprons by 1pm", "due in 3 hours"),
        ("Time now 0600. Linen, deadline 1100 today.", "due in 5 hours"),
        ("Now it is Monday, the 8 of the morning. Boots today at 20:00.", "due in 12 hours"),
        ("Current time is 0700. Tents due 1900 today.", "due in 12 hours"),
        ("It's Tuesday and it has just struck ten in the morning. Friday noon.", "due in 74 hours"),
        ("We begin Monday 6:00. Clinic, Monday 18:00.", "due in 12 hours"),
        ("Say it's 8 on Monday morning. Ritz: Tuesday morning at 8.", "due in 24 hours"),
        ("Right. Monday, 0600 hours. Mess: 20 crates by 1800 today.", "due in 12 hours"),
        ("It's 6 am, today is Monday. For tomorrow 6 am: four pallets.", "due in 24 hours"),
    ],
)
def test_what_time_it_is_is_told_in_many_ways(said: str, expected: str) -> None:
    assert expected in counted(said)
