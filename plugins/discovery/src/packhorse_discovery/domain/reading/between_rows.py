"""Mentions that two rows claim, and numbers that stand nearer to a row than the one it claims."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import combinations

from attrs import frozen

from packhorse_discovery.domain.case.quantity import MINUTES
from packhorse_discovery.domain.case.units import unit_of
from packhorse_discovery.domain.reading.amount import Amount
from packhorse_discovery.domain.reading.amounts import amounts
from packhorse_discovery.domain.reading.corrections import Mention
from packhorse_discovery.domain.reading.dates import Calendar, calendars
from packhorse_discovery.domain.reading.mentions import Mentions
from packhorse_discovery.domain.reading.refinement import Leaf, Place, Refused, Row, moment_of
from packhorse_discovery.domain.reading.support import Support
from packhorse_discovery.domain.reading.times import Clock, clocks, of_clock
from packhorse_discovery.domain.reading.weekdays import weeks
from packhorse_discovery.domain.reading.words import Words, content

_CALLED = {"time": "time", "days": "day", "moment": "date"}


@frozen(eq=False)
class BetweenRows:
    """The mentions of one answer across the rows; ``is_used`` says of two tokens whether a value uses what is there."""

    answer: Words
    support: Support
    mentions: Mentions
    is_used: Callable[[int, int], bool]

    def twice(self, chosen: Mapping[Leaf, Mention]) -> dict[Place, Refused]:
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

    def in_one_quote(self, chosen: Mapping[Leaf, Mention]) -> dict[Place, Refused]:
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

    def passed_over(
        self, chosen: Mapping[Leaf, Mention], terms: Mapping[Leaf, Sequence[Mention]]
    ) -> dict[Place, Refused]:
        free = [
            one
            for one in amounts(self.answer)
            if not (one.ordinal or one.echo or self.is_used(one.first, one.last) or self.answer.denied(one.first))
            and not of_clock(one, self.answer)
            and not self.mentions.of_name(one)
            and self.support.corrections.taken_back(Mention(one.first, one.last)) is None
        ]
        refused = {}
        spare = {
            "time": [Mention(one.first, one.last) for one in clocks(self.answer)],
            "days": [Mention(one.first, one.last, one) for one in weeks(self.answer)],
            "moment": [
                Mention(one.first, one.last, one)
                for one in calendars(self.answer, self.mentions.origin)
                if one.readings
            ],
        }
        for leaf, mention in [*chosen.items(), *((leaf, one) for leaf, every in terms.items() for one in every)]:
            at = self.mentions.days.get(leaf.path, mention)
            others = [one for one in spare.get(leaf.kind, ()) if not self.is_used(one.first, one.last)]
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
            own = (one.value for one in self.mentions.claims if one.row is leaf.row and one.kind == "names")
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
            every = calendars(self.answer, self.mentions.origin) if dated else clocks(self.answer)
        between = [one for one in every if low <= one.first and one.last <= high and one.first != mention.first]
        return not between and (sides[0] < mention.first) == (sides[1] < mention.first)

    def _beside(self, one: Mention, other: Mention) -> bool:
        """Whether nothing but "and", "or", "to" stands between two mentions: "over Thursday and Friday"."""
        low, high = min(one.last, other.last), max(one.first, other.first)
        return {*self.answer.texts[low + 1 : high]} <= {"and", "or", "to", "-", "until", "the", ","}

    def _apart(self, one: Mention, other: Mention) -> bool:
        """Whether a sentence or a part of one ends between two mentions."""
        low, high = min(one.last, other.last), max(one.first, other.first)
        return bool({".", ";", "border"} & {*self.answer.marks[low:high]})

    def _quote(self, mention: Mention) -> str:
        return self.answer.around(mention.first, mention.last)
