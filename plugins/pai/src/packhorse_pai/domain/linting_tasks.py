"""What of a task can never work: what it names is not there or not granted, what it asks for can never hold."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from packhorse_pai.domain.grants import Layer, Verdict, World, for_tasks, judge
from packhorse_pai.domain.linting import Finding
from packhorse_pai.domain.playbooks import Playbook, Step, every
from packhorse_pai.domain.policy import NEVER, SPAWN_TOOLS, HostTool, Policy
from packhorse_pai.domain.values import Values
from packhorse_pai.domain.words import Words

_MOST_DEPTH = 8
_SPAWNED = "invoke_agent"
"""The tool whose answer a started agent gives."""

_Saved = Mapping[str, Sequence[HostTool | None]]
"""By the name that a step saves, the tools whose answers it may be; None where nothing is known of them."""


def task_findings(policy: Policy, books: Sequence[Playbook], known: Collection[Playbook]) -> Iterator[Finding]:
    """What is wrong with these tasks; ``known`` are all that a host has. Without tools nothing is said of schemas."""
    for book in books:
        if book.agent not in policy.agents:
            yield Finding("no_such_agent", book.agent, "no agent of this name has a valid card", task=book.name)
            continue
        if any((one.agent, one.name) == (book.agent, book.name) for one in books if one is not book):
            yield Finding(
                "said_twice", book.agent, "two files write a task of this name: only one is played", task=book.name
            )
        calls = sum(step.kind == "call" and step.when is None for step in book.steps)
        if calls > (most := policy.limits[book.agent].calls):
            words = f"it always makes {calls} calls, and its agent may make {most}"
            yield Finding("never_fires", book.agent, words, task=book.name)
        saved = _saved(book, policy)
        sure = set[str]()
        for number, step in enumerate(every(book.steps), start=1):
            for kind, text, tool, argument in _of_step(book, step, policy, saved, known, sure):
                yield Finding(kind, book.agent, text, tool, argument, task=book.name, step=number)
            if step in book.steps and "save" in step.given and step.when is None and not step.given.get("optional"):
                sure.add(step.given["save"])
        yield from _unreached(book)


def _of_step(
    book: Playbook,
    step: Step,
    policy: Policy,
    saved: _Saved,
    known: Collection[Playbook],
    sure: Collection[str],
) -> Iterator[tuple[str, str, str, str]]:
    agent, about = book.agent, step.about
    if step.kind == "call":
        if policy.tools and about not in policy.tools and not step.given.get("optional"):
            yield "no_such_tool", f"{about} is offered by none of the packs at hand", about, ""
        held = about in policy.use.get(agent, ()) and about not in NEVER and about not in SPAWN_TOOLS
        if not held or (agent, about) in policy.forbids:
            yield "not_granted", f"{agent} is not granted {about}: list it under ## Tools of its card", about, ""
        if (tool := policy.tools.get(about)) is not None:
            for text, argument in _of_arguments(step.given.get("args", {}), tool):
                yield "never_fires", text, about, argument
        for text, argument in _refused(step.given.get("args", {}), about, policy.grants.get(agent, ())[1:]):
            yield "never_fires", text, about, argument
    elif step.kind == "spawn":
        if about not in policy.agents:
            yield "no_such_agent", f"no agent {about} has a valid card", "", ""
        elif about not in policy.spawn.get(agent, ()):
            yield "not_granted", f"{agent} may not start {about}: name it under Can Spawn of its card", "", ""
        elif not any((one.agent, one.name) == (about, step.given["task"]) for one in known):
            yield "no_such_task", f"{about} has no task {step.given['task']}", "", ""
    for tested in step.conditions:
        given = (lambda path, value: _may_stand(book, saved, sure, path, value)), (lambda path: _listed(saved, path))
        if not tested.can_hold(*given):
            yield "never_fires", f"the condition {tested.text!r} can never hold", "", ""
        elif tested.must_hold(*given):
            yield "always_holds", f"the condition {tested.text!r} always holds", "", ""


def _of_arguments(arguments: Mapping[str, Any], tool: HostTool) -> Iterator[tuple[str, str]]:
    schema = tool.input_schema
    properties: Mapping[str, Any] = schema.get("properties", {})
    for name in sorted(arguments.keys() - properties.keys()):
        yield f"{tool.name} has no argument {name}", name
    for name in sorted(set(schema.get("required", ())) - arguments.keys()):
        yield f"{tool.name} needs {name}, and the step does not give it", name
    for name in sorted(arguments.keys() & properties.keys()):
        value = arguments[name]
        if isinstance(value, str | int | float) and not _takes(properties[name], schema, value):
            yield f"{tool.name} takes no {name} that is {value!r}", name


def _refused(arguments: Mapping[str, Any], tool: str, written: Sequence[Layer]) -> Iterator[tuple[str, str]]:
    """What a step gives and the card of its agent never allows, where a value stands in the task itself."""
    known = {name: value for name, value in arguments.items() if isinstance(value, str | int | float)}
    world = World(Words(""), by_person=True)
    for layer in (for_tasks(layer) for layer in written if tool in layer.grants):
        grants = [
            evolve(grant, required=grant.required & known.keys() | (grant.required - arguments.keys()))
            for grant in layer.grants[tool]
        ]
        found = judge([Layer({tool: tuple(grants)})], tool, known, world)
        if found.verdict is Verdict.DENY:
            yield f"the card of its agent never allows this {found.argument}: it {found.because}", found.argument
    for name in sorted(arguments.keys() - known.keys()):
        if any(
            tool in layer.grants and not any(name in one.arguments for one in layer.grants[tool]) for layer in written
        ):
            yield f"the card of its agent never allows {name}: no rule is about it", name


def _unreached(book: Playbook) -> Iterator[Finding]:
    """Steps behind one that always ends the task."""
    ends = [at for at, step in enumerate(book.steps) if step.kind in ("result", "fail") and step.when is None]
    if ends and ends[0] + 1 < len(book.steps):
        first = len([*every(book.steps[: ends[0] + 1])])
        text = f"step {first} ends the task, so those behind it are never reached"
        yield Finding("never_fires", book.agent, text, task=book.name, step=first + 1)


def _saved(book: Playbook, policy: Policy) -> _Saved:
    found: dict[str, list[HostTool | None]] = {}
    for step in every(book.steps):
        if "save" in step.given:
            tool = policy.tools.get(_SPAWNED if step.kind == "spawn" else step.about)
            found.setdefault(step.given["save"], []).append(tool)
    return found


def _may_stand(book: Playbook, saved: _Saved, sure: Collection[str], path: str, value: Any) -> bool:
    """Whether a value may stand at a path while a task is played; true where it cannot be known.

    ``sure`` are names that an earlier step has always saved.
    """
    root, *rest = path.split(".")
    match root:
        case "context" | "steps" if value is None and len(rest) == 1:
            return rest[0] not in (book.needs if root == "context" else sure)
        case "mission":
            return isinstance(value, str) if not rest else value is None
        case "constraints":
            return value == {} if not rest else value is None
        case "asked":
            if not rest:
                return bool(value == {})
            return isinstance(value, bool) if rest[0] in book.constraints.values() and len(rest) == 1 else value is None
        case "steps" if rest and value is not None and rest[0] in saved:
            schemas = [tool.output_schema if tool is not None else None for tool in saved[rest[0]]]
            return any(schema is None or _below(schema, schema, rest[1:], value) for schema in schemas)
    return True


def _listed(saved: _Saved, path: str) -> list[Any]:
    """The values that a schema lists for a path."""
    root, *rest = path.split(".")
    if root != "steps" or not rest:
        return []
    schemas = [tool.output_schema for tool in saved.get(rest[0], ()) if tool is not None and tool.output_schema]
    ends = [end for schema in schemas for end in _at(schema, schema, rest[1:]) if end is not None]
    options = [(one, root) for end, root in ends for one in _options(end, root)]
    found = [Values.of(one, root, None, None) for one, root in options]
    bounds = [float(end) for values in found for end in (values.low, values.high) if end is not None]
    return [*bounds, *(value for values in found for value in values.listed or ())]


def _below(schema: Any, root: Any, path: Sequence[str], value: Any) -> bool:
    return any(end is None or _allows(*end, value) for end in _at(schema, root, path))


def _at(schema: Any, root: Any, path: Sequence[str]) -> Iterator[tuple[Any, Any] | None]:
    """The schemas of what may stand at a path; None for one that is not known."""
    for one in _options(schema, root):
        if not path:
            yield one, root
        elif not isinstance(properties := one.get("properties"), Mapping):
            if one.get("type", "object") == "object":
                yield None
        elif path[0] in properties:
            yield from _at(properties[path[0]], root, path[1:])
        elif one.get("additionalProperties", False) is not False or "patternProperties" in one:
            yield None


def _options(schema: Any, root: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """A schema behind its reference, or each of its alternatives; an empty one, which allows all, where unknown."""
    if isinstance(schema, Mapping) and isinstance(name := schema.get("$ref"), str):
        schema = root.get("$defs", {}).get(name.removeprefix("#/$defs/"), {})
    about: Mapping[str, Any] = schema if isinstance(schema, Mapping) else {}
    unions = [one for key in ("anyOf", "oneOf") for one in about.get(key) or ()]
    if unions and depth < _MOST_DEPTH:
        for one in unions:
            yield from _options(one, root, depth + 1)
    else:
        yield about if "$ref" not in about and "allOf" not in about else {}


def _allows(schema: Any, root: Any, value: Any) -> bool:
    """Whether a schema may allow a value, by its type; exactly where it lists its values."""
    for one in _options(schema, root):
        kinds, values = one.get("type"), Values.of(one, root, None, None)
        is_list = "array" in kinds if isinstance(kinds, list) else kinds == "array"
        fits = values.has(value) if _kind(value) == "number" else _kind(value) in values.types
        if fits if values.listed is None else _is_listed(value, values):
            return True
        if is_list and value == {}:  # whatever is entered or only exists
            return True
    return value is None


def _takes(schema: Any, root: Any, value: Any) -> bool:
    """Whether a schema allows a text, number or flag that a task gives."""
    found = [Values.of(one, root, None, None) for one in _options(schema, root)]
    return any(one.has(value) and (one.listed is None or _is_listed(value, one)) for one in found)


def _is_listed(value: Any, values: Values) -> bool:
    return any(_kind(one) == _kind(value) and one == value for one in values.listed or ())


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "number" if isinstance(value, int | float) else "object"
