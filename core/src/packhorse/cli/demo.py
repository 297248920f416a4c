"""``packhorse demo``: the first minute."""

import shutil
import tempfile
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from packhorse.compose.packs import configured
from packhorse.errors import UserError
from packhorse.terminal import apart, config_option, json_option, progress, show

if TYPE_CHECKING:
    from packhorse.client.demo import Played


@click.command(epilog="For example: packhorse demo scheduling")
@click.argument("packs", nargs=-1, metavar="[PACK]...")
@json_option
@config_option
def demo(packs: tuple[str, ...], as_json: bool, config: Path | None) -> None:
    """Run the demonstration of every installed pack, or of those that you name.

    Starts a server as Claude Desktop would, connects to it, and runs each
    pack's demonstration on the sample data that comes with the pack. Your own
    data is neither read nor written: the server uses a temporary folder.
    """
    with tempfile.TemporaryDirectory(prefix="packhorse-demo-", ignore_cleanup_errors=True) as folder:
        played = _played(packs, Path(folder), config)
    if as_json:
        show([act.__dict__ for act in played])
        return
    if not played:
        click.echo("No installed pack has a demonstration. Install one that has, for example packhorse-circadian.")
        return
    width = min(shutil.get_terminal_size().columns, 100)
    click.echo(f"A server with these packs was started, and a client called it over protocol {played[0].protocol}.\n")
    for act in played:
        click.echo(f"{act.pack}: {act.title}")
        for line in act.lines:
            click.echo(textwrap.fill(line, width, initial_indent="  ", subsequent_indent="  "))
        click.echo(f"  ({act.calls} call{'' if act.calls == 1 else 's'} answered in {act.milliseconds:.0f} ms)\n")
    click.echo(f"To have this in a client of yours: packhorse install CLIENT {played[0].pack}")
    click.echo("CLIENT is claude-code, codex, cursor, desktop, gemini or vscode.")


def _played(packs: tuple[str, ...], folder: Path, config: Path | None) -> "list[Played]":
    """The scenes of these packs, or of all, played with their data in ``folder``.

    One server has them all; each pack has its own where two offer one name,
    which no server takes.
    """
    import anyio

    from packhorse.client.demo import play, prepare, scenes_of
    from packhorse.compose.deployment import compose

    settings, found = configured(config)
    server = settings.server.model_copy(update={"database": None, "data_dir": folder, "mounts": ()})
    chosen = settings.model_copy(update={"server": server}).serving(packs=packs or None)
    clashes: list[str] = []
    with apart():
        deployment = compose(chosen, found, clashes=clashes)
        names = [name for name, _ in scenes_of(deployment)]
        for pack in packs:
            if pack not in names:
                having = ", ".join(names) or "none"
                raise UserError(
                    f"The pack {pack!r} has no demonstration. Of the packs that you named, these have"
                    f" a demonstration: {having}.",
                    code="NO_SCENE",
                )
        stages = [compose(chosen.serving(packs=(name,)), found) for name in names] if clashes else [deployment]
    played: list[Played] = []
    for stage in stages:
        with apart(), progress(scenes_of(stage), "Sample data") as scenes:
            for name, scene in scenes:
                prepare(stage, name, scene)
        played += anyio.run(play, stage, config)
    return played
