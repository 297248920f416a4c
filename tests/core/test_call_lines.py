"""One line of the log for each call: what was called, by what kind of caller, how it ended, how long it took."""

import logging
from contextlib import suppress

import anyio
import pytest
from tests.core.seeds import pack_of

from packhorse import Guard, Principal, Prompt, RequestError, Resource, Tool, UserError
from packhorse.compose.deployment import compose
from packhorse.contract.principal import LOCAL
from packhorse.door.execution import Requester
from packhorse.settings import AuditSettings, ServerSettings, Settings
from packhorse.testing import deployment_for
from packhorse.wire import templates

pytestmark = pytest.mark.anyio

CANARY = "quagga"
# No hexadecimal number holds this name by chance.
URSULA = Principal("human", "ursula@example.org", frozenset({"CLERK"}), claims={"iss": "https://one.example"})
BOB = Principal("human", "bob@example.org", claims={"iss": "https://one.example"})
OTHER_URSULA = Principal("human", "ursula@example.org", claims={"iss": "https://other.example"})


def age(name: str) -> str:
    """Say an age."""
    return name


def refuse(name: str) -> str:
    """Refuse."""
    raise UserError(name, code="NAME_TOO_LONG")


def stumble(name: str) -> str:
    """Stumble."""
    raise ValueError(name)


def closed(name: str) -> str:
    """Nobody may."""
    return name


def facts(name: str) -> str:
    """Give facts."""
    return name


def greet(name: str) -> str:
    """Greet."""
    return name


def never(principal, call):
    return f"Not for {call.arguments['name']}."


@pytest.fixture
def deployment(tmp_path):
    tools = [Tool(fn=fn, roles=["CLERK"], read_only=True) for fn in (age, refuse, stumble, closed)]
    resources = [Resource(uri="facts://{name}", fn=facts, roles=["CLERK"])]
    prompts = [Prompt(fn=greet, roles=["CLERK"])]
    pack = pack_of(tools=tools, resources=resources, prompts=prompts, auth=[Guard(never, tools=["closed"])])
    return deployment_for(data_dir=tmp_path, seed=pack)


@pytest.fixture
def lines(caplog):
    """The lines so far, without those of the client's own housekeeping."""
    caplog.set_level(logging.INFO, logger="packhorse.calls")
    return lambda: [record for record in caplog.records if record.name == "packhorse.calls"]


@pytest.mark.parametrize(
    ("tool", "outcome", "code"),
    [
        pytest.param("age", "ok", None, id="an answer"),
        pytest.param("refuse", "refused", "NAME_TOO_LONG", id="a refusal"),
        pytest.param("stumble", "failed", "INTERNAL_ERROR", id="a bug"),
        pytest.param("closed", "denied", "authorization", id="a guard's denial"),
        pytest.param("quagga", "refused", "unknown_tool", id="no such tool"),
    ],
)
async def test_a_call_is_one_line_with_its_outcome_and_nothing_of_what_it_was_given(
    deployment, lines, tool, outcome, code
):
    with deployment.running(), suppress(UserError, RequestError):
        await deployment.dispatcher.call_tool(Requester(URSULA, "00ff00ff00ff00ff"), tool, {"name": CANARY})

    (line,) = lines()
    assert (line.levelname, line.getMessage(), line.request_id) == ("INFO", "tool", "00ff00ff00ff00ff")
    assert (line.tool, line.outcome, getattr(line, "code", None)) == (
        "unknown" if tool == CANARY else tool,
        outcome,
        code,
    )
    assert line.principal == "human"
    assert line.ms >= 0
    assert CANARY not in str(vars(line))
    assert "ursula" not in str(vars(line))


async def test_what_is_read_and_rendered_is_a_line_too(deployment, lines):
    with deployment.running():
        await deployment.dispatcher.read(Requester(URSULA), f"facts://{CANARY}", templates.match)
        await deployment.dispatcher.render(Requester(URSULA), "greet", {"name": CANARY})

    read, rendered = lines()
    assert (read.getMessage(), read.resource, read.outcome, read.pack) == ("resource", "facts", "ok", "seed")
    assert (rendered.getMessage(), rendered.prompt, rendered.outcome) == ("prompt", "greet", "ok")
    assert CANARY not in str(vars(read)) + str(vars(rendered))


async def test_two_calls_of_one_caller_can_be_told_from_another_s_and_nobody_is_named(deployment, lines):
    with deployment.running():
        for caller in (URSULA, URSULA, BOB, OTHER_URSULA):
            with suppress(RequestError):
                await deployment.dispatcher.call_tool(Requester(caller), "age", {"name": CANARY})

    ursula, again, bob, other = [line.subject for line in lines()]
    assert ursula == again
    assert len({ursula, bob, other}) == 3
    assert all(len(subject) == 16 for subject in (ursula, bob, other))


async def test_a_caller_without_a_subject_has_no_hash_of_one(deployment, lines):
    with deployment.running():
        await deployment.dispatcher.call_tool(Requester(LOCAL), "age", {"name": CANARY})

    (line,) = lines()
    assert (line.principal, hasattr(line, "subject")) == ("local", False)


def test_with_an_audit_key_every_process_names_a_subject_alike(tmp_path):
    keyed = Settings(server=ServerSettings(data_dir=tmp_path), audit=AuditSettings(key="k" * 40))
    keyless = Settings(server=ServerSettings(data_dir=tmp_path))

    def named(settings):
        return compose(settings, []).dispatcher.accounts.subject_hash(URSULA)

    assert named(keyed) == named(keyed)
    assert named(keyless) != named(keyless)


async def test_at_warning_only_a_call_that_ran_out_of_time_is_a_line(tmp_path, caplog):
    caplog.set_level(logging.WARNING, logger="packhorse.calls")

    async def late() -> str:
        """Answer too late."""
        await anyio.sleep_forever()

    pack = pack_of(tools=[Tool(fn=age, public=True, read_only=True), Tool(fn=late, public=True, timeout=0.01)])
    deployment = deployment_for(data_dir=tmp_path, seed=pack)
    with deployment.running():
        await deployment.dispatcher.call_tool(Requester(URSULA), "age", {"name": CANARY})
        with suppress(UserError):
            await deployment.dispatcher.call_tool(Requester(URSULA), "late", {})

    (line,) = [record for record in caplog.records if record.name == "packhorse.calls"]
    assert (line.levelname, line.tool, line.outcome, line.code) == ("WARNING", "late", "timeout", "TIMEOUT")
