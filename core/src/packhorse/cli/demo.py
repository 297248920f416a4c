"""``packhorse demo``: the first minute."""

import shutil
import textwrap
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
    width = min(shutil.get_terminal_size().columns, 100)
    click.echo(f"A server of these packs was started, and asked by a client in protocol {played[0].protocol}.\n")
    for scene in played:
        click.echo(f"{scene.pack}: {scene.title}")
        for line in scene.lines:
            click.echo(textwrap.fill(line, width, initial_indent="  ", subsequent_indent="  "))
        click.echo(f"  ({scene.calls} call{'' if scene.calls == 1 else 's'} answered in {scene.milliseconds:.0f} ms)\n")
    click.echo(f"To have this in Claude Desktop: packhorse desktop install {played[0].pack}")
