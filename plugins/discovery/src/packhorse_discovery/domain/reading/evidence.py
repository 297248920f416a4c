"""Whether an answer supports a structure: each value said, and said of its row; or derived, or quoted."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from attrs import evolve, field, frozen

from packhorse_discovery.domain.case.quantity import MINUTES
from packhorse_discovery.domain.case.units import family_of, unit_of
from packhorse_discovery.domain.reading.amounts import Amount, amounts, close
from packhorse_discovery.domain.reading.choices import WaysOf, choice_fault, flag_fault, no_ways, yes_no_fault
from packhorse_discovery.domain.reading.formula import agrees, basis
from packhorse_discovery.domain.reading.moments import DAYS, Calendar, calendars, clocks, minutes, weeks
from packhorse_discovery.domain.reading.refinement import (
    Keys,
    Leaf,
    Place,
    Row,
    keys_by_name,
    leaves,
    moment_of,
)  # fmt: skip
from packhorse_discovery.domain.reading.support import Mention, Support
from packhorse_discovery.domain.reading.words import NEGATORS, Words, alike, content, spelled, words_of

NO_START = "no start date is known"
GENERAL_UNITS = frozenset({"piece", "batch", "unit", "item", "part", ""})
"""Units of a count that need not be said."""
_RANGE = re.compile(r"^\s*(\d+(?:\.\d+)?)(?:\s*(?:-|\u2013|to)\s*(\d+(?:\.\d+)?))?\s*$")
_RATE = re.compile(r"\s*(?:/|\bper\b|\ban?\b(?=\s+\w))\s*")
_AWAY = spelled(
    "off away closed closure holiday holidays leave out ill sick absent shut maintenance down broken free "
    "service serviced repair repairs repaired"
)
_LIMITS = _AWAY | {"most", "maximum", "max", "avoid", "forbidden"}
"""Words that limit without a negation."""
_ABSENT = frozenset({"absences", "closures"})
"""Lists whose rows say when something is not there."""
_EVERY = frozenset({"any", "all", "everyone", "everything", "everybody"})
"""Names of no row of their own."""
_CONJUNCTIONS = spelled("and but because since so when while then if though or that")
_STARTS = spelled("start starts starting begin begins beginning kick first")
_CALLED = {"time": "time", "days": "day", "moment": "date"}
_FAR = 12.0
"""A count farther than this from the words of its row is of something else."""


@frozen
class Refused:
    """A value that the words do not support: where, what, why, and the likeliest words."""

    path: Place
    value: Any
    why: str
    nearest: str = ""
    key: bool = False


@frozen
class Verdict:
    """What of a refinement is supported.

    ``states`` holds the supported values' paths, each ``said``, ``derived`` or
    ``quoted``. A row whose key is refused is refused whole. ``dated`` are the
    words that a date was read from, by path. ``not_used`` are numbers of the
    answer that nothing used; ``unmodelled`` the rules kept with their quotes.
    """

    states: Mapping[Place, str]
    refused: tuple[Refused, ...] = ()
    not_used: tuple[str, ...] = ()
    unmodelled: tuple[tuple[str, str], ...] = ()
    dated: Mapping[Place, str] = {}


def check(
    refinement: Mapping[str, Any], answer: Words, *, origin: str = "", today: str = "", known: Collection[str] = (),
    keys: Keys = keys_by_name, ways: WaysOf = no_ways,
) -> Verdict:  # fmt: skip
    """Hold a refinement against one answer.

    ``origin`` is the day that relative dates count from (ISO 8601; without it
    they have no reading), ``today`` the one that the start itself counts from,
    ``known`` the names established before, ``ways`` how each field may be answered.
    """
    rows, claims = leaves(refinement, keys)
    return _Check(refinement, answer, tuple(rows), tuple(claims), origin, today or origin, tuple(known), ways).verdict()


@frozen(eq=False)
class _Check:
    refinement: Mapping[str, Any]
    answer: Words
    rows: tuple[Row, ...]
    claims: tuple[Leaf, ...]
    origin: str
    today: str
    known: tuple[str, ...]
    ways: WaysOf
    support: Support = field(init=False)
    used: list[tuple[int, int]] = field(factory=list, init=False)
    dated: dict[Place, str] = field(factory=dict, init=False)
    days: dict[Place, Mention] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        every = dict.fromkeys([*self.rows, *(leaf.row for leaf in self.claims)])
        spans = {row: self.answer.find(row.quote) if row.quote else None for row in every}
        object.__setattr__(self, "support", Support(self.answer, tuple(every), spans))

    def verdict(self) -> Verdict:
        refused: dict[Place, Refused] = {}
        lost = {one.path: one for leaf in self.claims if leaf.kind == "key" for one in self._key(leaf)}
        states: dict[Place, str] = {leaf.path: "said" for leaf in self.claims if leaf.kind == "key"}
        chosen: dict[Leaf, Mention] = {}
        for leaf in self.claims:
            if leaf.kind == "key" or leaf.path in lost:
                continue
            found = self._leaf(leaf)
            if isinstance(found, Refused):
                refused[leaf.path] = found
                continue
            states[leaf.path] = self._state(leaf)
            if found is not None:
                chosen[leaf] = found
        refused |= self._twice(chosen)
        refused |= self._passed_over({leaf: at for leaf, at in chosen.items() if leaf.path not in refused})
        for place, why in lost.items():
            refused = {path: one for path, one in refused.items() if path[: len(place) - 1] != place[:-1]}
            states = {path: state for path, state in states.items() if path[: len(place) - 1] != place[:-1]}
            refused[place] = evolve(why, key=True)
        kept = {path: state for path, state in states.items() if path not in refused}
        return Verdict(kept, tuple(refused.values()), tuple(self._unused()), tuple(self._rules(kept)), self.dated)

    def _state(self, leaf: Leaf) -> str:
        if leaf.derived:
            return "derived"
        return "quoted" if self.support.spans.get(leaf.row) is not None else "said"

    # Names

    def _key(self, leaf: Leaf) -> Iterator[Refused]:
        """The key of a row must be said, or the row be quoted; and not be denied, unless it says so."""
        name, row = str(leaf.value), leaf.row
        if name.casefold() in _EVERY:
            return
        if row.quote:
            if self.support.spans.get(row) is None:
                yield Refused(leaf.path, name, "the quote is not in the answer", self._like(content(row.quote)[:3]))
                return
            first, last = self.support.spans[row] or (0, 0)
            self._use(first, last)
            return
        if (wrong := self._unsaid(name)) is not None:
            yield Refused(leaf.path, name, f"{wrong!r} is not in the answer", self._like(content(name)))
        elif not row.absent and self._denied(name):
            yield Refused(leaf.path, name, "the answer says that there is none", self._like(content(name)))
        elif row.absent and not self._denied(name, after=True) and leaf.row.table[-1] not in _ABSENT:
            yield Refused(leaf.path, name, "the answer does not say that there is none", self._like(content(name)))

    def _unsaid(self, name: str) -> str | None:
        """The first word of a name that is neither said nor known."""
        for word in content(name.replace("_", " ")):
            if not self.answer.places(word) and not any(
                alike(word, one) for other in self.known for one in content(other)
            ):
                return word
        return None

    def _denied(self, name: str, *, after: bool = False) -> bool:
        """Whether a word of ``name`` is only named to be denied; ``after`` counts "plums we don't sell" too."""
        every = [self.answer.places(word) for word in content(name)]
        return any(places and all(self._denied_at(place, after=after) for place in places) for places in every)

    def _denied_at(self, place: int, *, after: bool) -> bool:
        behind = self.answer.texts[place + 1 : min(place + 4, self.answer.clause(place)[1]) + 1]
        further = self.answer.texts[place + 1 : place + 9]
        none_of = any(further[at : at + 2] == ("none", "of") for at in range(len(further)))
        return self.answer.denied(place) or (after and (none_of or any(text in NEGATORS for text in behind)))

    def _named_of(self, leaf: Leaf, name: str) -> Row | None:
        """The row that every place of ``name`` is nearer to, where a name that it claims is nearer to this one.

        One side alone proves little: a name may stand between two rows, or after a line that was only wrapped.
        """
        if self.support.spans.get(leaf.row) is not None or not leaf.row.words:
            return None
        claims = {other.row: other for other in self.claims if other.field == leaf.field}
        other = self._nearer_to(leaf, name, claims)
        if other is None:
            return None
        its = claims[other]
        every = its.value if isinstance(its.value, list) else [its.value]
        swapped = any(self._nearer_to(its, str(one), claims) is leaf.row for one in every)
        return other if swapped else None

    def _nearer_to(self, leaf: Leaf, name: str, claims: Mapping[Row, Leaf]) -> Row | None:
        """The row that every place of ``name`` is nearer to than to the row of ``leaf``."""
        words = content(name.replace("_", " "))
        places = [self.answer.places(word) for word in words]
        beside = [row for row in self.rows if row.table == leaf.row.table]
        if not all(places) or any(set(words) & set(row.words) for row in beside):
            return None  # a name of a row of the list says what it follows, not what it has
        found: Row | None = None
        for place in places[-1]:
            found = self.support.rival(
                leaf.row,
                Mention(place, place),
                lambda row: row not in claims or _overlap(claims[row].value, leaf.value),
            )
            if found is None:
                return None
        return found

    # Values

    def _leaf(self, leaf: Leaf) -> Mention | Refused | None:
        if leaf.row.quote and self.support.spans.get(leaf.row) is None and leaf.kind != "rule":
            return Refused(leaf.path, leaf.value, "the quote is not in the answer")
        match leaf.kind:
            case "names":
                return self._names(leaf)
            case "flag":
                return self._flag(leaf)
            case "rule":
                return self._rule(leaf)
            case _:
                return self._value(leaf)

    def _names(self, leaf: Leaf) -> Refused | None:
        every = leaf.value if isinstance(leaf.value, list) else [leaf.value]
        ways = self.ways(leaf.field)
        for one in every:
            name = str(one.get("item-id", "")) if isinstance(one, Mapping) else str(one)
            span = self.support.spans.get(leaf.row)
            if not name.strip():
                return Refused(leaf.path, leaf.value, 'an item of a list is words, or an object with an "item-id"')
            if name in ways.choices:
                wrong = choice_fault(name, ways, self.answer, span, single=not isinstance(leaf.value, list))
                if wrong:
                    return Refused(leaf.path, leaf.value, wrong, leaf.row.quote)
                continue
            if (span is not None and leaf.row.path == ()) or name.casefold() in _EVERY:
                continue
            if (word := self._unsaid(name)) is not None:
                return Refused(leaf.path, leaf.value, f"{word!r} is not in the answer", self._like(content(name)))
            if not leaf.row.absent and self._denied(name):
                return Refused(leaf.path, leaf.value, "the answer says that there is none", self._like(content(name)))
            if (other := self._named_of(leaf, name)) is not None:
                why = f"the answer says {name} of {other.name}"
                return Refused(leaf.path, leaf.value, why, self._like(content(name)))
        return None

    def _flag(self, leaf: Leaf) -> Refused | None:
        places = [place for word in leaf.row.words for place in self.answer.places(word)]
        span, ways = self.support.spans.get(leaf.row), self.ways(leaf.field)
        if leaf.row.path and isinstance(leaf.row.path[-1], int) and (places or span is not None):
            wrong = flag_fault(leaf.name, leaf.value, ways, self.answer, places, span)
        else:
            wrong = yes_no_fault(leaf.name, leaf.value, ways, self.answer, span)
        return Refused(leaf.path, leaf.value, wrong, leaf.row.quote or self._like(leaf.row.words)) if wrong else None

    def _rule(self, leaf: Leaf) -> Refused | None:
        span = self.support.spans.get(leaf.row)
        if not leaf.row.quote:
            return Refused(leaf.path, leaf.value, "a rule needs a quote")
        if span is None:
            return Refused(leaf.path, leaf.value, "the quote is not in the answer")
        self._use(*span)
        plain = words_of(str(leaf.value)).texts
        quoted = self._quoted(span, content(str(leaf.value)))
        mine, its = _negations(plain) % 2, _negations(quoted) % 2
        if (its > mine and not _LIMITS & {*plain} - {*quoted}) or ("only" in {*quoted} - {*plain} and not mine):
            return Refused(leaf.path, leaf.value, "the quote denies, and the rule does not", leaf.row.quote)
        if mine > its and not (_LIMITS | {"only"}) & {*quoted} - {*plain}:
            return Refused(leaf.path, leaf.value, "the rule denies, and the quote does not", leaf.row.quote)
        if (wrong := self._strange(str(leaf.value), span)) is not None:
            return Refused(leaf.path, leaf.value, f"{wrong} is not in the quote", leaf.row.quote)
        return None

    def _quoted(self, span: tuple[int, int], rule: Sequence[str]) -> tuple[str, ...]:
        """The clauses that a quote stands in; of several the one that has all words of ``rule``."""
        texts = self.answer.texts
        first, last = self.answer.clause(span[0])[0], self.answer.clause(span[1])[1]
        joints = [at for at in range(first, last + 1) if texts[at] in _CONJUNCTIONS or self.answer.marks[at]]
        first = max([at + 1 for at in joints if at < span[0]], default=first)
        last = min([at - 1 for at in joints if at > span[1]], default=last)
        inside = [at for at in joints if first <= at <= last]
        for start, end in pairwise([first - 1, *inside, last + 1]):
            if all(any(alike(word, text) for text in texts[start + 1 : end]) for word in rule):
                return texts[start + 1 : end]
        return texts[first : last + 1]

    def _strange(self, rule: str, span: tuple[int, int]) -> str | None:
        """A number or time of a rule that its quote does not have."""
        claimed = words_of(rule)
        literal = self.answer.texts[span[0] : span[1] + 1]
        inside = [one for one in amounts(self.answer) if span[0] <= one.first <= one.last <= span[1]]
        times = [one for one in clocks(self.answer) if span[0] <= one.first <= one.last <= span[1]]
        for time in clocks(claimed):
            if ":" in claimed.texts[time.first] and not any(time.readings & other.readings for other in times):
                return claimed.texts[time.first]
        for one in amounts(claimed):
            at = [other for other in clocks(claimed) if other.first <= one.first <= other.last]
            if (
                any(other.readings & time.readings for other in times for time in at)
                or claimed.texts[one.first] in literal
            ):
                continue
            if not one.ordinal and not any(other.means(one.low, one.high, one.unit) for other in inside):
                return f"{one.low:g}"
        return None

    def _value(self, leaf: Leaf) -> Mention | Refused | None:
        if leaf.derived:
            return self._derived(leaf)
        wrong, found = self._mentions(leaf)
        if not found:
            return Refused(
                leaf.path, leaf.value, wrong, self._undated(leaf) if wrong == NO_START else self._nearby(leaf)
            )
        span = self.support.spans.get(leaf.row)
        if span is not None:
            first = span[0] - (self.answer.texts[max(0, span[0] - 1)] in {"a", "an"})
            found = [one for one in found if first <= one.first and one.last <= span[1]]
            if not found:
                return Refused(leaf.path, leaf.value, "it is not in the quote", leaf.row.quote)
        elif not leaf.row.words:
            return self._first(leaf, found)
        if (back := self._reversed(leaf, found)) is not None:
            return back
        ordered = sorted(found, key=lambda one: self.support.cost(leaf.row, one))
        nearer: Row | None = None
        for one in ordered:
            nearer = self.support.rival(leaf.row, one, lambda row: self._same(row, leaf))
            if nearer is not None:
                continue
            if leaf.kind == "count" and self.support.cost(leaf.row, one) > _FAR:
                continue
            if leaf.kind in {"count", "quantity"} and (later := self.support.taken_back(one)) is not None:
                return Refused(leaf.path, leaf.value, f"the answer goes on to say {later.low:g}", self._quote(one))
            return self._taken(one)
        self._use(ordered[0].first, ordered[0].last)
        why = f"the answer says it of {nearer.name}" if nearer is not None else "the answer does not say it of this row"
        return Refused(leaf.path, leaf.value, why, self._quote(ordered[0]))

    def _first(self, leaf: Leaf, found: list[Mention]) -> Mention | Refused:
        """A value of no row; the start of the schedule where the words speak of starting, if they do anywhere."""
        if leaf.path == ("origin",):
            every = [Mention(one.first, one.last) for one in calendars(self.answer, self.today)]
            starting = [one for one in every if self._clause_has(one, _STARTS)]
            kept = [one for one in found if self._clause_has(one, _STARTS)]
            if starting and not kept:
                return Refused(leaf.path, leaf.value, "the answer starts on another day", self._quote(starting[0]))
            found = kept or found
        return self._taken(found[0])

    def _clause_has(self, one: Mention, words: Collection[str]) -> bool:
        first, last = self.answer.clause(one.first)
        return any(text in words for text in self.answer.texts[first : last + 1])

    def _reversed(self, leaf: Leaf, found: list[Mention]) -> Refused | None:
        """A day of absence handed in as one of work, or the earliest time as the latest."""
        table = leaf.row.table[-1:] or ("",)
        timed = leaf.kind in {"days", "moment", "time"}
        if leaf.kind == "days" and not any(set(leaf.value) & set(one.what.days) for one in found):
            return None  # all days but those of an absence
        if timed and table[0].endswith("hours") and all(self._speaks_of_absence(one) for one in found):
            return Refused(leaf.path, leaf.value, "the answer speaks of an absence", self._quote(found[0]))
        latest = leaf.name in {"due", "deadline", "end", "until", "to"} and leaf.kind in {"moment", "time"}
        if latest and all(self._not_before(one) for one in found):
            return Refused(leaf.path, leaf.value, "the answer says: not before", self._quote(found[0]))
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

    def _taken(self, one: Mention) -> Mention:
        self._use(one.first, one.last)
        return one

    def _same(self, row: Row, leaf: Leaf) -> bool:
        """Whether another row claims the same value in the same field: then both may."""
        return any(
            other.row is row and other.name == leaf.name and other.value == leaf.value and other.unit == leaf.unit
            for other in self.claims
        )

    def _mentions(self, leaf: Leaf) -> tuple[str, list[Mention]]:
        """Every mention with the value of ``leaf``; or why there is none."""
        match leaf.kind:
            case "quantity":
                return self._quantities(leaf)
            case "count":
                if leaf.value == 0:
                    return "", [Mention(at, at) for at in self._heads(leaf.row)]
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

    def _articles(self, row: Row) -> list[int]:
        """Where "a" or "an" stands before a word of a row."""
        places = [at for word in row.words for at in self.answer.places(word)]
        return [back for at in places for back in (at - 1, at - 2) if self.answer.texts[max(0, back)] in {"a", "an"}]

    def _heads(self, row: Row) -> list[int]:
        """Where the words of a row are denied."""
        return [at for word in row.words for at in self.answer.places(word) if self._denied_at(at, after=True)]

    def _quantities(self, leaf: Leaf) -> tuple[str, list[Mention]]:
        match = _RANGE.match(str(leaf.value).lstrip("~ "))
        if match is None:
            said = all(self.answer.places(word) for word in content(str(leaf.value)))
            return "its words are not in the answer", [Mention(0, 0)] if said else []
        low = float(match[1])
        high = float(match[2] or match[1])
        written, per = _RATE.split(leaf.unit, maxsplit=1) if _RATE.search(leaf.unit) else (leaf.unit, "")
        unit = unit_of(written)
        family = family_of(unit) if unit else "count"
        every = [one for one in amounts(self.answer) if not one.ordinal]
        every = [one for one in every if basis(one, self.answer) == MINUTES.get(unit_of(per))] if per else every
        if family in {"count", "other"}:
            counted = [one for one in every if one.means(low, high, "") and self._counted(one, written)]
            if not counted and any(one.means(low, high, "") for one in every):
                return f"the answer says {match[0]}, and not of {leaf.unit}", []
            return f"{match[0]} is not in the answer", [Mention(one.first, one.last, one) for one in counted]
        found = [one for one in every if one.means(low, high, unit)]
        if not found and any(close(one.low, low) and close(one.high, high) for one in every):
            return f"the answer says {match[0]} without {leaf.unit}", []
        if not found and any(one.low <= low <= high <= one.high and one.unit == unit for one in every):
            return "the answer gives a range", []
        return f"{match[0]} {leaf.unit} is not in the answer", [Mention(one.first, one.last, one) for one in found]

    def _counted(self, one: Amount, unit: str) -> bool:
        """Whether the unit of a count is said beside it, or is a general one."""
        if one.unit or (unit_of(unit) or unit.casefold()) in GENERAL_UNITS:
            return not one.unit
        beside = self.answer.texts[max(0, one.first - 6) : one.last + 9]
        return all(any(alike(word, text) for text in beside) for word in content(unit))

    def _times(self, value: str, leaf: Leaf) -> tuple[str, list[Mention]]:
        wanted = minutes(value)
        begins = {"start": "start", "from": "start", "end": "end", "to": "end", "until": "end"}.get(leaf.name, "")
        found = [
            one
            for one in clocks(self.answer)
            if wanted in one.readings and (not one.span or not begins or one.span == begins)
        ]
        return f"{value} is not in the answer", [Mention(one.first, one.last, one) for one in found]

    def _days(self, leaf: Leaf) -> tuple[str, list[Mention]]:
        wanted = set(leaf.value)
        spoken = weeks(self.answer)
        away = leaf.row.table[-1] in _ABSENT if leaf.row.table else False
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
        return self.answer.texts[place] in _AWAY and not (self.answer.texts[place] == "off" and until)

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
            self.dated[leaf.path] = self._date_words(best)
        if time:
            wrong, at = self._times(time, leaf)
            self._use(best.first, best.last)
            others = [one for one in dates if one not in found]
            return wrong, [one for one in at if any(not _between(one, day, others) for day in mentions)]
        return "", mentions

    def _no_day(self, one: Calendar) -> bool:
        """Whether a date is one on which something is not done: "no work on the 25th"."""
        return self.answer.denied(one.first) and not self._not_before(Mention(one.first, one.last))

    def _undated(self, leaf: Leaf) -> str:
        """The words of the relative date nearest to the row."""
        found = [Mention(one.first, one.last, one) for one in calendars(self.answer, "") if not one.readings]
        return self._date_words(min(found, key=lambda one: self.support.cost(leaf.row, one)))

    def _date_words(self, one: Mention) -> str:
        """A date as it was said, with a time that stands beside it."""
        beside = [
            time for time in clocks(self.answer) if 0 <= time.first - one.last <= 4 or 0 <= one.first - time.last <= 4
        ]
        first, last = (
            min([one.first, *(time.first for time in beside)]),
            max([one.last, *(time.last for time in beside)]),
        )
        return self.answer.text[self.answer.words[first].start : self.answer.words[last].end]

    def _derived(self, leaf: Leaf) -> Refused | None:
        wrong, used = agrees(
            leaf.derived, str(leaf.value), leaf.unit, self.answer,
            lambda one: self.support.rival(leaf.row, Mention(one.first, one.last), lambda _: False) is None,
        )  # fmt: skip
        for one in used:
            self._use(one.first, one.last)
        return Refused(leaf.path, leaf.value, wrong) if wrong else None

    # Across rows

    def _twice(self, chosen: Mapping[Leaf, Mention]) -> dict[Place, Refused]:
        """Rows that claim one mention between them: only the nearest may, unless the words name them together."""
        refused: dict[Place, Refused] = {}
        taken: dict[tuple[tuple[str, ...], int], Leaf] = {}
        for leaf, mention in sorted(chosen.items(), key=lambda one: self.support.cost(one[0].row, one[1])):
            if leaf.kind not in {"quantity", "count"} or not leaf.row.words:
                continue
            first = taken.setdefault((leaf.row.table, mention.first), leaf)
            if first is not leaf and first.row is not leaf.row and not self._together(first.row, leaf.row, mention):
                refused[leaf.path] = Refused(
                    leaf.path,
                    leaf.value,
                    f"these words already give this value to {first.row.name}",
                    self._quote(mention),
                )
        return refused

    def _together(self, one: Row, other: Row, mention: Mention) -> bool:
        """Whether both rows are named on one side of a number, with no other number between."""
        if self.support.is_shared(mention):
            return True
        sides = []
        for row in (one, other):
            places = [place for word in row.words for place in self.answer.places(word)]
            near = min(places, key=lambda at: self.answer.distance(at, mention.first, mention.last), default=None)
            if near is None:
                return True
            sides.append(near)
        low, high = min(*sides, mention.first), max(*sides, mention.last)
        between = [a for a in amounts(self.answer) if low <= a.first and a.last <= high and a.first != mention.first]
        return not between and (sides[0] < mention.first) == (sides[1] < mention.first)

    def _passed_over(self, chosen: Mapping[Leaf, Mention]) -> dict[Place, Refused]:
        free = [
            one
            for one in amounts(self.answer)
            if not (one.ordinal or self._is_used(one.first, one.last) or self.answer.denied(one.first))
        ]
        refused = {}
        spare = {
            "time": [Mention(one.first, one.last) for one in clocks(self.answer)],
            "days": [Mention(one.first, one.last, one) for one in weeks(self.answer)],
            "moment": [
                Mention(one.first, one.last, one) for one in calendars(self.answer, self.origin) if one.readings
            ],
        }
        for leaf, mention in chosen.items():
            at = self.days.get(leaf.path, mention)
            others = [one for one in spare.get(leaf.kind, ()) if not self._is_used(one.first, one.last)]
            if leaf.kind == "days":  # "every day but not Wednesdays": only one of them is of the row's kind
                others = [one for one in others if one.what.denied == mention.what.denied]
            if leaf.kind == "moment":  # "the Monday before Christmas, the 21st": the same day
                on = date.fromisoformat(moment_of(str(leaf.value))[0]).weekday()
                others = [one for one in others if one.what.weekday != on]
            if (nearer := self.support.nearer(leaf, at, others)) is not None:
                why = f"another {_CALLED[leaf.kind]} stands nearer to this row"
                refused[leaf.path] = Refused(leaf.path, leaf.value, why, self._quote(nearer))
            if not isinstance(mention.what, Amount):
                continue
            family = mention.what.family if mention.what.unit else "time" if unit_of(leaf.unit) in MINUTES else "count"
            over = self.support.passed_over(leaf, mention, free, family)
            if over is not None:
                words = self.answer.text[self.answer.words[over.first].start : self.answer.words[over.last].end]
                refused[leaf.path] = Refused(
                    leaf.path,
                    leaf.value,
                    f"nearer to this row the answer says {words}",
                    self._quote(Mention(over.first, over.last)),
                )
        return refused

    # What goes back

    def _use(self, first: int, last: int) -> None:
        self.used.append((first, last))

    def _is_used(self, first: int, last: int) -> bool:
        return any(start <= last and first <= end for start, end in self.used)

    def _unused(self) -> Iterator[str]:
        for one in amounts(self.answer):
            noun = self.answer.texts[one.last + 1 : one.last + 2]
            counted = bool(one.unit) or bool(one.carried) or (noun and noun[0][:1].isalpha())
            if counted and not one.ordinal and not self._is_used(one.first, one.last):
                yield self.answer.around(one.first, one.last, 3)

    def _rules(self, kept: Mapping[Place, str]) -> Iterator[tuple[str, str]]:
        for leaf in self.claims:
            if leaf.kind == "rule" and leaf.path in kept:
                yield str(leaf.value), leaf.row.quote

    def _like(self, words: Sequence[str]) -> str:
        places = [place for word in words for place in self.answer.places(word)]
        return self.answer.around(places[0], places[0]) if places else ""

    def _quote(self, mention: Mention) -> str:
        return self.answer.around(mention.first, mention.last)

    def _nearby(self, leaf: Leaf) -> str:
        """The words around the number of the wanted kind that is nearest to the row."""
        family = family_of(unit_of(leaf.unit)) if leaf.unit else "count"
        like = [one for one in amounts(self.answer) if one.family == family or one.carried]
        if not like or not leaf.row.words:
            return self._like(leaf.row.words)
        best = min(like, key=lambda one: self.support.cost(leaf.row, Mention(one.first, one.last)))
        return self.answer.around(best.first, best.last)


def _negations(texts: Sequence[str]) -> int:
    """How often words deny: "never", and "too" before a word ("too low for the van")."""
    too = sum(text == "too" and after[:1].isalpha() for text, after in pairwise(texts))
    return too + sum(text in NEGATORS for text in texts)


def _between(one: Mention, other: Mention, dates: Sequence[Calendar]) -> bool:
    """Whether a date of ``dates`` stands between two mentions."""
    first, last = min(one.last, other.last), max(one.first, other.first)
    return any(first < date.first and date.last < last for date in dates)


def _overlap(one: Any, other: Any) -> bool:
    """Whether two values of a field name something in common."""
    first, second = ({str(each) for each in (value if isinstance(value, list) else [value])} for value in (one, other))
    return bool(first & second)
