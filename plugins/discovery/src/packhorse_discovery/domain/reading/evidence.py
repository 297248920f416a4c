"""Whether an answer supports a structure: each value said, and said of its row; or derived, or quoted."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from packhorse_discovery.domain.case.units import family_of, unit_of
from packhorse_discovery.domain.reading.amounts import amounts
from packhorse_discovery.domain.reading.between_rows import BetweenRows
from packhorse_discovery.domain.reading.choices import WaysOf, flag_fault, no_ways, yes_no_fault
from packhorse_discovery.domain.reading.corrections import Mention
from packhorse_discovery.domain.reading.dates import calendars
from packhorse_discovery.domain.reading.formula import agrees
from packhorse_discovery.domain.reading.mentions import NO_START, Mentions
from packhorse_discovery.domain.reading.names import Names
from packhorse_discovery.domain.reading.pairs import Pairs
from packhorse_discovery.domain.reading.refinement import (
    Keys,
    Leaf,
    Place,
    Refused,
    Row,
    keys_by_name,
    leaves,
)  # fmt: skip
from packhorse_discovery.domain.reading.rules import rule_fault
from packhorse_discovery.domain.reading.support import FARTHER, MARGIN, NEAR, Support
from packhorse_discovery.domain.reading.words import (
    BORDER,
    Words,
    alike,
    content,
    spelled,
)

_STARTS = spelled("start starts starting begin begins beginning kick first")
_FAR = {"count": 12.0, "people": 20.0, "quantity": 50.0}
"""A number farther than this from the words of its row is of something else."""


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
    terms: dict[Leaf, list[Mention]] = field(factory=dict, init=False)
    mentions: Mentions = field(init=False)
    names: Names = field(init=False)

    def __attrs_post_init__(self) -> None:
        every = dict.fromkeys([*self.rows, *(leaf.row for leaf in self.claims)])
        spans = {row: self.answer.find(row.quote) if row.quote else None for row in every}
        support = Support(self.answer, tuple(every), spans)
        object.__setattr__(self, "support", support)
        object.__setattr__(self, "names", Names(self.answer, support, self.claims, self.known))
        object.__setattr__(self, "mentions", Mentions(self.answer, support, self.claims, self.origin, self.today))

    def verdict(self) -> Verdict:
        refused: dict[Place, Refused] = {}
        lost = {leaf.path: one for leaf in self.claims if leaf.kind == "key" and (one := self._key(leaf)) is not None}
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
        between = BetweenRows(self.answer, self.support, self.mentions, self._is_used)
        refused |= between.twice(chosen) | between.in_one_quote(chosen)
        pairs = Pairs(self.answer, self.origin, lambda leaf: self.mentions.of(leaf)[1])
        taken = [mention.what for mention in chosen.values()]
        for leaf, torn, at in pairs.torn(self.claims, chosen, lambda clock: not any(clock is one for one in taken)):
            refused.setdefault(leaf.path, Refused(leaf.path, leaf.value, torn, self._quote(at)))
        refused |= between.passed_over(
            {leaf: at for leaf, at in chosen.items() if leaf.path not in refused}, self.terms
        )
        within = {place: self._lost_with(place) for place in lost}
        for place, why in lost.items():
            refused = {path: one for path, one in refused.items() if path not in within[place]}
            states = {path: state for path, state in states.items() if path not in within[place]}
            refused[place] = evolve(why, key=True)
        kept = {path: state for path, state in states.items() if path not in refused}
        rules = tuple((str(one.value), one.row.quote) for one in self.claims if one.kind == "rule" and one.path in kept)
        return Verdict(kept, tuple(refused.values()), tuple(self._unused()), rules, self.mentions.dated)

    def _lost_with(self, place: Place) -> set[Place]:
        """The values lost with the row whose key is at ``place``: those of quoted rows in it are not."""
        inside = [leaf for leaf in self.claims if leaf.path[: len(place) - 1] == place[:-1]]
        own = {row.path for row, span in self.support.spans.items() if span and len(row.path) > len(place) - 1}
        return {leaf.path for leaf in inside if leaf.row.path not in own}

    def _state(self, leaf: Leaf) -> str:
        if leaf.derived:
            return "derived"
        return "quoted" if self.support.spans.get(leaf.row) is not None else "said"

    def _key(self, leaf: Leaf) -> Refused | None:
        if span := self.support.spans.get(leaf.row):
            self._use(*span)
        return self.names.key(leaf)

    def _leaf(self, leaf: Leaf) -> Mention | Refused | None:
        if leaf.row.quote and self.support.spans.get(leaf.row) is None and leaf.kind != "rule":
            return Refused(leaf.path, leaf.value, "the quote is not in the answer")
        match leaf.kind:
            case "names":
                return self.names.field(leaf, self.ways(leaf.field))
            case "flag":
                return self._flag(leaf)
            case "rule":
                return self._rule(leaf)
            case _:
                return self._value(leaf)

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
        wrong = "the quote is not in the answer" if leaf.row.quote else "a rule needs a quote"
        if span is not None:
            self._use(*span)
            wrong = rule_fault(str(leaf.value), self.answer, span)
        return Refused(leaf.path, leaf.value, wrong, leaf.row.quote if span else "") if wrong else None

    def _value(self, leaf: Leaf) -> Mention | Refused | None:
        if leaf.derived:
            return self._derived(leaf)
        wrong, found = self.mentions.of(leaf)
        if leaf.path in self.mentions.days:
            self._taken(self.mentions.days[leaf.path])
        if not found:
            return Refused(
                leaf.path, leaf.value, wrong, self.mentions.undated(leaf) if wrong == NO_START else self._nearby(leaf)
            )
        if leaf.name == "capacity" and all(self._counts(leaf.row, one) for one in found):
            why = "the words say how many there are: it is the count"
            return Refused(leaf.path, leaf.value, why, self._nearby(leaf))
        span = self.support.spans.get(leaf.row)
        if span is not None:
            first = span[0] - (self.answer.texts[max(0, span[0] - 1)] in {"a", "an"})
            found = [one for one in found if first <= one.first and one.last <= span[1]]
            if not found:
                return Refused(leaf.path, leaf.value, "it is not in the quote", leaf.row.quote)
        elif not leaf.row.words:
            return self._first(leaf, found)
        else:
            found = [*found, *(more for one in found for more in self.support.corrections.corrected(one, leaf.row))]
        ordered = sorted(found, key=lambda one: (not self._before_noun(leaf, one), self.support.cost(leaf.row, one)))
        least = self.support.cost(leaf.row, ordered[0]) + BORDER / 2
        if back := self.mentions.reversed(leaf, [one for one in ordered if self.support.cost(leaf.row, one) < least]):
            return Refused(leaf.path, leaf.value, back[0], self._quote(back[1]))
        nearer: Row | None = None
        for one in ordered:
            nearer = self._rival(leaf, one)
            if nearer is not None:
                continue
            if self._too_far(leaf, one):
                continue
            if (
                leaf.kind in {"count", "quantity"}
                and (later := self.support.corrections.taken_back(one, leaf.row)) is not None
            ):
                return Refused(leaf.path, leaf.value, f"the answer goes on to say {later.low:g}", self._quote(one))
            return self._taken(one)
        self._use(ordered[0].first, ordered[0].last)
        why = (
            f"the answer says it of {nearer.told_from(leaf.row)}"
            if nearer is not None
            else "the answer does not say it of this row"
        )
        return Refused(leaf.path, leaf.value, why, self._quote(ordered[0]))

    def _counts(self, row: Row, one: Mention) -> bool:
        """Whether a number stands right before the name of ``row``: "two big tanks"."""
        return any(one.last < at <= one.last + 2 for word in row.words for at in self.answer.places(word))

    def _before_noun(self, leaf: Leaf, one: Mention) -> bool:
        """Whether a number of things stands before the last word of its row, with nothing but words between."""
        if leaf.kind != "count" or not leaf.row.words:
            return False
        after = self.answer.texts[one.last + 1 : one.last + 5]
        at = next((at for at, text in enumerate(after) if alike(text, leaf.row.words[-1])), None)
        return at is not None and all(text == "-" or text[0].isalpha() for text in after[:at])

    def _too_far(self, leaf: Leaf, one: Mention) -> bool:
        """Whether a number stands far from all words of its row, where it has any, and from what the row names."""
        bound = _FAR.get("people" if leaf.name == "people" else leaf.kind, BORDER)
        if (
            not self.support.named(leaf.row)
            or self.support.cost(leaf.row, one) <= bound
            or self.support.is_of_each(one)
        ):
            return False
        corrected = (each for each in amounts(self.answer) if self.support.corrections.later(each, one))
        if any(self.support.cost(leaf.row, Mention(each.first, each.last)) <= bound for each in corrected):
            return False
        names = [other.value for other in self.claims if other.row is leaf.row and other.kind == "names"]
        words = [word for value in names for name in (value if isinstance(value, list) else [value])
                 if isinstance(name, str) for word in content(name)]  # fmt: skip
        places = [at for word in words for at in self.answer.places(word)]
        return all(self.answer.distance(at, one.first, one.last) > NEAR for at in places)

    def _first(self, leaf: Leaf, found: list[Mention]) -> Mention | Refused:
        """A value of no row; the start of the schedule where the words speak of starting, if they do anywhere."""
        if leaf.path == ("origin",):
            every = [Mention(one.first, one.last) for one in calendars(self.answer, self.today)]
            starting, kept = ([one for one in some if self._starts(one)] for some in (every, found))
            if starting and not kept:
                return Refused(leaf.path, leaf.value, "the answer starts on another day", self._quote(starting[0]))
            found = kept or found
        return self._taken(found[0])

    def _starts(self, one: Mention) -> bool:
        first, last = self.answer.clause(one.first)
        beside = [at for at in range(first, last + 1) if not one.first <= at <= one.last]
        ordinal = {at for at in beside if self.answer.texts[at : at + 2] == ("first", "of")}  # "the first of December"
        return any(self.answer.texts[at] in _STARTS for at in beside if at not in ordinal)

    def _taken(self, one: Mention) -> Mention:
        self._use(one.first, one.last)
        return one

    def _same(self, row: Row, leaf: Leaf) -> bool:
        """Whether another row claims the same value in the same field: then both may."""
        return any(
            other.row is row and other.name == leaf.name and other.value == leaf.value and other.unit == leaf.unit
            for other in self.claims
        )

    def _rival(self, leaf: Leaf, mention: Mention) -> Row | None:
        """Another row that ``mention`` is of."""
        return self.support.rival(
            leaf.row, mention, lambda row: self._same(row, leaf) or self._served(row, leaf, mention)
        )

    def _served(self, row: Row, leaf: Leaf, mention: Mention) -> bool:
        """Whether a row has a value of its own, said nearer to it than ``mention``, which stands beside ``leaf``'s."""
        within = row.words == leaf.row.words and row.above != leaf.row.above
        if not within and self.support.cost(leaf.row, mention) > FARTHER:
            return False
        own = next((other for other in self.claims if other.row is row and other.name == leaf.name), None)
        said = self.mentions.of(own)[1] if own is not None and own.kind == leaf.kind and not own.derived else []
        return any(self.support.cost(row, one) + MARGIN < self.support.cost(row, mention) for one in said)

    def _derived(self, leaf: Leaf) -> Refused | None:
        wrong, used = agrees(
            leaf.derived, str(leaf.value), leaf.unit, self.answer,
            lambda one: self.support.rival(leaf.row, Mention(one.first, one.last, one), lambda _: False) is None,
            lambda one: not self.mentions.of_other_things(one, leaf.row),
        )  # fmt: skip
        for one in used:
            self._use(one.first, one.last)
        if not wrong:
            self.terms[leaf] = [Mention(one.first, one.last, one) for one in used if one.unit or one.carried]
        return Refused(leaf.path, leaf.value, wrong) if wrong else None

    def _use(self, first: int, last: int) -> None:
        self.used.append((first, last))

    def _is_used(self, first: int, last: int) -> bool:
        return any(start <= last and first <= end for start, end in self.used)

    def _unused(self) -> Iterator[str]:
        """The words around each number that nothing used; what is said again in the same words counts once."""
        told = set()
        for one in sorted(amounts(self.answer), key=lambda one: not self._is_used(one.first, one.last)):
            noun = self.answer.texts[one.last + 1 : one.last + 2]
            counted = bool(one.unit) or bool(one.carried) or (noun and noun[0][:1].isalpha())
            same = self.answer.texts[max(0, one.first - 3) : one.last + 4]
            if (
                counted
                and not (one.ordinal or one.echo)
                and same not in told
                and not self._is_used(one.first, one.last)
            ):
                yield self.answer.around(one.first, one.last, 3)
            told.add(same)

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
