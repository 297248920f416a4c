"""Where an answer says the value of a leaf: every mention of a number, time, day or date, or why there is none."""

import re
from collections.abc import Sequence
from datetime import date

from attrs import field, frozen

from packhorse_discovery.domain.case.quantity import MINUTES
from packhorse_discovery.domain.case.units import family_of, unit_of
from packhorse_discovery.domain.reading.amount import Amount, close
from packhorse_discovery.domain.reading.amounts import amounts
from packhorse_discovery.domain.reading.corrections import Mention
from packhorse_discovery.domain.reading.dates import Calendar, calendars
from packhorse_discovery.domain.reading.formula import GENERAL_UNITS
from packhorse_discovery.domain.reading.refinement import ABSENT, Leaf, Place, Row, moment_of
from packhorse_discovery.domain.reading.shared_units import is_elliptical
from packhorse_discovery.domain.reading.support import BY_HEAD, Support
from packhorse_discovery.domain.reading.times import Clock, clocks, minutes, of_clock
from packhorse_discovery.domain.reading.weekdays import DAYS, Week, weeks
from packhorse_discovery.domain.reading.words import NEGATORS, Words, alike, content, spelled, words_of

NO_START = "no start date is known"
_RANGE = re.compile(r"^\s*(\d+(?:\.\d+)?)(?:\s*(?:-|\u2013|to)\s*(\d+(?:\.\d+)?))?\s*$")
_RATE = re.compile(r"\s*(?:/|\bper\b|\ban?\b(?=\s+\w))\s*")
AWAY = spelled(
    "off away closed closure holiday holidays leave out ill sick absent shut maintenance down broken free "
    "service serviced repair repairs repaired"
)
"""Words that say an absence."""
_AT_WORK = spelled("open opens available work works working here present runs run ours")
"""Words that say that something is there or runs; hours of dates alone need one."""
_FAR_BACK = 30
"""Tokens back to which a count finds the noun that it leaves out."""
_ABSENT_WORDS = spelled("away ill sick absent holiday holidays")
_OF_ONE_DAY = frozenset({"due", "deadline", "release", "ready"})
_THROUGH = frozenset({"-", "to", "through", "till"})
_EARLIEST = frozenset({"release", "ready", "from"})
_START_WORDS = spelled(
    "start starts begin begins arrive arrives from after available ready since land lands bring brings get gets come "
    "comes between earliest until before earlier holiday away off closed open opens"
)
_END_WORDS = spelled(
    "by due deadline latest complete completes completed finish finished done needed needs wants want leaves collects "
    "delivered promised"
)
"""Words that make a date the earliest, or the latest."""
_BEGINS = {"start": "start", "from": "start", "end": "end", "to": "end", "until": "end"}


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
                    return "", [Mention(at, at) for at in every if self.answer.denied(at, after=True)]
                whole = [one for one in self._numbers() if one.means(leaf.value, leaf.value, "")]
                own = leaf.name == "people"  # "with two technicians"
                whole = [one for one in whole if not one.unit and (own or not self.of_other_things(one, leaf.row))]
                whole = [one for one in whole if not self.answer.denied(one.first)]
                ones = [Mention(one.first, one.last, one) for one in whole]
                if leaf.value == 1:  # "a press", and "theatre 2" is one theatre
                    ones += [Mention(at, at) for at in (*self._articles(leaf.row), *self._numbered(leaf.row))]
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
        dates = {one.kind for one in self.claims if one.row is leaf.row} <= {"moment", "key"}
        if dates and table.endswith("hours") and not any(self._speaks_of_work(one) for one in found):
            return "the answer does not say that it works then", found[0]
        if timed and table.endswith("hours") and all(self._speaks_of_absence(one) for one in found):
            return "the answer speaks of an absence", found[0]
        latest = leaf.name in {"due", "deadline", "end", "until", "to"} and leaf.kind in {"moment", "time"}
        if latest and all(self._not_before(one) for one in found):
            return "the answer says: not before", found[0]
        if leaf.name in _OF_ONE_DAY and leaf.kind == "moment" and all(self._someone_away(one) for one in found):
            return "the answer speaks of an absence", found[0]
        if leaf.name in _EARLIEST and leaf.kind == "moment" and all(self.at_latest(one) for one in found):
            return "the answer says: by then", found[0]
        return None

    def _someone_away(self, one: Mention) -> bool:
        first, last = self.answer.clause(one.first)
        return bool(_ABSENT_WORDS & {*self.answer.texts[first : last + 1]})

    def at_latest(self, one: Mention) -> bool:
        """Whether the last word before a date that says its role makes it an end: "completes on the 30th"."""
        start = self.answer.sentence(one.first)
        for at in range(one.first - 1, start - 1, -1):
            if self.answer.texts[at] in _START_WORDS:
                return False
            if self.answer.texts[at] in _END_WORDS:
                return not self._not_before(one)
        return False

    def _speaks_of_work(self, one: Mention) -> bool:
        first, last = self.answer.clause(one.first)
        return any(text in _AT_WORK for text in self.answer.texts[first : last + 1])

    def _speaks_of_absence(self, one: Mention) -> bool:
        first, last = self.answer.clause(one.first)
        no_day = isinstance(one.what, Calendar | Clock) and self.answer.denied(one.first) and not self._not_before(one)
        return no_day or any(self._absent_at(at) for at in range(first, last + 1))

    def _not_before(self, one: Mention) -> bool:
        """Whether a time is said to be the earliest: "not before the 30th", "the 14th, not a day earlier"."""
        before = self.answer.texts[max(self.answer.clause(one.first)[0], one.first - 6) : one.first]
        after = self.answer.texts[one.last + 1 : one.last + 7]
        due = {"due", "needed", "wanted"} & {*before}  # "isn't due until the 15th" is due then
        return (bool(NEGATORS & {*before}) and ("before" in before or ("until" in before and not due))) or (
            "not" in after and "earlier" in after
        )

    def _articles(self, row: Row) -> list[int]:
        """Where "a" stands before a word of a row; "the" too where the row is never one of several."""
        places = [at for word in row.words for at in self.answer.places(word)]
        own = self.answer.places(row.words[-1]) if row.words else []
        several = any(self.answer.texts[at].endswith("s") and not row.words[-1].endswith("s") for at in own)
        several |= any(
            one.low != 1
            and not one.unit
            and 0 < at - one.last <= 3
            and all(text[0].isalpha() for text in self.answer.texts[one.last + 1 : at])
            for one in self._numbers()
            for at in own
        )
        articles = {"a", "an"} if several else {"a", "an", "the", "our"}
        return [back for at in places for back in (at - 1, at - 2) if self.answer.texts[max(0, back)] in articles]

    def _numbered(self, row: Row) -> list[int]:
        """Where a row is called by a number or a letter of its own: "theatre 2", "studio A"."""
        said = self.answer.find(row.name)
        lettered = said is not None and said[0] < said[1] and len(self.answer.texts[said[1]]) == 1
        numbered = [at for word in row.words if word.isdecimal() for at in self.answer.places(word)]
        return numbered + ([said[1]] if said is not None and lettered else [])

    def _numbers(self) -> list[Amount]:
        """The numbers that are of no date and of no time of day; "in 5 days" has a number of days."""
        every = [one for one in amounts(self.answer) if not one.ordinal and not of_clock(one, self.answer)]
        dates = [one for one in calendars(self.answer, self.origin or self.today) if one.weekday is None]
        every = [
            one for one in every
            if one.unit or not any(day.first <= one.first and one.last <= day.last for day in dates)
        ]  # fmt: skip
        return [one for one in every if not self.of_name(one)]

    def of_name(self, one: Amount) -> bool:
        """Whether a number is part of a row's name: "theatre 2", "order 88"."""
        text, beside = self.answer.texts[one.first], self.answer.texts[max(0, one.first - 1) : one.first]
        for row in self.support.rows if text.isdecimal() and one.first == one.last else ():
            others = [word for word in words_of(row.name).texts if word != text]
            if text in row.words and (any(alike(word, at) for word in others for at in beside) or not others):
                return True
        return False

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
        every = self._numbers()
        every = [one for one in every if one.per == MINUTES.get(unit_of(per))] if per else every
        if family in {"count", "other"}:
            counted = [one for one in every if one.means(low, high, "") and self._counted(one, written, leaf.row)]
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
            if self.answer.denied(at, after=True) and (named or (span is not None and span[0] <= at <= span[1])):
                found.append(Mention(at, at))
        return found

    def of_other_things(self, one: Amount, row: Row) -> bool:
        """Whether the word after a number is of the rows of another list: "two vats" are no pieces of an order."""
        noun = self.answer.texts[one.last + 1 : one.last + 2]
        its_own = [leaf for leaf in self.claims if leaf.row.path and leaf.row.path == row.path[: len(leaf.row.path)]]
        own = [
            row.name,
            *(str(leaf.value) for leaf in its_own if leaf.kind == "names"),
            *(leaf.unit for leaf in its_own),
        ]
        if not noun or any(alike(noun[0], word) for name in own for word in content(name)):
            return False
        its = [each for each in self.support.rows if each.words and alike(noun[0], each.words[-1])]
        return bool(its) and all(each.table[0] != row.table[0] for each in its if row.table)

    def _counted(self, one: Amount, unit: str, row: Row) -> bool:
        """Whether the unit of a count is said beside it, or is a general one."""
        if one.unit or (unit_of(unit) or unit.casefold()) in GENERAL_UNITS:
            return not one.unit and not self.of_other_things(one, row)
        others = [other for other in amounts(self.answer) if other is not one]
        start = max([one.first - 6, 0, *(other.last + 1 for other in others if other.last < one.first)])
        end = min([one.last + 9, *(other.first for other in others if other.first > one.last)])
        beside = self.answer.texts[start:end]
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
            found = [one for one in left if wanted in _but(set(one.days))]
        named_so = any(wanted <= set(one.days) for one in spoken)
        if not found and not away and len(wanted) == 1 and not named_so:  # "tomorrow", of which the day is known
            every = calendars(self.answer, self.today)
            dates = [one for one in every if one.weekday is None and not self._no_day(one)]
            named = [
                one for one in dates if {DAYS[date.fromisoformat(day).weekday()] for day in one.readings} == wanted
            ]
            if named:
                return "", [Mention(one.first, one.last, Week(tuple(wanted), one.first, one.last)) for one in named]
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
        """Whether a word says an absence: "off", but not "we knock off at one", "shut at six"."""
        until = self.answer.texts[place + 1 : place + 2] in (("at",), ("by",))
        until = until and (
            self.answer.texts[place] == "off" or any(one.first == place + 2 for one in clocks(self.answer))
        )
        return self.answer.texts[place] in AWAY and not until

    def _moments(self, leaf: Leaf) -> tuple[str, list[Mention]]:
        day, time = moment_of(str(leaf.value))
        start = self.today if leaf.path == ("origin",) else self.origin
        dates = calendars(self.answer, start)
        found = [one for one in dates if day in one.readings]
        found = found if leaf.row.absent else [one for one in found if not self._no_day(one)]
        if leaf.name in _OF_ONE_DAY:  # "Monday to Friday" says when something is open
            found = [one for one in found if not self._within_days(one)]
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
            far = min((self.support.cost(leaf.row, one) for one in at), default=0.0) - BY_HEAD
            if any(self.support.cost(leaf.row, one) < far for one in self._beside(best)):
                return f"beside this day the answer says another time than {time}", []
            others = [one for one in dates if one not in found]
            mine = [each.first for day in mentions for each in self._beside(day)]
            its = [each.first for day in others for each in self._beside(Mention(day.first, day.last))]
            at = [one for one in at if one.first in mine or one.first not in its]  # "Thursday noon", of Thursday
            return wrong, [one for one in at if any(not _between(one, day, others) for day in mentions)]
        return "", mentions

    def _within_days(self, one: Calendar) -> bool:
        """Whether a day of the week is an end of a span of days."""
        spans = [each for each in weeks(self.answer) if _THROUGH & {*self.answer.texts[each.first : each.last + 1]}]
        return one.weekday is not None and any(each.first <= one.first <= each.last for each in spans)

    def _beside(self, day: Mention) -> list[Mention]:
        """The times that stand directly beside a date: "Thursday at six"."""
        texts = self.answer.texts
        found = []
        for one in clocks(self.answer):
            between = texts[day.last + 1 : one.first] if one.first > day.last else texts[one.last + 1 : day.first]
            if len(between) <= 2 and {*between} <= {"at", "by", "on", "from", "before", "until"}:
                found.append(Mention(one.first, one.last, one))
        return found

    def _no_day(self, one: Calendar) -> bool:
        """Whether a date is one on which something is not done: "no work on the 25th"."""
        due = "due" in self.answer.texts[max(0, one.first - 6) : one.first]
        return self.answer.denied(one.first) and not due and not self._not_before(Mention(one.first, one.last))

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


def _but(days: set[str]) -> list[set[str]]:
    """The days that are left without ``days``: of the week, and of the working week where they are of it."""
    return [set(DAYS) - days, *([set(DAYS[:5]) - days] if days & set(DAYS[:5]) else [])]


def _between(one: Mention, other: Mention, dates: Sequence[Calendar]) -> bool:
    """Whether a date of ``dates`` stands between two mentions."""
    first, last = min(one.last, other.last), max(one.first, other.first)
    return any(first < date.first and date.last < last for date in dates)
