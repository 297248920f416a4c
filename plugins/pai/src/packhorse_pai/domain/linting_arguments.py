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
        elif not _is_reference(value) and not part.takes(value):
            yield f"{tool.name} takes no {name} that is {value!r}", name


def _is_reference(value: Any) -> bool:
    """Whether something in it is filled in when the step is taken."""
    return next(references(value), None) is not None


def refused(arguments: Mapping[str, Any], tool: str, written: Sequence[Layer]) -> Iterator[tuple[str, str]]:
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
            rules = [one.arguments[found.argument] for one in grants if found.argument in one.arguments]
            ways = dict.fromkeys(way_words(way) for rule in rules for way in rule.alternatives)
            only = f"only what is {' or '.join(ways)}" if ways and found.argument in known else f"it {found.because}"
            given = f" {known[found.argument]!r}" if found.argument in known else ""
            yield f"the card of its agent never allows{given} as {found.argument}: {only}", found.argument
    for name in sorted(arguments.keys() - known.keys()):
        if any(
            tool in layer.grants and not any(name in one.arguments for one in layer.grants[tool]) for layer in written
        ):
            yield f"the card of its agent never allows {name}: no rule is about it", name
