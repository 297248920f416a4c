"""Signing people in, as a pack; it offers nothing without [auth.login]."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.offers import Endpoint
from packhorse.contract.packs import Pack

if TYPE_CHECKING:
    import click

pack = Pack(title="Signing in")


@hookimpl
def register_routes(host: Host) -> Sequence[Endpoint]:
    """The paths by which clients get tokens, and people agree."""
    login = host.settings.auth.login
    if login is None or host.settings.server.transport == "stdio":
        return []
    from packhorse.login.serving import endpoints

    return endpoints(host, login)


@hookimpl
def register_commands() -> "Sequence[click.Command]":
    """Who is signed in, and an end to it."""
    from packhorse.login.commands import sign_ins

    return [sign_ins]
