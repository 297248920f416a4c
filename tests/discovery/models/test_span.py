"""Quantities of time become seconds to plan with, and every liberty taken is written down."""

from fractions import Fraction

import pytest

from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import Fact
from packhorse_discovery.domain.models.source import Source
from packhorse_discovery.domain.models.span import Day, Span, UnclearError, span

HOUR = 3600
PIECES = Fact(Quantity("600", 600, 600))


def said(**more):
    return Fact(Quantity("as said", **more), "q4", said="as said")


@pytest.mark.parametrize(
    ("quantity", "seconds", "assumption"),
    [
        pytest.param({"low": 2, "high": 2, "unit": "hour"}, 2 * HOUR, "", id="a plain number"),
        pytest.param({"low": 0.1, "high": 0.1, "unit": "hour"}, 360, "", id="a decimal, exactly"),
        pytest.param(
            {"low": 1, "high": 2, "unit": "hour"}, 5400, "the middle of 1 to 2 hours, 1.5", id="the middle of a range"
        ),
        pytest.param(
            {"low": 1, "high": 9, "mode": 2, "unit": "hour"},
            2 * HOUR,
            "the typical value, 2 hours",
            id="a typical value",
        ),
        pytest.param({"low": 3, "unit": "minute"}, 180, "at least 3 minutes taken as just that", id="at least"),
        pytest.param({"high": 3, "unit": "minute"}, 180, "at most 3 minutes taken as just that", id="at most"),
        pytest.param(
            {"low": 3, "high": 3, "unit": "minute", "approximate": True}, 180, "about taken as exact", id="about"
        ),
        pytest.param(
            {"low": 5, "high": 5, "unit": "minute", "per": "part"},
            600 * 300,
            "times 600",
            id="a rate, times the pieces",
        ),
        pytest.param(
            {"low": 11, "high": 11, "unit": "hour", "per": "unit", "per_count": 300},
            22 * HOUR,
            "600 are 2 lots of 300",
            id="a rate by the lot",
        ),
        pytest.param(
            {"low": 5, "high": 5, "unit": "minute", "per": "batch"},
            300,
            "for one batch, since it was not said how much a batch is",
            id="a rate by the batch, of unknown size",
        ),
    ],
)
def test_a_duration_is_read_with_its_assumption(quantity, seconds, assumption):
    assert span(said(**quantity), pieces=PIECES) == Span(Fraction(seconds), Source("q4", "as said", assumption))


def test_of_several_cases_the_one_named_like_the_product_counts():
    cases = (("ales", Quantity("5-7", 5, 7, unit="day")), ("lagers", Quantity("10-14", 10, 14, unit="day")))
    fermenting = Fact(Quantity("ales 5-7; lagers 10-14", cases=cases))

    assert span(fermenting, product="Pale ales").seconds == 6 * 24 * HOUR
    assert span(fermenting, product="stout").seconds == 12 * 24 * HOUR
    assert "the longest of the cases, lagers" in span(fermenting).source.assumption


def test_a_set_up_told_apart_is_added():
    milling = said(low=30, high=30, unit="minute", setup=Quantity("setup 1 h", 1, 1, unit="hour"))

    assert span(milling).seconds == 5400
    assert "set-up added" in span(milling).source.assumption


@pytest.mark.parametrize(
    ("quantity", "why"),
    [
        pytest.param({}, "no number", id="words only"),
        pytest.param({"low": 5, "high": 5}, "no unit", id="no unit"),
        pytest.param({"low": 2, "high": 2, "unit": "shift"}, "how long a shift is", id="a shift of unknown length"),
        pytest.param({"low": 2, "high": 2, "unit": "kilogram"}, "how long a kilogram is", id="no time at all"),
    ],
)
def test_what_gives_no_length_of_time_is_refused_not_guessed(quantity, why):
    with pytest.raises(UnclearError, match=why):
        span(said(**quantity))


def test_a_shift_is_as_long_as_the_working_hours_say():
    found = span(said(low=2, high=2, unit="shift"), day=Day(Fraction(7 * HOUR), "7 hours long"))

    assert found == Span(Fraction(14 * HOUR), Source("q4", "as said", "a shift is 7 hours long"))
