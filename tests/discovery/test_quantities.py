"""Quantities as people write them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse_discovery.domain.case import quantities
from packhorse_discovery.domain.case.quantity import Quantity

HERE = Path(__file__).parent
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "discovery"


def test_the_real_strings_are_read_as_a_person_labelled_them() -> None:
    source = SHARED / "interviews" / "quantity_strings.json"
    if not source.exists():
        pytest.skip(f"no {source.name} beside the checkout")
    items = json.loads(source.read_text())["items"]
    labels = json.loads((HERE / "quantity_labels.json").read_text())["labels"]
    parsed = wrong_units = 0
    for item, label in zip(items, labels, strict=True):
        found = quantities.parse(item["value_string"], item["units"])
        parsed += _agrees(found, label)
        wrong_units += _units(found) != _labelled_units(label) and bool(_units(found))

    print(f"{parsed} of {len(items)} as labelled, {wrong_units} with a wrong unit")
    assert parsed >= 0.9 * len(items)
    assert wrong_units == 0


def _agrees(found: Quantity, label: dict) -> bool:
    if "varies" in label:
        return (found.low, found.high, found.cases) == (None, None, ())
    if "cases" in label:
        return [(c.low, c.high, c.unit) for _, c in found.cases] == [
            (c["low"], c["high"], c["unit"]) for c in label["cases"]
        ]
    return found.low == pytest.approx(label["low"]) and found.high == pytest.approx(label["high"])


def _units(found: Quantity) -> list[str]:
    return [c.unit for _, c in found.cases] or ([found.unit] if found.unit else [])


def _labelled_units(label: dict) -> list[str]:
    return [c["unit"] for c in label["cases"]] if "cases" in label else [label["unit"]] if "unit" in label else []


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("90 minutes", 90, 90, "minute"),
        ("18'", 18, 18, ""),
        ("1:30 h", 1.5, 1.5, "hour"),
        ("a hundred and twenty minutes", 120, 120, "minute"),
        ("1\u00bd hours", 1.5, 1.5, "hour"),
        ("1,5 h", 1.5, 1.5, "hour"),
        ("one to one and a half hours", 1, 1.5, "hour"),
        ("a good twenty minutes", 20, 20, "minute"),
        ("5 to 7 days", 5, 7, "day"),
        ("twenty-two minutes", 22, 22, "minute"),
        ("five quarters of an hour", 1.25, 1.25, "hour"),
        ("5\u20137 days", 5, 7, "day"),
        ("between 2 and 3 hrs", 2, 3, "hour"),
        ("1 h 30 min", 1.5, 1.5, "hour"),
        ("1h10", 70 / 60, 70 / 60, "hour"),
        ("a quarter of an hour", 0.25, 0.25, "hour"),
        ("three quarters of an hour", 0.75, 0.75, "hour"),
        ("an hour and 15 minutes", 1.25, 1.25, "hour"),
        ("half a day", 0.5, 0.5, "day"),
        ("twenty-five minutes", 25, 25, "minute"),
        ("2 hours and 15 minutes", 2.25, 2.25, "hour"),
        ("an hour and a half", 1.5, 1.5, "hour"),
        ("two and a half hours", 2.5, 2.5, "hour"),
        ("half an hour", 0.5, 0.5, "hour"),
        ("a couple of hours", 2, 2, "hour"),
        ("1 1/2 hours", 1.5, 1.5, "hour"),
        ("PT1H30M", 90, 90, "minute"),
        ("between two hours and two and a half hours", 2, 2.5, "hour"),
        ("fifty minutes to an hour", 50 / 60, 1, "hour"),
        ("half an hour to three quarters", 0.5, 0.75, "hour"),
        ("an hour or two", 1, 2, "hour"),
        ("1-1/2 hours", 1.5, 1.5, "hour"),
        ("3h 30", 3.5, 3.5, "hour"),
        ("no longer than 20 minutes", None, 20, "minute"),
        ("1,200 kg", 1200, 1200, "kilogram"),
        ("at least 3 days", 3, None, "day"),
        ("up to 2 hrs", None, 2, "hour"),
        ("2 shifts", 2, 2, "shift"),
        ("30 min + 2 hours", 2.5, 2.5, "hour"),
        ("it varies", None, None, ""),
        ("depends on the weather", None, None, ""),
    ],
)
def test_a_quantity_in_words(text: str, low: float | None, high: float | None, unit: str) -> None:
    found = quantities.parse(text)

    assert (found.low, found.high, found.unit) == (low, high, unit)
    assert found.text == text


@pytest.mark.parametrize(
    "text",
    [
        "forty-odd minutes",
        "two hours less a quarter",
        "just under an hour",
        "ten minutes, fifteen at the most",
        "ten minutes short of two hours",
        "40/45 minutes",
        "14 \u00b1 2 min",
        "1 h +/- 10 min",
        "two hours, give or take fifteen minutes",
        "3 x 20 minutes",
        "two times twenty minutes",
        "between an hour and ten and an hour and a half",
        "half to three quarters of an hour",
        "3/4 of an hour",
        "4 till 5 hours",
        "three, sometimes four hours",
        "at least an hour and at most an hour and a half",
        "not more than 20 minutes and not less than 15",
        "30 minutes minimum, 40 maximum",
        "40'-50'",
        "1h20-1h40",
        "two five minutes",
        "five and twenty minutes",
    ],
)
def test_words_that_say_more_than_one_amount_give_no_number_rather_than_a_wrong_one(text: str) -> None:
    found = quantities.parse(text)

    assert (found.low, found.high, found.cases) == (None, None, ())


def test_a_rate_keeps_what_it_is_of() -> None:
    found = quantities.parse("5 min per loaf")

    assert (found.low, found.unit, found.per) == (5, "minute", "loaf")


def test_declared_units_hold_where_the_words_bring_none() -> None:
    assert quantities.parse("45-75", "minutes").unit == "minute"
    assert quantities.parse("3-7", "min/part").per == "part"


def test_cases_are_kept_apart_and_never_averaged() -> None:
    found = quantities.parse("ales 5-7; lagers 10-14", "days")

    assert found.typical is None
    assert {label: (case.low, case.high) for label, case in found.cases} == {"ales": (5, 7), "lagers": (10, 14)}


def test_a_setup_told_beside_is_not_added() -> None:
    found = quantities.parse("4-12 (setup 0.5-1.5)", "hours")

    assert (found.low, found.high) == (4, 12)


@pytest.mark.parametrize("text", ["8:00-17:00", "bread", ""])
def test_what_is_no_quantity_has_no_number(text: str) -> None:
    assert quantities.parse(text).typical is None


@given(
    low=st.integers(1, 500),
    more=st.integers(0, 500),
    unit=st.sampled_from(["seconds", "minutes", "hours", "days", "weeks"]),
    dash=st.sampled_from(["-", " - ", "\u2013", " to "]),
)
def test_any_range_comes_back(low: int, more: int, unit: str, dash: str) -> None:
    found = quantities.parse(f"{low}{dash}{low + more} {unit}")

    assert (found.low, found.high, found.unit) == (low, low + more, unit[:-1])


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(text: str) -> None:
    found = quantities.parse(text)

    assert found.low is None or found.high is None or found.low <= found.high
