"""What of a task as a whole has no effect or is said twice, and where its agent's limits end it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from packhorse_pai.domain.names import twice
from packhorse_pai.domain.playbooks import Playbook, Step, every
from packhorse_pai.domain.policy import Limits, Policy


def task_faults(book: Playbook, books: Sequence[Playbook], policy: Policy) -> Iterator[tuple[str, str]]:
    """Kind and text of each."""
    if any((one.agent, one.name) == (book.agent, book.name) for one in books if one is not book):
        yield "said_twice", "two files write a task of this name: only one is played"
    if not book.steps:
        yield "no_effect", "it has no steps, so it does nothing"
    limits = policy.limits[book.agent]
    always = [step.kind for step in book.steps if step.kind in ("call", "spawn") and step.when is None]
    for kind, made, most in (("call", len(always), limits.calls), ("spawn", always.count("spawn"), limits.spawns)):
        if made > most:
            steps = f"its steps without a condition make {made} {kind}{'s'[made == 1 :]}"
            yield "never_fires", f"{steps}, and its agent may make {most}"
            break
    else:
        number = {id(step): at for at, step in enumerate(every(book.steps), 1)}
        if beyond := next(_beyond(book.steps, limits, Counter()), None):
            step, kind, made, most = beyond
            steps = f"step {number[id(step)]} is never made: with those that are always taken before it"
            yield "never_fires", f"{steps} it would be {kind} {made}, and its agent may make {most}"
    for key in twice(book.needs):
        yield "said_twice", f"{key} stands twice under needs"
    for key in dict.fromkeys(book.needs):
        if key not in book.read:
            yield "no_effect", f"{key} stands under needs, and no step reads context.{key}"
    yield from _of_loops(book.steps, limits.calls, 0)
    yield from _of_names(book)


def _beyond(steps: Sequence[Step], limits: Limits, made: Counter[str]) -> Iterator[tuple[Step, str, int, int]]:
    """The steps for which nothing is left of a limit whenever they are reached, a loop's in its first round."""
    for step in steps:
        if step.kind in ("call", "spawn"):
            used = made + Counter({"call": 1, step.kind: 1})
            for kind, most in (("call", limits.calls), ("spawn", limits.spawns)):
                if made[kind] < used[kind] > most:
                    yield step, kind, used[kind], most
            made = used if step.when is None else made
        yield from _beyond(step.steps, limits, Counter(made))


def _of_loops(steps: Sequence[Step], most: int, made: int) -> Iterator[tuple[str, str]]:
    """Loops that end in their first round, and those with more rounds than the calls of the agent are enough for.

    ``made`` are the calls that are always made before.
    """
    for step in steps:
        if step.kind == "each":
            always = [inner.kind for inner in step.steps if inner.when is None]
            each = sum(inner.kind in ("call", "spawn") for inner in step.steps)
            if end := next((kind for kind in always if kind in ("result", "fail")), ""):
                yield "never_fires", f"the {end} in the loop over {step.about} ends the task in its first round"
            elif each and made + each <= most < made + each * step.given["limit"]:
                rounds = (most - made) // each
                words = f"the loop over {step.about} may have {step.given['limit']} rounds, and the calls of its agent"
                yield "never_fires", f"{words} are enough for {rounds} with all its steps: lower its limit"
            yield from _of_loops(step.steps, most, made)
        made += step.kind in ("call", "spawn") and step.when is None


def _of_names(book: Playbook) -> Iterator[tuple[str, str]]:
    """Names that are given to answers and to elements of loops, and that no step reads."""
    for step in every(book.steps):
        name, item = step.given.get("save"), step.given.get("as")
        if name is not None and not _is_read(f"steps.{name}", book.steps):
            yield "no_effect", f"{name!r} is saved, and no step reads it"
        if item is not None and step.steps and not _is_read(item, step.steps):
            yield "no_effect", f"no step of the loop over {step.about} reads {item!r}, so each round does the same"
    for at, step in enumerate(book.steps):
        for inner in every(step.steps):
            name = inner.given.get("save")
            path = f"steps.{name}"
            if (
                name is not None
                and _is_read(path, book.steps)
                and not _is_read(path, (*step.steps, *book.steps[at + 1 :]))
            ):
                yield (
                    "no_effect",
                    f"{name!r} is saved in the loop over {step.about}, and no step reads it from there on",
                )
        name = step.given.get("save")
        if name is None:
            continue
        path = f"steps.{name}"
        for later in book.steps[at + 1 :]:
            if _is_read(path, [later]):
                break
            if later.given.get("save") == name and later.when is None:
                yield (
                    "said_twice",
                    f"two steps save {name!r}, and the first answer is replaced before any step reads it",
                )
                break


def _is_read(path: str, steps: Sequence[Step]) -> bool:
    """Whether some step reads what stands at a path, or below it."""
    return any(one == path or one.startswith(f"{path}.") for step in steps for one in step.reads)
