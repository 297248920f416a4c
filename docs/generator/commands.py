"""The page about commands: what each says with --help."""

import click
from generator.markdown import code, page

from packhorse.cli import cli

_WIDTH = 88


def commands_page() -> str:
    """Each command's --help."""
    intro = "What each command says with `--help`. With `--json` a command prints for programs."
    return page("Commands", intro, *_helps(cli, None, "packhorse"))


def command_names() -> list[str]:
    """Every command in full, ``packhorse desktop install`` for one."""
    return [context.command_path for context in _contexts(cli, None, "packhorse")]


def _helps(command: click.Command, parent: click.Context | None, name: str) -> list[str]:
    return [
        f"## {context.command_path}\n\n{code(context.command.get_help(context))}"
        for context in _contexts(command, parent, name)
    ]


def _contexts(command: click.Command, parent: click.Context | None, name: str) -> list[click.Context]:
    how = {"terminal_width": _WIDTH, "max_content_width": _WIDTH, **command.context_settings}
    command._help_option = None  # noqa: SLF001 - click keeps the names that it had for whoever asked first
    context = click.Context(command, parent=parent, info_name=name, **how)
    found = [context]
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            sub = command.get_command(context, below)
            if sub is not None:
                found += _contexts(sub, context, below)
    return found
