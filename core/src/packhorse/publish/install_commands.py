"""``packhorse install CLIENT`` and ``uninstall CLIENT``: packs on the list of servers of the client that one has."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import click

from packhorse.errors import UserError
from packhorse.publish import desktop as app
from packhorse.publish import desktop_commands as on_desktop
from packhorse.publish.clients import CLIENTS, Client, Scope, claude_command
from packhorse.terminal import json_option


@click.group(short_help="Add packs to Claude Code, Cursor, VS Code, Codex, Gemini CLI or Claude Desktop.")
def install() -> None:
    """Let a client use your packs.

    Puts an entry that starts packhorse on the client's own list of servers; the
    rest of its file stays as it is. 'packhorse uninstall' takes it off again.
    """


@click.group(short_help="Remove packs from a client's list of servers.")
def uninstall() -> None:
    """Take packs off a client's list of servers; entries of other programs are never touched."""


install.add_command(on_desktop.install, "desktop")
uninstall.add_command(on_desktop.remove, "desktop")


def _add(client: Client) -> None:
    scopes = click.option(
        "--scope",
        type=click.Choice(["user", "project"]),
        default=client.usual,
        show_default=True,
        help="All projects of yours, or the one in this folder.",
    )

    @install.command(
        client.name,
        short_help=f"Add packs to {client.title}.",
        help=f"Put packs on {client.title}'s list of servers.\n\nA PACK gets an entry of its own name; several share"
        " one entry, called packhorse, and if you name none it serves every installed pack. PACK may be the path of a"
        f" file.\n\nFor example: packhorse install {client.name} ./weather.py --reload",
    )
    @on_desktop.entry_options
    @scopes
    @on_desktop.dry_run_option
    @json_option
    def put(
        packs: tuple[str, ...],
        separate: bool,
        one_entry: str | None,
        reload: bool,
        pairs: tuple[str, ...],
        config: Path | None,
        scope: Scope,
        dry_run: bool,
        as_json: bool,
    ) -> None:
        env = app.env_from(pairs)
        wanted = on_desktop.entries_of(packs, separate, one_entry, reload, env, config)
        if client.name == "claude-code" and scope == "user":
            _claude([claude_command(entry) for entry in wanted], dry_run)
            return
        _finish("install", client, client.plan_install(_file(client, scope), wanted), dry_run, as_json, env)

    @uninstall.command(
        client.name,
        short_help=f"Remove packs from {client.title}.",
        help=f"Take packs off {client.title}'s list of servers.\n\nNAME is the name of an entry; if you name none,"
        " every entry that runs packhorse is removed.",
    )
    @click.argument("names", nargs=-1, metavar="[NAME]...")
    @scopes
    @on_desktop.dry_run_option
    @json_option
    def drop(names: tuple[str, ...], scope: Scope, dry_run: bool, as_json: bool) -> None:
        if client.name == "claude-code" and scope == "user":
            if not names:
                raise click.UsageError("Name the entries: 'claude mcp list' lists them.")
            _claude([["claude", "mcp", "remove", "--scope", "user", name] for name in names], dry_run)
            return
        _finish("remove", client, client.plan_remove(_file(client, scope), names), dry_run, as_json, {})


for _client in CLIENTS.values():
    _add(_client)


def _file(client: Client, scope: Scope) -> Path:
    return client.path(scope, os.environ, Path.home(), Path.cwd())


def _finish(action: str, client: Client, edit: app.Edit, dry_run: bool, as_json: bool, env: dict[str, str]) -> None:
    on_desktop.finish(
        action,
        [app.Location("chosen", edit.path)],
        [edit],
        dry_run=dry_run,
        as_json=as_json,
        warnings=on_desktop.secret_warnings(env),
        again=client.again if action == "install" else f"Start {client.title} again.",
    )


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
