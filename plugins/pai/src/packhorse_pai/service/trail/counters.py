"""What is counted: runs, decisions, escalations, approvals. Labels come from cards, rules and our own words alone."""

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from packhorse import Measure

STRANGER = "unknown"
"""The label of an agent without a card: nobody who calls adds a time series."""


_COUNTED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "runs": ("Runs of agents that ended or wait, by status.", ("agent", "status")),
    "decisions": ("Calls and starts that agents wanted, by what was decided and why.", ("agent", "effect", "rule")),
    "escalations": ("Events that were reported upwards.", ("agent", "event")),
    "approvals": ("Approvals that were asked, approved, denied or used, in this process.", ("outcome",)),
}


class Counters:
    """Counts of one process, and what is asked of the store when somebody looks."""

    def __init__(self, agents: Callable[[], frozenset[str]]) -> None:
        self._agents = agents
        self._lock = threading.Lock()
        self._counts: dict[str, Counter[tuple[str, ...]]] = {name: Counter() for name in _COUNTED}

    def run(self, agent: str, status: str) -> None:
        """A run ended, or waits."""
        self._add("runs", self._known(agent), status)

    def decision(self, agent: str, effect: str, rule: str) -> None:
        """The gate decided; ``rule`` is the first of its reasons."""
        self._add("decisions", self._known(agent), effect, rule)

    def escalation(self, agent: str, event: str) -> None:
        """An event was reported. A model's own words for one are no label."""
        self._add("escalations", self._known(agent), "model" if event.startswith("model_") else event)

    def approval(self, outcome: str) -> None:
        """An approval was asked, decided or used."""
        self._add("approvals", outcome)

    def figures(self, active_runs: float, stored: Mapping[str, tuple[str, float]]) -> Sequence[Measure]:
        """Every metric; ``stored`` gives text and value of those that all processes read from the one store."""
        with self._lock:
            counted = [Measure(name, *_COUNTED[name], dict(counts)) for name, counts in self._counts.items()]
        active = Measure("active_runs", "Runs at work.", (), {(): active_runs}, counter=False)
        gauges = [
            Measure(name, text, (), {(): value}, counter=False, common=True) for name, (text, value) in stored.items()
        ]
        return [*counted, active, *gauges]

    def _known(self, agent: str) -> str:
        return agent if agent in self._agents() else STRANGER

    def _add(self, name: str, *labels: str) -> None:
        with self._lock:
            self._counts[name][labels] += 1
