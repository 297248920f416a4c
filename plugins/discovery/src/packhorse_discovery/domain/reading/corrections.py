"""Numbers that take back others: "four, well, three"."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from packhorse_discovery.domain.reading.amount import Amount
from packhorse_discovery.domain.reading.amounts import amounts
from packhorse_discovery.domain.reading.refinement import Row
from packhorse_discovery.domain.reading.words import Words, spelled

_CORRECTED = 14
"""Tokens back to which a number corrects another."""
_CORRECTION = 5
"""Tokens within which a correction gives its number."""
_CORRECTS = frozenset({"well", "sorry", "actually", "rather", "correction", "wait", "scratch", "mean"})
_RESTATES = spelled("so call that's makes meaning namely")
"""Words shortly before a number that takes the place of one before."""


@frozen(eq=False)
class Mention:
    """Something said, from one token to another."""

    first: int
    last: int
    what: Any = None


@frozen(eq=False)
class Corrections:
    """The corrections of one answer; ``places`` are where the words of the rows stand."""

    answer: Words
    rows: Sequence[Row]
    places: Mapping[str, Sequence[int]]

    def later(self, one: Amount | Mention, chosen: Mention) -> bool:
        """Whether ``chosen`` takes back ``one``: "four, well, three"."""
        between = self.answer.texts[one.last + 1 : chosen.first]
        no = any(self._says_no(one.last + 1 + at) for at in range(6))
        put = bool(_RESTATES & {*self.answer.texts[max(0, chosen.first - 3) : chosen.first]})
        return 0 < chosen.first - one.last <= _CORRECTED and (
            no or put or any(text in _CORRECTS for text in between[:6])
        )

    def corrected(self, mention: Mention, row: Row) -> Iterator[Mention]:
        """A number with the one before it that it corrects: "two days because she's heavy, no, two and a half"."""
        own = [at for word in row.called for at in self.places.get(word) or ()]
        for one in amounts(self.answer) if isinstance(mention.what, Amount) else ():
            near = 0 < mention.first - one.last <= _CORRECTED and not any(one.last < at < mention.first for at in own)
            if near and self.taken_back(Mention(one.first, one.last), row) == mention.what:
                yield evolve(mention, first=one.first)
                return

    def taken_back(self, mention: Mention, row: Row | None = None) -> Amount | None:
        """The number that a later one takes the place of; not where another row than ``row`` is named between."""
        after = self.answer.texts[mention.last + 1 : mention.last + 8]
        signs = [
            at for at, text in enumerate(after) if text in _CORRECTS - {"rather"} and after[max(0, at - 1)] != "as"
        ]
        signs += [at + 1 for at in range(5) if self._says_no(mention.last + 1 + at)]
        sign = min(signs, default=None)
        if (
            sign is None
            or {"and", "then"} & {*after[:sign]}
            or any(mark == "." for mark in self.answer.marks[mention.last + 1 : mention.last + 1 + sign])
        ):
            return None
        start = mention.last + 1 + sign
        if any(mention.last < one.first < start for one in amounts(self.answer)):
            return None  # "two generators, three polishers, actually four"
        others = (word for one in self.rows if row is not None and one is not row for word in one.words)
        named = {
            at for word in others if row is not None and word not in row.words for at in self.places.get(word) or ()
        }
        if any(mention.last + 1 < at < start for at in named):
            return None  # "sandblasting 12 minutes, engraving, well, an hour"
        return next((one for one in amounts(self.answer) if start < one.first <= start + _CORRECTION), None)

    def _says_no(self, place: int) -> bool:
        """Whether a "no" stands by itself after the comma at ``place``: ", no, three", "... no wait, three"."""
        before, no, after = (*self.answer.texts[place : place + 3], "", "", "")[:3]
        return before in {",", "."} and no == "no" and after in {",", "wait", "sorry", "make", "say", "-"}
