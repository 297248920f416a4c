"""Rules told of no field which a model keeps all the same: that nothing may be late."""

import re
from collections.abc import Mapping

from packhorse_discovery.domain.interview.naming import stems
from packhorse_discovery.domain.models.model import Model, Unmodelled

_LATE = re.compile(r"\b(?:late|overdue|in time|on time|deadlines?|due (?:times?|dates?))\b", re.IGNORECASE)
_PLAIN = frozenset(
    stems(
        "late overdue time deadline due date no not never ever nothing none any all every each everything must may can"
        " should will be is are have has it they this that who which order job batch lot sort product piece work"
        " delivery customer finish ready done deliver ship keep met meet by before than later at"
    ).split()
)
"""Words of a rule that says no more than that due dates are kept."""


def left_over(model: Model, late: Mapping[int, int] | None = None) -> tuple[Unmodelled, ...]:
    """The rules that a schedule need not keep; with ``late`` (ticks by job), those that this schedule does not keep.

    A rule about lateness alone is kept where every due date is strict, or where nothing is late.
    """
    dated = [job for job in model.jobs if job.due is not None]
    kept = bool(dated) and (not late if late is not None else all(job.strict for job in dated))
    names = set(stems(" ".join(f"{job.name}" for job in model.jobs)).split())
    return tuple(each for each in model.unmodelled if not (kept and _of_lateness(each.words, names)))


def _of_lateness(words: str, names: set[str]) -> bool:
    return bool(_LATE.search(words)) and set(stems(words).split()) <= _PLAIN | names
