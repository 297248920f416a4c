"""The status page at ``/``, as a pack: over HTTP, on this machine or for those who sign in."""

from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.offers import Pack, Route

if TYPE_CHECKING:
    from packhorse.status.facts import StatusPage

PATH = "/"

ANSWER_LIMIT_BYTES = 16 * 1024 * 1024
"""Every schema of every tool is on the page."""

pack = Pack(title="The status page")

_PAGES: "WeakKeyDictionary[Host, StatusPage]" = WeakKeyDictionary()


@hookimpl
def register_observers(host: Host) -> "Sequence[StatusPage]":
    """The page, which hears of no call: it is opened, and so learns what is served."""
    return [_page(host)] if _wanted(host) else []


@hookimpl
def register_routes(host: Host) -> Sequence[Route]:
    """The page, to be read."""
    if not _wanted(host):
        return []
    return [Route(path=PATH, fn=_page(host).shown, sign_in=True, answer_limit_bytes=ANSWER_LIMIT_BYTES)]


def _page(host: Host) -> "StatusPage":
    from packhorse.status.facts import StatusPage  # a server that shows no page needs nothing of it

    return _PAGES.setdefault(host, StatusPage())


def _wanted(host: Host) -> bool:
    from packhorse.settings.security import is_loopback

    server, auth = host.settings.server, host.settings.auth
    if server.transport == "stdio" or PATH in server.paths:
        return False
    if server.status is not None:
        return bool(server.status)
    return server.reached_from_here or (is_loopback(server.host) and bool(auth.configured))
