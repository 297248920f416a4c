"""A pack that is served over each transport: what a client can be told, asked and kept waiting by."""

SEED = '''
import sys
import threading
from typing import Annotated

import anyio
from pydantic import BaseModel

from packhorse import *


class Name(BaseModel):
    name: str


def ask_name() -> Elicit[Name]:
    return Elicit("Who?", Name)


def echo(text: str) -> str:
    """Give back the words that were given, unchanged."""
    return text


def long(size: int) -> str:
    """Give words of this length."""
    return "x" * size


def greet(name: Annotated[Name, Resolve(ask_name)]) -> str:
    """Greet the person, having asked for the name."""
    return f"Hello {name.name}"


def rounds(ctx: Context) -> str | InputRequired:
    """Ask for a name in a round of the tool's own."""
    match ctx.answers.get("name"):
        case Accepted(data={"name": name}):
            return f"{ctx.state} {name}"
    return InputRequired({"name": ask_name()}, state="Good day")


async def walk(ctx: Context) -> str:
    """Walk two steps, and tell of each."""
    for step in (1, 2):
        await ctx.report_progress(step, 2)
        await ctx.log("warning", f"step {step}")
    return "there"


async def reconnect(ctx: Context) -> str:
    """Drop the stream on purpose, then answer."""
    await ctx.log("info", "before")
    await ctx.close_stream()
    await ctx.log("info", "between")
    return "resumed"


async def change(ctx: Context) -> str:
    """Say that the tools are not what they were."""
    await ctx.notify_changed("tools")
    return "changed"


release = threading.Event()


def free() -> str:
    """Let those go that wait in threads."""
    release.set()
    return "free"


def wait(seconds: float) -> str:
    """Wait in a thread, for as long as it is asked."""
    print("waiting", file=sys.stderr, flush=True)
    release.wait(seconds)
    return "waited"


async def sleep(seconds: float) -> str:
    """Wait on the loop, for as long as it is asked."""
    print("waiting", file=sys.stderr, flush=True)
    await anyio.sleep(seconds)
    return "waited"


def who(ctx: Context) -> str:
    """Say who is calling, as far as it was verified."""
    return f"{ctx.principal.kind} {ctx.principal.subject}"


TOOLS = [echo, long, greet, rounds, walk, reconnect, change, free, wait, sleep, who]


@hookimpl
def register_tools():
    return [Tool(fn=fn, public=True) for fn in TOOLS]


def stop(host):
    print("the pack has stopped", file=sys.stderr, flush=True)


pack = Pack(title="Seed", stop=stop)
'''

GUARDED = """
@hookimpl
def register_auth():
    def verify(token):
        if token == "stale":
            raise UserError("This token has expired; ask for another.")
        kind, _, name = token.partition("-")
        return Principal("human", name) if kind == "good" else None

    return [Verifier(verify)]
"""
