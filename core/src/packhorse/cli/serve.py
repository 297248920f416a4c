"""``packhorse serve``: run a server."""

import gc
import logging
import os
import sys
from functools import partial
from pathlib import Path

import click

from packhorse.cli.options import config_option, configured

TOKEN_VARIABLE = "PACKHORSE_TOKEN"  # noqa: S105 - the variable's name

COLLECT_EVERY = 5_000
"""Containers made before the collector looks for circles: with Python's 700 it looks during every call (5 % of one)."""


@click.command()
@click.argument("names", metavar="[PACK]...", nargs=-1)
@click.option("--transport", type=click.Choice(["stdio", "http", "sse"]), help="How clients connect; stdio by default.")
@click.option("--host", help="The address to listen on; 127.0.0.1 by default.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port to listen on; 8000 by default, 0 for a free one.")
@config_option
def serve(
    names: tuple[str, ...], transport: str | None, host: str | None, port: int | None, config: Path | None
) -> None:
    """Run a server of these packs, or of all installed ones.

    With stdio, which is what Claude Desktop starts, the server talks over
    standard input and output and ends with its client. With http it listens
    at http://HOST:PORT/mcp until it is stopped.
    """
    # Nothing made while importing is garbage; collecting meanwhile costs an eighth of the start.
    gc.disable()
    from packhorse.deployment import compose
    from packhorse.server.pipes import claim

    chosen, found = configured(config)
    chosen = chosen.serving(packs=names or None, transport=transport, host=host, port=port)
    _log(chosen.server.log_level)
    # Both before any pack is imported: none may meet the client's pipe, or hand its token to a child.
    token = os.environ.pop(TOKEN_VARIABLE, None)
    pipes = claim() if chosen.server.transport == "stdio" else None
    deployment = compose(chosen, found)
    if pipes is not None:
        from packhorse.server.stdio import serve as run

        serving = partial(run, deployment, pipes, token)
    else:
        from packhorse.server.http import serve as listen

        serving = partial(listen, deployment)
    gc.freeze()
    gc.set_threshold(COLLECT_EVERY)
    gc.enable()
    serving()


def _log(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    # The SDK logs each refused request at length; what matters of it is in our own lines.
    logging.getLogger("mcp").setLevel(logging.WARNING)


class _Lines(logging.Formatter):
    """Ends a line about a request with the id that its caller was given."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        rid = getattr(record, "request_id", None)
        line = super().formatMessage(record)
        return f"{line} [request {rid}]" if rid else line
