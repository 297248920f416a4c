"""Whether a mention is of a row: how far its words are, which other row is nearer, and what was passed over.

The costs and bounds were measured on twelve answers with their right
structures and 1,200 wrong ones (design/discovery_evidence_recipe, 2.3 and 2.4).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import frozen

from packhorse_discovery.domain.reading.amounts import Amount, amounts
from packhorse_discovery.domain.reading.moments import Week
from packhorse_discovery.domain.reading.refinement import Leaf, Row
from packhorse_discovery.domain.reading.words import BORDER, EVERY, EVERYONE, SHARES, Words, alike

MARGIN = 0.5
"""A row is nearer than another from this cost on."""
NEAR = 8.0
"""A number that nothing uses counts as passed over up to this cost."""
FARTHER = 12.0
"""The same where the name joins two things."""
_CORRECTS = frozenset({"well", "sorry", "actually", "rather", "correction"})
ABOVE = 0.5
"""What the words of the row above weigh."""
BY_HEAD = 6.0
"""What it costs to be called by the last word alone: the table, for the oak table."""
BESIDE = 3.0
"""Up to this cost a word stands beside a number."""
BEFORE_ABOVE = 0.3
"""What a word costs that stands before, where it is of the row above: it was said once for all of its rows."""


@frozen(eq=False)
class Mention:
    """Something said, from one token to another."""

    first: int
    last: int
    what: Any = None


@frozen(eq=False)
class Support:
    """The rows of a refinement against the words of one answer."""

    answer: Words
    rows: Sequence[Row]
    spans: Mapping[Row, tuple[int, int] | None]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found = {word: self.answer.places(word) for row in self.rows for word in row.called}
        everyone = [at for at, text in enumerate(self.answer.texts) if text in EVERYONE]
        return found | {word: found[word] or everyone for word in EVERY & found.keys()}

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
        far = sum(own) / len(own)
        if row.words and self._alone(row) and self._places.get(row.words[-1]):
            far = min(far, self._least(row.words[-1], mention) + BY_HEAD)
        return far + ABOVE * (sum(above) / len(above) if above else FARTHER if row.above else 0.0)

    def _alone(self, row: Row) -> bool:
        """Whether the last word of a row's name is of no other row of its list, and its name joins no two things."""
        others = [word for one in self.rows if one is not row and one.table == row.table for word in one.words]
        return not _joined(row.name) and not any(alike(row.words[-1], word) for word in others)

    def _least(self, word: str, mention: Mention, *, above: bool = False) -> float:
        costs = []
        for place in (self._above if above else self._places).get(word) or ():
            far = self.answer.distance(place, mention.first, mention.last)
            costs.append(far * BEFORE_ABOVE if above and place < mention.first else far)
        return min(costs, default=BORDER)

    def rival(self, row: Row, mention: Mention, excused: Callable[[Row], bool]) -> Row | None:
        """Another row of the list that is nearer to ``mention``; none where it is shared, or said before any row."""
        mine = self.cost(row, mention)
        if mine == 0.0 or self.is_shared(mention):
            return None
        others = [one for one in self.rows if one is not row and one.table == row.table and not _within(one, row)]
        nearer = [(self.cost(one, mention), at, one) for at, one in enumerate(others) if not excused(one)]
        best = min(nearer, default=None)
        if best is not None and best[2].words != row.words:  # another row of this name may be nearer than it
            mine = min(self.cost(one, mention) for one in self.rows if one.same_name(row))
        return best[2] if best and best[0] < mine - MARGIN else None

    def is_shared(self, mention: Mention) -> bool:
        first, last = self.answer.clause(mention.first)
        return any(text in SHARES for text in self.answer.texts[first : last + 1])

    def passed_over(self, leaf: Leaf, chosen: Mention, free: Iterable[Amount], family: str) -> Amount | None:
        """A number of the same kind that nothing uses and that stands nearer to a word of the row."""
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
                carried = family == "time" and bool(one.carried) and (joined or not chosen.what.unit)
                if one.family != family and not carried:
                    continue
                if family == "count" and not joined and not self._noun_follows(one, leaf.row):
                    continue
                if not joined and self._of_another_step(leaf.row, rival, chosen):
                    continue
                if far <= (FARTHER if joined else NEAR) and far + MARGIN < mine and not self.later(one, chosen):
                    return one
        return None

    def _of_another_step(self, row: Row, one: Mention, chosen: Mention) -> bool:
        """Whether the words of the row above stand beside ``chosen``: then ``one`` is of another row above."""
        words = [word for word in row.above if self._above.get(word)]
        far, near = (sum(self._least(word, at, above=True) for word in words) for at in (one, chosen))
        return bool(words) and near <= BESIDE and near + MARGIN < far

    def nearer(self, leaf: Leaf, chosen: Mention, free: Iterable[Mention]) -> Mention | None:
        """Of other mentions of the kind, one that stands nearer to the row."""
        if self.spans.get(leaf.row) is not None or not leaf.row.words:
            return None
        bound = min(FARTHER, self.cost(leaf.row, chosen) - MARGIN)
        apart = (
            one for one in free if (one.last < chosen.first or one.first > chosen.last) and not self.later(one, chosen)
        )
        return next((one for one in apart if self.cost(leaf.row, one) < bound), None)

    def _noun_follows(self, one: Amount, row: Row) -> bool:
        return any(one.last < place <= one.last + 3 for word in row.called for place in self._places.get(word) or ())

    def later(self, one: Amount | Mention, chosen: Mention) -> bool:
        """Whether ``chosen`` takes back ``one``: "four, well, three"."""
        between = self.answer.texts[one.last + 1 : chosen.first]
        no = (",", "no", ",") in [between[at : at + 3] for at in range(6)]
        return one.last < chosen.first and (no or any(text in _CORRECTS for text in between[:6]))

    def taken_back(self, mention: Mention) -> Amount | None:
        """The number that a later one takes the place of."""
        after = self.answer.texts[mention.last + 1 : mention.last + 8]
        signs = [at for at, text in enumerate(after) if text in _CORRECTS - {"rather"}]
        signs += [at + 1 for at in range(3) if after[at : at + 3] == (",", "no", ",")]
        sign = min(signs, default=None)
        if (
            sign is None
            or {"and", "then"} & {*after[:sign]}
            or any(mark == "." for mark in self.answer.marks[mention.last + 1 : mention.last + 1 + sign])
        ):
            return None
        start = mention.last + 1 + sign
        return next((one for one in amounts(self.answer) if start < one.first <= start + 3), None)


def _joined(name: str) -> bool:
    """Whether a name joins two things."""
    return any(mark in f" {name} " for mark in (" and ", " & ", ", ", "/", " + "))


def _within(one: Row, other: Row) -> bool:
    """Whether the words of one row are part of the other's: vans, vans with a lift."""
    mine, its = set(one.called), set(other.called)
    return bool(mine) and bool(its) and (mine <= its or its <= mine) and one.above == other.above
