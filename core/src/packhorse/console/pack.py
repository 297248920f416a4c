"""The console at ``/console``, as a pack: over HTTP, on this machine or for those who sign in."""

from collections.abc import Iterable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.packs import Pack

if TYPE_CHECKING:
    import click

    from packhorse.console.site import Site
    from packhorse.contract.offers import Route

pack = Pack(title="The console")

_SITES: "WeakKeyDictionary[Host, Site]" = WeakKeyDictionary()


@hookimpl
def register_observers(host: Host) -> "Iterable[Site]":
    """The console, which hears of no call: it is opened, and so learns what is served."""
    return [_site(host)] if host.settings.has_console else []


@hookimpl
def register_routes(host: Host) -> "Iterable[Route]":
    """Its pages."""
    if not host.settings.has_console:
        return []
    from packhorse.console.routes import routes

    return routes(_site(host), at_root="/" not in host.settings.server.paths)


@hookimpl
def register_commands() -> "Iterable[click.Command]":
    """Open it."""
    from packhorse.console.commands import console

    return [console]


def _site(host: Host) -> "Site":
    from packhorse.console.site import Site  # a server without a console needs nothing of it

    return _SITES.setdefault(host, Site(host))
