"""Checks a schedule against its model, tick by tick, with no code of the solver or its results' arithmetic.

It reads the model's own words (what a link, a closure, a set-up is) and goes
through the schedule in the plainest way there is.
"""

from collections import defaultdict
from itertools import pairwise


def faults(model, schedule):
    """What is wrong with ``schedule``: a sentence each, none when it is right."""
    placed = {each.task: each for each in schedule.placed}
    if sorted(placed) != list(range(len(model.tasks))) or len(schedule.placed) != len(model.tasks):
        return ["not every task stands in the schedule exactly once"]
    found = []
    for index, task in enumerate(model.tasks):
        found += [f"task {index}: {words}" for words in _of_task(model, task, placed[index])]
    for link in model.links:
        before, after = placed[link.before], placed[link.after]
        if not _kept(link, before, after):
            found.append(f"{link.relation} from {link.before} to {link.after} is broken")
    for wait in model.waits:
        if placed[wait.task].start > max(placed[each].end for each in wait.after) + wait.limit.value:
            found.append(f"task {wait.task} waits too long")
    found += _of_jobs(model, placed)
    found += [words for index in range(len(model.resources)) for words in _of_resource(model, index, placed)]
    return [*found, *_of_stages(model, placed), *_of_spreads(model, placed)]


def values(model, schedule):
    """The value of each kind of goal, counted anew."""
    placed = {each.task: each for each in schedule.placed}
    ends = defaultdict(int)
    for index, task in enumerate(model.tasks):
        ends[task.job] = max(ends[task.job], placed[index].end)
    late = {j: max(0, ends[j] - job.due.value) for j, job in enumerate(model.jobs) if job.due is not None}
    return {
        "makespan": max(ends.values()),
        "tardiness": sum(late.values()),
        "weighted_tardiness": sum(model.jobs[j].weight.value * by for j, by in late.items()),
        "number_late": sum(1 for by in late.values() if by),
        "changeovers": sum(_changeovers(model, index, placed) for index in range(len(model.resources))),
        "idle": sum(_idle(model, index, placed) for index in range(len(model.resources))),
    }


def _of_task(model, task, place):
    mode = task.modes[place.mode]
    if place.start < 0 or place.end > model.horizon.value:
        yield "outside the horizon"
    if place.end - place.start != mode.ticks.value:
        yield "its length is not that of its mode"
    if mode.starts and place.start not in mode.starts:
        yield "starts at a tick that is not allowed"
    if sorted(place.uses) != sorted((use.resource, use.amount.value) for use in mode.uses):
        yield "uses other resources than its mode says"
    for resource, _ in place.uses:
        ticks = [place.start] if task.runs_on else range(place.start, place.end)
        for shut in model.resources[resource].closed:
            if any(shut.start <= tick < shut.end for tick in ticks):
                yield f"works while {model.resources[resource].name} is closed"


def _kept(link, before, after):
    one = before.start if link.relation == "start-start" else before.end
    other = after.end if link.relation == "end-end" else after.start
    return one + link.lag.value <= other


def _of_jobs(model, placed):
    for number, job in enumerate(model.jobs):
        mine = [placed[index] for index, task in enumerate(model.tasks) if task.job == number]
        if job.release is not None and any(each.start < job.release.value for each in mine):
            yield f"{job.name} starts before its release"
        if job.strict and job.due is not None and any(each.end > job.due.value for each in mine):
            yield f"{job.name} misses its strict due date"


def _on(index, placed):
    found = [(each, units) for each in placed.values() for resource, units in each.uses if resource == index]
    return sorted(found, key=lambda pair: pair[0].start)


def _of_resource(model, index, placed):
    resource, users = model.resources[index], _on(index, placed)
    free = {each.task: _free(model, index, each.task, placed) for each, _ in users}
    for each, _ in users:
        together = sum(units for other, units in users if other.start <= each.start < max(free[other.task], other.end))
        if together > resource.capacity.value:
            yield f"{resource.name} is used {together} times at tick {each.start}"
    if resource.sequenced:
        for (one, _), (other, _) in pairwise(users):
            pair = model.tasks[one.task].family, model.tasks[other.task].family
            gap = next((each.ticks.value for each in resource.setups if (each.before, each.after) == pair), 0)
            if other.start < _left(model, one.task, placed) + gap:
                yield f"{resource.name} has no time for its set-up before task {other.task}"


def _left(model, task, placed):
    """When a task leaves its place: at its end, or when the last of those it waits for starts."""
    return max([placed[task].end, *(placed[each].start for each in model.tasks[task].holds)])


def _free(model, index, task, placed):
    """When another job can have the resource: cleaned, unless this job's next step stays on it."""
    cleaning = model.resources[index].cleaning
    stays = any(resource == index for each in model.tasks[task].holds for resource, _ in placed[each].uses)
    return _left(model, task, placed) + (cleaning.value if cleaning is not None and not stays else 0)


def _of_spreads(model, placed):
    for spread in model.spreads:
        days = [placed[task].start // spread.ticks for task in spread.tasks]
        if any(days.count(day) > spread.most.value for day in days):
            yield f"{spread.tasks} are too many on one day"


def _of_stages(model, placed):
    orders = {tuple(sorted(range(len(stage)), key=lambda j: placed[stage[j]].start)) for stage in model.stages}
    return ["a job overtakes another"] if len(orders) > 1 else []


def _changeovers(model, index, placed):
    if not model.resources[index].sequenced:
        return 0
    families = [model.tasks[each.task].family for each, _ in _on(index, placed)]
    return sum(1 for number in range(1, len(families)) if families[number] != families[number - 1])


def _idle(model, index, placed):
    users = _on(index, placed)
    if not users:
        return 0
    first, last = min(each.start for each, _ in users), max(each.end for each, _ in users)
    capacity = max(model.resources[index].capacity.value, 1)
    return sum(capacity - sum(u for each, u in users if each.start <= tick < each.end) for tick in range(first, last))
