"""``packhorse call``, ``read`` and ``prompt``: try an offer through the same door that clients use."""

import base64
import json
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from packhorse.cli.options import deployed, split_file, url_options
from packhorse.contract.content import Embedded, Link, Message, Reply, Text, Verbatim
from packhorse.contract.questions import InputRequired, Suspended
from packhorse.errors import RequestError, UserError
from packhorse.errors.nearest import did_you_mean
from packhorse.terminal import apart, config_option, counting, json_option, show

if TYPE_CHECKING:
    from packhorse.compose.deployment import Deployment
    from packhorse.door.execution import Requester

T = TypeVar("T")

_ASKED = (InputRequired, Suspended)

_UNKNOWN = frozenset({"unknown_tool", "unknown_prompt", "resource_not_found"})
"""What the host says where nothing of a name is served. Its words are for programs, and name what they can ask."""


@click.command()
@click.argument("words", metavar="[FILE.py] TOOL [JSON]", nargs=-1)
@click.option(
    "--no-wait",
    is_flag=True,
    help="If the tool starts a job, print the job's id and do not wait. A server with the same settings must be"
    " running: it runs the job.",
)
@url_options
@json_option
@config_option
def call(
    words: tuple[str, ...],
    no_wait: bool,
    url: str | None,
    token: str | None,
    login: bool,
    as_json: bool,
    config: Path | None,
) -> None:
    """Call TOOL with arguments written as a JSON object, and print its answer.

    If JSON is -, the arguments are read from standard input. With FILE, TOOL is
    a function in that Python file. If the tool starts a job, this command
    runs the job, waits for it and prints its result. With --url the server runs the
    job: the command prints the job's id and does not wait.

    \b
    packhorse call calculate_phase_shift '{"origin_timezone": "America/Los_Angeles",
        "destination_timezone": "Asia/Tokyo", "travel_date": "2026-02-15"}'
    """  # noqa: D301 - click keeps the lines after its mark as they are
    file, (tool, *rest) = _split(words, url, "TOOL", most=2)
    text = rest[0] if rest else "{}"
    given = _object(sys.stdin.read() if text == "-" else text)
    reply = (
        _there(as_json, "call", url, token, login, tool, given)
        if url
        else _call(file, tool, given, no_wait, as_json, config)
    )
    if as_json:
        show({"structured": reply.structured, "content": [_described(piece) for piece in reply.content]})
        return
    for piece in reply.content:
        click.echo(_readable(piece))


def _there(as_json: bool, question: str, *asked: Any) -> Any:
    """The answer of a server somewhere else to one of the questions of `remote`."""
    import anyio

    from packhorse.client import remote

    with _refusing(as_json):
        return anyio.run(getattr(remote, question), *asked)


def _call(
    file: Sequence[str], tool: str, given: dict[str, Any], no_wait: bool, as_json: bool, config: Path | None
) -> Reply[Any]:
    deployment = deployed(config, file)
    entry = deployment.catalogue.tools.get(tool)
    works = entry is not None and entry.offer.job and not no_wait

    async def ask(asker: "Requester") -> Reply[Any]:
        reply: Any = await deployment.dispatcher.call_tool(asker, tool, given)
        return await _result_of(deployment, asker, reply) if works else reply

    unknown = _unknown("tool", tool, deployment.catalogue.tools, file)
    return _answered(deployment, ask, as_json, unknown, works=works)


@click.command()
@click.argument("words", metavar="[FILE.py] URI", nargs=-1)
@url_options
@json_option
@config_option
def read(
    words: tuple[str, ...], url: str | None, token: str | None, login: bool, as_json: bool, config: Path | None
) -> None:
    """Print the content of the resource at URI. Content that is not text is written to standard output unchanged."""
    file, (uri,) = _split(words, url, "URI")
    contents = _there(as_json, "read", url, token, login, uri) if url else _read(file, uri, as_json, config)
    if as_json:
        show(contents.model_dump(mode="json", by_alias=True, exclude_none=True))
        return
    text = getattr(contents, "text", None)
    if text is not None:
        click.echo(text)
    else:
        sys.stdout.buffer.write(base64.b64decode(contents.model_dump()["blob"]))
        sys.stdout.buffer.flush()


def _read(file: Sequence[str], uri: str, as_json: bool, config: Path | None) -> Any:
    from packhorse.wire.content import read_result
    from packhorse.wire.templates import match

    deployment = deployed(config, file)

    async def ask(asker: "Requester") -> Any:
        entry, value = await deployment.dispatcher.read(asker, uri, match)
        return value if isinstance(value, _ASKED) else read_result(entry, uri, value).contents[0]

    return _answered(deployment, ask, as_json, _unknown("resource", uri, deployment.catalogue.resources, file))


@click.command()
@click.argument("words", metavar="[FILE.py] NAME [KEY=VALUE]...", nargs=-1)
@url_options
@json_option
@config_option
def prompt(
    words: tuple[str, ...], url: str | None, token: str | None, login: bool, as_json: bool, config: Path | None
) -> None:
    """Show the text of the prompt NAME, with your values of its arguments."""
    file, (name, *pairs) = _split(words, url, "NAME", most=sys.maxsize)
    given: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"{pair!r} must have the form KEY=VALUE.")
        given[key] = value
    messages = (
        _there(as_json, "prompt", url, token, login, name, given)
        if url
        else _prompt(file, name, given, as_json, config)
    )
    if as_json:
        show([{"role": message.role, "content": _described(message.content)} for message in messages])
        return
    for message in messages:
        click.echo(f"{message.role}: {_readable(message.content)}")


def _prompt(file: Sequence[str], name: str, given: dict[str, str], as_json: bool, config: Path | None) -> list[Message]:
    deployment = deployed(config, file)

    async def ask(asker: "Requester") -> Any:
        return (await deployment.dispatcher.render(asker, name, given))[1]

    value = _answered(deployment, ask, as_json, _unknown("prompt", name, deployment.catalogue.prompts, file))
    turns = value if isinstance(value, list | tuple) else [value]
    return [turn if isinstance(turn, Message) else Message(turn) for turn in turns]


def _split(words: Sequence[str], url: str | None, first: str, *, most: int = 1) -> tuple[Sequence[str], Sequence[str]]:
    """The file that a command's words begin with, if they do, and the words after it: one at least."""
    file, rest = split_file(words, url)
    if not rest:
        raise click.UsageError(f"Missing argument {first!r}.")
    if len(rest) > most:
        raise click.UsageError(f"Got unexpected extra argument ({' '.join(rest[most:])})")
    return file, rest


async def _result_of(deployment: "Deployment", asker: "Requester", reply: Reply[Any]) -> Reply[Any]:
    """The result of the job that a call has started, once there is one; the reply itself where it started none."""
    from packhorse.jobs.handle import Started

    if not isinstance(reply, Started):
        return reply
    asked = {"job_id": reply.job.id, "wait_seconds": 1}
    with counting(f"Job {reply.job.id}") as show_progress:
        while True:
            try:
                result = await deployment.dispatcher.call_tool(asker, "job_result", asked)
            except UserError as exc:
                if exc.code != "JOB_NOT_FINISHED":
                    raise
                progress = exc.details.get("progress")
                if progress and progress["total"]:
                    show_progress(round(progress["done"]), round(progress["total"]))
            else:
                return result if isinstance(result, Reply) else reply


def _unknown(kind: str, name: str, served: Mapping[str, Any], file: Sequence[str]) -> str:
    """What a person at a terminal hears where nothing of that name is served."""
    lists = {
        "tool": f" '{' '.join(['packhorse tools', *file])}' lists the tools.",
        "prompt": f" The prompts are: {', '.join(served) or 'none'}.",
    }
    where = f"in {file[0]}" if file else "here"
    return f"There is no {kind} {name!r} {where}.{did_you_mean(name, served)}{lists.get(kind, '')}"


def _answered(
    deployment: "Deployment",
    ask: "Callable[[Requester], Awaitable[T]]",
    as_json: bool,
    unknown: str,
    *,
    works: bool = False,
) -> T:
    """What somebody at this machine is answered."""
    import anyio

    from packhorse.contract.principal import LOCAL
    from packhorse.door.execution import Requester

    async def asked() -> T:
        try:
            value = await ask(Requester(LOCAL))
        finally:
            await deployment.close()
        if isinstance(value, _ASKED):
            raise UserError(
                "This tool asks you questions before it answers. Use it from an MCP client that can show questions.",
                code="NEEDS_CLIENT",
            )
        return value

    with _refusing(as_json, unknown), apart(), deployment.running(works=works):
        return anyio.run(asked)


@contextmanager
def _refusing(as_json: bool, unknown: str | None = None) -> Iterator[None]:
    """Print a refusal, and end with status 1; ``unknown`` is printed where nothing of that name is served."""
    try:
        yield
    except (UserError, RequestError) as exc:
        code = exc.code if isinstance(exc, UserError) else exc.error_type
        message = unknown if unknown and code in _UNKNOWN else exc.message
        if as_json:
            show({"error": {"code": code, "message": message, "details": exc.details}})
        else:
            click.echo(f"Error: {message} [{code}]", err=True)
        raise click.exceptions.Exit(1) from exc


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as exc:
        raise click.UsageError(
            f"The arguments are not JSON ({exc}). Write an object, such as '{{\"key\": 1}}'."
        ) from exc
    if not isinstance(value, dict):
        raise click.UsageError("The arguments must be one JSON object, such as '{\"key\": 1}'.")
    return value


def _readable(piece: Any) -> str:
    match piece:
        case str():
            return piece
        case Text(text):
            return text
        case Embedded(uri, body, mime_type):
            return body if isinstance(body, str) else f"<{uri}: {len(body):,} bytes of {mime_type}>"
        case Link(uri, name):
            return f"{name}: {uri}"
        case Verbatim({"type": "resource", "resource": {"text": text}}) | Verbatim({"type": "text", "text": text}):
            return str(text)
        case Verbatim({"type": "resource_link", "name": name, "uri": uri}):
            return f"{name}: {uri}"
        case Verbatim({"data": data, "mimeType": kind}):
            return f"<{len(base64.b64decode(data)):,} bytes of {kind}>"
        case Verbatim(raw):
            return f"<{raw.get('type', raw.get('uri'))}>"
        case _:
            return f"<{len(piece.data):,} bytes of {piece.mime_type}>"


def _described(piece: Any) -> dict[str, Any]:
    from packhorse.wire.content import block

    content = Text(piece) if isinstance(piece, str) else piece
    return block(content).model_dump(mode="json", by_alias=True, exclude_none=True)
