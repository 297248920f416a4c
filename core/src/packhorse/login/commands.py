"""``packhorse sign-ins``: who is signed in with which client, and ending it."""

from dataclasses import asdict
from pathlib import Path

import click

from packhorse.errors import PackError
from packhorse.errors.nearest import did_you_mean
from packhorse.terminal import config_option, json_option, show


@click.command("sign-ins")
@click.option("--revoke", "subject", metavar="SUB", help="End every sign-in of this user (`sub`).")
@json_option
@config_option
def sign_ins(subject: str | None, as_json: bool, config: Path | None) -> None:
    """List who is signed in with which client, or end the sign-ins of a user.

    A client whose sign-in has ended gets no new token. The token that it has is valid for
    up to 15 minutes. A session of the console ends at once. To keep the user
    out, also remove them from `allow` under [auth.login] and restart the server.
    """
    from packhorse.login.grants import Grants
    from packhorse.settings import load

    settings = load(config)
    if settings.auth.login is None:
        raise PackError("sign-in is not set up here: there is no [auth.login] in packhorse.toml (see docs/sign-in.md)")
    grants = Grants(settings)
    if subject is not None:
        count = grants.end_all_of(subject)
        if as_json:
            show({"subject": subject, "ended": count})
        elif not count:
            known = sorted({grant.subject for grant in grants.present()})
            raise PackError(
                f"nobody is signed in as {subject!r}.{did_you_mean(subject, known)} 'packhorse sign-ins' lists who is"
            )
        else:
            click.echo(f"{count} {'sign-in' if count == 1 else 'sign-ins'} of {subject} ended.")
        return
    present = grants.present()
    if as_json:
        show([{name: value for name, value in asdict(grant).items() if name != "family"} for grant in present])
        return
    for grant in present:
        click.echo(f"{grant.subject}  {grant.name or grant.client}  since {grant.since}  until {grant.until}")
    if not present:
        click.echo("Nobody is signed in.")
