"""What stands at the paths that a task reads: what it is given itself, and what a task that it starts ends with."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from packhorse_pai.domain.expressions import Condition
from packhorse_pai.domain.grants import Grant
from packhorse_pai.domain.linting_starts import SPAWNED_ANSWERS
from packhorse_pai.domain.playbooks import Playbook, Step, every, is_reference
from packhorse_pai.domain.policy import HostTool
from packhorse_pai.domain.schemas import Part, kind_of

Ends = Callable[[str], list[Part | None] | None]
"""The parts that may stand at a path: none where nothing can, None where that is not known."""
_NOT_COMPLETED: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        **{key: {"type": "string"} for key in ("error", "code", "resume")},
        "steps": {"type": "object"},
        "approvals": {"type": "array"},
    },
    "additionalProperties": False,
}
"""The result of a run that ended without a result step."""
_FILLED = {"count": {"type": ["integer", "null"]}, "academic_year": {"type": ["string", "null"]}}
"""What references give whose kind does not depend on what they name."""


def answer_of(results: Sequence[Part]) -> Part:
    """The answer of an agent whose task ends with one of these results, or without any."""
    ends = [*results, Part(_NOT_COMPLETED, _NOT_COMPLETED)]
    about = {**SPAWNED_ANSWERS, "properties": {**SPAWNED_ANSWERS["properties"], "result": {"anyOf": ends}}}
    return Part(about, about)


def shape(value: Any, ends: Ends) -> Part:
    """What data of a task may be once it is filled in."""
    about: Mapping[str, Any] = {}
    if is_reference(value):
        if "ref" in value:
            found = ends(value["ref"])
            if found is not None and None not in found:
                given = [{"const": value["default"]}] if "default" in value else [{"type": "null"}]
                about = {"anyOf": [*found, *given]}
        else:
            about = next((known for key, known in _FILLED.items() if key in value), {})
    elif isinstance(value, Mapping):
        inner = {key: shape(one, ends) for key, one in value.items()}
        about = {"type": "object", "properties": inner, "required": [*inner], "additionalProperties": False}
    elif isinstance(value, list | tuple):
        about = {"type": "array"}
    elif isinstance(value, str | int | float):
        about = {"const": value, "type": kind_of(value)}
    return Part(about, about)


def wanted_of(book: Playbook, tools: Mapping[str, HostTool]) -> dict[str, Part]:
    """By paths of the context: what every run of the task that goes on to its end is given there.

    That is what a call takes that is always made and must succeed.
    """
    found: dict[str, Part] = {}
    for step in book.steps:
        if step.kind == "call" and step.when is None and not step.given.get("optional"):
            for path, _, part in _given(step, tools):
                found.setdefault(path, part)
    return found


def _given(step: Step, tools: Mapping[str, HostTool]) -> Iterator[tuple[str, str, Part]]:
    """The paths of the context that a call gives whole, with the argument, or its element, that they are given as."""
    tool = tools.get(step.about)
    known = tool.input_schema.get("properties", {}) if tool is not None else {}
    for name, value in step.given.get("args", {}).items():
        parts = [Part(known[name], tool.input_schema)] if tool is not None and name in known else []
        values = [value]
        if isinstance(value, list):
            parts, values = [part for one in parts for part in one.items() if part is not None], value
        for one in values:
            path = one["ref"] if isinstance(one, Mapping) and one.keys() == {"ref"} else ""
            if len(parts) == 1 and path.startswith("context."):
                yield path, name, parts[0]


def clashes(book: Playbook, tools: Mapping[str, HostTool]) -> Iterator[tuple[Step, str]]:
    """Steps that give something of the context as one type which a step that is always taken gives as another."""
    wanted = wanted_of(book, tools)
    for step in every(book.steps):
        for path, name, part in _given(step, tools) if step.kind == "call" else ():
            other = wanted.get(path, part)
            here, there = part.kinds(), other.kinds()
            if here and there and here.isdisjoint(there):
                types = f"{' or '.join(sorted(here))} as {name} here, and {' or '.join(sorted(there))} in another step"
                yield step, f"{path} must be of the type {types}: no value is both"


def untaken_where(step: Step, tool: HostTool, grants: Sequence[Grant]) -> Iterator[tuple[str, str]]:
    """Arguments whose value the condition of a step leaves none that the tool takes, and what is said of them.

    ``grants`` are all that the agent's card or one file has for the tool; what each of them requires must be given.
    """
    known = tool.input_schema.get("properties", {})
    required = {*tool.input_schema.get("required", ())}
    required |= frozenset.intersection(*(grant.required for grant in grants)) if grants else set()
    for name, value in step.given.get("args", {}).items():
        if step.when is None or name not in known or not isinstance(value, Mapping) or value.keys() != {"ref"}:
            continue
        tests = Condition("", tuple(one for one in step.when.singles if one.path == value["ref"]))
        if tests.singles and not _leaves_some(tests, Part(known[name], tool.input_schema), needed=name in required):
            yield f"where {step.when.text!r} holds, {tool.name} takes no {name} that stands at {value['ref']}", name


def _leaves_some(tests: Condition, part: Part, *, needed: bool) -> bool:
    """Whether some value that passes is taken; nothing at all is, where none is needed."""

    def fits(_: str, value: Any) -> bool:
        return not needed if value is None else part.allows(value)

    return tests.can_hold(fits, lambda _: part.listed())


def differing(given: Sequence[Part | None], wanted: Part) -> str:
    """Why no list that is given has elements which are taken; empty where some may."""
    elements = [one for part in given if part is not None for one in part.items()]
    takes = [*wanted.items()]
    if not elements or not takes or None in elements or None in takes:
        return ""
    kinds = [frozenset[str]().union(*(one.kinds() for one in some if one)) for some in (elements, takes)]
    return " or ".join(sorted(kinds[0])) if all(kinds) and kinds[0].isdisjoint(kinds[1]) else ""
