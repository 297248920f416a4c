"""The ``packhorse`` command. Each subcommand is imported when it is asked for."""

import importlib
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import metadata
from typing import TYPE_CHECKING, Any, NoReturn

import click

from packhorse.errors import PackError, PackhorseError
from packhorse.errors.nearest import did_you_mean

if TYPE_CHECKING:
    from packhorse.contract.observers import ObservedCall

# name -> (module, attribute, the line in the help), in the order that a newcomer needs them
_COMMANDS = {
    "demo": ("packhorse.cli.demo", "demo", "See every installed pack at work, through a real client."),
    "packs": ("packhorse.cli.look", "packs", "List the installed packs, and what is wrong with broken packs."),
    "tools": ("packhorse.cli.look", "tools", "List the tools that a server would offer."),
    "call": ("packhorse.cli.ask", "call", "Call a tool: packhorse call TOOL JSON."),
    "read": ("packhorse.cli.ask", "read", "Read a resource: packhorse read URI."),
    "prompt": ("packhorse.cli.ask", "prompt", "Show a prompt: packhorse prompt NAME [KEY=VALUE]..."),
    "sign-out": ("packhorse.cli.sign_out", "sign_out", "Sign out of a server that you signed in to with --login."),
    "serve": ("packhorse.cli.serve", "serve", "Run a server with the packs that you name, or with all."),
    "store": ("packhorse.cli.store", "store", "Back up and restore the packs' data, or copy it into PostgreSQL."),
    "lock": (
        "packhorse.cli.lock",
        "lock",
        "Save the tools' descriptions, so that a server can refuse to start if one has changed.",
    ),
    "check": ("packhorse.cli.check", "check", "Look for problems in this installation, and say how to solve them."),
    "completion": (
        "packhorse.cli.completion",
        "completion",
        "Print the script with which the Tab key completes packhorse's commands.",
    ),
}

_WHOLE = 1000
"""Characters of a summary in a list of commands: click cuts it off where the line ends."""

_WORKER = "AnyIO worker thread"  # the name anyio gives the threads that plain functions run in
_WORKER_SECONDS = 0.5


class _ReaderLeftError(Exception):
    """The reader of our output has gone. click would make it a failure."""


class _Commands(click.Group):
    """The host's commands and those of its built-in packs, then each installed pack's own under the pack's name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_COMMANDS, *_of_builtin()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _COMMANDS:
            module, attribute, _ = _COMMANDS[cmd_name]
            command: click.Command = getattr(importlib.import_module(module), attribute)
            return _with_summaries(command)
        other = _builtin_command(cmd_name) or _group_of(cmd_name)
        return None if other is None else _with_summaries(other)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in _COMMANDS.items()])
        with formatter.section("More commands"):
            formatter.write_dl([(name, one.get_short_help_str(_WHOLE)) for name, (_, one) in _of_builtin().items()])
        formatter.write_paragraph()
        formatter.write_text("A pack may have commands of its own: packhorse PACK --help.")

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as exc:
            raise _ReaderLeftError from exc

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as exc:
            known = [*self.list_commands(ctx), *(point.name for point in metadata.entry_points(group="packhorse"))]
            raise click.UsageError(
                f"There is no command or pack {args[0]!r}.{did_you_mean(args[0], known)} Run 'packhorse --help' for the"
                " commands and 'packhorse packs' for the packs.",
                ctx,
            ) from exc


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="packhorse")
def cli() -> None:
    """packhorse: a plugin-based MCP host.

    Install the packs you want with pip; packhorse finds them and serves them
    to Claude Desktop or any other MCP client.
    """


def _with_summaries(command: click.Command) -> click.Command:
    """The command; the list of those below it shows each one's whole first sentence."""
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        _with_summaries(below)
        if below.short_help is None and not below.deprecated:
            below.short_help = below.get_short_help_str(_WHOLE)
    return command


def _of_builtin() -> Mapping[str, tuple[str, click.Command]]:
    """The commands of the built-in packs by name, each with the name of its pack; no settings are read for it."""
    from packhorse.contract.hookspecs import BUILTIN

    made: dict[str, tuple[str, click.Command]] = {}
    for point in metadata.distribution("packhorse").entry_points.select(group=BUILTIN):
        offered = getattr(importlib.import_module(point.value), "register_commands", tuple)
        made |= {command.name: (point.name, command) for command in offered()}
    return made


def _builtin_command(name: str) -> click.Command | None:
    """A command of a built-in pack; None when there is no such command.

    Raises:
        PackError: its pack is left out.
    """
    pack, command = _of_builtin().get(name, ("", None))
    if command is not None and pack in _left_out():
        raise PackError(
            f"{name!r} is a command of the built-in pack {pack!r}, which is switched off: remove {pack!r} from"
            " the setting `without` under [server]"
        )
    return command


def _left_out() -> tuple[str, ...]:
    from packhorse import settings

    try:
        return settings.load(None).server.without
    except PackhorseError:
        return ()  # the command says what is wrong with the settings, if it reads them


def _group_of(name: str) -> click.Command | None:
    """The commands of one installed pack; None when there is no such pack.

    Raises:
        PackError: the pack is broken, or brings no commands.
    """
    from packhorse.compose import packs

    if name not in {found.name for found in packs.find()}:
        return None
    from packhorse.cli.options import deployed
    from packhorse.compose.collect import contributions
    from packhorse.contract.principal import LOCAL

    deployment = deployed(None, [name], faults=False, strict=True)
    host = deployment.hosts[name]
    host.served = lambda: deployed(None, faults=False).dispatcher.offered(LOCAL)

    def note(call: "ObservedCall") -> None:
        try:
            deployed(None, faults=False).note(call)  # which knows the personal data of every pack
        except PackError:
            deployment.note(call)

    host.noted = note
    loaded = deployment.catalogue.packs[0]
    commands = contributions(deployment.manager, loaded, "register_commands", host)
    for command in commands:
        if not isinstance(command, click.Command):
            raise PackError(f"pack {name!r}: register_commands must return click commands")
    if not commands:
        raise PackError(f"the pack {name!r} has no commands of its own; see 'packhorse tools {name}' for its tools")
    group = click.Group(name, help=f"Commands of the pack {name} ({loaded.pack.title}).")
    for command in commands:
        group.add_command(command)
    return group


def main() -> None:
    """Run the command line, and end as people expect of a command."""
    leave(run())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, that of the process when none is given; its exit status."""
    try:
        status: Any = cli.main(arguments, standalone_mode=False)
    except PackhorseError as exc:
        click.echo(f"Error: {exc}", err=True)
        return 1
    except click.ClickException as exc:
        exc.show()
        return exc.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("Stopped.", err=True)
        return 130
    except _ReaderLeftError:
        # Point our output elsewhere, so that the interpreter's own flush is quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return status if isinstance(status, int) else 0


def leave(status: int) -> NoReturn:
    """End the process, even where a call's thread does not end: it was given up, and cannot be stopped."""
    workers = [thread for thread in threading.enumerate() if thread.name == _WORKER]
    for thread in workers:
        thread.join(_WORKER_SECONDS)
    if any(thread.is_alive() for thread in workers):
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    sys.exit(status)
