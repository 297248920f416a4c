"""Whether the names of a refinement are said: of its rows, and in their fields."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from attrs import frozen

from packhorse_discovery.domain.reading.choices import Ways, choice_fault
from packhorse_discovery.domain.reading.corrections import Mention
from packhorse_discovery.domain.reading.refinement import ABSENT, Leaf, Refused, Row
from packhorse_discovery.domain.reading.support import Support
from packhorse_discovery.domain.reading.words import ELLIPSIS, EVERY, NEGATORS, Words, alike, content, words_of


@frozen(eq=False)
class Names:
    """The names of one refinement against one answer; ``known`` are those established before."""

    answer: Words
    support: Support
    claims: Sequence[Leaf]
    known: Collection[str]

    def key(self, leaf: Leaf) -> Refused | None:
        """The key of a row must be said, or the row be quoted; and not be denied, unless it says so."""
        name, row = str(leaf.value), leaf.row
        if name.casefold() in EVERY:
            return None
        if row.quote:
            if self.support.spans.get(row) is None:
                return Refused(leaf.path, name, "the quote is not in the answer", self._like(content(row.quote)[:3]))
        elif (wrong := self._unsaid(name)) is not None:
            return Refused(leaf.path, name, f"{wrong!r} is not in the answer", self._like(content(name)))
        elif not row.absent and self._denied(name):
            return Refused(leaf.path, name, "the answer says that there is none", self._like(content(name)))
        elif row.absent and not self._denied(name, after=True) and leaf.row.table[-1] not in ABSENT:
            return Refused(leaf.path, name, "the answer does not say that there is none", self._like(content(name)))
        if (apart := self.support.named_apart(row)) is not None:
            return Refused(leaf.path, name, f"the answer speaks of {apart[0]} apart from {apart[1]}")
        return None

    def field(self, leaf: Leaf, ways: Ways) -> Refused | None:
        """The names in a field of a row must be said, and of no other row; a choice by the words for it."""
        every = leaf.value if isinstance(leaf.value, list) else [leaf.value]
        for one in every:
            name = str(one.get("item-id", "")) if isinstance(one, Mapping) else str(one)
            span = self.support.spans.get(leaf.row)
            if not name.strip():
                return Refused(leaf.path, leaf.value, 'an item of a list is words, or an object with an "item-id"')
            if name in ways.choices:
                single, whole = not isinstance(leaf.value, list), not ELLIPSIS.search(leaf.row.quote)
                wrong = choice_fault(name, ways, self.answer, span, single=single, whole=whole)
                if wrong:
                    return Refused(leaf.path, leaf.value, wrong, leaf.row.quote)
                continue
            if (span is not None and leaf.row.path == ()) or name.casefold() in EVERY:
                continue
            if (word := self._unsaid(name)) is not None:
                return Refused(leaf.path, leaf.value, f"{word!r} is not in the answer", self._like(content(name)))
            verbatim = NEGATORS & {*words_of(name).texts} and self.answer.find(name)  # with its own denial
            if not leaf.row.absent and not verbatim and self._denied(name):
                return Refused(leaf.path, leaf.value, "the answer says that there is none", self._like(content(name)))
            if (other := self._named_of(leaf, name)) is not None:
                why = f"the answer says {name} of {other.name}"
                return Refused(leaf.path, leaf.value, why, self._like(content(name)))
        return None

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
        every = [self.answer.forms(word) for word in content(name)]
        return any(places and all(self.answer.denied(place, after=after) for place in places) for places in every)

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
        beside = [row for row in self.support.rows if row.table == leaf.row.table]
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

    def _like(self, words: Sequence[str]) -> str:
        places = [place for word in words for place in self.answer.places(word)]
        return self.answer.around(places[0], places[0]) if places else ""


def _overlap(one: Any, other: Any) -> bool:
    """Whether two values of a field name something in common."""
    first, second = ({str(each) for each in (value if isinstance(value, list) else [value])} for value in (one, other))
    return bool(first & second)
