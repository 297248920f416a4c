"""Signed tokens of the configured issuers, as a pack."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.packs import Pack, Verifier

if TYPE_CHECKING:
    import click

pack = Pack(title="Signed tokens")


@hookimpl
def register_auth(host: Host) -> Sequence[Verifier]:
    """A verifier of tokens, where [auth] names who may sign them."""
    auth = host.settings.auth
    if not auth.configured:
        return []
    from packhorse.tokens import Tokens
    from packhorse.tokens.local import issuers_of

    tokens = Tokens(issuers_of(auth), clock=host.clock, leeway_seconds=auth.leeway_seconds)
    return [Verifier(tokens.verify, nearby=partial(tokens.verify, lenient=True))]


@hookimpl
def register_commands() -> "Sequence[click.Command]":
    """A token for trying out."""
    from packhorse.tokens.commands import token

    return [token]
