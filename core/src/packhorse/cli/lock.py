"""``packhorse lock``: accept what is served as it is described now."""

import json
from pathlib import Path

import click

from packhorse.cli.options import note
from packhorse.compose.packs import configured
from packhorse.errors import PackError
from packhorse.terminal import apart, config_option, json_option, show


@click.command()
@click.option(
    "--file", type=click.Path(dir_okay=False, path_type=Path), help="The lock to write, instead of [server] lock."
)
@json_option
@config_option
def lock(file: Path | None, as_json: bool, config: Path | None) -> None:
    """Pin the served descriptions; a start with different ones fails.

    Look at 'packhorse tools --json' first: a model obeys descriptions. Then
    name the file as `lock` under [server].
    """
    from packhorse.compose.deployment import compose
    from packhorse.compose.locking import lock_of

    settings, found = configured(config)
    path = file or settings.server.lock
    if path is None:
        raise PackError('say where to write it: lock = "packhorse.lock" under [server], or --file')
    unlocked = settings.model_copy(update={"server": settings.server.model_copy(update={"lock": None})})
    clashes: list[str] = []
    with apart():
        locked = lock_of(compose(unlocked, found, clashes=clashes).catalogue)
    note(clashes)
    path.write_text(json.dumps(locked, indent=1) + "\n", encoding="utf-8")
    counts = {kind: len(locked[kind]) for kind in ("tools", "resources", "prompts")}
    if as_json:
        show({"file": str(path), **counts})
    else:
        click.echo(f"{path}: {counts['tools']} tools, {counts['resources']} resources, {counts['prompts']} prompts.")
