"""What if: a model and a changed one, solved alike and set side by side."""

from collections.abc import Callable

from attrs import frozen

from packhorse_discovery.domain.models.change import Change, changed
from packhorse_discovery.domain.models.model import Model
from packhorse_discovery.solver.solve import solve
from packhorse_discovery.solver.solved import Solved


@frozen
class Comparison:
    """Both outcomes. Their ticks may differ: ``after`` has a finer clock where the change needs one."""

    change: Change
    model: Model
    before: Solved
    after: Solved
    sentences: tuple[str, ...]


def compare(
    model: Model,
    change: Change,
    *,
    seconds: float = 60.0,
    seed: int = 0,
    workers: int = 1,
    cancelled: Callable[[], bool] | None = None,
) -> Comparison:
    """``model`` as it is and with ``change``, each solved within half of ``seconds``.

    Raises:
        ValueError: the change fits nothing in the model; see `changed`.
    """
    other = changed(model, change)
    before = solve(model, seconds=seconds / 2, seed=seed, workers=workers, cancelled=cancelled)
    after = solve(other, seconds=seconds / 2, seed=seed, workers=workers, cancelled=cancelled)
    return Comparison(change, other, before, after, _sentences(model, other, change, before, after))


def _sentences(model: Model, other: Model, change: Change, before: Solved, after: Solved) -> tuple[str, ...]:
    lines = [f"If {change.words}:"]
    if before.schedule is None or after.schedule is None:
        lines.append(f"now {_outcome(before)}; then {_outcome(after)}.")
        return tuple(lines)
    for name, now in before.goals.items():
        then = after.goals[name]
        said = _counted(model, name, now), _counted(other, name, then)
        seconds = now * _seconds(model, name), then * _seconds(other, name)
        instant = _is_instant(model, name)
        share = f" ({(seconds[1] - seconds[0]) / seconds[0]:+.0%})" if seconds[0] and not instant else ""
        same = seconds[0] == seconds[1]
        what = "The last end" if instant else _NAMED[name]
        lines.append(f"{what} stays {said[0]}." if same else f"{what}: {said[1]}, not {said[0]}{share}.")
    if not (before.proved and after.proved):
        lines.append("Not both schedules are proved to be the best, so the difference may come from the search.")
    return tuple(lines)


_NAMED = {
    "makespan": "The time from the start to the last end",
    "tardiness": "Total lateness",
    "weighted_tardiness": "Weighted lateness",
    "number_late": "The number of late jobs",
    "changeovers": "The number of changeovers",
    "idle": "Idle time",
}
_COUNTS = frozenset({"number_late", "changeovers", "weighted_tardiness"})


def _is_instant(model: Model, name: str) -> bool:
    """Whether a makespan is told as the time of day at which all is done: it counts from tick 0, maybe a midnight."""
    return name == "makespan" and (model.clock.origin is not None or model.clock.week)


def _counted(model: Model, name: str, value: int) -> str:
    if _is_instant(model, name):
        return model.clock.at(value)
    return str(value) if name in _COUNTS else model.clock.lasting(value)


def _seconds(model: Model, name: str) -> int:
    return 1 if name in {"number_late", "changeovers"} else model.clock.seconds


def _outcome(solved: Solved) -> str:
    return {
        "infeasible": "there is no schedule",
        "unknown": "no schedule was found in the time",
        "cancelled": "the search was cancelled",
    }.get(solved.status, "there is a schedule")
