"""``packhorse demo``: the first minute."""

import shutil
import tempfile
import textwrap
from pathlib import Path

import click

from packhorse.cli.options import apart, config_option, configured, json_option, progress, show


@click.command()
@json_option
@config_option
def demo(as_json: bool, config: Path | None) -> None:
    """See every installed pack at work, through a real client.

    Starts a server as Claude Desktop would, connects to it, and plays the
    scene that each pack brings, on real sample data. Your own data is neither
    read nor written: the server has a folder of its own, which is thrown away.
    """
    import anyio

    from packhorse.deployment import compose
    from packhorse.server.demo import play, prepare, scenes_of

    settings, found = configured(config)
    with tempfile.TemporaryDirectory(prefix="packhorse-demo-", ignore_cleanup_errors=True) as folder:
        apart_from_all = settings.serving(data_dir=Path(folder))
        server = apart_from_all.server.model_copy(update={"database": None})
        with apart():
            deployment = compose(apart_from_all.model_copy(update={"server": server}), found)
        with apart(), progress(scenes_of(deployment), "Sample data") as scenes:
            for name, scene in scenes:
                prepare(deployment, name, scene)
        played = anyio.run(play, deployment, config)
    if as_json:
        show([act.__dict__ for act in played])
        return
    if not played:
        click.echo("No installed pack brings a scene. Install one, for example packhorse-circadian.")
        return
    width = min(shutil.get_terminal_size().columns, 100)
    click.echo(f"A server of these packs was started, and asked by a client in protocol {played[0].protocol}.\n")
    for act in played:
        click.echo(f"{act.pack}: {act.title}")
        for line in act.lines:
            click.echo(textwrap.fill(line, width, initial_indent="  ", subsequent_indent="  "))
        click.echo(f"  ({act.calls} call{'' if act.calls == 1 else 's'} answered in {act.milliseconds:.0f} ms)\n")
    click.echo(f"To have this in Claude Desktop: packhorse desktop install {played[0].pack}")
