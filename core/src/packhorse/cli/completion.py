"""``packhorse completion``: what a shell needs to complete our commands."""

import os
from pathlib import PurePath

import click

from packhorse.errors import UserError

# Where each shell reads it from at its start: click's documentation, "Shell Completion".
_LINES = {
    "bash": 'eval "$(packhorse completion bash)"  # in ~/.bashrc',
    "zsh": 'eval "$(packhorse completion zsh)"  # in ~/.zshrc',
    "fish": "packhorse completion fish > ~/.config/fish/completions/packhorse.fish",
}


@click.command(epilog='For example, in ~/.bashrc: eval "$(packhorse completion bash)"')
@click.argument("shell", type=click.Choice(list(_LINES)), required=False)
def completion(shell: str | None) -> None:
    """Print the script with which the Tab key completes packhorse's commands.

    Without an argument, it prints the script for the shell that you use.
    """
    chosen = shell or PurePath(os.environ.get("SHELL", "")).name
    if chosen not in _LINES:
        raise UserError(f"Say which shell: {', '.join(_LINES)}.", code="SHELL")
    from click.shell_completion import get_completion_class

    from packhorse.cli import cli

    kind = get_completion_class(chosen)
    if kind is None:
        raise UserError(
            f"The installed Python package click cannot complete commands in {chosen}: install a newer version of it.",
            code="SHELL",
        )
    click.echo(kind(cli, {}, "packhorse", "_PACKHORSE_COMPLETE").source())
    click.echo(f"To have it always: {_LINES[chosen]}", err=True)
