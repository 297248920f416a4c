"""How much processor time a search may take, and whether somebody has called it off."""

from collections.abc import Callable

from attrs import define, field


@define
class Budget:
    """``seconds`` of what ``clock`` counts: processor seconds of the whole process, all threads."""

    seconds: float
    clock: Callable[[], float]
    cancelled: Callable[[], bool] = lambda: False
    began: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.began = self.clock()

    @property
    def spent(self) -> float:
        """Seconds used so far."""
        return self.clock() - self.began

    @property
    def left(self) -> float:
        """Seconds that remain; 0 once called off."""
        return 0.0 if self.cancelled() else max(0.0, self.seconds - self.spent)

    def part(self, share: float) -> "Budget":
        """A budget of its own within this one: a share of the whole, at most what is left."""
        return Budget(min(self.left, self.seconds * share), self.clock, self.cancelled)

    def until(self, seconds: float) -> "Budget":
        """A budget of its own within this one: so many seconds, at most what is left."""
        return Budget(min(self.left, seconds), self.clock, self.cancelled)
