"""What a reader of a schedule wants to know first: what is late, and what waits for long though nobody asked for it."""

from attrs import evolve

from packhorse_discovery.domain.models.kept import left_over
from packhorse_discovery.domain.models.model import Model
from packhorse_discovery.solver.solved import Schedule

MOST_NAMED = 5
"""Late orders, or waits, that are named; the others are counted."""


def as_kept(model: Model, schedule: Schedule | None) -> Model:
    """``model`` without the rules that the schedule keeps although nobody modelled them."""
    late = None if schedule is None else lateness(model, schedule)
    return evolve(model, unmodelled=left_over(model, late))


def lateness(model: Model, schedule: Schedule) -> dict[int, int]:
    """The late jobs, the latest first, each with the ticks by which it is late."""
    ends: dict[int, int] = {}
    for each in schedule.placed:
        job = model.tasks[each.task].job
        ends[job] = max(ends.get(job, 0), each.end)
    by = {job: end - due.value for job, end in ends.items() if (due := model.jobs[job].due) is not None}
    return dict(sorted(((job, ticks) for job, ticks in by.items() if ticks > 0), key=lambda one: -one[1]))


def late_orders(model: Model, schedule: Schedule) -> str:
    """A sentence on what is late and by how much; empty where nothing has a due date."""
    clock = schedule.clock
    late = lateness(model, schedule)
    named = [
        f"{model.jobs[job].name or 'the work'} by {clock.lasting(ticks)} (due {clock.at(due.value)})"
        for job, ticks in late.items()
        if (due := model.jobs[job].due) is not None
    ]
    if named:
        return f"Late: {_listed(named)}."
    return "Nothing is late." if any(job.due is not None for job in model.jobs) else ""


def long_waits(model: Model, schedule: Schedule) -> str:
    """A sentence on pauses inside a job, longer than both steps around them, which nobody asked for or allowed."""
    allowed = {wait.task for wait in model.waits}
    found: dict[int, tuple[int, int]] = {}
    for link in model.links:
        one, other = schedule.placed[link.before], schedule.placed[link.after]
        inside = model.tasks[link.before].job == model.tasks[link.after].job and link.relation == "end-start"
        if inside and link.after not in allowed and link.after not in model.tasks[link.before].holds:
            pause = other.start - one.end - link.lag.value
            last = found.get(link.after)
            found[link.after] = min(last, (pause, link.before)) if last is not None else (pause, link.before)
    pauses = [
        (pause, f"{model.label(before)}, then {schedule.clock.lasting(pause)} until {model.tasks[after].step}")
        for after, (pause, before) in found.items()
        if pause > max(each.end - each.start for each in (schedule.placed[before], schedule.placed[after]))
    ]
    named = [words for _, words in sorted(pauses, key=lambda one: -one[0])]
    return f"Long waits that nobody asked for: {_listed(named)}." if named else ""


def _listed(named: list[str]) -> str:
    more = f"; and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return "; ".join(named[:MOST_NAMED]) + more
