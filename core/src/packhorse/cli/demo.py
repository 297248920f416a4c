"""``packhorse demo``: the first minute."""

from pathlib import Path

import click

from packhorse.cli.options import config_option, json_option, show


@click.command()
@json_option
@config_option
def demo(as_json: bool, config: Path | None) -> None:
    """See every installed pack at work, through a real client.

    Starts a server as Claude Desktop would, connects to it, and plays the
    scene that each pack brings, on real sample data.
    """
    import anyio

    from packhorse.cli.options import deployed
    from packhorse.server.demo import play

    deployment = deployed(config)
    played = anyio.run(play, deployment, config)
    if as_json:
        show([scene.__dict__ for scene in played])
        return
    if not played:
        click.echo("No installed pack brings a scene. Install one, for example packhorse-circadian.")
        return
    for scene in played:
        click.echo(f"{scene.pack}: {scene.title}")
        for line in scene.lines:
            click.echo(f"  {line}" if line else "")
        click.echo(f"  ({scene.calls} call{'' if scene.calls == 1 else 's'} answered in {scene.milliseconds:.0f} ms)")
        click.echo()
    click.echo(f"Server, client and protocol {played[0].protocol}: all real. Next: packhorse desktop install PACK")
