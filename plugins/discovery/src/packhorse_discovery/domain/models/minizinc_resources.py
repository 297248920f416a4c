"""The resources of a printed program: capacity, closed hours, changeovers, idle time."""

from collections.abc import Iterable, Sequence

from packhorse_discovery.domain.models.minizinc_text import comment, indices, numbers, parameter
from packhorse_discovery.domain.models.model import GoalKind, Model, Resource, Use
from packhorse_discovery.domain.models.source import Amount, assumed

_NO_SETUP = assumed(0, "no changeover was named, so none is needed")


def includes(model: Model) -> list[str]:
    """The files of the standard library that the program needs."""
    names = sorted({name for index in range(len(model.resources)) for name in _files(model, index)})
    return [f'include "{name}.mzn";' for name in names]


def resources(model: Model) -> list[str]:
    """Everything about every resource that a task uses."""
    return [line for index in range(len(model.resources)) for line in _resource(model, index)]


def counted(model: Model, kind: GoalKind) -> list[str]:
    """What ``changeovers`` or ``idle`` is."""
    used = [index for index in range(len(model.resources)) if any(model.users(index))]
    if kind == "changeovers":
        sums = [f"changeovers_{index + 1}" for index in used if model.resources[index].sequenced]
        return [f"constraint changeovers = {' + '.join(sums) or '0'};"]
    lines = [line for index in used for line in _idle(model, index)]
    return [*lines, f"constraint idle = {' + '.join(f'idle_{index + 1}' for index in used) or '0'};"]


def _files(model: Model, index: int) -> Iterable[str]:
    if not any(model.users(index)):
        return
    if model.resources[index].sequenced:
        yield "all_different"
    elif _alone(model, index):
        yield "disjunctive"
    else:
        yield "cumulative"


def _fixed(model: Model, index: int) -> bool:
    """Whether it is known which tasks use the resource."""
    return all(len(model.tasks[task].modes) == 1 for task, _, _ in model.users(index))


def _alone(model: Model, index: int) -> bool:
    """Whether it is one machine with one task at a time, all of them known."""
    plain = all(use.amount.value == 1 for _, _, use in model.users(index))
    return model.resources[index].capacity.value == 1 and plain and _fixed(model, index)


def _options(model: Model, index: int) -> list[tuple[int, int, Use]]:
    """(option, task, use) of the resource; options are numbered over all tasks and modes, from 0."""
    first, numbers_of = 0, []
    for task in model.tasks:
        numbers_of.append(first)
        first += len(task.modes)
    return [(numbers_of[task] + mode, task, use) for task, mode, use in model.users(index)]


def _resource(model: Model, index: int) -> list[str]:
    resource, number = model.resources[index], index + 1
    options = _options(model, index)
    if not options:
        return []
    lines = ["", comment(f"Resource {number}: {resource.name}")]
    lines.append(parameter(f"capacity_{number}", resource.capacity, "units at a time"))
    if resource.cleaning is not None:
        lines.append(parameter(f"cleaning_{number}", resource.cleaning, "ticks between any two jobs"))
    lines.append(indices(f"user_{number}", [task for _, task, _ in options]))
    if not _fixed(model, index):
        lines.append(indices(f"way_{number}", [option for option, _, _ in options]))
    if resource.sequenced:
        lines += _sequence(model, index, options)
    else:
        lines += _capacity(model, index, options)
    return lines + _closures(model, index, resource, options)


def _capacity(model: Model, index: int, options: Sequence[tuple[int, int, Use]]) -> list[str]:
    number = index + 1
    starts = f"[start[t] | t in user_{number}]"
    durations = (
        f"[duration[t] | t in user_{number}]" if _fixed(model, index) else f"[option_duration[o] | o in way_{number}]"
    )
    if _stays(model, index):
        durations = f"[{', '.join(_occupied(model, index, option, task) for option, task, _ in options)}]"
    if _alone(model, index):
        return [f"constraint disjunctive({starts}, {durations});"]
    amounts = [use.amount for _, _, use in options]
    lines = numbers(f"amount_{number}", amounts, [model.label(task) for _, task, _ in options])
    use = f"amount_{number}"
    if not _fixed(model, index):
        use = f"[bool2int(chosen[way_{number}[u]]) * amount_{number}[u] | u in 1..{len(options)}]"
    return [*lines, f"constraint cumulative({starts}, {durations}, {use}, capacity_{number});"]


def _stays(model: Model, index: int) -> bool:
    """Whether a task occupies the resource for longer than it lasts."""
    return any(model.tasks[task].holds or model.cleaning(task, index) for task, _, _ in model.users(index))


def _occupied(model: Model, index: int, option: int, task: int) -> str:
    """How long a task keeps the resource from others."""
    lasts = f"duration[{task + 1}]" if _fixed(model, index) else f"option_duration[{option + 1}]"
    if model.tasks[task].holds:
        lasts = f"stays_{task + 1}"
    return f"{lasts} + cleaning_{index + 1}" if model.cleaning(task, index) else lasts


def _closures(model: Model, index: int, resource: Resource, options: Sequence[tuple[int, int, Use]]) -> list[str]:
    if not resource.closed:
        return []
    number, count = index + 1, len(resource.closed)
    labels = ["closed" for _ in resource.closed]
    lines = numbers(f"closed_from_{number}", [Amount(each.start, each.source) for each in resource.closed], labels)
    lines += numbers(f"closed_until_{number}", [Amount(each.end, each.source) for each in resource.closed], labels)
    for position, (_, task, _) in enumerate(options, start=1):
        ends = f"start[{task + 1}]" if model.tasks[task].runs_on else f"start[{task + 1}] + duration[{task + 1}]"
        sign = "<" if model.tasks[task].runs_on else "<="
        free = f"{ends} {sign} closed_from_{number}[w] \\/ start[{task + 1}] >= closed_until_{number}[w]"
        if not _fixed(model, index):
            free = f"not chosen[way_{number}[{position}]] \\/ {free}"
        note = f"{model.label(task)} runs on through closures" if model.tasks[task].runs_on else model.label(task)
        lines.append(f"constraint forall (w in 1..{count}) ({free});  {comment(note)}")
    return lines


def _sequence(model: Model, index: int, options: Sequence[tuple[int, int, Use]]) -> list[str]:
    """The order of the tasks on one machine: ``next`` is the following one, and count + 1 stands for none."""
    number, count = index + 1, len(options)
    resource = model.resources[index]
    families = [model.tasks[task].family for _, task, _ in options]
    kinds = list(dict.fromkeys(families))
    lines = [comment("Families: " + ", ".join(f"{place} {kind or 'none'}" for place, kind in enumerate(kinds, 1)))]
    lines.append(indices(f"family_{number}", [kinds.index(family) for family in families]))
    cells = [(before, after) for before in kinds for after in kinds]
    amounts = [resource.setup(before, after) or _NO_SETUP for before, after in cells]
    lines += numbers(f"setup_{number}", amounts, [f"from {a or 'none'} to {b or 'none'}" for a, b in cells])
    span = f"1..{count}"
    after = f"{len(kinds)} * (family_{number}[a] - 1) + family_{number}[b]"
    leaves = f"start[user_{number}[a]] + duration[user_{number}[a]]"
    gap = f"setup_{number}[{after}]"
    if _stays(model, index):
        until = [
            f"until_{task + 1}" if model.tasks[task].holds else f"start[{task + 1}] + duration[{task + 1}]"
            for _, task, _ in options
        ]
        lines.append(f"array[{span}] of var int: leaves_{number} = [{', '.join(until)}];")
        cleaned = ", ".join(f"cleaning_{number}" if model.cleaning(task, index) else "0" for _, task, _ in options)
        lines.append(f"array[{span}] of int: cleaned_{number} = [{cleaned}];")
        leaves, gap = f"leaves_{number}[a]", f"max({gap}, cleaned_{number}[a])"
    stays = "true"
    if not _fixed(model, index):
        stays = f"chosen[way_{number}[a]]"
    return [
        *lines,
        f"array[1..{count + 1}] of var 1..{count + 1}: next_{number};",
        f"constraint all_different(next_{number});",
        f"constraint forall (a in {span}) ((next_{number}[a] != a) = {stays});",
        f"constraint forall (a, b in {span} where a != b) (",
        f"  next_{number}[a] = b -> {leaves} + {gap}",
        f"    <= start[user_{number}[b]]",
        ");",
        f"var 0..{count}: changeovers_{number} = sum (a, b in {span} where family_{number}[a] != family_{number}[b]) (",
        f"  bool2int(next_{number}[a] = b)",
        ");",
    ]


def _idle(model: Model, index: int) -> list[str]:
    number, options = index + 1, _options(model, index)
    lines = [f"var 0..horizon: first_{number};", f"var 0..horizon: last_{number};"]
    work = []
    for option, task, use in options:
        spans = f"first_{number} <= start[{task + 1}] /\\ start[{task + 1}] + duration[{task + 1}] <= last_{number}"
        once = f"{use.amount.value} * duration[{task + 1}]" if use.amount.value != 1 else f"duration[{task + 1}]"
        if not _fixed(model, index):
            spans = f"chosen[{option + 1}] -> ({spans})"
            once = f"bool2int(chosen[{option + 1}]) * {use.amount.value} * option_duration[{option + 1}]"
        lines.append(f"constraint {spans};")
        work.append(once)
    capacity = max(model.resources[index].capacity.value, 1)
    worked = f"({' + '.join(work)})"
    lines.append(f"var 0..{capacity} * horizon: idle_{number};")
    lines.append(f"constraint idle_{number} = {capacity} * (last_{number} - first_{number}) - {worked};")
    return lines
