"""``packhorse lock``: accept the current descriptions."""

import json
from pathlib import Path

import click

from packhorse.cli.options import note
from packhorse.compose.packs import configured
from packhorse.errors import PackError
from packhorse.terminal import apart, config_option, json_option, show


@click.command()
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The lock file to write. Default: the setting `lock` under [server].",
)
@json_option
@config_option
def lock(file: Path | None, as_json: bool, config: Path | None) -> None:
    """Save the tools' current descriptions in a lock file.

    First read the descriptions ('packhorse tools --json'): a language model may obey an instruction that somebody
    put in one. If `lock` under [server] in packhorse.toml is the path of the lock file, the server refuses to start
    when a description differs from it.
    """
    from packhorse.compose.deployment import compose
    from packhorse.compose.locking import lock_of

    settings, found = configured(config)
    path = file or settings.server.lock
    if path is None:
        raise PackError(
            'say where to write the lock file: set lock = "packhorse.lock" under [server], or give --file FILE'
        )
    unlocked = settings.model_copy(update={"server": settings.server.model_copy(update={"lock": None})})
    clashes: list[str] = []
    with apart():
        locked = lock_of(compose(unlocked, found, clashes=clashes).catalogue)
    note(clashes)
    try:
        path.write_text(json.dumps(locked, indent=1) + "\n", encoding="utf-8")
    except OSError as exc:
        raise PackError(f"the lock file {path} cannot be written ({exc.strerror})") from exc
    counts = {kind: len(locked[kind]) for kind in ("tools", "resources", "prompts")}
    if as_json:
        show({"file": str(path), **counts})
    else:
        click.echo(f"{path}: {counts['tools']} tools, {counts['resources']} resources, {counts['prompts']} prompts.")
