"""Values of one row that the answer says in one breath: the two ends of a span, and the days of its hours."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise

from attrs import frozen

from packhorse_discovery.domain.reading.corrections import Mention
from packhorse_discovery.domain.reading.dates import calendars
from packhorse_discovery.domain.reading.refinement import Leaf, Row, moment_of
from packhorse_discovery.domain.reading.support import MARGIN
from packhorse_discovery.domain.reading.times import Clock, clocks, minutes
from packhorse_discovery.domain.reading.words import Words

_ENDS = (("start", "end"), ("from", "until"), ("from", "to"), ("from-date", "to-date"))
_STOPS = frozenset({".", "border", "\n"})


@frozen
class _End:
    """One reading of a time or a date, where it stands, and the span it begins or ends, if any."""

    value: str
    first: int
    last: int
    span: int = -1
    begins: bool = False


@frozen(eq=False)
class _Said:
    """A value, the mention that supports it, and all of them."""

    leaf: Leaf
    at: Mention
    every: list[Mention]


@frozen(eq=False)
class Pairs:
    """The spans of one answer. ``said`` gives every mention of a leaf's value."""

    answer: Words
    origin: str
    said: Callable[[Leaf], list[Mention]]

    def torn(
        self, claims: Iterable[Leaf], chosen: Mapping[Leaf, Mention], free: Callable[[Clock], bool]
    ) -> Iterator[tuple[Leaf, str, Mention]]:
        """The values of ``claims`` that do not belong together, why, and where the answer says so.

        ``chosen`` are the mentions that support them, where any does; ``free`` says that nothing uses a time.
        """
        rows: dict[Row, dict[str, _Said]] = {}
        for leaf in claims:
            if leaf.kind in {"time", "moment", "days"}:
                every = self.said(leaf)
                at = chosen.get(leaf) or next(iter(every), None)
                if at is not None:
                    rows.setdefault(leaf.row, {})[leaf.name] = _Said(leaf, at, every)
        for row, values in rows.items():
            for begin, end in ((values.get(one), values.get(other)) for one, other in _ENDS):
                if begin is not None and end is not None and begin.leaf.kind == end.leaf.kind != "days":
                    yield from self._ends(begin, end)
            release, due = values.get("release"), values.get("due")
            if release is not None and due is not None and release.leaf.value == due.leaf.value:
                yield due.leaf, "the answer says it of the release", due.at
            others = [its for other, its in rows.items() if other is not row and other.same_name(row)]
            if others:
                yield from self._hours(values, others, free)

    def _ends(self, begin: _Said, end: _Said) -> Iterator[tuple[Leaf, str, Mention]]:
        """Two ends of a row of which the answer says one together with another."""
        first, second = _end_of(begin.leaf), _end_of(end.leaf)
        every = list(self._times() if begin.leaf.kind == "time" else self._dates())
        starts = [one for one in every if one.value == first and (one.begins or one.span < 0)]
        ends = [one for one in every if one.value == second and (not one.begins or one.span < 0)]
        if first == second:  # one day: both ends are read from one place
            starts = [one for one in starts if one.first == begin.at.first]
            ends = [one for one in ends if one.first == end.at.first]
        if begin.leaf.kind == "time" and first == second:
            for one in (begin, end):
                yield one.leaf, f"it ends when it begins, at {end.leaf.value}", one.at
        if begin.leaf.kind == "moment" and second < first:
            yield end.leaf, f"it ends before it begins on {first}", end.at
        spans = {one.span for one in every if one.value in {first, second}} - {-1}
        if spans and not any(self._fit(one, other) for one in starts for other in ends):
            whole = next(one for one in every if one.span in spans)
            for one in (begin, end):
                yield one.leaf, "the answer does not say these two ends together", Mention(whole.first, whole.last)

    def _fit(self, start: _End, end: _End) -> bool:
        """Whether two ends are of one span, or stand in one sentence where one of them is of none."""
        if start.span >= 0 and end.span >= 0:
            return start.span == end.span
        low, high = min(start.first, end.first), max(start.last, end.last)
        return not {*self.answer.marks[low:high]} & _STOPS

    def _times(self) -> Iterator[_End]:
        span = -1
        for place, one in enumerate(clocks(self.answer)):
            span = place if one.span == "start" else span
            for at in one.readings:
                yield _End(str(at), one.first, one.last, span if one.span else -1, one.span == "start")

    def _dates(self) -> Iterator[_End]:
        found = calendars(self.answer, self.origin)
        spans: dict[int, tuple[int, bool]] = {}
        for at, (one, other) in enumerate(pairwise(found)):
            between = {*self.answer.texts[one.last + 1 : other.first]} - {"the", "on"}
            next_day = between == {"and"} and any(_after(day) in other.readings for day in one.readings)
            if next_day or (len(between) == 1 and between <= {"to", "-", "until", "till", "through"}):
                spans[at], spans[at + 1] = (at, True), (at, False)
        for at, one in enumerate(found):
            span, begins = spans.get(at, (-1, False))
            for day in one.readings:
                yield _End(day, one.first, one.last, span, begins)

    def _hours(
        self, values: Mapping[str, _Said], others: Sequence[Mapping[str, _Said]], free: Callable[[Clock], bool]
    ) -> Iterator[tuple[Leaf, str, Mention]]:
        """Days and hours of a row where the hours are nearer to the days of another row of its name, or the reverse."""
        days = next((one for one in values.values() if one.leaf.kind == "days"), None)
        if days is None:
            return
        for name, time in values.items():
            if time.leaf.kind != "time":
                continue
            mine = self._far(days, time.at)
            for other in others:
                its = next((one for one in other.values() if one.leaf.kind == "days"), None)
                same = name in other and other[name].leaf.value == time.leaf.value
                if its is not None and not same and self._far(its, time.at) + MARGIN < mine:
                    for leaf in (days.leaf, time.leaf):
                        yield leaf, f"the answer says {time.leaf.value} of {' and '.join(its.leaf.value)}", time.at
            for clock in clocks(self.answer):
                at = Mention(clock.first, clock.last, clock)
                role = clock.span in {"", getattr(time.at.what, "span", "")}
                if role and free(clock) and self._far(days, at) + MARGIN < mine:
                    yield time.leaf, f"another time stands nearer to {' and '.join(days.leaf.value)}", at

    def _far(self, days: _Said, time: Mention) -> float:
        """How far the nearest mention of ``days`` is from a time, or from the span that the time ends."""
        every = clocks(self.answer)
        at = next((place for place, one in enumerate(every) if one is time.what), None)
        first = every[at - 1].first if at and every[at].span == "end" else time.first
        places = [one.last if one.last < first else one.first for one in days.every]
        return min((self.answer.distance(place, first, time.last) for place in places), default=0.0)


def _end_of(leaf: Leaf) -> str:
    """The value of one end as `_End` has it: minutes after midnight, or a date."""
    return str(minutes(str(leaf.value))) if leaf.kind == "time" else moment_of(str(leaf.value))[0]


def _after(day: str) -> str:
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()
