"""What is published accepts what is checked, for every tool of every installed pack."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator
from tests.contract.schema_strategies import valid

from packhorse.door.catalogue import ToolEntry
from packhorse.schema import slim as forms
from packhorse.schema.slim import UNLISTED, slim
from packhorse.testing import deployment_for

SHORT_RUN = 1_000
"""Calls of all tools together; ``PACKHORSE_FUZZ_CALLS`` or ``--fuzz-calls`` asks for more."""

NOT_DRAWN = {"conformance"}
"""Fixtures of another suite, with keywords that no strategy knows."""

# The threads that work on jobs draw numbers of their own while a call is made up, and Hypothesis takes them for ours.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")


@cache
def tools() -> list[ToolEntry]:
    entries = deployment_for().catalogue.tools.values()
    return [entry for entry in entries if entry.offer.input_schema is None and entry.pack not in NOT_DRAWN]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "tool" in metafunc.fixturenames:
        metafunc.parametrize("tool", tools(), ids=[f"{tool.pack}-{tool.name}" for tool in tools()])


def without_nulls(value: Any) -> Any:
    """``value`` with every null name left out, as an argument that is left out is."""
    if isinstance(value, Mapping):
        return {name: without_nulls(inner) for name, inner in value.items() if inner is not None}
    return [without_nulls(inner) for inner in value] if isinstance(value, list) else value


def test_the_slim_form_accepts_every_call_that_the_full_form_accepts(tool, pytestconfig):
    asked = pytestconfig.getoption("--fuzz-calls", default=None) or os.environ.get("PACKHORSE_FUZZ_CALLS")
    published = Draft202012Validator(slim(tool.arguments.schema))
    judged = Counter()

    @settings(
        max_examples=max(8, -(-int(asked or SHORT_RUN) // len(tools()))),
        derandomize=not os.environ.get("PACKHORSE_FUZZ_EXPLORE"),
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )
    @given(valid(tool.arguments.schema))
    def check(arguments: dict[str, Any]) -> None:
        judged["calls"] += 1
        if not published.is_valid(arguments):
            judged["with a null"] += 1
            fault = next(published.iter_errors(without_nulls(arguments)), None)
            assert fault is None, f"{fault.json_path}: {fault.message}"

    check()
    print(f"{tool.name}: {dict(judged)}")


def unlisted(node: Any) -> Iterator[str]:
    if isinstance(node, Mapping):
        properties = node.get("properties", {})
        yield from (name for name, argument in properties.items() if argument.get(UNLISTED))
        yield from unlisted(list(node.values()))
    elif isinstance(node, list):
        for inner in node:
            yield from unlisted(inner)


def test_every_argument_that_is_not_listed_is_named_in_words(tool):
    words = f"{tool.description} {slim(tool.arguments.schema)}"
    assert [name for name in unlisted(tool.arguments.schema) if name not in words] == []


def unsaid(schema: Mapping[str, Any]) -> Iterator[str]:
    """The places whose pattern the slim form drops, where neither a format nor words show the form.

    Words said once are enough for all places of one pattern.
    """
    found = list(dropped(schema, "", "", schema.get("$defs", {}), frozenset()))
    said = {pattern for _, pattern, is_said in found if is_said}
    yield from (place for place, pattern, _ in found if pattern not in said)


def dropped(
    node: Any, place: str, words: str, definitions: Mapping[str, Any], inside: frozenset[str]
) -> Iterator[tuple[str, str, bool]]:
    """Each place, its pattern, and whether its form is said there.

    ``words`` are those that stand beside the choice or list of which this is a part.
    """
    if isinstance(node, list):
        for item in node:
            yield from dropped(item, place, words, definitions, inside)
    if not isinstance(node, Mapping):
        return
    words = node.get("description", words)
    name = forms._name_of(node)
    if name in definitions and name not in inside:
        yield from dropped(definitions[name], place, words, definitions, inside | {name})
    pattern = node.get("pattern")
    if isinstance(pattern, str) and len(pattern) > forms.LONGEST_PATTERN:
        yield place, pattern, says(node, pattern, words)
    for key, value in node.items():
        if key in forms._OF_NAMES and key != "$defs":
            for inner in value:
                yield from dropped(value[inner], f"{place}.{inner}".lstrip("."), "", definitions, inside)
        elif key not in forms._DATA and key != "$defs":
            yield from dropped(value, place, words, definitions, inside)


def says(node: Mapping[str, Any], pattern: str, words: str) -> bool:
    if "format" in node or forms._form_of(pattern) is not None or forms._choices_of(pattern):
        return True
    texts = [str(node[key]) for key in ("default",) if node.get(key) is not None]
    texts += [str(example) for example in node.get("examples", ())]
    for letters, written in forms._LETTERS.items():
        words = words.replace(letters, written)
    texts += re.findall(r"[^\s,;()\"'`]+", words)
    compiled = re.compile(pattern)
    return any(compiled.search(text.rstrip(".:")) for text in texts)


def test_the_form_of_every_pattern_that_goes_is_said_in_words(tool):
    assert list(unsaid(tool.arguments.schema)) == []
