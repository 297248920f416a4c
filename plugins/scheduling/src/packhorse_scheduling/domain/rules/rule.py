"""What a rule is, and what breaking one looks like."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from attrs import field, frozen

from packhorse_scheduling.domain.limits import Authority, Severity

if TYPE_CHECKING:
    from packhorse_scheduling.domain.board import Board, Changes
    from packhorse_scheduling.domain.kernel import Grid
    from packhorse_scheduling.domain.solve.model import Model


@frozen
class Violation:
    """One breach. Days are kernel numbers, both included; ``person`` and ``service`` are numbers or None.

    ``value`` and ``limit`` are in ``unit``; ``session`` is 0, 1 or None for whole days.
    """

    rule: str
    severity: Severity
    authority: Authority
    first: int
    last: int
    value: float
    limit: float
    unit: str
    person: int | None = None
    service: int | None = None
    session: int | None = None
    role: int | None = None
    extra: Mapping[str, int] = field(factory=dict, hash=False)

    @property
    def blocks(self) -> bool:
        """Whether a roster with it cannot be published."""
        return self.severity != "WARNING"


class Rule(Protocol):
    """See the package's own words."""

    @property
    def codes(self) -> tuple[str, ...]: ...

    def check(self, grid: "Grid") -> list[Violation]: ...
    def hurts(self, board: "Board", changes: "Changes") -> Sequence[Violation]: ...
    def post(self, model: "Model") -> None: ...
