"""What a step gives to a tool that the tool does not take, or that the card of its agent never allows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from packhorse_pai.domain.findings import meant
from packhorse_pai.domain.grants import Grant, Layer, Verdict, World, for_tasks, judge
from packhorse_pai.domain.linting_grants import for_people, way_words
from packhorse_pai.domain.playbooks import is_reference
from packhorse_pai.domain.policy import HostTool, Policy
from packhorse_pai.domain.schemas import Part
from packhorse_pai.domain.words import Words

_PATH = re.compile(r"(context|steps|asked)(\.\w+)+", re.ASCII)


def argument_faults(arguments: Mapping[str, Any], tool: HostTool) -> Iterator[tuple[str, str]]:
    """What a tool does not take of the arguments of a step, in words, and the argument."""
    schema = tool.input_schema
    properties: Mapping[str, Any] = schema.get("properties", {})
    for name in sorted(arguments.keys() - properties.keys()):
        yield f"{tool.name} has no argument {name}{meant(name, properties)}", name
    for name in sorted(set(schema.get("required", ())) - arguments.keys()):
        yield f"{tool.name} needs {name}, and the step does not give it", name
    yield from for_people(tool.name, arguments, schema)
    yield from untaken(arguments, tool)


def untaken(arguments: Mapping[str, Any], tool: HostTool) -> Iterator[tuple[str, str]]:
    """The values among them that the tool does not take."""
    properties: Mapping[str, Any] = tool.input_schema.get("properties", {})
    for name in sorted(arguments.keys() & properties.keys()):
        value, part = arguments[name], Part(properties[name], tool.input_schema)
        if isinstance(value, str) and _PATH.fullmatch(value):
            yield f"{value!r} is given as this text: for what stands there write {{ ref = {value!r} }}", name
        elif lacking := sorted(part.lacks(value)):
            yield f"{tool.name} needs {', '.join(f'{name}.{path}' for path in lacking)}, which is not given", name
        elif not part.takes(value):
            yield f"{tool.name} takes no {name} that is {value!r}", name


def unfilled(value: Any) -> Iterator[str]:
    """Texts in data of a task that are written as a path, and tables that are nearly a reference."""
    if isinstance(value, str) and _PATH.fullmatch(value):
        yield f"{value!r} is given as this text: for what stands there write {{ ref = {value!r} }}"
    elif isinstance(value, Mapping) and not is_reference(value):
        for key, inner in value.items():
            if isinstance(inner, str) and _PATH.fullmatch(inner) and (close := meant(key, ("ref", "count"))):
                yield f"{key} = {inner!r} is given as it stands{close}"
            else:
                yield from unfilled(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from unfilled(inner)


def _standing(value: Any) -> Any:
    """What of an argument stands in the task itself: a plain value, or those of a list; None for anything else."""
    if isinstance(value, list):
        return [item for item in value if isinstance(item, str | int | float)] or None
    return value if isinstance(value, str | int | float) else None


def refused(
    arguments: Mapping[str, Any], tool: str, written: Sequence[Layer], card: str, policy: Policy
) -> Iterator[tuple[str, str, str]]:
    """Kind, text and argument of what a step gives and ``card``, or a file, never allows, or never without a person.

    Only values that stand in the task itself are looked at, and what a tool that changes something takes where the step
    gives none.
    """
    offered = policy.tools.get(tool)
    properties = offered.input_schema.get("properties", {}) if offered is not None and not offered.read_only else {}
    own = {name: part["default"] for name, part in properties.items() if "default" in part and name not in arguments}
    known = {name: said for name, value in arguments.items() if (said := _standing(value)) is not None}
    world = World(Words(""), by_person=True, defaulted=own.keys())
    for layer in written:
        if tool not in layer.grants:
            continue
        who, grants = (
            layer.origin or card,
            [
                evolve(grant, required=grant.required & known.keys() | (grant.required - arguments.keys()))
                for grant in for_tasks(layer).grants[tool]
            ],
        )
        found = judge([Layer({tool: tuple(grants)})], tool, {**own, **known}, world)
        rules = [one.arguments[found.argument] for one in layer.grants[tool] if found.argument in one.arguments]
        name, value = found.argument, known.get(found.argument)
        if found.verdict is Verdict.DENY and name not in known:
            yield "never_fires", f"{who} never allows this step: {name} {found.because}", name
        elif found.verdict is Verdict.DENY:
            ways = dict.fromkeys(way_words(way) for rule in rules for way in rule.alternatives)
            only = f"only what is {' or '.join(ways)}" if ways else f"it {found.because}"
            alone = tuple(Grant(tool, {name: one.arguments[name]}) for one in grants if name in one.arguments)
            if alone and judge([Layer({tool: alone})], tool, {name: value}, world).verdict is Verdict.ALLOW:
                only = "no grant that allows it allows the rest of this step"
            yield "never_fires", f"{who} never allows {value!r} as {name}: {only}", name
        elif found.verdict is Verdict.ASK and not any(rule.says_else for rule in rules):
            meant = 'where that is meant write { else = "ask" } beside its alternatives'
            yield "always_asks", f"{who} never allows {value!r} as {name} without asking a person: {meant}", name
        for name in sorted(arguments.keys() - known.keys()):
            if not any(name in one.arguments for one in layer.grants[tool]):
                yield "never_fires", f"{who} never allows {name}: no rule is about it", name
