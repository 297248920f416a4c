"""One number for all that is not named: "one of each", "two of everything else"."""

import pytest

from packhorse_discovery.domain.stock import things

MACHINES = ("clicker press", "skiver", "stitching machine", "burnishing wheel", "deck oven")


def counts(said: str, known: tuple[str, ...] = MACHINES) -> list[int]:
    return [int(one.rest.split()[0]) for one in things(said, known)]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("One of each. Only skivers, there's two.", [1, 2, 1, 1, 1]),
        ("Five machines, one of each", [1, 1, 1, 1, 1]),
        ("two of each but just one oven", [2, 2, 2, 2, 1]),
        ("a single oven and two of everything else", [2, 2, 2, 2, 1]),
        ("We've got the one skiver, and two of everything else.", [2, 1, 2, 2, 2]),
        ("skivers: 3\nwheels: 2\neverything else: 1 of each", [1, 3, 1, 2, 1]),
        ("We have two skivers and three stitching machines, the rest are singles.", [1, 2, 3, 1, 1]),
        ("The rest is single, only the stitching machine we have twice.", [1, 1, 2, 1, 1]),
        ("One of everything, apart from the skivers, there are three of those.", [1, 3, 1, 1, 1]),
        ("There's one of everything except for the stitching machines, of which we have three.", [1, 1, 3, 1, 1]),
        ("two skivers, otherwise one of each", [1, 2, 1, 1, 1]),
        ("Everything once, skivers twice.", [1, 2, 1, 1, 1]),
        ("Six in all: one each, but two skivers", [1, 2, 1, 1, 1]),
        ("one press, two skivers, and of everything else there are three", [1, 2, 3, 3, 3]),
        ("We have one skiver, and all the others are double", [2, 1, 2, 2, 2]),
        ("All other machines: one. Skivers: two.", [1, 2, 1, 1, 1]),
        ("Two skivers. Just the one of all the rest: clicker press, stitching machine, deck oven.", [1, 2, 1, 1, 1]),
        ("Six stations all told. It's one of each, only of the skivers there are two.", [1, 2, 1, 1, 1]),
        ("Single machines everywhere, except two skivers.", [1, 2, 1, 1, 1]),
        (
            (
                "There's one clicker press, two skivers, stitching machine one, burnishing wheel one, deck oven one. "
                "In every machine goes one shoe."
            ),
            [1, 2, 1, 1, 1],
        ),
        (
            "Six stations in all: clicker press, two skivers, stitching machine, burnishing wheel and deck oven.",
            [1, 2, 1, 1, 1],
        ),
    ],
)
def test_what_is_not_named_has_the_shared_number(said: str, expected: list[int]) -> None:
    assert counts(said) == expected


def test_a_total_that_does_not_fit_is_not_read() -> None:
    assert counts("Ten machines, one of each") == []


def test_a_name_that_may_mean_two_things_is_not_read() -> None:
    assert counts("one of each but two ovens", ("deck oven", "rack oven", "mixer")) == []


def test_what_is_new_is_added_to_what_is_known() -> None:
    assert counts("one of each, and three forklifts") == [1, 1, 1, 1, 1, 3]


def test_nothing_is_shared_where_nothing_is_known() -> None:
    assert counts("one of each", ()) == []


@pytest.mark.parametrize(
    ("said", "lathes"),
    [
        ("There are exactly six machines in the shop: two saws, two presses, and the rest are lathes.", 2),
        ("Seven machines in all: three saws, two presses, the rest are lathes.", 2),
    ],
)
def test_the_rest_makes_up_the_total(said: str, lathes: int) -> None:
    assert {one.label: one.rest for one in things(said)}["lathes"] == f"{lathes} pieces"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Two presses. And kilns, now, we have four.", {"presses": 2, "kilns": 4}),
        ("Vats, today, four, and just the one still.", {"Vats": 4, "still": 1}),
        ("Dryers, you know, five. Balers, let me see, two.", {"Dryers": 5, "Balers": 2}),
        ("Three lathes. And one only grinding bench.", {"lathes": 3, "grinding bench": 1}),
        ("Three spindle moulders on the books, but one is away for repair.", {"spindle moulders": 2}),
    ],
)
def test_a_word_by_the_way_is_no_thing_and_what_is_away_does_not_count(said: str, expected: dict[str, int]) -> None:
    found = {one.label.removeprefix("And ").removeprefix("and "): int(one.rest.split()[0]) for one in things(said)}
    assert found == expected
