"""A number stands in the words or follows from them; units, order and directions agree with the words."""

from typing import Any

import pytest

from packhorse_discovery.domain.formulation.evidence import supported
from packhorse_discovery.domain.formulation.form_reader import read
from packhorse_discovery.domain.reading.numbers import cleaned, spoken

WORDS = (
    "A chair takes 3 hours and a table 5 hours. We have at most 40 hours a week, twenty percent of it for repairs. "
    "At least 2 tables. A chair brings $30 and a table $70; maximize the income."
)
DOCUMENT: dict[str, Any] = {
    "sets": {"P": ["chair", "table"]},
    "data": {"time": {"over": "P", "values": [3, 5], "unit": "hour"}, "week": {"value": 40, "unit": "hour"},
             "brings": {"over": "P", "values": [30, 70], "unit": "$"}, "least": 2},
    "vars": {"n": {"over": "P", "type": "int"}},
    "rules": {"time": "sum(time[p] * n[p] for p in P) <= (1 - 0.2) * week", "tables": "n['table'] >= least"},
    "maximize": "sum(brings[p] * n[p] for p in P)",
}  # fmt: skip


def faults(words: str = WORDS, **change: Any) -> list[str]:
    document = {
        part: {**body, **change.get(part, {})} if isinstance(body, dict) else body for part, body in DOCUMENT.items()
    }
    document |= {part: body for part, body in change.items() if not isinstance(body, dict) or part not in DOCUMENT}
    return [str(each) for each in supported(read({k: v for k, v in document.items() if v is not None}), [words]).faults]


def test_a_percentage_is_the_number_that_it_means():
    assert faults() == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"data": {"week": {"value": 45, "unit": "hour"}}}, "data week: 45 is not in the words"),
        (
            {"data": {"time": {"over": "P", "values": [5, 3], "unit": "hour"}}},
            "data time: its values stand in the words in another",
        ),
        (
            {"data": {"week": {"value": 40, "unit": "minute"}}},
            "var|data week has the unit minute|data week is in minute",
        ),
        ({"data": {"week": {"value": 40, "unit": "hour", "quote": "forty hours"}}}, "a quote that is not in the words"),
        (
            {"rules": {"short": "sum(time[p] * n[p] for p in P) >= 40"}},
            "rule short: runs against the words",
        ),
        ({"rules": {"tables": "n['table'] <= least"}}, "rule tables: runs against the words"),
        ({"rules": {"more": "n['table'] >= 2 * n['chair'] + 17"}}, "rule more: 17 is not in the words"),
        ({"maximize": None, "minimize": "sum(brings[p] * n[p] for p in P)"}, "goal: minimizes, and the words say"),
        ({"vars": {"n": {"over": "P", "type": "int", "high": 99}}}, "var n: 99 is not in the words"),
    ],
)
def test_what_the_words_do_not_say_is_told(change, words):
    assert any(word in one for one in faults(**change) for word in words.split("|")), faults(**change)


def test_a_number_that_nothing_uses_stops_it_until_it_is_named():
    words = WORDS + " The glue dries for 6 hours."
    assert any("6 («" in one for one in faults(words))
    assert faults(words, ignored={"6": "glue dries at night"}) == []


def test_an_answer_about_something_else_need_not_be_used():
    assert not supported(read(DOCUMENT), [WORDS, "We are 12 people in 2 workshops, since 1987."]).faults


def test_a_number_beside_a_formula_is_checked_like_any_other():
    mixed = {"over": "P", "values": ["40 - 3", 99], "unit": "$"}
    assert faults(data={"brings": mixed})[:1] == [
        "data brings: 99 is not in the words; ask for it, or derive it by a formula over numbers that are"
    ]


def test_a_formula_over_said_numbers_is_derived():
    document = {**DOCUMENT, "data": {**DOCUMENT["data"], "week": {"value": "40 * 60 / 60", "unit": "hour"}}}
    assert supported(read(document), [WORDS]).derived == {"week": "40 * 60 / 60"}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,200 sheets", {1200}), ("12.5 %", {12.5, 0.125}), ("two hundred and five", {205}),
        ("3 million", {3, 3_000_000}),
        ("half of them", {0.5, 2}), ("2D list of A2", set()), ("twice as many", {2}), ("a dozen", {12}),
        ("1{,}500", {1500}), ("1/4", {1, 0.25, 4}),
        ("a quarter of an hour", {0.25, 4, 15}), ("three quarters of an hour", {3, 0.25, 4, 0.75, 45}),
        ("an hour and a half", {0.5, 2, 1.5, 90}), ("two and a half hours", {2, 0.5, 2.5, 150}),
    ],
)  # fmt: skip
def test_numbers_are_read_as_they_are_written(text, values):
    found = {float(value) for each in spoken(cleaned(text)) for value in each.values}
    assert sorted(found) == pytest.approx(sorted(values))


def test_a_quote_delimits_where_the_values_are_sought():
    words = "First 8 and 5. Later: chairs 5 kg, tables 8 kg. At least 1 each."
    document = {
        "sets": {"P": ["chairs", "tables"]},
        "data": {"kg": {"over": "P", "values": [8, 5], "unit": "kg", "quote": "chairs 5 kg, tables 8 kg"}},
        "vars": {"n": {"over": "P", "type": "int"}},
        "rules": {"each": "n[p] >= 1 for p in P"},
        "minimize": "sum(kg[p] * n[p] for p in P)",
    }
    assert any("another order" in str(each) for each in supported(read(document), [words]).faults)


@pytest.mark.parametrize(
    ("words", "clock"),
    [
        ("The first period begins at ten to nine.", "08:50"),
        ("We open at 10 to 9 and close later.", "08:50"),
        ("Deliveries come at half past seven.", "07:30"),
        ("A quarter past six is the first bus.", "06:15"),
    ],
)
def test_a_time_of_day_in_words_is_one_number(words, clock):
    (found,) = [each for each in spoken(words) if each.must_use]
    assert found.clock == clock
    assert found.values & spoken(clock)[0].values


@pytest.mark.parametrize(
    "words", ["We need five to ten trucks.", "From 10 to 5 units.", "Kept at five to ten degrees."]
)
def test_a_range_is_no_time_of_day(words):
    assert not any(each.clock for each in spoken(words))
    assert len(spoken(words)) == 2


def test_one_ignored_entry_serves_a_time_of_day():
    words = WORDS + " We open at ten to nine and close at 17:20, and the van leaves at five to ten."
    (fault,) = faults(words)
    assert [clock for clock in ("08:50 (", "17:20 (", "09:55 (") if clock in fault] == ["08:50 (", "17:20 (", "09:55 ("]
    assert fault.count("(«") == 3
    assert faults(words, ignored={"08:50": "opening", "17:20": "closing", "five to ten": "the van"}) == []
    assert faults(words, ignored={"10": "a", "9": "b", "17:20": "c", "five to ten": "d"}) == []


QUOTED = {
    "tables": {"rule": "n['table'] >= 2", "quote": "At least 2 tables"},
    "time": {"rule": "sum(time[p] * n[p] for p in P) <= 40", "quote": "at most 40 hours a week"},
}


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("tables", {}, ""),
        ("time", {}, ""),
        ("tables", {"rule": "n['chair'] >= 2"}, "speaks of chair, and its quote of table"),
        ("tables", {"rule": "n['table'] <= 2"}, "runs against the words"),
        ("tables", {"rule": "n['table'] >= 3"}, "holds 3, and its quote says 2"),
        ("time", {"quote": "A chair takes 3 hours"}, ""),  # the rule uses that too
        ("time", {"quote": "At least 2 tables"}, "holds 3, 5, 40, and its quote says 2"),
    ],
)
def test_a_rule_speaks_of_what_its_quote_speaks_of(name: str, change: dict[str, str], words: str) -> None:
    found = [each for each in faults(rules={"quoted": QUOTED[name] | change}) if each.startswith("rule quoted")]

    assert [words in each for each in found] == ([True] if words else [])


def van(words: str, hour: int) -> list[str]:
    quote = words.rstrip(".")
    document = {
        "data": {"back_by": {"value": f"{hour} * 60", "quote": quote}},
        "vars": {"back": "int"},
        "rules": {"home": {"rule": "back <= back_by", "quote": quote}},
        "maximize": "back",
    }
    return [str(each) for each in supported(read(document), [words]).faults]


@pytest.mark.parametrize(
    ("words", "hour"),
    [
        ("It must be back by one.", 13),
        ("It must be back by three.", 15),
        ("It must be back at 5 pm.", 17),
        ("It may come between one and four.", 16),
        ("It must be back by three.", 3),
    ],
)
def test_an_hour_in_words_is_one_of_either_half_of_the_day(words: str, hour: int) -> None:
    assert van(words, hour) == []


@pytest.mark.parametrize(
    ("words", "hour"),
    [
        ("It must be back by three in the morning.", 15),
        ("It is sold at 3 euros a piece.", 15),
        ("Kept at two to three degrees.", 15),
        ("The crew is reduced by three.", 15),
        ("Every run is longer by three.", 15),
    ],
)
def test_the_other_half_of_the_day_is_not_said_where_the_words_say_which(words: str, hour: int) -> None:
    assert any("15 is not in the words" in each for each in van(words, hour))


@pytest.mark.parametrize(
    ("sentence", "listed"),
    [
        ("As little machine time as possible.", True),
        ("As much income as possible.", False),
        ("Hang on, phone.", False),
        ("I have no rule about colours.", False),
        ("I have no rule about colours, but red goes last.", True),
        ("How do I do it today?", False),
        ("At most 40 hours a week, that's all I know.", False),
        ("The paint must dry overnight.", True),
        ("No wood on Mondays.", True),
        ("That is not allowed.", True),
    ],
)
def test_fillers_and_what_is_said_again_are_not_listed_as_unused(sentence: str, listed: bool) -> None:
    words = "A chair takes 3 hours and a table 5 hours. We have at most 40 hours a week. At least 2 tables."
    document = {
        **DOCUMENT,
        "data": {**DOCUMENT["data"], "brings": {"over": "P", "values": [3, 5]},
                 "week": {"value": 40, "unit": "hour", "quote": "We have at most 40 hours a week"}},
        "rules": {"time": "sum(time[p] * n[p] for p in P) <= week", "tables": "n['table'] >= least"},
    }  # fmt: skip
    found = supported(read(document), [words, sentence])
    assert bool(found.not_used) is listed
