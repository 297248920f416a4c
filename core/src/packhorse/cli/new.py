"""``packhorse new``: the files of a pack that works."""

from pathlib import Path

import click

from packhorse.cli.options import json_option, show
from packhorse.errors import UserError


@click.command()
@click.argument("name", metavar="NAME")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to put it; packhorse-NAME in this folder when absent. It must be new or empty.",
)
@json_option
def new(name: str, folder: Path | None, as_json: bool) -> None:
    """Create a pack called NAME from a template; it passes its contract tests.

    It has one tool, its manifest and its tests: change the tool into yours.
    """
    from packhorse.cli import cli
    from packhorse.compose import packs
    from packhorse.publish import scaffold

    key = scaffold.checked(name)
    if key in cli.list_commands(click.Context(cli)):
        raise UserError(f"{key!r} is a command of packhorse: choose another name for the pack.", code="PACK_NAME")
    for found in packs.find():
        if found.name == key:
            raise UserError(
                f"A pack {key!r} is installed already ({found.distribution} {found.version}): choose another name.",
                code="PACK_NAME",
            )
    made = scaffold.Scaffold(key, packs.core_version())
    target = folder or Path(made.distribution)
    written = made.write(target)
    if as_json:
        show({"folder": str(target), "files": [file.as_posix() for file in written], "pack": key})
        return
    click.echo(f"{target}")
    for file in written:
        click.echo(f"  {file.as_posix()}")
    click.echo(
        f"Next:\n  cd {target}\n  pip install --editable .\n  pip install pytest\n  pytest\n"
        f'  packhorse call {made.tool} \'{{"name": "Ada"}}\''
    )
