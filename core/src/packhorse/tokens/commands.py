"""``packhorse token``: a signed token for trying out, and renewing one."""

import os
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from packhorse.contract.clock import system_clock, utc_text
from packhorse.terminal import config_option, json_option, show

TTL_VARIABLE = "JWT_EXPIRE_MINUTES"
_UNITS = {"s": 1, "m": 60, "h": 3_600}
_LIFE = re.compile(r"([0-9]{1,6})([smh])")

NOTE = (
    "This token is for testing: anyone who has it is {subject} to this server until {expires_at}. In production"
    " let an identity provider issue tokens."
)


def _seconds(ctx: click.Context, param: click.Parameter, value: str) -> int:
    life = _LIFE.fullmatch(value)
    if life is None:
        raise click.BadParameter("write a number with its unit, such as 45s, 30m or 2h")
    return int(life[1]) * _UNITS[life[2]]


def _usual_life() -> str:
    return f"{os.environ.get(TTL_VARIABLE, '30')}m"


@click.command()
@click.option(
    "--sub",
    "subject",
    help="The user that the token is for (`sub`). For a pack that knows people by a code such as R01, give that code.",
)
@click.option("--role", "roles", multiple=True, help="Role to grant (repeatable).")
@click.option(
    "--ttl",
    default=_usual_life,
    callback=_seconds,
    help="How long the token is valid, such as 45s, 30m or 2h; 30m by default.",
)
@click.option(
    "--audience",
    help="The server that the token is for (`aud`). Without this option: the server of this configuration.",
)
@click.option("--refresh", "renewed", metavar="TOKEN", help="Renew this token; '-' reads it from standard input.")
@json_option
@config_option
@click.pass_context
def token(
    ctx: click.Context,
    subject: str | None,
    roles: tuple[str, ...],
    ttl: int,
    audience: str | None,
    renewed: str | None,
    as_json: bool,
    config: Path | None,
) -> None:
    """Make a signed token for testing, or renew a token.

    The token is signed with `secret` under [auth], or with JWT_SECRET_KEY.
    Only the token is printed, so that you can assign it to a variable:

    export PACKHORSE_TOKEN=$(packhorse token --sub ada --role COORDINATOR)

    A token can be renewed up to 15 minutes after it has expired.
    """
    from packhorse import settings
    from packhorse.tokens import local_issuer, mint, refresh
    from packhorse.tokens.compact import read

    if (subject is None) == (renewed is None):
        raise click.UsageError("Give the token's user with --sub, or a token to renew with --refresh.")
    if renewed is not None:
        for name in ("roles", "ttl", "audience"):
            if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
                raise click.UsageError(
                    "A renewed token keeps its roles, lifetime and audience: leave out --role, --ttl and --audience."
                )
    issuer = local_issuer(settings.load(config).auth)
    if renewed is not None:
        signed = refresh(sys.stdin.readline().strip() if renewed == "-" else renewed, issuer)
    else:
        signed = mint(issuer, subject or "", roles, ttl, system_clock, audience=audience)
    claims = read(signed).claims
    expires_at = utc_text(datetime.fromtimestamp(claims["exp"], UTC), "seconds")
    note = NOTE.format(subject=claims["sub"], expires_at=expires_at)
    if as_json:
        show({"token": signed, "token_type": "Bearer", "expires_at": expires_at, "claims": dict(claims), "note": note})
        return
    click.echo(signed)
    click.echo(note, err=True)
