"""A model in words: what each job goes through, and what there is to work with; enough to check it by."""

from collections.abc import Iterator

from packhorse_discovery.domain.models.model import Job, Model, Task

MOST_LINES = 24
"""Lines of a model; what is beyond them is counted."""


def in_words(model: Model) -> list[str]:
    """A line for each job, or for all that go through the same; then resources of note, and which job waits for which.

    "Amy: operation 40 min on theatre 1 or theatre 2, recovery 40 min on recovery bed".
    """
    alike: dict[str, list[str]] = {}
    for at, job in enumerate(model.jobs):
        steps = ", ".join(_step(model, model.tasks[task]) for task in model.tasks_of(at))
        alike.setdefault(steps + _dates(model, job), []).append(job.name or "the work")
    lines = [f"{', '.join(dict.fromkeys(names))}: {words}" for words, names in alike.items()]
    lines += [*_resources(model), *_waiting(model)]
    left = len(lines) - MOST_LINES
    return lines if left <= 0 else [*lines[:MOST_LINES], f"and {left} more lines"]


def _step(model: Model, task: Task) -> str:
    """A step with its ways: how long, and on what."""
    ways: dict[str, list[str]] = {}
    for mode in task.modes:
        used = [(model.resources[use.resource].name, use.amount.value) for use in mode.uses]
        named = " and ".join(f"{count} {name}" if count > 1 else name for name, count in used)
        lasting = model.clock.lasting(mode.ticks.value)
        if named not in ways.setdefault(lasting, []):
            ways[lasting].append(named)
    said = [f"{lasting} on {' or '.join(names)}" if any(names) else lasting for lasting, names in ways.items()]
    return f"{task.step} {' or '.join(said)}"


def _dates(model: Model, job: Job) -> str:
    due = f"; due {model.clock.at(job.due.value)}{' strictly' * job.strict}" if job.due is not None else ""
    release = job.release is not None and job.release.value
    return (f"; not before {model.clock.at(job.release.value)}" if release and job.release else "") + due


def _resources(model: Model) -> Iterator[str]:
    for one in model.resources:
        known = [f"{one.capacity.value} at a time"] if one.capacity.value != 1 else []
        known += [f"cleaned for {model.clock.lasting(one.cleaning.value)} between jobs"] if one.cleaning else []
        known += [f"set up for {model.clock.lasting(each.ticks.value)} from {each.before} to {each.after}"
                  for each in one.setups if each.ticks.value]  # fmt: skip
        if known:
            yield f"{one.name}: {', '.join(known[:MOST_LINES])}"


def _waiting(model: Model) -> Iterator[str]:
    pairs = ((model.tasks[one.before].job, model.tasks[one.after].job) for one in model.links if not one.alike)
    for before, after in dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]):
        yield f"{model.jobs[after].name} waits for {model.jobs[before].name}"
