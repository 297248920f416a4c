"""What breaking a rule looks like."""

from collections.abc import Mapping

from attrs import field, frozen

from packhorse_scheduling.domain.programme.limits import Authority, Severity


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

    @property
    def excess(self) -> float:
        """How far the value is from its limit."""
        return abs(self.value - self.limit)
