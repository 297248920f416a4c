"""``packhorse serve``: run a server."""

import gc
import logging
import sys
from pathlib import Path

import click

from packhorse.cli.options import config_option, deployed


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
    deployment = deployed(config, names, transport=transport, host=host, port=port)
    settings = deployment.settings.server
    logging.basicConfig(
        stream=sys.stderr,
        level=settings.log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    # The SDK logs each refused request at length; what matters of it is in our own lines.
    logging.getLogger("mcp").setLevel(logging.WARNING)
    if settings.transport == "stdio":
        from packhorse.server import stdio as carrier
    else:
        from packhorse.server import http as carrier  # type: ignore[no-redef]  # two modules, one function
    gc.freeze()
    gc.enable()
    carrier.serve(deployment)
