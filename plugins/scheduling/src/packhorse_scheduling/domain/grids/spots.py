"""Blocks of people, what was read of them, and what decides about all of them together."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property

from attrs import define, field, frozen

from packhorse_scheduling.domain.grids.asking import Asker
from packhorse_scheduling.domain.grids.codes import Meaning
from packhorse_scheduling.domain.grids.legend import Legend
from packhorse_scheduling.domain.grids.sheet import At, Sheet

CELLS_WEIGH = 300.0
"""Of a question about all cells; one about fewer weighs its share."""


@frozen
class Spot:
    """One block of one person: where it is written, and its days."""

    sheet: Sheet
    at: At
    person: str
    first: date
    last: date

    @property
    def where(self) -> str:
        """The cell, with its sheet."""
        return f"{self.sheet.name}!{self.sheet.name_of(self.at)}"


@frozen
class Stay:
    """One person on one code, both days included."""

    person: str
    first: date
    last: date
    code: str
    spot: Spot
    within: bool = False
    """Whether it takes only some days of the block, and nobody has said which."""


@define
class Cells:
    """What was read: stays by code, what each code means, and what was not understood, with its cell."""

    stays: list[Stay] = field(factory=list)
    meanings: dict[str, Meaning] = field(factory=dict)
    empty: list[Spot] = field(factory=list)
    unclear: list[tuple[Spot, str]] = field(factory=list)
    notes: list[str] = field(factory=list)


@define(slots=False)
class Reading:
    """The texts and colours of all spots together, which decide what each of them means."""

    spots: Sequence[Spot]
    legend: Legend
    asker: Asker
    backgrounds: Mapping[Spot, frozenset[str]]
    found: Cells = field(factory=Cells)
    counts: Counter[str] = field(factory=Counter)
    spellings: dict[str, list[str]] = field(factory=lambda: defaultdict(list))
    people: dict[str, set[str]] = field(factory=lambda: defaultdict(set))
    by_colour: dict[str, Counter[str]] = field(factory=lambda: defaultdict(Counter))
    aliases: dict[str, str] = field(factory=dict)
    unlisted: set[str] = field(factory=set)

    @cached_property
    def bare(self) -> Counter[str]:
        """Blocks without a text, by colour."""
        return Counter(spot.sheet.colour(spot.at) for spot in self.spots if not spot.sheet.text(spot.at))

    @cached_property
    def painted(self) -> bool:
        """Whether colours carry the plan: most filled blocks have no text."""
        texts = sum(self.counts.values())
        filled = sum(bool(spot.sheet.colour(spot.at)) for spot in self.spots)
        return texts * 4 < filled

    def weight(self, count: int) -> float:
        """Of a question that decides so many cells."""
        return CELLS_WEIGH * count / max(1, len(self.spots))
