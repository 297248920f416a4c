"""What a step gives to a tool that the tool does not take, or that the card of its agent never allows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from packhorse_pai.domain.grants import Layer, Verdict, World, for_tasks, judge
from packhorse_pai.domain.linting_grants import way_words
from packhorse_pai.domain.playbooks import references
from packhorse_pai.domain.policy import HostTool
from packhorse_pai.domain.schemas import Part
from packhorse_pai.domain.words import Words

_PATH = re.compile(r"(context|steps|asked)(\.\w+)+", re.ASCII)


def argument_faults(arguments: Mapping[str, Any], tool: HostTool) -> Iterator[tuple[str, str]]:
    """What a tool does not take of the arguments of a step, in words, and the argument."""
    schema = tool.input_schema
    properties: Mapping[str, Any] = schema.get("properties", {})
    for name in sorted(arguments.keys() - properties.keys()):
        yield f"{tool.name} has no argument {name}", name
    for name in sorted(set(schema.get("required", ())) - arguments.keys()):
        yield f"{tool.name} needs {name}, and the step does not give it", name
    for name in sorted(arguments.keys() & properties.keys()):
        value, part = arguments[name], Part(properties[name], schema)
        if isinstance(value, str) and _PATH.fullmatch(value):
            yield f"{value!r} is given as this text: for what stands there write {{ ref = {value!r} }}", name
        elif not _is_taken(value, part):
            yield f"{tool.name} takes no {name} that is {value!r}", name


def _has_reference(value: Any) -> bool:
    """Whether something in it is filled in when the step is taken."""
    return next(references(value), None) is not None


def _is_taken(value: Any, part: Part) -> bool:
    """Whether a schema allows a value, as far as it stands in the task: what is filled in later may be anything."""
    if not _has_reference(value):
        return part.takes(value)
    if isinstance(value, list):
        inner = list(part.items())
        return not inner or all(any(one is None or _is_taken(item, one) for one in inner) for item in value)
    return True


def _standing(value: Any) -> Any:
    """What of an argument stands in the task itself: a plain value, or those of a list; None for anything else."""
    if isinstance(value, list):
        return [item for item in value if isinstance(item, str | int | float)] or None
    return value if isinstance(value, str | int | float) else None


def refused(arguments: Mapping[str, Any], tool: str, written: Sequence[Layer]) -> Iterator[tuple[str, str]]:
    """What a step gives and the card of its agent never allows, where a value stands in the task itself."""
    known = {name: said for name, value in arguments.items() if (said := _standing(value)) is not None}
    world = World(Words(""), by_person=True)
    for layer in (for_tasks(layer) for layer in written if tool in layer.grants):
        grants = [
            evolve(grant, required=grant.required & known.keys() | (grant.required - arguments.keys()))
            for grant in layer.grants[tool]
        ]
        found = judge([Layer({tool: tuple(grants)})], tool, known, world)
        if found.verdict is Verdict.DENY:
            rules = [one.arguments[found.argument] for one in grants if found.argument in one.arguments]
            ways = dict.fromkeys(way_words(way) for rule in rules for way in rule.alternatives)
            only = f"only what is {' or '.join(ways)}" if ways else f"it {found.because}"
            words = (
                f"never allows {known[found.argument]!r} as {found.argument}: {only}"
                if found.argument in known
                else f"never allows this step: {found.argument} {found.because}"
            )
            yield f"{layer.origin or 'the card of its agent'} {words}", found.argument
    for name in sorted(arguments.keys() - known.keys()):
        for layer in written:
            if tool in layer.grants and not any(name in one.arguments for one in layer.grants[tool]):
                yield f"{layer.origin or 'the card of its agent'} never allows {name}: no rule is about it", name
