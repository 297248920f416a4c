"""``packhorse sign-out``: forget a sign-in that ``--login`` has kept."""

import click


@click.command("sign-out")
@click.argument("url", required=False)
def sign_out(url: str | None) -> None:
    """Sign out of the server at URL that you signed in to with --login.

    Without URL: list the servers at which you are signed in.
    """
    import anyio

    from packhorse.client import signing_in
    from packhorse.errors import UserError

    if url is None:
        for one in signing_in.signed_in():
            click.echo(one)
        if not signing_in.signed_in():
            click.echo("You are signed in to no server.")
        return
    try:
        ended = anyio.run(signing_in.sign_out, url)
    except UserError as exc:
        raise click.ClickException(exc.message) from exc
    there = "" if ended else " The server was not told: there the sign-in lasts until it ends by itself."
    click.echo(f"Signed out of {url}.{there}")
