"""``packhorse scheduling policy``: the institution's own texts for rag_search."""

from pathlib import Path

import click

from packhorse_scheduling.commands.asking import refusing
from packhorse_scheduling.domain.insight.wording import counted
from packhorse_scheduling.service import RosterDesk


def policy_command(desk: RosterDesk) -> click.Group:
    """The group."""

    @click.group("policy")
    def policy() -> None:
        """Add, list and remove the policy texts that the tool rag_search searches."""

    @policy.command("add")
    @click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
    @click.option(
        "--kind",
        type=click.Choice(["regulation", "institution", "procedure"]),
        default="institution",
        show_default=True,
    )
    @click.option(
        "--name",
        help="The name of the text, which replaces a text of the same name. Without this option: the file's name.",
    )
    def add_command(file: Path, kind: str, name: str | None) -> None:
        """Add a text or Markdown file; it is divided at its headings and paragraphs."""
        from packhorse_scheduling.service.policies import add_policy

        try:
            text = file.read_text("utf-8-sig")
        except UnicodeDecodeError as exc:
            raise click.ClickException(f"{file.name} is not UTF-8 text: convert it to .txt or .md first.") from exc
        called = name or file.name
        count = refusing(add_policy, desk, called, kind, text)
        click.echo(f"{called} is kept in {counted(count, 'passage')}.")

    @policy.command("list")
    def list_command() -> None:
        """List the texts that you added, without the pack's own summary of the duty-hour rules."""
        from packhorse_scheduling.store.policies import Policies

        with desk.rosters() as rosters:
            found = Policies(rosters.store).documents()
        for row in found:
            click.echo(f"{row['document']}  {row['kind']}  {counted(row['passages'], 'passage')}")
        if not found:
            click.echo("No text has been added.")

    @policy.command("remove")
    @click.argument("name")
    def remove_command(name: str) -> None:
        """Remove a text."""
        from packhorse_scheduling.service.policies import remove_policy

        refusing(remove_policy, desk, name)
        click.echo(f"{name} is removed.")

    return policy
