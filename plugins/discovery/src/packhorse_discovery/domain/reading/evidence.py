"""Whether an answer supports a structure: each value said, and said of its row; or derived, or quoted."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations
from typing import Any

from attrs import evolve, field, frozen

from packhorse_discovery.domain.case.quantity import MINUTES
from packhorse_discovery.domain.case.units import family_of, unit_of
from packhorse_discovery.domain.reading.amount import Amount
from packhorse_discovery.domain.reading.amounts import amounts
from packhorse_discovery.domain.reading.choices import WaysOf, choice_fault, flag_fault, no_ways, yes_no_fault
from packhorse_discovery.domain.reading.dates import Calendar, calendars
from packhorse_discovery.domain.reading.formula import agrees
from packhorse_discovery.domain.reading.mentions import ABSENT, NO_START, Mentions
from packhorse_discovery.domain.reading.pairs import Pairs
from packhorse_discovery.domain.reading.refinement import (
    Keys,
    Leaf,
    Place,
    Row,
    keys_by_name,
    leaves,
    moment_of,
)  # fmt: skip
from packhorse_discovery.domain.reading.rules import rule_fault
from packhorse_discovery.domain.reading.support import FARTHER, MARGIN, NEAR, Mention, Support
from packhorse_discovery.domain.reading.times import Clock, clocks, of_clock
from packhorse_discovery.domain.reading.weekdays import weeks
from packhorse_discovery.domain.reading.words import (
    BORDER,
    ELLIPSIS,
    EVERY,
    NEGATORS,
    Words,
    alike,
    content,
    spelled,
    words_of,
)

_STARTS = spelled("start starts starting begin begins beginning kick first")
_CALLED = {"time": "time", "days": "day", "moment": "date"}
_FAR = {"count": 12.0, "people": 20.0, "quantity": 50.0}
"""A number farther than this from the words of its row is of something else."""


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
    terms: dict[Leaf, list[Mention]] = field(factory=dict, init=False)
    mentions: Mentions = field(init=False)

    def __attrs_post_init__(self) -> None:
        every = dict.fromkeys([*self.rows, *(leaf.row for leaf in self.claims)])
        spans = {row: self.answer.find(row.quote) if row.quote else None for row in every}
        support = Support(self.answer, tuple(every), spans)
        object.__setattr__(self, "support", support)
        object.__setattr__(self, "mentions", Mentions(self.answer, support, self.claims, self.origin, self.today))

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
        refused |= self._twice(chosen) | self._in_one_quote(chosen)
        pairs = Pairs(self.answer, self.origin, lambda leaf: self.mentions.of(leaf)[1])
        taken = [mention.what for mention in chosen.values()]
        for leaf, torn, at in pairs.torn(self.claims, chosen, lambda clock: not any(clock is one for one in taken)):
            refused.setdefault(leaf.path, Refused(leaf.path, leaf.value, torn, self._quote(at)))
        refused |= self._passed_over({leaf: at for leaf, at in chosen.items() if leaf.path not in refused})
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

    # Names

    def _key(self, leaf: Leaf) -> Iterator[Refused]:
        """The key of a row must be said, or the row be quoted; and not be denied, unless it says so."""
        name, row = str(leaf.value), leaf.row
        if name.casefold() in EVERY:
            return
        if row.quote:
            if self.support.spans.get(row) is None:
                yield Refused(leaf.path, name, "the quote is not in the answer", self._like(content(row.quote)[:3]))
                return
            first, last = self.support.spans[row] or (0, 0)
            self._use(first, last)
            if (apart := self.support.named_apart(row)) is not None:
                yield Refused(leaf.path, name, f"the answer speaks of {apart[0]} apart from {apart[1]}")
            return
        if (wrong := self._unsaid(name)) is not None:
            yield Refused(leaf.path, name, f"{wrong!r} is not in the answer", self._like(content(name)))
        elif not row.absent and self._denied(name):
            yield Refused(leaf.path, name, "the answer says that there is none", self._like(content(name)))
        elif row.absent and not self._denied(name, after=True) and leaf.row.table[-1] not in ABSENT:
            yield Refused(leaf.path, name, "the answer does not say that there is none", self._like(content(name)))
        elif (apart := self.support.named_apart(row)) is not None:
            yield Refused(leaf.path, name, f"the answer speaks of {apart[0]} apart from {apart[1]}")

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
            found = [*found, *(more for one in found for more in self.support.corrected(one, leaf.row))]
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
            if leaf.kind in {"count", "quantity"} and (later := self.support.taken_back(one, leaf.row)) is not None:
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
        corrected = (each for each in amounts(self.answer) if self.support.later(each, one))
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

    # Across rows

    def _twice(self, chosen: Mapping[Leaf, Mention]) -> dict[Place, Refused]:
        """Rows that claim one mention between them: only the nearest may, unless the words name them together."""
        refused: dict[Place, Refused] = {}
        taken: dict[tuple[tuple[str, ...], int], Leaf] = {}
        for leaf, mention in sorted(chosen.items(), key=lambda one: self.support.cost(one[0].row, one[1])):
            if leaf.kind not in {"quantity", "count", "moment"} or not leaf.row.words:
                continue
            first = taken.setdefault((leaf.row.table, mention.first), leaf)
            if first is not leaf and first.row is leaf.row and first.kind == leaf.kind == "count":
                for one in (first, leaf):
                    why = f"the answer says {leaf.value:g} once, and not of both {first.name} and {leaf.name}"
                    refused[one.path] = Refused(one.path, one.value, why, self._quote(mention))
            elif first is not leaf and first.row is not leaf.row and not self._together(first.row, leaf.row, mention):
                refused[leaf.path] = Refused(
                    leaf.path,
                    leaf.value,
                    f"these words already give this value to {first.row.name}",
                    self._quote(mention),
                )
        return refused

    def _in_one_quote(self, chosen: Mapping[Leaf, Mention]) -> dict[Place, Refused]:
        """Values of two rows of one quote that stand the other way round in it."""
        refused: dict[Place, Refused] = {}
        quoted = [(leaf, at) for leaf, at in chosen.items() if self.support.spans.get(leaf.row) is not None]
        for (leaf, mine), (other, its) in combinations(quoted, 2):
            one_field = leaf.field == other.field and self.support.spans[leaf.row] == self.support.spans[other.row]
            if one_field and mine.first != its.first and self.support.crossed(leaf.row, mine, other.row, its):
                for one, apart in ((leaf, other), (other, leaf)):
                    why = f"the quote says it of {apart.row.name}"
                    refused[one.path] = Refused(one.path, one.value, why, one.row.quote)
        return refused

    def _together(self, one: Row, other: Row, mention: Mention) -> bool:
        """Whether both rows are named on one side of a number, with no other number between."""
        if any(self.support.ditto(row, mention) for row in (one, other)):
            return True
        if self.support.is_shared(mention) or (
            isinstance(mention.what, Clock | Calendar) and {*one.words} & {*other.words}
        ):
            return True
        sides = []
        above = one.words == other.words and one.above != other.above  # told apart by the rows above
        for row in (one, other):
            words = row.above if above else row.words
            places = [place for word in words for place in self.answer.forms(word)]
            near = min(places, key=lambda at: self.answer.distance(at, mention.first, mention.last), default=None)
            if near is None:
                return True
            sides.append(near)
        low, high = min(*sides, mention.first), max(*sides, mention.last)
        every: Sequence[Amount | Calendar | Clock] = amounts(self.answer)
        if isinstance(mention.what, Calendar | Clock):
            dated = isinstance(mention.what, Calendar)
            every = calendars(self.answer, self.origin) if dated else clocks(self.answer)
        between = [one for one in every if low <= one.first and one.last <= high and one.first != mention.first]
        return not between and (sides[0] < mention.first) == (sides[1] < mention.first)

    def _passed_over(self, chosen: Mapping[Leaf, Mention]) -> dict[Place, Refused]:
        free = [
            one
            for one in amounts(self.answer)
            if not (one.ordinal or one.echo or self._is_used(one.first, one.last) or self.answer.denied(one.first))
            and not of_clock(one, self.answer)
            and not self.mentions.of_name(one)
            and self.support.taken_back(Mention(one.first, one.last)) is None
        ]
        refused = {}
        spare = {
            "time": [Mention(one.first, one.last) for one in clocks(self.answer)],
            "days": [Mention(one.first, one.last, one) for one in weeks(self.answer)],
            "moment": [
                Mention(one.first, one.last, one) for one in calendars(self.answer, self.origin) if one.readings
            ],
        }
        for leaf, mention in [*chosen.items(), *((leaf, one) for leaf, every in self.terms.items() for one in every)]:
            at = self.mentions.days.get(leaf.path, mention)
            others = [one for one in spare.get(leaf.kind, ()) if not self._is_used(one.first, one.last)]
            if leaf.kind == "days":  # "every day but not Wednesdays": only one of them is of the row's kind
                others = [one for one in others if one.what.denied == mention.what.denied or self._apart(one, mention)]
            if leaf.kind == "moment":  # "the Monday before Christmas, the 21st": the same day
                on = date.fromisoformat(moment_of(str(leaf.value))[0]).weekday()
                others = [one for one in others if one.what.weekday != on and not self._beside(one, at)]
                if leaf.name in {"due", "deadline"} and self.mentions.at_latest(at):
                    others = [one for one in others if self.mentions.at_latest(one)]
            if (nearer := self.support.nearer(leaf, at, others)) is not None:
                why = f"another {_CALLED[leaf.kind]} stands nearer to this row"
                refused[leaf.path] = Refused(leaf.path, leaf.value, why, self._quote(nearer))
            if not isinstance(mention.what, Amount):
                continue
            family = mention.what.family if mention.what.unit else "time" if unit_of(leaf.unit) in MINUTES else "count"
            own = (one.value for one in self.claims if one.row is leaf.row and one.kind == "names")
            nouns = [word for name in own if isinstance(name, str) for word in content(name)]
            over = self.support.passed_over(leaf, mention, free, family, nouns)
            if over is not None:
                words = self.answer.text[self.answer.words[over.first].start : self.answer.words[over.last].end]
                refused[leaf.path] = Refused(
                    leaf.path,
                    leaf.value,
                    f"nearer to this row the answer says {words}",
                    self._quote(Mention(over.first, over.last)),
                )
        return refused

    def _beside(self, one: Mention, other: Mention) -> bool:
        """Whether nothing but "and", "or", "to" stands between two mentions: "over Thursday and Friday"."""
        low, high = min(one.last, other.last), max(one.first, other.first)
        return {*self.answer.texts[low + 1 : high]} <= {"and", "or", "to", "-", "until", "the", ","}

    def _apart(self, one: Mention, other: Mention) -> bool:
        """Whether a sentence or a part of one ends between two mentions."""
        low, high = min(one.last, other.last), max(one.first, other.first)
        return bool({".", ";", "border"} & {*self.answer.marks[low:high]})

    # What goes back

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


def _overlap(one: Any, other: Any) -> bool:
    """Whether two values of a field name something in common."""
    first, second = ({str(each) for each in (value if isinstance(value, list) else [value])} for value in (one, other))
    return bool(first & second)
