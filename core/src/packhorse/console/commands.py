"""``packhorse console``: open the console of a running server, signed in."""

import sys
import webbrowser
from datetime import timedelta
from pathlib import Path

import click

from packhorse.errors import PackError
from packhorse.terminal import config_option

_SECONDS = 5


@click.command()
@click.option("--url", help="The URL of the server. Without this option: the address in its settings.")
@click.option("--print", "only_print", is_flag=True, help="Print the link, and open no browser.")
@config_option
def console(url: str | None, only_print: bool, config: Path | None) -> None:
    """Open a running server's console in the browser.

    A link signs you in as the operator of this machine. It can be used once, within ten minutes.
    The command works only at a terminal: it does not write the link to a pipe or a file.
    """
    from packhorse.compose.packs import configured
    from packhorse.console.routes import ENTRANCE
    from packhorse.console.site import LINK, LINK_MINUTES, store_of
    from packhorse.contract.clock import system_clock
    from packhorse.contract.host import Host
    from packhorse.store.tickets import Tickets

    if not sys.stdout.isatty():
        raise PackError("run this at a terminal: the link is not written to a pipe or a file")
    settings, _ = configured(config)
    base = (url or settings.address).rstrip("/")
    _check_there(base)
    host = Host("packhorse", data_dir=settings.data_dir, settings=settings, clock=system_clock)
    secret = Tickets(store_of(host).store, system_clock).issue(LINK, timedelta(minutes=LINK_MINUTES))
    link = base + ENTRANCE.replace("{key}", secret)
    if only_print or not webbrowser.open(link):
        click.echo(link)
    else:
        click.echo(f"The console of {base} is opened in your browser.")


def _check_there(base: str) -> None:
    import httpx2

    try:
        answer = httpx2.get(f"{base}/healthz", timeout=_SECONDS)
    except (httpx2.HTTPError, httpx2.InvalidURL) as exc:
        raise PackError(
            f"no server answers at {base}: start one with 'packhorse serve --transport http', or name it with --url"
        ) from exc
    if answer.text != "ok\n":
        raise PackError(f"what answers at {base} is not packhorse: name the server with --url")
