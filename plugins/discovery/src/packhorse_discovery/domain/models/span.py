"""A quantity of time as seconds to plan with, and everything that had to be assumed for it."""

import re
from fractions import Fraction
from math import ceil
from typing import Any

from attrs import frozen

from packhorse_discovery.domain.case.quantity import MINUTES, Quantity
from packhorse_discovery.domain.case.scr import Fact
from packhorse_discovery.domain.case.units import UNNAMED_TIME
from packhorse_discovery.domain.models.source import Source

UNNAMED_SECONDS = 60
"""What stands for a unit of time without a length, in a model that has no other."""
_LONG_DAYS = frozenset({"shift", "business day"})
LOTS = frozenset({"batch", "lot", "run", "load"})
"""Units, and bases of rates, that are a batch by another name."""
MOST_LOTS = 20
"""How many batches of one order are told apart; more are scheduled as one."""
_LOT = re.compile(r"\d\s*(?:batch(?:es)?|lots?|runs?|loads?)\b", re.IGNORECASE)


@frozen
class Span:
    """``seconds`` of planned time and where they come from."""

    seconds: Fraction
    source: Source

    def plus(self, other: "Span", words: str) -> "Span":
        """Both one after the other; ``words`` says what the other is."""
        return Span(self.seconds + other.seconds, self.source.with_assumption(f"{words} ({other.source.words})"))


@frozen
class Day:
    """How long a shift or business day is, where the working hours say so."""

    seconds: Fraction
    words: str


class UnclearError(ValueError):
    """The quantity gives no length of time; the message says what is missing, in words."""


def source_of(fact: Fact[Any]) -> Source:
    """The source of a fact, as a model's numbers carry it."""
    return Source(fact.question_id, fact.said, fact.assumption)


def span(
    fact: Fact[Quantity], *, product: str = "", pieces: Fact[Quantity] | None = None, day: Day | None = None
) -> Span:
    """The time that ``fact`` says.

    A range gives its named typical value or its middle. Of labelled cases the
    one named like ``product`` is taken, else the longest. A rate is taken
    times the number of ``pieces``, or for one piece where that is unknown.

    Raises:
        UnclearError: there is no number, or its unit has no known length.
    """
    quantity, more = _case(fact.value, product)
    typical = quantity.typical
    if typical is None:
        raise UnclearError("no number was given")
    seconds, unit_note = _unit_seconds(quantity, day)
    total = _exact(typical) * seconds
    more += [_reading(quantity), unit_note]
    if quantity.per is not None:
        factor, note = _times(quantity, pieces)
        total *= factor
        more.append(note)
    found = Span(total, source_of(fact).with_assumption(*more))
    if quantity.setup is not None and quantity.setup.typical is not None:
        setup = span(Fact(quantity.setup, fact.question_id, said=fact.said), day=day)
        found = Span(found.seconds + setup.seconds, found.source.with_assumption("set-up added to it"))
    return found


def count(fact: Fact[Quantity]) -> tuple[Fraction, str]:
    """How many ``fact`` says, and the assumption made in reading it (empty: none).

    Raises:
        UnclearError: there is no number.
    """
    typical = fact.value.typical
    if typical is None:
        raise UnclearError("no number was given")
    return _exact(typical), _reading(fact.value)


def lots(amount: Fact[Quantity] | None) -> int:
    """How many batches an order is of, where it was counted in batches, lots, runs or loads; 1 where it was not."""
    if amount is None or amount.value.typical is None:
        return 1
    said = amount.value.unit in LOTS or _LOT.search(amount.value.text) is not None
    number, _ = count(amount)
    return int(number) if said and number == int(number) and 1 <= number <= MOST_LOTS else 1


def _case(quantity: Quantity, product: str) -> tuple[Quantity, list[str]]:
    if quantity.typical is not None or not quantity.cases:
        return quantity, []
    known = [(label, case) for label, case in quantity.cases if case.typical is not None]
    wanted = product.casefold()
    for label, case in known:
        name = label.casefold().strip()
        if wanted and name and (name in wanted or wanted in name):
            return case, [f"the case {label}"]
    if not known:
        return quantity, []
    label, longest = max(known, key=lambda pair: (pair[1].typical_minutes or 0, pair[0]))
    return longest, [f"the longest of the cases, {label or longest.text}"]


def _unit_seconds(quantity: Quantity, day: Day | None) -> tuple[Fraction, str]:
    minutes = MINUTES.get(quantity.unit)
    if minutes is not None:
        return _exact(minutes * 60), ""
    if quantity.unit == UNNAMED_TIME:
        return Fraction(UNNAMED_SECONDS), ""
    if quantity.unit in _LONG_DAYS and day is not None:
        return day.seconds, f"a {quantity.unit} is {day.words}"
    if not quantity.unit:
        raise UnclearError("it has no unit of time")
    raise UnclearError(f"how long a {quantity.unit} is was not said")


def _reading(quantity: Quantity) -> str:
    unit = f"{quantity.unit}s" if quantity.unit else ""
    low, high = quantity.low, quantity.high
    if quantity.mode is not None:
        return f"the typical value, {_shown(_exact(quantity.mode))} {unit}"
    if low is not None and high is not None and low != high:
        middle = _shown((_exact(low) + _exact(high)) / 2)
        return f"the middle of {_shown(_exact(low))} to {_shown(_exact(high))} {unit}, {middle}"
    if high is None and low is not None:
        return f"at least {_shown(_exact(low))} {unit} taken as just that"
    if low is None and high is not None:
        return f"at most {_shown(_exact(high))} {unit} taken as just that"
    return "about taken as exact" if quantity.approximate else ""


def _times(quantity: Quantity, pieces: Fact[Quantity] | None) -> tuple[Fraction, str]:
    basis = quantity.per or "piece"
    lot = _exact(quantity.per_count) if quantity.per_count else Fraction(1)
    if pieces is None or pieces.value.typical is None:
        return Fraction(1), f"for one {basis}" if lot == 1 else f"for one lot of {_shown(lot)} {basis}"
    number, _ = count(pieces)
    if basis in LOTS and pieces.value.unit not in LOTS and lot == 1:
        return Fraction(1), f"for one {basis}, since it was not said how much a {basis} is"
    if lot != 1:
        lots = max(ceil(number / lot), 1)
        return Fraction(lots), f"{_shown(number)} are {lots} lots of {_shown(lot)}"
    return number, f"times {_shown(number)}"


def _exact(number: float) -> Fraction:
    """The decimal number that was written, not its nearest binary one."""
    return Fraction(repr(float(number))).limit_denominator(10**6)


def _shown(number: Fraction) -> str:
    return f"{float(number):g}"
