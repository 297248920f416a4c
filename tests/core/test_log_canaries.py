"""What callers send, and what packs make of it, appears in no log: at debug, on every transport, in each era."""

import re
from contextlib import asynccontextmanager, suppress

import anyio.to_thread
import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, PromptReference, ResourceTemplateReference
from tests.core.live import Bench
from tests.core.seeds import install

pytest.importorskip("dbos", reason="packhorse[jobs] is not installed")

pytestmark = pytest.mark.anyio

CANARY = "quagga"
SEED = '''
import asyncio
import gc
import logging
import threading
import warnings
from typing import Annotated

from pydantic import AfterValidator, BaseModel

from packhorse import *
from packhorse.jobs import Running, Work

logger = logging.getLogger("packhorse_seed")


class Named(BaseModel):
    name: str


def echo(text: str) -> str:
    """Give the text back."""
    return text


def stumble(text: str) -> str:
    """Fail with the text."""
    raise RuntimeError(text)


async def stumble_later(text: str) -> str:
    """Fail with the text on the loop, by way of others."""
    try:
        {}[text]
    except KeyError as exc:
        raise ExceptionGroup(text, [ValueError(text), OSError(2, text)]) from exc


def refuse(text: str) -> str:
    """Refuse with the text."""
    raise UserError(text, details={"text": text})


def promise(text: str) -> Named:
    """Give something else than was promised."""
    return {"name": [text]}


def check(text: Annotated[str, AfterValidator(lambda text: {}[text])]) -> str:
    """Check the text by a validator that fails."""
    return text


def guarded(text: str) -> str:
    """Is denied with the text."""
    return text


def unguarded(text: str) -> str:
    """Has a guard that fails with the text."""
    return text


async def leave(text: str) -> str:
    """Leave a thread and a task that fail, and a warning."""
    def fail():
        raise ValueError(text)

    async def fail_later():
        raise ValueError(text)

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    warnings.warn(text, UserWarning, stacklevel=1)
    lost = asyncio.ensure_future(fail_later())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del lost
    gc.collect()
    try:
        fail()
    except ValueError:
        logger.exception("the pack stumbled")
    return text


def question(text: str) -> Elicit[Named]:
    return Elicit(text, Named)


def misquestion(text: str) -> Elicit[Named]:
    raise ValueError(text)


def ask(text: str, answer: Annotated[Named, Resolve(question)]) -> str:
    """Ask, and fail with the answer."""
    raise ValueError(answer.name)


def misask(text: str, answer: Annotated[Named, Resolve(misquestion)]) -> str:
    """Fail before it can ask."""
    return text


async def tell(text: str, ctx: Context) -> str:
    """Tell the client as much as one can."""
    await ctx.report_progress(1, 2, text)
    await ctx.log("error", text)
    return text


def toil(text: str, how: str) -> Work:
    """Start a job with the text."""
    return Work("seeded_seed:work", {"text": text, "how": how})


def work(job: Running, text: str, how: str):
    job.report_progress(1, 2, text)
    warnings.warn(text, UserWarning, stacklevel=1)
    thread = threading.Thread(target=work_badly, args=(text,))
    thread.start()
    thread.join()
    try:
        work_badly(text)
    except ValueError:
        logger.exception("the work stumbled")
    if how == "give":
        return {"text": text}
    if how == "refuse":
        raise UserError(text)
    work_badly(text)


def work_badly(text):
    raise ValueError(text)


def read(text: str) -> str:
    """Give the text."""
    return text


def misread(text: str) -> str:
    """Fail with the text."""
    raise ValueError(text)


def start_with(typed: str) -> list[str]:
    return [typed]


def misstart(typed: str) -> list[str]:
    raise ValueError(typed)


def deny(principal, call):
    return f"Not {call.arguments['text']}."


def misjudge(principal, call):
    raise ValueError(call.arguments["text"])


@hookimpl
def register_tools():
    plain = [echo, stumble, stumble_later, refuse, promise, check, guarded, unguarded]
    return [*plain, leave, ask, misask, tell, Tool(fn=toil, job=True)]


@hookimpl
def register_resources():
    return [
        Resource(uri="texts://{text}", fn=read, complete={"text": start_with}),
        Resource(uri="mistexts://{text}", fn=misread, complete={"text": misstart}),
    ]


@hookimpl
def register_prompts():
    return [Prompt(fn=read, name="good"), Prompt(fn=misread, name="bad", complete={"text": misstart})]


@hookimpl
def register_auth():
    return [Guard(deny, tools=["guarded"]), Guard(misjudge, tools=["unguarded"])]
'''
TOOLS = (
    *("echo", "stumble", "stumble_later", "refuse", "promise", "check", "guarded", "unguarded"),
    *("leave", "ask", "misask", "tell", CANARY),
)
BUGS = {"RuntimeError", "KeyError", "ExceptionGroup", "ValueError", "FileNotFoundError"}
"""Types that the log names, so that the silence about their words proves something."""


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    install(made.packs, "seed", SEED)
    return made


async def provoke(client: Client) -> int:
    """Send the canary everywhere that a client can; how many calls of offers that was."""
    calls = 0

    async def tried(request) -> None:
        nonlocal calls
        calls += 1
        with suppress(MCPError):
            await request

    for tool in TOOLS:
        await tried(client.call_tool(tool, {"text": CANARY}))
    await tried(client.call_tool("echo", {CANARY: CANARY}))
    await tried(client.call_tool("echo", {"text": [CANARY]}))
    for how in ("give", "refuse", "stumble"):
        started = await client.call_tool("toil", {"text": CANARY, "how": how})
        asked = {"job_id": started.structured_content["job_id"], "wait_seconds": 30}
        await tried(client.call_tool("job_result", asked))
        await tried(client.read_resource(f"jobs://{asked['job_id']}"))
        calls += 1
    for uri in ("texts", "mistexts", "quagga"):
        await tried(client.read_resource(f"{uri}://{CANARY}"))
    for prompt in ("good", "bad", "quagga"):
        await tried(client.get_prompt(prompt, {"text": CANARY}))
    await tried(client.get_prompt("good", {CANARY: CANARY}))
    typed = {"name": "text", "value": CANARY}
    for uri in ("texts", "mistexts"):
        await tried(client.complete(ResourceTemplateReference(type="ref/resource", uri=f"{uri}://{{text}}"), typed))
    await tried(client.complete(PromptReference(type="ref/prompt", name="bad"), typed))
    return calls


def knock(url: str) -> None:
    """Send the canary to the door itself, where no offer is reached."""
    json_headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    for headers in (
        {"Host": CANARY},
        {"Origin": f"https://{CANARY}.example"},
        {"Authorization": f"Bearer {CANARY}"},
        {"Mcp-Session-Id": CANARY},
        {"MCP-Protocol-Version": CANARY},
        {"Content-Type": f"text/{CANARY}"},
    ):
        httpx2.post(
            url, content=f'{{"jsonrpc": "2.0", "id": 1, "method": "{CANARY}"}}', headers={**json_headers, **headers}
        )
    httpx2.post(url, content=CANARY, headers=json_headers)
    httpx2.get(f"{url}/{CANARY}?{CANARY}={CANARY}")


async def answer(context, question):
    return ElicitResult(action="accept", content={"name": CANARY})


@asynccontextmanager
async def client_over(transport: str, bench: Bench, protocol: str):
    mode = protocol if protocol == "2026-07-28" else "legacy"
    if transport == "stdio":
        with bench.log.open("w") as log:
            async with Client(
                stdio_client(bench.stdio("seed"), errlog=log), mode=mode, elicitation_callback=answer
            ) as client:
                yield client
        return
    with bench.serving("seed") as served:
        await anyio.to_thread.run_sync(knock, served.url)
        async with (
            httpx2.AsyncClient(timeout=60) as http,
            Client(
                streamable_http_client(served.url, http_client=http), mode=mode, elicitation_callback=answer
            ) as client,
        ):
            yield client


@pytest.mark.parametrize(
    ("transport", "log_format", "protocol"),
    [("stdio", "json", "2025-11-25"), ("http", "text", "2025-11-25"), ("http", "text", "2026-07-28")],
)
async def test_a_canary_sent_everywhere_is_in_no_log(bench, transport, log_format, protocol):
    bench.configure(log_level="debug", log_format=log_format)
    async with client_over(transport, bench, protocol) as client:
        calls = await provoke(client)

    log = bench.log.read_text()
    assert CANARY not in log
    assert {kind for kind in BUGS if kind in log} == BUGS
    assert "the work stumbled" in log
    assert len(re.findall(r"packhorse\.calls", log)) >= calls
