"""Whether a mention is of a row: how far its words are, which other row is nearer, and what was passed over.

The costs and bounds were measured on twelve answers with their right
structures and 1,200 wrong ones (design/discovery_evidence_recipe, 2.3 and 2.4).
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from attrs import frozen

from packhorse_discovery.domain.case.quantity import MINUTES
from packhorse_discovery.domain.reading.amount import Amount
from packhorse_discovery.domain.reading.amounts import amounts
from packhorse_discovery.domain.reading.corrections import Corrections, Mention
from packhorse_discovery.domain.reading.refinement import Leaf, Row
from packhorse_discovery.domain.reading.times import Clock, clocks
from packhorse_discovery.domain.reading.weekdays import DAYS, Week, weeks
from packhorse_discovery.domain.reading.words import BORDER, EVERY, EVERYONE, SHARES, Words, alike, content, spelled

MARGIN = 0.5
"""A row is nearer than another from this cost on."""
NEAR = 8.0
"""A number that nothing uses counts as passed over up to this cost."""
FARTHER = 12.0
"""The same where the name joins two things."""
_JOINED_NAMES = 4
"""Tokens at most between two names of "new anodes and a polish"."""
ABOVE = 0.5
"""What the words of the row above weigh."""
BY_HEAD = 6.0
"""What it costs to be called by the last word alone: the table, for the oak table."""
BESIDE = 6.0
"""Up to this cost a word of the row above stands beside a number."""
_REFERS = spelled("after follows following once per")
"""Words before a name that is only said to come first."""
_ARTICLES = frozenset({"the", "a", "an", "our"})
_BACKWARD = spelled("those these they it that this he she them")
"""Words at the beginning of a sentence that speak of what was named before."""
_WAY = 6
"""Tokens within which a way names its two ends."""
_PHRASE = 8
"""Tokens within which one phrase names two things."""
_APART = frozenset({".", ";", ":", "border", "\n"})
_JOINED = re.compile(r"\s+and\s+|\s*[&/+]\s*|,\s+")
BEFORE_ABOVE = 0.3
"""What a word costs that stands before, where it is of the row above: it was said once for all of its rows."""


@frozen(eq=False)
class Support:
    """The rows of a refinement against the words of one answer."""

    answer: Words
    rows: Sequence[Row]
    spans: Mapping[Row, tuple[int, int] | None]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found = {word: self._named(word) for row in self.rows for word in row.called}
        everyone = [at for at, text in enumerate(self.answer.texts) if text in EVERYONE]
        return found | {word: found[word] or everyone for word in EVERY & found.keys()}

    @cached_property
    def corrections(self) -> Corrections:
        """Which numbers take back which."""
        return Corrections(self.answer, self.rows, self._places)

    def _named(self, word: str) -> list[int]:
        """Where a word stands; where it is only said to come first ("after the floor") only if nowhere else."""
        if word.partition(" ")[0] in DAYS:
            return self._of_days(word.split())
        places = self.answer.forms(word)
        before = {at: [one for one in self.answer.texts[max(0, at - 2) : at] if one not in _ARTICLES] for at in places}
        own = [at for at in places if not (before[at] and before[at][-1] in _REFERS)]
        return own or places

    def _of_days(self, days: Sequence[str]) -> list[int]:
        """Where the answer names these days; where it does not name them so, where it names the first."""
        said = [at for one in weeks(self.answer) if {*one.days} == {*days} for at in (one.first, one.last)]
        return said or self.answer.places(days[0].casefold())

    @cached_property
    def _above(self) -> dict[str, list[int]]:
        """Where the words of the rows above stand, in whatever form: rows within rows are told apart by them alone."""
        return {word: self.answer.forms(word) for row in self.rows for word in row.above}

    def cost(self, row: Row, mention: Mention) -> float:
        """How far the words of ``row`` are from ``mention``; the last word of a name may stand for it."""
        span = self.spans.get(row)
        if span is not None and span[0] <= mention.first and mention.last <= span[1]:
            return 0.0
        called = row.words if isinstance(mention.what, Week) else row.called
        own = [self._least(word, mention) for word in called if self._places.get(word)]
        if not own:
            return BORDER if span is None else BORDER / 2
        above = [self._least(word, mention, above=True) for word in row.above if self._above.get(word)]
        far = self._way(row, mention) or sum(own) / len(own)
        for word in row.words if not _joined(row.name) else ():
            if self._places.get(word) and self._alone(row, word):
                named = word == row.words[-1] and self.answer.find(row.name)
                far = min(far, self._least(word, mention) + (MARGIN if named else BY_HEAD))
        return far + ABOVE * (sum(above) / len(above) if above else FARTHER if row.above else 0.0)

    def named(self, row: Row) -> bool:
        """Whether the answer has any word of a row."""
        return any(self._places.get(word) for word in row.called)

    def _way(self, row: Row, mention: Mention) -> float:
        """How far "from X to Y" is from ``mention``, where a row has these two ends; 0 where they are not said so."""
        if len(row.ends) != 2:
            return 0.0
        first, last = ([at for word in end for at in self._places.get(word) or ()] for end in row.ends)
        costs = []
        for one, other in ((one, other) for one in first for other in last if 0 < other - one <= _WAY):
            if any(one < each.first < other for each in amounts(self.answer)):
                continue
            start = one - (self.answer.texts[max(0, one - 1)] == "from")
            place = other if other < mention.first else start
            costs.append(self.answer.distance(place, mention.first, mention.last))
        return min(costs, default=0.0)

    def _alone(self, row: Row, word: str) -> bool:
        """Whether a word of a row's name is of no other row of its list."""
        beside = [one for one in self.rows if one.table == row.table and one.words != row.words]
        return not any(alike(word, other) for one in beside for other in one.words)

    def named_apart(self, row: Row) -> tuple[str, str] | None:
        """Two things that a name joins ("sorting and ironing") and that the answer does not name together.

        Of a quoted row only a thing that is said elsewhere, and not in the quote's sentence, is apart.
        """
        parts = [] if self.answer.find(row.name) else [part for part in _JOINED.split(row.name) if part.strip()]
        span = self.spans.get(row)
        for one, other in pairwise(parts):
            if self.answer.find(f"{one.split()[-1]} and {other.split()[0]}"):
                continue  # "pick and place", of "pick and place by hand"
            if {one.strip().casefold(), other.strip().casefold()} & EVERY:
                return one, other
            words = [{*content(one)} - {*content(other)}, {*content(other)} - {*content(one)}]
            first, second = ([at for word in each for at in self.answer.forms(word)] for each in words)
            if span is not None:
                start, end = (self.answer.clause(at)[side] for side, at in enumerate(span))
                gone = [places for places in (first, second) if places and not any(start <= at <= end for at in places)]
                if gone:
                    return one, other
            elif first and second and not any(self._one_phrase(a, b) for a in first for b in second):
                return one, other
        return None

    def _one_phrase(self, one: int, other: int) -> bool:
        """Whether two words stand within a few of each other, with no number, no stop and no end of a line between."""
        low, high = min(one, other), max(one, other)
        numbers = [one.first for one in amounts(self.answer)] + [one.first for one in clocks(self.answer)]
        apart = any(low < at < high for at in numbers)
        return high - low <= _PHRASE and not apart and not {*self.answer.marks[low:high]} & _APART

    def _least(self, word: str, mention: Mention, *, above: bool = False) -> float:
        if above and self._is_ditto(word, mention):
            return 0.0
        costs = []
        for place in (self._above if above else self._places).get(word) or ():
            far = self.answer.distance(place, mention.first, mention.last)
            costs.append(far * BEFORE_ABOVE if above and place < mention.first else far)
        return min(costs, default=BORDER)

    def _in_order(self, row: Row, mention: Mention) -> Row | None:
        """The row of a value in "washing and drying take 30 and 50 minutes": as many names as values, in one order."""
        kind = type(mention.what)
        every: Sequence[Any] = {Amount: amounts(self.answer), Clock: clocks(self.answer)}.get(kind, ())
        run = [one for one in every if one.first == mention.first]
        texts = self.answer.texts
        for step in (1, -1):
            for one in every[::step]:
                last, then = (run[-1], one) if step > 0 else (one, run[0]) if run else (one, one)
                gap = texts[last.last + 1 : then.first]
                if run and gap and {*gap} <= {"and", ","} and last.last < then.first:
                    run.insert(len(run) if step > 0 else 0, one)
        start = self.answer.sentence(mention.first)
        named: dict[int, Row] = {}
        for one in (each for each in self.rows if each.table == row.table and each.above == row.above):
            own = [word for word in one.words if self._alone(one, word)]
            before = (
                [at for word in own for at in self._places.get(word) or () if start <= at < run[0].first] if run else []
            )
            if before:
                named[max(before)] = one
        places = sorted(named)[-len(run) :] if run else []
        gaps = [texts[one + 1 : other] for one, other in pairwise(places)]
        joined = (
            gaps and all({"and", ","} & {*gap[:1]} and len(gap) <= _JOINED_NAMES for gap in gaps) and "and" in gaps[-1]
        )
        if (
            not joined
            or len(run) < 2
            or len(places) != len(run)
            or any(places[-1] < one.first < run[0].first for one in every)
        ):
            return None
        return named[places[next(at for at, one in enumerate(run) if one.first == mention.first)]]

    def _is_ditto(self, word: str, mention: Mention) -> bool:
        """Whether a mention is said again of ``word``: "moulding takes 12 minutes. Ditto the lids"."""
        for at, text in enumerate(self.answer.texts):
            told = text == "ditto" or (text == "same" and self.answer.texts[at + 1 : at + 2] in (("for",), ("with",)))
            start = self.answer.sentence(max(0, at - 2)) if told else at
            if start <= mention.first < at and any(alike(word, one) for one in self.answer.texts[at + 1 : at + 5]):
                return True
        return False

    def ditto(self, row: Row, mention: Mention) -> bool:
        """Whether a mention is said again of the row that ``row`` stands in."""
        return any(self._is_ditto(word, mention) for word in row.above)

    def rival(self, row: Row, mention: Mention, excused: Callable[[Row], bool]) -> Row | None:
        """Another row of the list that is nearer to ``mention``; none where it is shared, or said before any row."""
        mine = self.cost(row, mention)
        if mine == 0.0 or self.is_shared(mention):
            return None
        if (order := self._in_order(row, mention)) is not None:
            return None if order is row else order
        others = [one for one in self.rows if one is not row and one.table == row.table and not _within(one, row)]
        others = [one for one in others if not self._only_later(one, mention) and not self._next(one, row, mention)]
        others = [one for one in others if not self.ditto(one, mention)]
        nearer = [(self.cost(one, mention), at, one) for at, one in enumerate(others) if not excused(one)]
        best = min(nearer, default=None)
        if best is not None and best[2].words != row.words:  # another row of this name may be nearer than it
            mine = min(self.cost(one, mention) for one in self.rows if one.same_name(row))
        return best[2] if best and best[0] < mine - MARGIN else None

    def _next(self, rival: Row, row: Row, mention: Mention) -> bool:
        """Whether a row is first named after the sentence of a mention, and ``row`` before it."""
        end = mention.last
        while end + 1 < len(self.answer.texts) and self.answer.marks[end] not in {".", "border"}:
            end += 1
        its = [at for word in rival.words for at in self._places.get(word) or ()]
        mine = [at for word in row.words for at in self._places.get(word) or ()]
        return bool(its and mine) and min(its) > end and min(mine) < mention.first

    def _only_later(self, row: Row, mention: Mention) -> bool:
        """Whether a row is named only after a sentence that begins with "those": which is of one named before."""
        first = self.answer.sentence(mention.first)
        places = [at for word in row.words for at in self._places.get(word) or ()]
        return self.answer.texts[first] in _BACKWARD and bool(places) and min(places) > mention.last

    def is_shared(self, mention: Mention) -> bool:
        """Whether its clause says it of several: "both take 20 minutes", but not where it says another number too."""
        first, last = self.answer.clause(mention.first)
        texts = self.answer.texts[first : last + 1]
        if not any(text in SHARES for text in texts):
            return False
        lengths = [one for one in amounts(self.answer) if first <= one.first <= last and (one.unit or one.carried)]
        return len(lengths) < 2 or not isinstance(mention.what, Amount) or all(one != mention.what for one in lengths)

    def is_of_each(self, mention: Mention) -> bool:
        """Whether a number is said of what was named before: "two of each", "three of those"."""
        after = self.answer.texts[mention.last + 1 : mention.last + 3]
        return after[:1] == ("of",) and after[1:] in (("each",), ("everything",), ("those",), ("these",), ("them",))

    def passed_over(
        self, leaf: Leaf, chosen: Mention, free: Iterable[Amount], family: str, nouns: Collection[str] = ()
    ) -> Amount | None:
        """A number of the same kind that nothing uses and that stands nearer to a word of the row.

        A count competes where what it counts is the row, its unit or one of ``nouns``.
        """
        if self.spans.get(leaf.row) is not None:
            return None
        joined = _joined(leaf.row.name)
        for word in leaf.row.called:
            places = self._places.get(word) or []
            if not places:
                continue
            mine = self._least(word, chosen)
            for one in free:
                rival = Mention(one.first, one.last)
                far = self._least(word, rival)
                carried = family == "time" and any(unit in MINUTES for unit in one.carried)
                if one.family != family and not carried:
                    continue
                alike_nouns = (
                    self.answer.texts[one.last + 1 : one.last + 2]
                    == self.answer.texts[chosen.last + 1 : chosen.last + 2]
                )
                same = alike_nouns or self._noun_follows(one, leaf, nouns)
                if family == "count" and not joined and not same:
                    continue
                if not joined and self._of_another_step(leaf.row, rival, chosen):
                    continue
                if (
                    far <= (FARTHER if joined else NEAR)
                    and far + MARGIN < mine
                    and not self.corrections.later(one, chosen)
                ):
                    return one
        return None

    def _of_another_step(self, row: Row, one: Mention, chosen: Mention) -> bool:
        """Whether the words of the row above stand beside ``chosen``: then ``one`` is of another row above."""
        every = [places for word in row.above if (places := self._above.get(word))]
        far, near = (
            sum(min(self.answer.distance(place, at.first, at.last) for place in places) for places in every)
            for at in (one, chosen)
        )
        return bool(every) and near <= BESIDE and near + MARGIN < far

    def nearer(self, leaf: Leaf, chosen: Mention, free: Iterable[Mention]) -> Mention | None:
        """Of other mentions of the kind, one that stands nearer to the row."""
        if self.spans.get(leaf.row) is not None or not leaf.row.words:
            return None
        bound = min(FARTHER, self.cost(leaf.row, chosen) - MARGIN)
        apart = (
            one
            for one in free
            if (one.last < chosen.first or one.first > chosen.last) and not self.corrections.later(one, chosen)
        )
        return next(
            (one for one in apart if self.cost(leaf.row, one) < bound and not self._own(leaf.row, chosen, one)), None
        )

    def _own(self, row: Row, chosen: Mention, other: Mention) -> bool:
        """Whether a value stands beside its own place of the row's name, and the other value beside another place."""
        places = [at for word in row.words for at in self._places.get(word) or ()]
        nearest, its = (
            min(places, key=lambda at: self.answer.distance(at, one.first, one.last), default=-1)
            for one in (chosen, other)
        )
        beside = nearest >= 0 and self.answer.distance(nearest, chosen.first, chosen.last) <= BESIDE
        return beside and self.answer.sentence(nearest) != self.answer.sentence(its)

    def crossed(self, row: Row, mine: Mention, other: Row, its: Mention) -> bool:
        """Whether two mentions of one quote belong to the other row each.

        Their words in the quote decide; where it has none of one, the order in which the answer names the two.
        """
        first, last = self.spans[row] or (0, 0)
        own = [at for word in row.words if word not in other.words for at in self._places.get(word) or ()]
        others = [at for word in other.words if word not in row.words for at in self._places.get(word) or ()]
        if not own or not others:
            return False
        near, far = ([at for at in places if first <= at <= last] for places in (own, others))
        if not near or not far:
            return (min(own) < min(others)) != (mine.first < its.first)

        def least(places: Sequence[int], one: Mention) -> float:
            return min(self.answer.distance(at, one.first, one.last) for at in places)

        return least(near, its) + least(far, mine) + MARGIN < least(near, mine) + least(far, its)

    def _noun_follows(self, one: Amount, leaf: Leaf, nouns: Collection[str]) -> bool:
        """Whether the noun after a number is of the row, or the unit that the leaf counts in, or one of ``nouns``."""
        noun = self.answer.texts[one.last + 1 : one.last + 2]
        wanted = [*nouns, *(content(leaf.unit) if leaf.unit else ())]
        counted = bool(noun) and any(alike(noun[0], word) for word in wanted)
        places = (place for word in leaf.row.called for place in self._places.get(word) or ())
        return counted or any(one.last < place <= one.last + 3 for place in places)


def _joined(name: str) -> bool:
    """Whether a name joins two things."""
    return any(mark in f" {name} " for mark in (" and ", " & ", ", ", "/", " + "))


def _within(one: Row, other: Row) -> bool:
    """Whether the words of one row are part of the other's: vans, vans with a lift."""
    mine, its = set(one.called), set(other.called)
    return bool(mine) and bool(its) and (mine <= its or its <= mine) and one.above == other.above
