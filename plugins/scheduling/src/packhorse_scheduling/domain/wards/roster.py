"""A ward's roster, and the count of what it breaks and costs."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.wards.question import OFF, REST, Rule, Span, Ward
from packhorse_scheduling.domain.wards.rules import Terms, fair_terms, post, post_cover

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Grid = NDArray[np.int16]
    """[people, days]: the index of a shift or a skill, or `REST`."""


@frozen(eq=False)
class Roster:
    """The shift of each person and day, and the skill it is worked with (`REST` where none is asked for)."""

    duty: "Grid"
    role: "Grid"

    def named(self, ward: Ward) -> dict[str, list[str]]:
        """In keys: for each person a shift, or "" for rest, for each day."""
        return self._keys(ward, self.duty, [shift.key for shift in ward.shifts])

    def skilled(self, ward: Ward) -> dict[str, list[str]]:
        """In keys: the skills."""
        return self._keys(ward, self.role, ward.skills)

    @staticmethod
    def _keys(ward: Ward, grid: "Grid", keys: Sequence[str]) -> dict[str, list[str]]:
        return {
            person.key: [keys[k] if k >= 0 else "" for k in row]
            for person, row in zip(ward.people, grid.tolist(), strict=True)
        }


def empty(ward: Ward) -> Roster:
    """Nobody works."""
    shape = (len(ward.people), ward.days)
    return Roster(np.full(shape, REST, dtype=np.int16), np.full(shape, REST, dtype=np.int16))


@frozen
class Breach:
    """A rule that a roster does not keep: by how many units, and what each costs (None: it is hard).

    ``person`` is None for what is needed; ``day`` is `REST` for totals; ``what`` names shift, skill or pattern,
    ``after`` the shift before. ``excess``: how much a sum is above its limit, below it if negative; hours in seconds.
    """

    rule: Rule
    person: int | None
    day: int
    amount: int
    weight: int | None
    what: str = ""
    after: str = ""
    excess: int = 0

    @property
    def cost(self) -> int:
        """What it costs; 0 where it is hard."""
        return (self.weight or 0) * self.amount


@frozen
class Count:
    """What a roster breaks."""

    breaches: tuple[Breach, ...]

    @property
    def cost(self) -> int:
        """The sum of what soft rules cost."""
        return sum(breach.cost for breach in self.breaches)

    @property
    def short(self) -> int:
        """By how many the least that is needed is missed."""
        return sum(breach.amount for breach in self.breaches if breach.rule == "least")

    @property
    def hard(self) -> tuple[Breach, ...]:
        """Breaches of hard rules of people and of the most that are needed."""
        return tuple(breach for breach in self.breaches if breach.weight is None and breach.rule != "least")


def count(ward: Ward, roster: Roster) -> Count:
    """Everything that the roster breaks."""
    return Count((*count_people(ward, roster, range(len(ward.people))), *count_cover(ward, roster)))


def count_people(ward: Ward, roster: Roster, people: Iterable[int]) -> list[Breach]:
    """What these people's days break."""
    board = _Counting(ward, roster)
    post(ward, board, people)
    return board.found


def count_cover(ward: Ward, roster: Roster) -> list[Breach]:
    """What is missing of what is needed, and fairness."""
    board = _Counting(ward, roster)
    post_cover(ward, board)
    return board.found


def fair_amount(ward: Ward, roster: Roster, e: int, kinds: Sequence[str]) -> int:
    """What a person has of these shifts, or of weekends."""
    return sum(lit for lit, _ in fair_terms(ward, _Counting(ward, roster), e, kinds))


def past_cells(ward: Ward, e: int) -> list[int]:
    """The days before: indices of shifts, `REST`, or the number of shifts for one that no longer matters."""
    return [REST if key in (OFF, "") else ward.shift_of.get(key, len(ward.shifts)) for key in ward.past_of[e].days]


def cycle(ward: Ward, e: int) -> list[int]:
    """Whose days come before those of e in a cyclic roster, as far back as a rule looks: three people."""
    size = len(ward.people)
    return [(e - back) % size for back in (3, 2, 1)]


class _Counting:
    """The board of a roster."""

    def __init__(self, ward: Ward, roster: Roster) -> None:
        self.ward, self.found = ward, list[Breach]()
        self.role_of = roster.role.tolist()
        rows = roster.duty.tolist()
        self.rows = rows
        if ward.cyclic:
            self.before = [[k for other in cycle(ward, e) for k in rows[other]] for e in range(len(rows))]
        else:
            self.before = [past_cells(ward, e) for e in range(len(rows))]

    def first(self, e: int) -> int:
        return -len(self.before[e])

    def _at(self, e: int, d: int) -> int:
        return self.rows[e][d] if d >= 0 else self.before[e][d]  # type: ignore[no-any-return]

    def on(self, e: int, d: int, k: int) -> int:
        return int(self._at(e, d) == k)

    def works(self, e: int, d: int) -> int:
        return int(self._at(e, d) != REST)

    def role(self, e: int, d: int, k: int, s: int) -> int:
        return int(self.rows[e][d] == k and self.role_of[e][d] == s)

    def no(self, lit: int) -> int:
        return 1 - lit

    def all_of(self, lits: Sequence[int]) -> int:
        return int(all(lits))

    def forbid(
        self, rule: Rule, e: int, d: int, lits: Sequence[int], weight: int | None, amount: int = 1, what: str = ""
    ) -> None:
        if all(lits):
            self.found.append(Breach(rule, e, d, amount, weight, what))

    def clash(
        self, rule: Rule, e: int, d: int, one: int, others: Sequence[int], weight: int | None, after: str = ""
    ) -> None:
        if one and any(others):
            what = self.ward.shifts[self._at(e, d)].key
            self.found.append(Breach(rule, e, d, 1, weight, what, after))

    def bound(
        self, rule: Rule, e: int | None, d: int, terms: Terms, span: Span, weight: int | None, unit: int = 1,
        what: str = "",
    ) -> None:  # fmt: skip
        total = sum(n for lit, n in terms if lit)
        least, most = span
        below, above = (least or 0) - total, total - most if most is not None else 0
        amount = max(0, below, above)
        if amount:
            excess = amount if amount == above else -amount
            self.found.append(Breach(rule, e, d, -(-amount // unit), weight, what, excess=excess))

    def spread(self, sums: Sequence[tuple[Terms, int, int]], weight: int, what: str) -> None:
        totals = [(carried + sum(n for lit, n in terms if lit), share) for terms, carried, share in sums]
        most = max(abs(share * other - their * total) for (total, share), (other, their) in combinations(totals, 2))
        if most:
            self.found.append(Breach("fair", None, REST, -(-most // 100), weight, what))
