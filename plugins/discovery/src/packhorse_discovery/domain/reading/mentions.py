"""Where an answer says the value of a leaf: every mention of a number, time, day or date, or why there is none."""

import re
from collections.abc import Sequence

from attrs import field, frozen

from packhorse_discovery.domain.case.quantity import MINUTES
from packhorse_discovery.domain.case.units import family_of, unit_of
from packhorse_discovery.domain.reading.amounts import Amount, amounts, close, is_elliptical
from packhorse_discovery.domain.reading.formula import basis
from packhorse_discovery.domain.reading.moments import DAYS, Calendar, calendars, clocks, minutes, weeks
from packhorse_discovery.domain.reading.refinement import Leaf, Place, Row, moment_of
from packhorse_discovery.domain.reading.support import Mention, Support
from packhorse_discovery.domain.reading.words import NEGATORS, Words, alike, content, spelled

NO_START = "no start date is known"
GENERAL_UNITS = frozenset({"piece", "batch", "unit", "item", "part", ""})
"""Units of a count that need not be said."""
_RANGE = re.compile(r"^\s*(\d+(?:\.\d+)?)(?:\s*(?:-|\u2013|to)\s*(\d+(?:\.\d+)?))?\s*$")
_RATE = re.compile(r"\s*(?:/|\bper\b|\ban?\b(?=\s+\w))\s*")
AWAY = spelled(
    "off away closed closure holiday holidays leave out ill sick absent shut maintenance down broken free "
    "service serviced repair repairs repaired"
)
"""Words that say an absence."""
ABSENT = frozenset({"absences", "closures"})
"""Lists whose rows say when something is not there."""
_FAR_BACK = 30
"""Tokens back to which a count finds the noun that it leaves out."""
_TO_THE_HOUR = spelled("half quarter to past before after")
_BEGINS = {"start": "start", "from": "start", "end": "end", "to": "end", "until": "end"}


def denied(answer: Words, place: int, *, after: bool = False) -> bool:
    """Whether what stands at ``place`` is denied; ``after`` counts "plums we don't sell" too."""
    behind = answer.texts[place + 1 : min(place + 4, answer.clause(place)[1]) + 1]
    further = answer.texts[place + 1 : place + 9]
    none_of = "none" in further[:4] or any(further[at : at + 2] == ("none", "of") for at in range(len(further)))
    return answer.denied(place) or (after and (none_of or any(text in NEGATORS for text in behind)))


def of_clock(one: Amount, answer: Words) -> bool:
    """Whether a number is only part of a time of day: the five of "half five"."""
    if one.unit or one.parts > 1:
        return False
    inside = [at for at in clocks(answer) if at.first <= one.first and one.last <= at.last]
    return any(_TO_THE_HOUR & {*answer.texts[at.first : at.last + 1]} for at in inside)


@frozen(eq=False)
class Mentions:
    """The values of one answer. ``days`` and ``dated`` are filled for dates: the mention, and the words, by path."""

    answer: Words
    support: Support
    claims: Sequence[Leaf]
    origin: str
    today: str
    days: dict[Place, Mention] = field(factory=dict, init=False)
    dated: dict[Place, str] = field(factory=dict, init=False)

    def of(self, leaf: Leaf) -> tuple[str, list[Mention]]:
        """Every mention with the value of ``leaf``; or why there is none."""
        match leaf.kind:
            case "quantity":
                return self._quantities(leaf)
            case "count":
                if leaf.value == 0:
                    every = [at for word in leaf.row.words for at in self.answer.places(word)]
                    return "", [Mention(at, at) for at in every if denied(self.answer, at, after=True)]
                whole = [
                    one for one in amounts(self.answer) if not one.ordinal and one.means(leaf.value, leaf.value, "")
                ]
                ones = [Mention(one.first, one.last, one) for one in whole if not one.unit]
                ones += [Mention(at, at) for at in self._articles(leaf.row)] if leaf.value == 1 else []
                return f"{leaf.value:g} is not in the answer", ones
            case "time":
                return self._times(str(leaf.value), leaf)
            case "days":
                return self._days(leaf)
            case _:
                return self._moments(leaf)

    def reversed(self, leaf: Leaf, found: Sequence[Mention]) -> tuple[str, Mention] | None:
        """Why a day of absence may not be one of work, or the earliest time the latest; and where that is said."""
        table = leaf.row.table[-1] if leaf.row.table else ""
        if leaf.kind == "days" and not any(set(leaf.value) & set(one.what.days) for one in found):
            return None  # all days but those of an absence
        timed = leaf.kind in {"days", "moment", "time"}
        if timed and table.endswith("hours") and all(self._speaks_of_absence(one) for one in found):
            return "the answer speaks of an absence", found[0]
        latest = leaf.name in {"due", "deadline", "end", "until", "to"} and leaf.kind in {"moment", "time"}
        if latest and all(self._not_before(one) for one in found):
            return "the answer says: not before", found[0]
        return None

    def _speaks_of_absence(self, one: Mention) -> bool:
        first, last = self.answer.clause(one.first)
        no_day = isinstance(one.what, Calendar) and self.answer.denied(one.first)
        return no_day or any(self._absent_at(at) for at in range(first, last + 1))

    def _not_before(self, one: Mention) -> bool:
        """Whether a time is said to be the earliest: "not before the 30th", "the 14th, not a day earlier"."""
        before = self.answer.texts[max(0, one.first - 3) : one.first]
        after = self.answer.texts[one.last + 1 : one.last + 7]
        return (bool(NEGATORS & {*before}) and ("before" in before or "until" in before)) or (
            "not" in after and "earlier" in after
        )

    def _articles(self, row: Row) -> list[int]:
        """Where "a" or "an" stands before a word of a row."""
        places = [at for word in row.words for at in self.answer.places(word)]
        return [back for at in places for back in (at - 1, at - 2) if self.answer.texts[max(0, back)] in {"a", "an"}]

    def _quantities(self, leaf: Leaf) -> tuple[str, list[Mention]]:
        match = _RANGE.match(str(leaf.value).lstrip("~ "))
        if match is None:
            said = all(self.answer.places(word) for word in content(str(leaf.value)))
            return "its words are not in the answer", [Mention(0, 0)] if said else []
        if leaf.name == "duration" and not leaf.unit:
            return "it has no unit: minutes, hours or days", []
        low = float(match[1])
        high = float(match[2] or match[1])
        written, per = _RATE.split(leaf.unit, maxsplit=1) if _RATE.search(leaf.unit) else (leaf.unit, "")
        unit = unit_of(written)
        family = family_of(unit) if unit else "count"
        every = [one for one in amounts(self.answer) if not one.ordinal and not of_clock(one, self.answer)]
        every = [one for one in every if basis(one, self.answer) == MINUTES.get(unit_of(per))] if per else every
        if family in {"count", "other"}:
            counted = [one for one in every if one.means(low, high, "") and self._counted(one, written)]
            if not counted and any(one.means(low, high, "") for one in every):
                return f"the answer says {match[0]}, and not of {leaf.unit}", []
            return f"{match[0]} is not in the answer", [Mention(one.first, one.last, one) for one in counted]
        found = [one for one in every if one.means(low, high, unit)]
        if not found and low == high == 0 and (none := self._none_of(leaf.row)):
            return "", none
        if not found and any(close(one.low, low) and close(one.high, high) for one in every):
            return f"the answer says {match[0]} without {leaf.unit}", []
        if not found and any(one.low <= low <= high <= one.high and one.unit == unit for one in every):
            return "the answer gives a range", []
        return f"{match[0]} {leaf.unit} is not in the answer", [Mention(one.first, one.last, one) for one in found]

    def _none_of(self, row: Row) -> list[Mention]:
        """Where a row within another is said to have nothing of that: "posters skip the folding"."""
        span = self.support.spans.get(row)
        found = []
        for at in (at for word in row.above for at in self.answer.forms(word)):
            first, last = self.answer.clause(at)
            named = any(first <= place <= last for word in row.words for place in self.answer.places(word))
            if denied(self.answer, at, after=True) and (named or (span is not None and span[0] <= at <= span[1])):
                found.append(Mention(at, at))
        return found

    def _counted(self, one: Amount, unit: str) -> bool:
        """Whether the unit of a count is said beside it, or is a general one."""
        if one.unit or (unit_of(unit) or unit.casefold()) in GENERAL_UNITS:
            return not one.unit
        beside = self.answer.texts[max(0, one.first - 6) : one.last + 9]
        if is_elliptical(one, self.answer):  # "forty hides for one, 12 for the other"
            before = [other for other in amounts(self.answer) if one.first - _FAR_BACK < other.first < one.first]
            beside += tuple(text for other in before for text in self.answer.texts[other.last + 1 : other.last + 3])
        return all(any(alike(word, text) for text in beside) for word in content(unit))

    def _times(self, value: str, leaf: Leaf) -> tuple[str, list[Mention]]:
        wanted = minutes(value)
        begins = _BEGINS.get(leaf.name, "")
        found = [
            one
            for one in clocks(self.answer)
            if wanted in one.readings and (not one.span or not begins or one.span == begins)
        ]
        return f"{value} is not in the answer", [Mention(one.first, one.last, one) for one in found]

    def _days(self, leaf: Leaf) -> tuple[str, list[Mention]]:
        wanted = set(leaf.value)
        spoken = weeks(self.answer)
        away = leaf.row.table[-1] in ABSENT if leaf.row.table else False
        found = [
            one
            for one in spoken
            if set(one.days) == wanted and (one.denied == away or (away and self._away(one.first, one.last)))
        ]
        if not found and not away:
            left = [one for one in spoken if len(wanted) >= 2 and not wanted & set(one.days)]
            left = [one for one in left if one.denied or self._away(one.first, one.last)]
            found = [one for one in left if wanted in (set(DAYS[:5]) - set(one.days), set(DAYS) - set(one.days))]
        wider = [one for one in spoken if wanted < set(one.days) and (not one.denied or away)]
        if not found:
            claims = [one for one in self.claims if one.field == leaf.field and one.row.words == leaf.row.words]
            claimed = {day for one in claims for day in one.value}
            found = [one for one in wider if set(one.days) <= claimed and len(one.days) == one.last - one.first]
        why = f"{', '.join(leaf.value)} is not in the answer"
        if any(set(one.days) == wanted for one in spoken):
            why = "the answer excepts these days"
        elif wider:
            why = f"the answer says {' and '.join(wider[0].days)}"
        return why, [Mention(one.first, one.last, one) for one in found]

    def _away(self, first: int, last: int) -> bool:
        start, end = self.answer.clause(first)
        places = range(start, max(end, last) + 1)
        return any(self._absent_at(at) or self.answer.texts[at] in NEGATORS for at in places)

    def _absent_at(self, place: int) -> bool:
        """Whether a word says an absence: "off", but not "we knock off at one"."""
        until = self.answer.texts[place + 1 : place + 2] in (("at",), ("by",))
        return self.answer.texts[place] in AWAY and not (self.answer.texts[place] == "off" and until)

    def _moments(self, leaf: Leaf) -> tuple[str, list[Mention]]:
        day, time = moment_of(str(leaf.value))
        start = self.today if leaf.path == ("origin",) else self.origin
        dates = calendars(self.answer, start)
        found = [one for one in dates if day in one.readings]
        found = found if leaf.row.absent else [one for one in found if not self._no_day(one)]
        if not found:
            relative = any(one.relative and not one.readings for one in dates)
            return NO_START if relative else f"{day} is not in the answer", []
        mentions = [Mention(one.first, one.last, one) for one in found]
        best = min(mentions, key=lambda one: self.support.cost(leaf.row, one))
        self.days[leaf.path] = best
        if best.what.relative:
            self.dated[leaf.path] = self._date_words(best, time)
        if time:
            wrong, at = self._times(time, leaf)
            others = [one for one in dates if one not in found]
            return wrong, [one for one in at if any(not _between(one, day, others) for day in mentions)]
        return "", mentions

    def _no_day(self, one: Calendar) -> bool:
        """Whether a date is one on which something is not done: "no work on the 25th"."""
        return self.answer.denied(one.first) and not self._not_before(Mention(one.first, one.last))

    def undated(self, leaf: Leaf) -> str:
        """The words of the relative date nearest to the row."""
        found = [Mention(one.first, one.last, one) for one in calendars(self.answer, "") if not one.readings]
        time = moment_of(str(leaf.value))[1]
        return self._date_words(min(found, key=lambda one: self.support.cost(leaf.row, one)), time)

    def _date_words(self, one: Mention, at: str) -> str:
        """A date as it was said, with the time ``at`` where it stands beside it."""
        beside = [
            time
            for time in clocks(self.answer)
            if minutes(at) in time.readings and (0 <= time.first - one.last <= 4 or 0 <= one.first - time.last <= 4)
        ]
        first, last = (
            min([one.first, *(time.first for time in beside)]),
            max([one.last, *(time.last for time in beside)]),
        )
        return self.answer.text[self.answer.words[first].start : self.answer.words[last].end]


def _between(one: Mention, other: Mention, dates: Sequence[Calendar]) -> bool:
    """Whether a date of ``dates`` stands between two mentions."""
    first, last = min(one.last, other.last), max(one.first, other.first)
    return any(first < date.first and date.last < last for date in dates)
