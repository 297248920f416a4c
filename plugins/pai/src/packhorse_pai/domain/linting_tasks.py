"""What of a task can never work: what it names is not there or not granted, what it asks for can never hold."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from packhorse_pai.domain.linting import Finding
from packhorse_pai.domain.playbooks import Playbook, Step, every
from packhorse_pai.domain.policy import NEVER, SPAWN_TOOLS, HostTool, Policy
from packhorse_pai.domain.values import Values

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
        saved = _saved(book, policy)
        for number, step in enumerate(every(book.steps), start=1):
            for kind, text, tool, argument in _of_step(book, step, policy, saved, known):
                yield Finding(kind, book.agent, text, tool, argument, task=book.name, step=number)
        yield from _unreached(book)


def _of_step(
    book: Playbook,
    step: Step,
    policy: Policy,
    saved: _Saved,
    known: Collection[Playbook],
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
    elif step.kind == "spawn":
        if about not in policy.agents:
            yield "no_such_agent", f"no agent {about} has a valid card", "", ""
        elif about not in policy.spawn.get(agent, ()):
            yield "not_granted", f"{agent} may not start {about}: name it under Can Spawn of its card", "", ""
        elif not any((one.agent, one.name) == (about, step.given["task"]) for one in known):
            yield "no_such_task", f"{about} has no task {step.given['task']}", "", ""
    for tested in step.conditions:
        if not tested.can_hold(lambda path, value: _may_stand(book, saved, path, value), lambda p: _listed(saved, p)):
            yield "never_fires", f"the condition {tested.text!r} can never hold", "", ""


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


def _may_stand(book: Playbook, saved: _Saved, path: str, value: Any) -> bool:
    """Whether a value may stand at a path while a task is played; true where it cannot be known."""
    root, *rest = path.split(".")
    match root:
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
    return [value for one, root in options for value in Values.of(one, root, None, None).listed or ()]


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
        if _kind(value) in values.types if values.listed is None else _is_listed(value, values):
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
