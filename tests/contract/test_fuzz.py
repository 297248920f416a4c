"""Every tool of every installed pack, called with what its schema accepts and with what is wrong in one place.

``PACKHORSE_FUZZ_CALLS`` (or ``--fuzz-calls``) sets how many calls a quick tool
gets, half of each kind; one that solves, simulates or searches gets a part of
them. The calls are the same in every run, so that a run fails for what was
changed and not for its luck; ``PACKHORSE_FUZZ_EXPLORE=1`` draws others.
"""

import asyncio
import atexit
import builtins
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator
from mcp.client.client import Client
from tests.contract.circadian_laws import LAWS as CIRCADIAN
from tests.contract.schema_strategies import Fault, faults, valid

from packhorse.compose.deployment import Deployment
from packhorse.door.catalogue import ToolEntry
from packhorse.errors import HOST_CODES, UserError
from packhorse.settings import PackTable
from packhorse.testing import connected, deployment_for, fixed_clock

Law = Callable[[Mapping[str, Any], Mapping[str, Any], Any], None]
Caller = Callable[[str, Mapping[str, Any]], Any]

NOW = fixed_clock("2026-09-01T12:00:00Z")
SHORT_RUN = 240
QUICK = {"age", "calculate_phase_shift"}
SEARCHING = {
    "compare_itineraries",
    "get_adaptation_plan",
    "plan_for_shifts",
    "replan",
    "simulate_light_schedule",
    "what_now",
    "where_is_my_clock",
}
PART, SMALL_PART = 50, 200
"""Tools that are not quick get one call in so many; those that search or simulate, which take up to a second, fewer."""

OF_ONE_VALUE = 5
"""Faults that are made of one drawn value: to draw it takes longer than to make the calls."""

LEAST_SUCCESS = 0.3
INTERNAL = "INTERNAL_ERROR"
LONGEST_ECHO = 40

LAWS: Mapping[str, Law] = {**CIRCADIAN}
# Packs whose tools fail and ask on purpose: they are fixtures of another suite.
NOT_FUZZED = {"conformance"}

EXCEPTIONS = [
    name for name, thing in vars(builtins).items() if isinstance(thing, type) and issubclass(thing, BaseException)
]
INSIDES = re.compile(
    r"\b(?:"
    + "|".join(EXCEPTIONS)
    + r"|[A-Z][a-z]\w*(?:Error|Exception))\b|Traceback|pydantic|jsonschema|site-packages"
    r'|File "|line \d+, in '
)


# The threads that work on jobs draw numbers of their own while a call is made up, and Hypothesis takes them for ours.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")


@cache
def served() -> Deployment:
    folder = tempfile.TemporaryDirectory(prefix="packhorse-fuzz-")
    atexit.register(folder.cleanup)
    found = deployment_for(data_dir=Path(folder.name), clock=NOW)
    # What is looked at is what tools say, not how often they may be called.
    unlimited = {
        pack.found.name: PackTable(
            limits={tool: "none" for owner, tool in found.catalogue.local_names if owner == pack.found.name}
        )
        for pack in found.catalogue.packs
    }
    return deployment_for(data_dir=Path(folder.name), tables=unlimited, clock=NOW)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "tool" in metafunc.fixturenames:
        tools = [tool for tool in served().catalogue.tools.values() if tool.pack not in NOT_FUZZED]
        metafunc.parametrize("tool", tools, ids=[f"{tool.pack}-{tool.name}" for tool in tools])


@pytest.fixture(scope="module")
def call() -> Iterator[Caller]:
    """Calls a tool through the protocol's own client, connected in memory, on a loop of this very thread."""
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        opened: asyncio.Future[Client] = loop.create_future()
        over = asyncio.Event()

        async def connection() -> None:
            async with connected(served()) as client:
                opened.set_result(client)
                await over.wait()

        held = loop.create_task(connection())
        loop.run_until_complete(asyncio.wait([held, opened], return_when=asyncio.FIRST_COMPLETED))
        if held.done():
            held.result()
        client = opened.result()
        yield lambda tool, arguments: loop.run_until_complete(client.call_tool(tool, dict(arguments)))
        over.set()
        loop.run_until_complete(held)


def calls_of(tool: ToolEntry, config: pytest.Config) -> int:
    """How many calls of each kind a tool gets."""
    asked = config.getoption("--fuzz-calls", default=None) or os.environ.get("PACKHORSE_FUZZ_CALLS")
    calls = int(asked or SHORT_RUN) // 2
    if tool.name in QUICK:
        return max(OF_ONE_VALUE, calls)
    return max(OF_ONE_VALUE, min(calls, max(20, calls // (SMALL_PART if tool.name in SEARCHING else PART))))


def fuzzing(examples: int) -> settings:
    return settings(
        max_examples=examples,
        derandomize=not os.environ.get("PACKHORSE_FUZZ_EXPLORE"),
        database=None,
        deadline=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )


def test_what_the_schema_refuses_is_always_refused(tool: ToolEntry, call: Caller, pytestconfig: pytest.Config) -> None:
    @fuzzing(calls_of(tool, pytestconfig) // OF_ONE_VALUE)
    @given(faults(tool.arguments.schema, OF_ONE_VALUE, kept=lambda value: isinstance(value, dict)))
    def check(made: list[Fault]) -> None:
        for fault in made:
            result = call(tool.name, fault.value)
            assert result.is_error, f"accepted: {fault.what}"
            check_refusal(tool, fault.value, result)

    check()


def test_a_valid_call_is_answered_as_promised_or_refused_in_words(
    tool: ToolEntry, call: Caller, pytestconfig: pytest.Config, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[bool] = []
    # A check written in a pack's model has a code of its own under "value" or "<field>.value".
    documented = {code for key, code in tool.offer.refusals.items() if key.rpartition(".")[2] == "value"}

    about_arguments = {"INVALID_ARGUMENTS", *tool.offer.refusals.values()}
    # A tool without an example that is answered needs what a fresh deployment has not; its refusals say so.
    about_state = all(example.refused is not None for example in tool.offer.examples)

    @fuzzing(calls_of(tool, pytestconfig))
    @given(valid(tool.arguments.schema))
    def check(arguments: dict[str, Any]) -> None:
        early = refused_unrun(tool, arguments)
        assert early is None or codes_of(early) <= documented, f"the schema accepts this: {early}"
        result = call(tool.name, arguments)
        calls.append(not result.is_error or (about_state and code_of(result) not in about_arguments))
        if result.is_error:
            check_refusal(tool, arguments, result)
        else:
            check_answer(tool, arguments, result)

    check()

    share = sum(calls) / len(calls)
    with capsys.disabled():
        print(f"\n{tool.pack} {tool.name}: {sum(calls)} of {len(calls)} valid calls answered ({share:.0%})")
    assert share >= LEAST_SUCCESS, "too few calls got through to say anything: give the fields examples"


def refused_unrun(tool: ToolEntry, arguments: Mapping[str, Any]) -> UserError | None:
    """The refusal of the host's own check of arguments, before the tool is run."""
    try:
        tool.arguments.bind(arguments)
    except UserError as refusal:
        return refusal
    return None


def code_of(result: Any) -> str:
    code: str = result.meta["packhorse/error"]["code"]
    return code


@cache
def codes_of_pack(name: str) -> set[str]:
    return {
        code for loaded in served().catalogue.packs if loaded.found.name == name for code in loaded.pack.codes.split()
    }


def codes_of(refusal: UserError) -> set[str]:
    return {fault["code"] for fault in refusal.details.get("faults", [])} or {refusal.code}


def check_answer(tool: ToolEntry, arguments: Mapping[str, Any], result: Any) -> None:
    assert result.content, "an answer without words"
    if tool.answers.schema is not None:
        Draft202012Validator(tool.answers.schema).validate(result.structured_content)
    if tool.name in LAWS:
        LAWS[tool.name](arguments, result.structured_content, NOW())


def check_refusal(tool: ToolEntry, arguments: Mapping[str, Any], result: Any) -> None:
    error = result.meta["packhorse/error"]
    text = result.content[0].text
    assert error["code"] != INTERNAL, text
    assert text.startswith("Error: ")
    assert text.endswith(f"[{error['code']}]")
    assert {error["code"]} <= HOST_CODES | codes_of_pack(tool.pack) | {*tool.offer.refusals.values()}
    said = "\n".join([text, *strings(error)])
    assert not (found := INSIDES.search(said)), found
    assert not (piece := echo(said, arguments, known=json.dumps(tool.arguments.schema, ensure_ascii=False))), piece


def strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def echo(said: str, arguments: Mapping[str, Any], known: str) -> str | None:
    """Forty characters of the input that an answer repeats and the schema does not hold; None if there are none."""
    for given_text in strings(arguments):
        if len(given_text) >= LONGEST_ECHO:
            for i in range(len(said) - LONGEST_ECHO + 1):
                piece = said[i : i + LONGEST_ECHO]
                if piece in given_text and piece not in known:
                    return piece
    return None


@pytest.mark.parametrize(
    ("said", "found"),
    [
        pytest.param("Error: ValueError: no", "ValueError", id="a built-in exception"),
        pytest.param("Error: ZoneInfoNotFoundError", "ZoneInfoNotFoundError", id="a library's exception"),
        pytest.param("Traceback (most recent call last)", "Traceback", id="a traceback"),
        pytest.param("see pydantic.dev", "pydantic", id="a library"),
        pytest.param("Error: `n` must be at least 1. [INVALID_ARGUMENTS]", None, id="a refusal in words"),
    ],
)
def test_the_inside_of_the_server_is_recognised(said: str, found: str | None) -> None:
    match = INSIDES.search(said)

    assert (match and match[0]) == found


def test_a_long_echo_is_recognised_and_a_short_one_is_not() -> None:
    assert echo("Error: " + "ab" * 20, {"zone": "ab" * 200}, known="")
    assert echo("Error: " + "ab" * 20, {"ab" * 30: 1}, known="")
    assert not echo("Error: " + "ab" * 19, {"zone": "ab" * 200}, known="")
    assert not echo("Error: " + "ab" * 20, {"zone": "ab" * 200}, known="ab" * 30)
