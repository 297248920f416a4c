"""A model as a MiniZinc program.

The program stands alone, includes single files of the standard library and
never ``globals.mzn`` (which fails with the Gecode of MiniZinc 2.6.4), and has
no search annotation: the fixed searches tried made Gecode slower and kept
Chuffed from learning. Every number of the interview stands beside a comment
with its question and what was assumed. The same model gives the same bytes.
"""

from collections.abc import Sequence

from packhorse_discovery.domain.models import minizinc_resources as pools
from packhorse_discovery.domain.models.goals import NAMES, Term, bound, combined, first_rank
from packhorse_discovery.domain.models.minizinc_text import comment, indices, numbers, paragraphs, parameter, strings
from packhorse_discovery.domain.models.model import Link, Model, Use
from packhorse_discovery.domain.models.rules import rules
from packhorse_discovery.domain.models.source import Amount


def print_minizinc(model: Model) -> str:
    """The program, ending in a line break."""
    body = [
        *_head(model),
        *pools.includes(model),
        *_jobs(model),
        *_tasks(model),
        *_order(model),
        *pools.resources(model),
        *_goals(model),
        *_solve(model),
    ]
    return "\n".join(body) + "\n"


def _head(model: Model) -> list[str]:
    clock = model.clock
    lines = [model.title, f"Target: {model.target}. Time is counted in ticks of one {clock.name}."]
    if clock.name not in {"time unit", "slot"}:
        lines[-1] = f"Target: {model.target}. A tick is {clock.name} ({clock.seconds} s)."
    if clock.origin is not None:
        lines.append(f"Tick 0 is {clock.origin}.")
    if clock.error_seconds:
        lines.append(f"Durations are rounded to whole ticks, each by at most {clock.error_seconds:g} s.")
    lines += [f"Assumed: {note}" for note in model.notes]
    lines += [model.not_kept] if model.unmodelled else []
    return [*paragraphs(lines), ""]


def _jobs(model: Model) -> list[str]:
    lines = ["", *strings("job_name", [job.name or "the work" for job in model.jobs])]
    lines.append(parameter("horizon", model.horizon, "an optimal schedule ends within it"))
    return lines


def _tasks(model: Model) -> list[str]:
    labels = [model.label(index) for index in range(len(model.tasks))]
    count = len(model.tasks)
    lines = ["", comment("The tasks, in the words of the interview.")]
    lines += strings("task_name", labels)
    lines.append(indices("job_of", [task.job for task in model.tasks]))
    lines.append(f"array[1..{count}] of var 0..horizon: start;")
    if model.flexible:
        lines += _options(model, labels)
    else:
        lines += numbers("duration", [task.modes[0].ticks for task in model.tasks], labels)
    lines.append("constraint forall (t in 1.." + str(count) + ") (start[t] + duration[t] <= horizon);")
    return [*lines, *_starts(model), *_held(model)]


def _held(model: Model) -> list[str]:
    """When tasks leave what they keep occupied, and how long they do."""
    lines = []
    for index, task in enumerate(model.tasks):
        if task.holds:
            number = index + 1
            ends = [f"start[{number}] + duration[{number}]", *(f"start[{each + 1}]" for each in task.holds)]
            note = comment(f"{model.label(index)} keeps its place; {task.holds_source.words}")
            lines.append(f"var 0..horizon: until_{number} = max([{', '.join(ends)}]);  {note}")
            lines.append(f"var 0..horizon: stays_{number} = until_{number} - start[{number}];")
    return lines


def _starts(model: Model) -> list[str]:
    """The ticks at which tasks may start.

    Under a condition, membership is written out as equalities: Chuffed 0.14 (in MiniZinc 2.10.0) lets values between
    the members of a set through there.
    """
    lines = []
    option = 0
    for index, task in enumerate(model.tasks):
        for mode in task.modes:
            option += 1
            if not mode.starts:
                continue
            ticks = f"{{{', '.join(str(tick) for tick in mode.starts)}}}"
            allowed = f"start[{index + 1}] in {ticks}"
            if len(task.modes) > 1:
                allowed = f"chosen[{option}] -> exists (tick in {ticks}) (start[{index + 1}] = tick)"
            lines.append(f"constraint {allowed};  {comment(mode.starts_source.words)}")
    return lines


def _options(model: Model, labels: Sequence[str]) -> list[str]:
    """Ways of doing tasks: one of each task is chosen."""
    options = [(index, mode) for index, task in enumerate(model.tasks) for mode in task.modes]
    longest = max(mode.ticks.value for _, mode in options)
    named = [f"{labels[index]} {_with(model, mode.uses)}" for index, mode in options]
    count, tasks = len(options), len(model.tasks)
    return [
        comment("Some tasks can be done in several ways: an option is a task and one way of doing it."),
        indices("option_task", [index for index, _ in options]),
        *numbers("option_duration", [mode.ticks for _, mode in options], named),
        f"array[1..{count}] of var bool: chosen;",
        f"array[1..{tasks}] of var 0..{longest}: duration;",
        f"constraint forall (t in 1..{tasks}) (",
        f"  sum (o in 1..{count} where option_task[o] = t) (bool2int(chosen[o])) = 1",
        ");",
        f"constraint forall (o in 1..{count}) (chosen[o] -> duration[option_task[o]] = option_duration[o]);",
    ]


def _with(model: Model, uses: Sequence[Use]) -> str:
    return "with " + " and ".join(model.resources[use.resource].name for use in uses) if uses else "with nothing"


def _order(model: Model) -> list[str]:
    lines = ["", comment("What waits for what.")] if model.links or model.waits or model.stages else []
    words = {(rule.kind, rule.index): f"{rule.words}; {rule.source.words}" for rule in rules(model)}
    for index, link in enumerate(model.links):
        lag = f"; pause: {link.lag.source.words}" if link.lag.value else ""
        note = words.get(("link", index), link.source.words) + lag
        lines.append(f"constraint {_linked(link)};  {comment(note)}")
    for index, wait in enumerate(model.waits):
        ends = ", ".join(f"start[{each + 1}] + duration[{each + 1}]" for each in wait.after)
        limit = f"start[{wait.task + 1}] <= max([{ends}]) + {wait.limit.value}"
        lines.append(f"constraint {limit};  {comment(words['wait', index])}")
    for index, job in enumerate(model.jobs):
        if job.release is not None and job.release.value:
            every = f"forall (t in 1..{len(model.tasks)} where job_of[t] = {index + 1})"
            note = comment(words["release", index])
            lines.append(f"constraint {every} (start[t] >= {job.release.value});  {note}")
    return lines + _spread(model) + _permutation(model)


def _spread(model: Model) -> list[str]:
    lines = []
    for number, spread in enumerate(model.spreads, start=1):
        label = model.jobs[model.tasks[spread.tasks[0]].job].name
        lines.append(parameter(f"a_day_{number}", spread.most, f"times a day at most, {label}"))
        days = f"0..horizon div {spread.ticks}"
        same = f"bool2int(start[t] div {spread.ticks} = d)"
        tasks = ", ".join(str(each + 1) for each in spread.tasks)
        lines.append(f"constraint forall (d in {days}) (sum (t in [{tasks}]) ({same}) <= a_day_{number});")
    return lines


def _linked(link: Link) -> str:
    before, after = f"start[{link.before + 1}]", f"start[{link.after + 1}]"
    if link.relation != "start-start":
        before += f" + duration[{link.before + 1}]"
    if link.relation == "end-end":
        after += f" + duration[{link.after + 1}]"
    lag = f" + {link.lag.value}" if link.lag.value else ""
    return f"{before}{lag} <= {after}"


def _permutation(model: Model) -> list[str]:
    if not model.stages:
        return []
    jobs, stages = len(model.jobs), len(model.stages)
    rows = ["  " + ", ".join(str(index + 1) for index in stage) for stage in model.stages]
    rows = [*(f"{row} |" for row in rows[:-1]), rows[-1]]
    return [
        comment("The jobs pass every stage in one and the same order. Rows are stages, columns jobs."),
        f"array[1..{stages}, 1..{jobs}] of int: task_at = [|",
        *rows,
        "|];",
        f"array[1..{jobs}, 1..{jobs}] of var bool: earlier;",
        f"constraint forall (i, j in 1..{jobs} where i < j) (",
        "  earlier[i, j] != earlier[j, i]",
        ");",
        f"constraint forall (i, j in 1..{jobs}, s in 1..{stages} where i != j) (",
        "  earlier[i, j] -> start[task_at[s, i]] + duration[task_at[s, i]] <= start[task_at[s, j]]",
        ");",
        f"constraint forall (i in 1..{jobs}) (not earlier[i, i]);",
    ]


def _goals(model: Model) -> list[str]:
    jobs = len(model.jobs)
    lines = [
        "",
        comment("What is minimised."),
        f"array[1..{jobs}] of var 0..horizon: finish;",
        f"constraint forall (j in 1..{jobs}) (",
        f"  finish[j] = max([start[t] + duration[t] | t in 1..{len(model.tasks)} where job_of[t] = j])",
        ");",
    ]
    lines += _due(model)
    for kind in dict.fromkeys(goal.kind for goal in model.goals):
        source = next(goal.source for goal in model.goals if goal.kind == kind)
        name = NAMES[kind]
        lines.append(f"var 0..{bound(model, kind)}: {name};  {comment(source.words)}")
        match kind:
            case "makespan":
                lines.append(f"constraint {name} = max(finish);")
            case "tardiness":
                lines.append(f"constraint {name} = sum (d in index_set(due)) (max(0, finish[due_job[d]] - due[d]));")
            case "weighted-tardiness":
                terms = "weight[d] * max(0, finish[due_job[d]] - due[d])"
                lines.append(f"constraint {name} = sum (d in index_set(due)) ({terms});")
            case "number-late":
                terms = "bool2int(finish[due_job[d]] > due[d])"
                lines.append(f"constraint {name} = sum (d in index_set(due)) ({terms});")
            case "changeovers" | "utilisation":
                lines += pools.counted(model, kind)
    return lines


def _due(model: Model) -> list[str]:
    dated = [(index, job, job.due) for index, job in enumerate(model.jobs) if job.due is not None]
    if not dated:
        return []
    names = [job.name for _, job, _ in dated]
    due: list[Amount] = [due for _, _, due in dated]
    lines = [indices("due_job", [index for index, _, _ in dated]), *numbers("due", due, names)]
    if any(goal.kind == "weighted-tardiness" for goal in model.goals):
        lines += numbers("weight", [job.weight for _, job, _ in dated], names)
    for number, (index, job, _) in enumerate(dated, start=1):
        if job.strict:
            lines.append(f"constraint finish[{index + 1}] <= due[{number}];  {comment('this date must be kept')}")
    return lines


def _solve(model: Model) -> list[str]:
    terms = combined(model)
    lines = [""]
    if terms is None:
        terms = first_rank(model)
        lines.append(comment("Only the goals of the first rank: all together would exceed 32-bit numbers."))
    elif len(model.ranks) > 1:
        lines.append(comment("One goal after the other: a rank outweighs everything that later ranks can reach."))
    lines.append(f"solve minimize {' + '.join(_term(each) for each in terms)};")
    shown = ", ".join(f'"{NAMES[kind]} = \\({NAMES[kind]})\\n"' for kind in dict.fromkeys(g.kind for g in model.goals))
    return [
        *lines,
        "",
        f"output [{shown}] ++",
        f'  [task_name[t] ++ ": \\(start[t]) to \\(start[t] + duration[t])\\n" | t in 1..{len(model.tasks)}];',
    ]


def _term(term: Term) -> str:
    name = NAMES[term.goal.kind]
    return name if term.factor == 1 else f"{term.factor} * {name}"
