"""``packhorse install``, ``uninstall`` and ``desktop``: servers on the list of the client that one has."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from packhorse.contract.clock import system_clock
from packhorse.errors import UserError
from packhorse.publish import desktop as app
from packhorse.publish import edits as planned
from packhorse.publish.asked import entries_asked_for, entry_options, remote_options
from packhorse.publish.clients import CLIENTS, DESKTOP, Client, Scope, claude_command, servers_of_claude_code
from packhorse.publish.listed import meant
from packhorse.publish.wanted import Entry, secrets_in
from packhorse.terminal import json_option, options, show

F = TypeVar("F", bound=Callable[..., Any])

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
_dry_run = click.option("--dry-run", is_flag=True, help="Print what would change, and write nothing.")


_its_url = click.option("--url", help="Remove the entries of the server at this URL.")


def _of_a_running_server(client: Client, own: Callable[[F], F]) -> Callable[[F], F]:
    """Options that Claude Desktop lacks: its file starts programs, and it takes addresses in the app alone."""
    return options() if client is DESKTOP else own


def _where(client: Client) -> Callable[[F], F]:
    """The option that says which file of the client."""
    if client is DESKTOP:
        return _config_file
    return click.option(
        "--scope",
        type=click.Choice(["user", "project"]),
        default=client.usual,
        show_default=True,
        help="user: in all your projects; project: only in the project in this folder.",
    )


def _put(client: Client) -> click.Command:
    @click.command(
        client.name,
        short_help=f"Add packs to {client.title}.",
        help=f"Put packs on {client.title}'s list of servers.\n\nIf you name one PACK, the entry has its name."
        " If you name several, they share an entry called packhorse. If you name none, that entry serves every"
        " installed pack and mounted server. PACK may be the path of a file, such as ./weather.py, or the name of a"
        " mounted server. If the configuration file also has entries of other programs, packhorse first saves a copy"
        " of it in the same folder. If you install again, the entry gets the packs that you name now, and no others.",
        epilog=f"For example: packhorse install {client.name} ./weather.py --reload",
    )
    @entry_options
    @_of_a_running_server(client, remote_options)
    @_where(client)
    @_dry_run
    @json_option
    def put(dry_run: bool, as_json: bool, scope: Scope = "user", config_file: Path | None = None, **asked: Any) -> None:
        wanted = entries_asked_for(**asked)
        if client.name == "claude-code" and scope == "user":
            _claude([claude_command(entry) for entry in wanted], dry_run)
            return
        places = _places(client, scope, config_file)
        warnings = [
            f"{name} looks like a secret. This file, and later backups of it, contain it in clear text; a"
            " packhorse.toml that only you can read is a better place (see --config)."
            for name in secrets_in({name for entry in wanted if isinstance(entry, Entry) for name in entry.env})
        ]
        if client is DESKTOP:
            warnings += [
                f"The folder {folder} did not exist: is Claude Desktop installed? It reads the file once it is"
                " installed."
                for folder in (Path(place.path).parent for place in places)
                if not folder.is_dir()
            ]
        edits = [client.plan_install(Path(place.path), wanted) for place in places]
        _finish("install", client, places, edits, dry_run=dry_run, as_json=as_json, warnings=warnings)

    return put


def _drop(client: Client) -> click.Command:
    @click.command(
        client.name,
        short_help=f"Remove packs from {client.title}.",
        help=f"Take packs off {client.title}'s list of servers.\n\nWithout NAME, all entries that run packhorse are"
        " removed: try --dry-run first. NAME is the name of an entry. You can also give what you gave to 'packhorse"
        " install CLIENT': a pack or file, or all packs of an entry with several. To take one pack out of such an"
        " entry, install again without it. Entries of other programs are never touched."
        " If the configuration file also has entries of other programs, packhorse first saves a copy of it in the"
        " same folder.",
    )
    @click.argument("names", nargs=-1, metavar="[NAME]...")
    @_of_a_running_server(client, _its_url)
    @_where(client)
    @_dry_run
    @json_option
    def drop(
        names: tuple[str, ...],
        dry_run: bool,
        as_json: bool,
        url: str | None = None,
        scope: Scope = "user",
        config_file: Path | None = None,
    ) -> None:
        if client.name == "claude-code" and scope == "user":
            if not names:
                raise click.UsageError("Name the entries: 'claude mcp list' lists them.")
            named = meant(servers_of_claude_code(Path.home()), names)
            _claude([["claude", "mcp", "remove", "--scope", "user", name] for name in named], dry_run)
            return
        places = _places(client, scope, config_file)
        edits = [client.plan_remove(Path(place.path), names, url=url) for place in places]
        none = "No entry here starts packhorse." if url is None else f"No entry here has the URL {url}."
        _finish("remove", client, places, edits, dry_run=dry_run, as_json=as_json, none=none)

    return drop


@click.group(short_help="Add packs to Claude Code, Cursor, VS Code or another client.")
def install() -> None:
    """Add your packs, or a server that is already running, to a client.

    This puts an entry on the client's own list of servers, and leaves the rest of
    its configuration file unchanged. 'packhorse uninstall' removes the entry.
    """


@click.group(short_help="Remove packs from a client's list of servers.")
def uninstall() -> None:
    """Remove packs from a client's list of servers.

    Entries of other programs are never touched.
    """


@click.group(short_help="Add packs to Claude Desktop, or remove them.")
def desktop() -> None:
    """Let Claude Desktop use your packs.

    Claude Desktop keeps a list of servers in a file called
    claude_desktop_config.json. These commands find that file on macOS, Windows
    and Linux and put packs on the list (the same as 'packhorse install
    desktop'), take them off it ('packhorse uninstall desktop'), or print an
    entry to paste. The rest of the file stays exactly as it is.
    """


for _client in (*CLIENTS.values(), DESKTOP):
    install.add_command(_put(_client))
    uninstall.add_command(_drop(_client))
desktop.add_command(install.commands["desktop"], "install")
desktop.add_command(uninstall.commands["desktop"], "remove")


@desktop.command("print")
@entry_options
@_config_file
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with the entry and the file's path.")
def print_(config_file: Path | None, as_json: bool, **asked: Any) -> None:
    """Print the JSON to paste, and change nothing.

    Accepts the same PACK and options as install. The JSON goes to standard
    output. The path of the file to paste it into is printed on standard error.
    """
    servers = {"mcpServers": {entry.name: DESKTOP.member(entry) for entry in entries_asked_for(**asked)}}
    places = _places(DESKTOP, "user", config_file)
    if as_json:
        files = [{"path": str(place.path), "installation": place.installation} for place in places]
        show({"action": "print", "files": files, **servers})
        return
    show(servers)
    for place in places:
        click.echo(f"Paste this into {place.path}, beside the servers that are in it. {DESKTOP.again}", err=True)


def _places(client: Client, scope: Scope, config_file: Path | None) -> Sequence[app.Location]:
    if client is not DESKTOP:
        return [app.Location("chosen", client.path(scope, os.environ, Path.home(), Path.cwd()))]
    if config_file is not None:
        return [app.Location("chosen", config_file.absolute())]
    return app.locations(sys.platform, os.environ, Path.home(), app.names_in)


def _finish(
    action: str,
    client: Client,
    places: Sequence[app.Location],
    edits: Sequence[planned.Edit],
    *,
    dry_run: bool,
    as_json: bool,
    warnings: Sequence[str] = (),
    none: str = "",
) -> None:
    """Write the edits unless this is a dry run, and say what became of each file."""
    changed = any(edit.changed for edit in edits)
    backups = [None] * len(edits) if dry_run else planned.apply(edits, system_clock())
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
        click.echo(f"{client.title} seems to be installed {len(edits)} times here, each time with its own file.")
    for edit, backup in zip(edits, backups, strict=True):
        _report(edit, backup, dry_run, none)
    for warning in warnings:
        click.echo(f"Warning: {warning}", err=True)
    if dry_run:
        click.echo("Nothing was written: this was a dry run.")
    elif changed:
        click.echo(client.again if action == "install" or client is DESKTOP else f"Start {client.title} again.")


def _report(edit: planned.Edit, backup: Path | None, dry_run: bool, none: str) -> None:
    click.echo(str(edit.path))
    for change in dict.fromkeys(edit.changes.values()):
        names = ", ".join(name for name, became in edit.changes.items() if became == change)
        click.echo(f"  {(_WOULD if dry_run else _DID)[change]} {names}")
    if not edit.changes:
        click.echo(f"  {none}")
    for note in edit.notes:
        click.echo(f"  {note}")
    if not edit.changed:
        click.echo("  The file stays as it is.")
    elif backup is not None:
        click.echo(f"  Copy of the file before the change: {backup}")
    elif edit.before is None and not dry_run:
        click.echo("  The file is new.")
    elif edit.after is None:
        click.echo(f"  Nothing else was in the file: it {'would be' if dry_run else 'is'} deleted.")


def _claude(commands: Sequence[Sequence[str]], dry_run: bool) -> None:
    """Have Claude Code change its own list: it writes its file whenever it runs, over what others put there."""
    for command in commands:
        if dry_run:
            click.echo(shlex.join(command))
            continue
        program = shutil.which(command[0])
        if program is None:
            raise UserError(
                "Claude Code's command 'claude' is not on your PATH. Install it, run the command that --dry-run prints"
                " where it is, or choose --scope project.",
                code="DESKTOP_CONFIG_INVALID",
            )
        ran = subprocess.run([program, *command[1:]], check=False)  # noqa: S603
        if ran.returncode:
            raise click.exceptions.Exit(ran.returncode)
