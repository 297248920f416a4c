"""``packhorse desktop``: entries for packs in Claude Desktop's own configuration."""

import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeVar

import click

from packhorse.contract.clock import system_clock
from packhorse.publish import desktop as app
from packhorse.terminal import json_option, show

F = TypeVar("F", bound=Callable[..., Any])

_AGAIN = "Quit and reopen Claude Desktop: it reads this file only when it starts."
_DID = {
    "added": "Added",
    "updated": "Updated",
    "removed": "Removed",
    "unchanged": "Already in the file, unchanged:",
    "absent": "Not in the file:",
}
_WOULD = {**_DID, "added": "Would add", "updated": "Would update", "removed": "Would remove"}

_config_file = click.option(
    "--config-file",
    type=click.Path(path_type=Path),
    help="Claude Desktop's configuration file, if it is not in its usual place.",
)
dry_run_option = click.option("--dry-run", is_flag=True, help="Print what would change, and write nothing.")


def entry_options(command: F) -> F:
    """The options that decide what an entry says."""
    options = [
        click.argument("packs", nargs=-1, metavar="[PACK]..."),
        click.option("--separate", is_flag=True, help="An entry, and so a server, for each of several packs."),
        click.option(
            "--one-entry",
            metavar="NAME",
            help="The name of the entry, instead of the pack's, or packhorse where there are several.",
        ),
        click.option("--reload", is_flag=True, help="Start again when a file of a pack changes: for packs you write."),
        click.option(
            "--env",
            "pairs",
            multiple=True,
            metavar="NAME=VALUE",
            help="A variable for the server, stored in clear text. Repeatable. Every entry gets all these"
            " variables, and keeps those that it already had.",
        ),
        click.option(
            "--config",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            envvar="PACKHORSE_CONFIG",
            show_envvar=True,
            help="The packhorse.toml that the server uses. Without this option the entry names no configuration file.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.group(short_help="Add packs to Claude Desktop, or remove them.")
def desktop() -> None:
    """Let Claude Desktop use your packs.

    Claude Desktop keeps a list of servers in a file called
    claude_desktop_config.json. These commands find that file on macOS, Windows
    and Linux and put packs on the list, take them off it, or print an entry to
    paste. The rest of the file stays exactly as it is.
    """


@desktop.command(epilog="For example: packhorse desktop install circadian locator --one-entry travel")
@entry_options
@_config_file
@dry_run_option
@json_option
def install(
    packs: tuple[str, ...],
    separate: bool,
    one_entry: str | None,
    reload: bool,
    pairs: tuple[str, ...],
    config: Path | None,
    config_file: Path | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Put packs on Claude Desktop's list of servers.

    A PACK gets an entry of its own name; several share one entry, called packhorse,
    and if you name none it serves every installed pack. PACK may be the path of a
    file, such as ./weather.py. Before the file changes, a copy is saved in its folder. Installing again is
    safe, and brings an entry up to date.
    """
    env = app.env_from(pairs)
    wanted = entries_of(packs, separate, one_entry, reload, env, config)
    warnings = secret_warnings(env)
    places = _places(config_file)
    warnings += [
        f"The folder {folder} did not exist: is Claude Desktop installed? It reads the file once it is installed."
        for folder in (Path(place.path).parent for place in places)
        if not folder.is_dir()
    ]
    edits = [app.plan_install(Path(place.path), wanted) for place in places]
    finish("install", places, edits, dry_run=dry_run, as_json=as_json, warnings=warnings)


@desktop.command()
@click.argument("names", nargs=-1, metavar="[PACK]...")
@_config_file
@dry_run_option
@json_option
def remove(names: tuple[str, ...], config_file: Path | None, dry_run: bool, as_json: bool) -> None:
    """Take packs off Claude Desktop's list of servers.

    PACK is the name of an entry: a pack's name, or a name given with --one-entry.
    If you name no PACK, every entry that runs packhorse is removed. Entries of other
    programs are never touched. Before the file changes, a copy is saved.
    """
    places = _places(config_file)
    edits = [app.plan_remove(Path(place.path), names) for place in places]
    finish("remove", places, edits, dry_run=dry_run, as_json=as_json)


@desktop.command("print")
@entry_options
@_config_file
@json_option
def print_(
    packs: tuple[str, ...],
    separate: bool,
    one_entry: str | None,
    reload: bool,
    pairs: tuple[str, ...],
    config: Path | None,
    config_file: Path | None,
    as_json: bool,
) -> None:
    """Print the JSON to paste, and change nothing.

    Accepts the same PACK and options as install. The JSON goes to standard
    output. The path of the file to paste it into goes to standard error.
    """
    wanted = entries_of(packs, separate, one_entry, reload, app.env_from(pairs), config)
    servers = {"mcpServers": {entry.name: entry.as_json() for entry in wanted}}
    places = _places(config_file)
    if as_json:
        files = [{"path": str(place.path), "installation": place.installation} for place in places]
        show({"action": "print", "files": files, **servers})
        return
    show(servers)
    for place in places:
        click.echo(f"Paste this into {place.path}, beside the servers that are in it. {_AGAIN}", err=True)


def entries_of(
    packs: Sequence[str],
    separate: bool,
    one_entry: str | None,
    reload: bool,
    env: dict[str, str],
    config: Path | None,
) -> tuple[app.Entry, ...]:
    """The entries that a command line asks for; a pack may be the path of a file."""
    from packhorse.compose.file_packs import found_file, is_file

    found = {pack: found_file(pack) for pack in packs if is_file(pack)}
    return app.entries(
        [found[pack].name if pack in found else pack for pack in packs],
        installed={point.name for point in entry_points(group="packhorse")},
        files={one.name: str(one.file) for one in found.values()},
        # Made absolute and no more: resolving a virtual environment's link would leave the environment.
        interpreter=str(Path(sys.executable).absolute()),
        one_entry=one_entry,
        separate=separate,
        reload=reload,
        config=None if config is None else str(config.absolute()),
        env=env,
    )


def secret_warnings(env: dict[str, str]) -> list[str]:
    """What to say of variables that look like secrets."""
    return [
        f"{name} looks like a secret. This file, and later backups of it, contain it in clear text; a"
        " packhorse.toml that only you can read is a better place (see --config)."
        for name in app.secrets_in(env)
    ]


def _places(config_file: Path | None) -> tuple[app.Location, ...]:
    if config_file is not None:
        return (app.Location("chosen", config_file.absolute()),)
    return app.locations(sys.platform, os.environ, Path.home(), app.names_in)


def finish(
    action: str,
    places: Sequence[app.Location],
    edits: Sequence[app.Edit],
    *,
    dry_run: bool,
    as_json: bool,
    warnings: Sequence[str] = (),
    again: str = _AGAIN,
) -> None:
    """Write the edits unless this is a dry run, and say what became of each file."""
    changed = any(edit.changed for edit in edits)
    backups = [None] * len(edits) if dry_run else app.apply(edits, system_clock())
    if as_json:
        files = [
            {
                "path": str(edit.path),
                "installation": place.installation,
                "changed": edit.changed,
                "backup": backup and str(backup),
                "entries": dict(edit.changes),
            }
            for place, edit, backup in zip(places, edits, backups, strict=True)
        ]
        report = {"action": action, "dry_run": dry_run, "files": files, "warnings": list(warnings)}
        show({**report, "restart": changed and not dry_run})
        return
    if len(edits) > 1:
        click.echo(f"Claude Desktop seems to be installed {len(edits)} times here, each time with its own file.")
    for edit, backup in zip(edits, backups, strict=True):
        _tell(edit, backup, dry_run)
    for warning in warnings:
        click.echo(f"Warning: {warning}", err=True)
    if dry_run:
        click.echo("Nothing was written: this was a dry run.")
    elif changed:
        click.echo(again)


def _tell(edit: app.Edit, backup: Path | None, dry_run: bool) -> None:
    click.echo(str(edit.path))
    for change in dict.fromkeys(edit.changes.values()):
        names = ", ".join(name for name, became in edit.changes.items() if became == change)
        click.echo(f"  {(_WOULD if dry_run else _DID)[change]} {names}")
    if not edit.changes:
        click.echo("  No entry here starts packhorse.")
    if not edit.changed:
        click.echo("  The file stays as it is.")
    elif backup is not None:
        click.echo(f"  Copy of the file before the change: {backup}")
    elif edit.before is None and not dry_run:
        click.echo("  The file is new.")
