"""``packhorse serve``: run a server."""

import gc
import logging
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from packhorse.cli.options import TOKEN_VARIABLE
from packhorse.compose.packs import configured, serving
from packhorse.observe import logs
from packhorse.schema.deferred import deferred
from packhorse.settings.loading import RELOADING_VARIABLE
from packhorse.terminal import config_option

if TYPE_CHECKING:
    from packhorse.audit.masking import Mask
    from packhorse.compose.deployment import Deployment
    from packhorse.door.catalogue import Found
    from packhorse.http.workers import Worker
    from packhorse.settings import ServerSettings, Settings

logger = logging.getLogger("packhorse.serve")

COLLECT_EVERY = 5_000
"""Containers made before the collector looks for circles: with Python's 700 it looks during every call (5 % of one)."""


@click.command()
@click.argument("names", metavar="[PACK]...", nargs=-1)
@click.option("--transport", type=click.Choice(["stdio", "http", "sse"]), help="How clients connect; stdio by default.")
@click.option("--host", help="The address to listen on; 127.0.0.1 by default.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="The port to listen on; 8000 by default, 0 for a free port."
)
@click.option(
    "--workers", type=click.IntRange(1, 64), help="Number of processes that serve one address over http; 1 by default."
)
@click.option(
    "--reload",
    is_flag=True,
    help="Restart when a pack's file changes, without disconnecting clients. Use it while you write a pack.",
)
@click.option(
    "--fenced",
    is_flag=True,
    default=None,
    help="Clients cannot call tools that change data. Only agents of the pai pack can, and a person approves each"
    " change.",
)
@config_option
def serve(names: tuple[str, ...], *, reload: bool, config: Path | None, **server: Any) -> int | None:
    """Run a server with the packs that you name, or with all.

    PACK may be the path of a file, such as ./weather.py: each public function in
    it is a tool, and needs a docstring. PACK may also be the name of a mounted
    server. If you name packs, also name the mounted servers that you
    want.

    With stdio, which Claude Desktop uses, the server reads standard input,
    writes to standard output, and stops when its client stops. With http it
    listens at http://HOST:PORT/mcp until you stop it.
    """
    # Nothing made while importing is garbage; collecting meanwhile costs an eighth of the start.
    gc.disable()
    chosen, found = configured(config)
    chosen = serving(chosen, found, names, **server)
    if reload:
        return _reload(chosen, found)
    if chosen.server.workers > 1:
        _supervise(chosen)
    else:
        run(chosen, found)
    return None


def _reload(chosen: "Settings", found: "list[Found]") -> int | None:
    """Watch the packs' files, and restart the server behind the same clients; no pack is imported here."""
    from packhorse.cli import reload

    reload.check(chosen)
    watch = reload.Watch(chosen, found)
    os.environ[RELOADING_VARIABLE] = "1"
    if chosen.server.transport != "stdio":
        _supervise(chosen, watch.changed)
        return None
    from packhorse.stdio import relay

    _log(chosen.server)
    gc.enable()
    return relay.serve(reload.server_command(), watch.changed)


def run(chosen: "Settings", found: "list[Found] | None" = None, worker: "Worker | None" = None) -> None:
    """Serve in this process. ``worker`` is this process where it is one of several."""
    from packhorse.compose.deployment import compose
    from packhorse.compose.fence import unfenced
    from packhorse.compose.packs import find
    from packhorse.observe.pipes import claim

    _log(chosen.server)
    # Both before any pack is imported: none may meet the client's pipe, or hand its token to a child.
    token = os.environ.pop(TOKEN_VARIABLE, None)
    pipes = claim() if chosen.server.transport == "stdio" else None
    deployment = compose(chosen, find() if found is None else found)
    _log(chosen.server, deployment.mask())
    if worker is None or worker.is_first:
        wanted = chosen.server.mounts
        if wanted is not None and (left := [name for name in chosen.mounted if name not in wanted]):
            logger.info("mounted servers that are not named, and so not served: %s", ", ".join(left))
        _warn_of_reach(deployment)
        if direct := unfenced(deployment):
            tools = "1 tool that may change something" if direct == 1 else f"{direct} tools that may change something"
            logger.info("%s can be called without an agent; with --fenced only agents can.", tools)
    if pipes is not None:
        with deferred():
            from packhorse.stdio.server import serve as answer

        beside = None
        if deployment.catalogue.approvals:
            from packhorse.cli.local_pages import LocalPages

            beside = LocalPages(deployment).run
        serving = partial(answer, deployment, pipes, token, beside)
    else:
        with deferred():
            from packhorse.http.app import serve as listen

        serving = partial(listen, deployment, worker)
    gc.freeze()
    gc.set_threshold(COLLECT_EVERY)
    gc.enable()
    serving()


def _warn_of_reach(deployment: "Deployment") -> None:
    if deployment.settings.server.transport == "stdio" or deployment.dispatcher.authenticated:
        return  # without the import, which stdio's quick start does not need
    from packhorse.compose.reach import CURE, described, described_ungated, ungated, unreachable

    said = [described(counts)] if (counts := unreachable(deployment)) else []
    said += [described_ungated(counts)] if (counts := ungated(deployment)) else []
    if said:
        logger.warning("%s. %s.", ". ".join(said), CURE)


def _supervise(chosen: "Settings", changed: "Callable[[], bool] | None" = None) -> None:
    """Start the workers, which do what `run` does, and again when something ``changed``; no pack is imported here."""
    from packhorse.errors import PackError
    from packhorse.http.workers import Supervisor

    if chosen.server.transport != "http":
        raise PackError(
            f"the transport {chosen.server.transport} works with one process only, but {chosen.server.workers} workers"
            " are set. Give --transport http, or --workers 1"
        )
    os.environ.pop(TOKEN_VARIABLE, None)
    _log(chosen.server)
    gc.enable()
    Supervisor(chosen, work, changed).run()


def work(settings: "Settings", worker: "Worker") -> NoReturn:
    """Serve in a worker's process, and end it."""
    gc.disable()
    from packhorse.cli import leave
    from packhorse.errors import PackhorseError

    try:
        run(settings, worker=worker)
    except PackhorseError as exc:
        click.echo(f"Error: {exc}", err=True)
        leave(1)
    leave(0)


def _log(server: "ServerSettings", mask: "Mask | None" = None) -> None:
    """Log to stderr; masked as soon as the packs have said what of."""
    json = server.log_format == "json" or (server.log_format is None and not sys.stderr.isatty())
    logs.configure(server.log_level, json=json, mask=mask.text if mask else None)
