"""What pack authors test with: the client, the clock, and a contract that finds each way to break it."""

import os
import sys
import textwrap
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from tests.core.seeds import install, pack_of

from packhorse import Context, Elicit, Host, Pack, PackError, Principal, hookimpl
from packhorse.testing import PackContract, client_for, connected, deployment_for, fixed_clock

pytestmark = pytest.mark.anyio


# --- the clock ---


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        pytest.param("2026-01-02T03:04:05Z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), id="in UTC"),
        pytest.param("2026-01-02T03:04:05+02:00", datetime(2026, 1, 2, 1, 4, 5, tzinfo=UTC), id="with an offset"),
    ],
)
def test_a_fixed_clock_stands_still(written, instant):
    clock = fixed_clock(written)

    assert [clock(), clock()] == [instant, instant]


def test_a_clock_without_an_offset_is_refused():
    with pytest.raises(ValueError, match=r"2026-01-02T03:04:05.*offset"):
        fixed_clock("2026-01-02T03:04:05")


# --- the client ---


def who(ctx: Context) -> str:
    """Say who is calling, and nothing else about it."""
    return f"{ctx.principal.kind} {ctx.principal.subject}"


async def test_a_client_speaks_the_protocol_that_was_asked_for(protocol):
    async with client_for(protocol=protocol, seed=pack_of(tools=[who])) as client:
        assert client.protocol_version == protocol
        assert (await client.call_tool("who")).structured_content == {"result": "local None"}


async def test_a_client_calls_as_whoever_it_should(protocol):
    ada = Principal("human", "ada")
    async with client_for(protocol=protocol, principal=ada, seed=pack_of(tools=[who])) as client:
        assert (await client.call_tool("who")).structured_content == {"result": "human ada"}


async def test_the_packs_hear_the_fixed_clock_and_have_a_folder_that_goes_away():
    seen: list[Path] = []

    def made(host: Host) -> Any:
        def now() -> str:
            """Say what time it is, by the host's own clock."""
            seen.append(host.data_dir)
            assert host.data_dir.is_dir()
            return host.clock().isoformat()

        return [now]

    module = pack_of()
    module.register_tools = hookimpl(made)
    async with client_for(clock=fixed_clock("2026-01-02T03:04:05Z"), seed=module) as client:
        reply = await client.call_tool("now")

    assert reply.structured_content == {"result": "2026-01-02T03:04:05+00:00"}
    assert not seen[0].exists()


async def test_packs_are_started_and_stopped_around_a_client():
    told: list[str] = []
    pack = Pack(title="Seed", start=lambda host: told.append("start"), stop=lambda host: told.append("stop"))
    async with client_for(seed=pack_of(tools=[who], pack=pack)) as client:
        await client.list_tools()
        assert told == ["start"]
    assert told == ["start", "stop"]


async def test_what_a_test_raises_comes_out_as_it_is(protocol):
    with pytest.raises(MCPError):
        async with client_for(protocol=protocol, seed=pack_of(tools=[who])) as client:
            await client.call_tool("absent")
    with pytest.raises(KeyError):
        async with client_for(protocol=protocol, seed=pack_of(tools=[who])):
            raise KeyError


async def test_a_client_may_be_given_its_own_answers(protocol, tmp_path):
    def look(ctx: Context) -> bool:
        """Look whether this client can be asked anything."""
        return ctx.can_ask(Elicit)

    async def answer(ctx: Any, params: Any) -> Any:
        raise NotImplementedError

    deployment = deployment_for(data_dir=tmp_path, seed=pack_of(tools=[look]))
    async with connected(deployment, protocol=protocol, elicitation_callback=answer) as client:
        assert (await client.call_tool("look")).structured_content == {"result": True}
    async with connected(deployment, protocol=protocol) as client:
        assert (await client.call_tool("look")).structured_content == {"result": False}


def test_a_module_that_is_no_pack_is_refused_at_once(tmp_path):
    with pytest.raises(PackError, match="seed"):
        deployment_for(data_dir=tmp_path, seed=pack_of(tools=[5]))


# --- the contract ---

GOOD = '''
from typing_extensions import TypedDict
from packhorse import *

class Sum(TypedDict):
    total: int

def add(left: int, right: int = 1) -> Sum:
    """Add two whole numbers, the second of which is 1 if not given."""
    if left < 0:
        raise UserError("Start from 0 or above.", code="NEGATIVE")
    return {"total": left + right}

EXAMPLES = [Example({"left": 2, "right": 3}, {"total": 5}), Example({"left": -1}, refused="NEGATIVE")]

@hookimpl
def register_tools():
    return [Tool(fn=add, examples=EXAMPLES)]
'''


def replaced(old: str, new: str) -> str:
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


FOUND = "test_it_is_found_by_its_entry_point_and_serves"
LIGHT = "test_importing_it_loads_nothing_heavy"
DESCRIBED = "test_every_description_helps_a_model_choose"
CLOSED = "test_every_schema_is_valid_and_closed"
STABLE = "test_schemas_are_the_same_every_time"
EXAMPLES = "test_the_examples_of_every_tool_come_out_as_written"
UNKNOWN = "test_an_unknown_argument_is_refused_by_name"
VIEWS = "test_every_view_is_one_page_that_loads_nothing"
CHECKS = (FOUND, LIGHT, DESCRIBED, CLOSED, STABLE, EXAMPLES, UNKNOWN, VIEWS)


@pytest.fixture
def judged(tmp_path, monkeypatch):
    """The contract of a pack with this source, installed for one test."""
    before = set(sys.modules)

    def judge(source: str) -> PackContract:
        install(tmp_path, "judged", textwrap.dedent(source))

        class Judged(PackContract):
            pack = "judged"

        return Judged()

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    yield judge
    for name in set(sys.modules) - before:
        if name.startswith("seeded_"):
            del sys.modules[name]


def verdicts(contract: PackContract, *checks: str) -> dict[str, str]:
    """The checks that failed, with what they said."""
    failed: dict[str, str] = {}
    for name in checks or CHECKS:
        try:
            getattr(contract, name)()
        except (AssertionError, PackError, MCPError) as exc:
            failed[name] = str(exc)
    return failed


def test_every_check_of_the_contract_is_judged_here():
    assert sorted(CHECKS) == sorted(name for name in vars(PackContract) if name.startswith("test_"))


def test_a_good_pack_passes(judged):
    assert verdicts(judged(GOOD)) == {}


SAYS = "Add two whole numbers, the second of which is 1 if not given."
CHANGING = GOOD.replace("def register_tools():", "def register_tools():\n    add.__defaults__ = (next(NUMBERS),)")
OPEN = (
    replaced("left: int, right: int = 1", "**given")
    .replace("Tool(fn=add,", "Tool(fn=add, input_schema={'type': 'object'},")
    .replace("left < 0", "given['left'] < 0")
    .replace("left + right", "given['left'] + given['right']")
)
NO_SCHEMA = replaced("Tool(fn=add,", "Tool(fn=add, output_schema={'type': 'object', 'required': 5},")


def with_view(script: str) -> str:
    """The good pack with a view of this script beside it."""
    saved = f"from pathlib import Path\nSCRIPT = Path(__file__).with_name('sum.js')\nSCRIPT.write_text({script!r})\n"
    return saved + replaced("Tool(fn=add,", "Tool(fn=add, view=View(SCRIPT, title='Sum'),")


BAD = [
    pytest.param(GOOD.replace("register_tools", "register_tool"), FOUND, "register_tool", id="a misspelt hook"),
    pytest.param("raise ImportError('no such module')", FOUND, "no such module", id="a module that cannot be imported"),
    pytest.param("import dbos\n" + GOOD, LIGHT, "dbos", id="a heavy import"),
    pytest.param("import mcp\n" + GOOD, LIGHT, "mcp", id="an import of the protocol"),
    pytest.param(replaced(SAYS, "Add."), DESCRIBED, "add", id="too few words"),
    pytest.param(replaced(SAYS, f"{SAYS} \u202e"), DESCRIBED, "U+202E", id="words that read backwards"),
    pytest.param(replaced(SAYS, f"{SAYS}\u200b"), DESCRIBED, "U+200B", id="hidden characters"),
    pytest.param(replaced(" -> Sum:", ":"), CLOSED, "return type", id="no return type"),
    pytest.param(NO_SCHEMA, CLOSED, "", id="a schema that is none"),
    pytest.param(f"import itertools\nNUMBERS = itertools.count()\n{CHANGING}", STABLE, "differs", id="it changes"),
    pytest.param(replaced(", examples=EXAMPLES", ""), EXAMPLES, "no example", id="no examples"),
    pytest.param(replaced('"total": 5', '"total": 6'), EXAMPLES, "gives {'total': 5}", id="an example that is wrong"),
    pytest.param(replaced('"NEGATIVE")]', '"SMALL")]'), EXAMPLES, "as NEGATIVE", id="an example refused otherwise"),
    pytest.param(replaced("left < 0", "False"), EXAMPLES, "not refused", id="an example that is not refused"),
    pytest.param(replaced("left + right}", "str(left)}"), EXAMPLES, "add", id="an answer of another type"),
    pytest.param(OPEN, UNKNOWN, "add accepted an unknown argument", id="any argument at all"),
    pytest.param(with_view("fetch('https://example.org/x')"), VIEWS, "https://example.org/x", id="a view that fetches"),
    pytest.param(with_view("import 'x.js'"), VIEWS, "goes into the page", id="a view that imports"),
    pytest.param(
        with_view("show('</script>')"), VIEWS, "split that string in two", id="a view that ends its own script"
    ),
]


@pytest.mark.parametrize(("source", "check", "words"), BAD)
def test_a_bad_pack_is_found_by_the_check_that_is_about_it(judged, source, check, words):
    failed = verdicts(judged(source), check)

    assert check in failed
    assert words in failed[check]


def test_a_view_that_loads_nothing_passes(judged):
    words = "// No import of other scripts.\nshow({ draw(sum, { stage }) { stage.append(sum.total); } });"
    assert verdicts(judged(with_view(words))) == {}


def test_a_pack_of_plain_functions_may_do_without_examples(judged):
    contract = judged(replaced("Tool(fn=add, examples=EXAMPLES)", "add"))
    assert set(verdicts(contract)) == {EXAMPLES}
    type(contract).needs_examples = False

    assert verdicts(contract) == {}


def test_an_argument_may_have_any_name(judged):
    source = GOOD.replace("left", "properties").replace("right", "type")

    assert verdicts(judged(source)) == {}
