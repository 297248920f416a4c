"""A server of somebody else, to be mounted: ``python upstream.py WORDS_FILE [stdio | http] [old | json]``.

WORDS_FILE holds the description of `echo`, so that a test can change it while the server runs. An ``old`` server
speaks the revisions before 2026 alone; a ``json`` one answers over HTTP in one piece, on the socket that is its input.
"""

import asyncio
import os
import socket
import sys
from pathlib import Path
from typing import Annotated, Any

import anyio
import uvicorn
from mcp import MCPError
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.server.runner import serve_loop
from mcp.server.stdio import stdio_server
from mcp_types import METHOD_NOT_FOUND, Completion, CompletionArgument, RequestParams
from pydantic import BaseModel

words = Path(sys.argv[1])
server = MCPServer("upstream", version="1", instructions="Be kind.")


def write(file: str, text: str) -> None:
    with Path(file).open("a") as opened:
        opened.write(text)


async def echo(text: str) -> str:
    return text


def register() -> None:
    server.add_tool(echo, name="echo", description=words.read_text(), structured_output=False)


@server.tool()
async def add(a: int, b: int) -> dict[str, int]:
    """Add two numbers."""
    return {"sum": a + b}


@server.tool(structured_output=False)
async def leave(marker: str) -> str:
    """Write a line, then end without an answer."""
    write(marker, "left\n")
    os._exit(3)


@server.tool(structured_output=False)
async def hang(marker: str, ctx: Context[Any, Any]) -> str:
    """Never answer; write a line when the caller gives up."""
    try:
        await ctx.report_progress(0, 1, "it hangs")
        await asyncio.Event().wait()
    finally:
        write(marker, "cancelled")
    return ""


@server.tool(structured_output=False)
async def flood(size: int) -> str:
    """Answer with so many letters."""
    return "x" * size


@server.tool(structured_output=False)
async def fail() -> str:
    """Fail."""
    raise ToolError("the disk is full")


@server.tool(structured_output=False)
async def steps(ctx: Context[Any, Any]) -> list[Any]:
    """Report progress, then answer with a picture."""
    for done in (1, 2, 3):
        await ctx.report_progress(done, 3, f"step {done}")
    return ["seen", Image(data=b"\x89PNG", format="png")]


@server.tool(structured_output=False)
async def process() -> str:
    """The number of this server's process."""
    return str(os.getpid())


@server.tool(structured_output=False)
async def reword(text: str, ctx: Context[Any, Any]) -> str:
    """Change the description of echo while clients are connected."""
    write(str(words), text)
    server.remove_tool("echo")
    register()
    await ctx.notify_tools_changed()
    return "changed"


@server.tool(structured_output=False)
async def whoami(ctx: Context[Any, Any]) -> str:
    """Whose credential came."""
    request = ctx.request_context.request
    if request is not None and "authorization" in request.headers:
        return str(request.headers["authorization"])
    return os.environ.get("TOKEN", "nobody")


class Size(BaseModel):
    size: str


def which_size(what: str) -> Elicit[Size]:
    return Elicit(f"Which size of {what}?", Size)


@server.tool(structured_output=False)
async def order(what: str, answer: Annotated[ElicitationResult[Size], Resolve(which_size)]) -> str:
    """Ask for the size, then order."""
    return f"{what}: {answer.data.size if isinstance(answer, AcceptedElicitation) else 'nothing'}"


@server.tool(structured_output=False)
async def ask_long(marker: str, ctx: Context[Any, Any]) -> str:
    """Ask; write a line when nobody waits for the answer any more."""
    try:
        await ctx.elicit("Well?", Size)
    except asyncio.CancelledError:
        write(marker, "cancelled")
        raise
    return "answered"


@server.resource("upstream://about", description="What it is.")
def about() -> str:
    return "A server."


@server.resource("upstream://pages/{page}")
def page(page: str) -> str:
    """A page."""
    return f"page {page}"


@server.prompt()
def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello, {name}."


@server.completion()
async def complete(reference: Any, argument: CompletionArgument, context: Any) -> Completion:
    return Completion(values=[name for name in ("Ada", "Alan", "Bob") if name.startswith(argument.value)])


async def unknown(ctx: Any, params: Any) -> Any:
    raise MCPError(METHOD_NOT_FOUND, "Method not found")


async def serve_old() -> None:
    async with stdio_server() as (read, write):
        await serve_loop(low, read, write, lifespan_state={})


register()
low = server._lowlevel_server
if sys.argv[-1] == "old":
    low.add_request_handler("server/discover", RequestParams, unknown)
if sys.argv[2:] == ["stdio", "old"]:
    anyio.run(serve_old)
elif sys.argv[2] == "http":
    app = server.streamable_http_app(json_response=sys.argv[-1] == "json")
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run([socket.socket(fileno=0)])
else:
    server.run("stdio")
