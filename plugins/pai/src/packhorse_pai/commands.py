"""``packhorse pai ...``: lint cards and governance, export the policy, decide approvals, stop and start agents."""

import getpass
import json
from pathlib import Path

import click

from packhorse import Host, UserError
from packhorse_pai import convert
from packhorse_pai.domain.cedar import cedar
from packhorse_pai.domain.compiling import compile_policy
from packhorse_pai.domain.policy import HostTool
from packhorse_pai.errors import GovernanceError
from packhorse_pai.service.desk import AgentDesk, desk_of
from packhorse_pai.service.folders import cards_in, shipped_matrix, sources_in

_FOLDER = click.Path(path_type=Path)


def commands(host: Host) -> list[click.Command]:
    """The commands over one host's desk."""
    desk = desk_of(host)
    return [
        lint,
        _export(desk),
        _pending(desk),
        _decision(desk, "approve"),
        _decision(desk, "deny"),
        _stop(desk),
        _start(desk),
    ]


@click.command()
@click.argument("cards", type=_FOLDER)
@click.option(
    "--governance", type=_FOLDER, help="A folder with the matrix, spawn and registry files to compare the cards with."
)
@click.option("--json", "as_json", is_flag=True, help="Print cards and conflicts as JSON.")
@click.option("--strict", is_flag=True, help="End with status 1 if there is any conflict.")
def lint(cards: Path, governance: Path | None, *, as_json: bool, strict: bool) -> None:
    """Read the identity CARDS of a folder and say what contradicts what.

    Without --governance the cards are compared with one another and with the
    shipped matrix. Every contradiction denies the right it is about.
    """
    try:
        readings = cards_in(cards)
        sources = sources_in(governance) if governance else []
    except GovernanceError as exc:
        raise click.ClickException(str(exc)) from exc
    compiled = compile_policy(readings, sources or [shipped_matrix()])
    if as_json:
        click.echo(json.dumps(convert.lint_report(readings, compiled), indent=2, ensure_ascii=False))
    else:
        for conflict in compiled.conflicts:
            taken = f" Denied: {', '.join(conflict.denies)}." if conflict.denies else ""
            click.echo(f"{conflict.kind}: {conflict.message}{taken}")
        click.echo(f"{len(readings)} cards, {len(compiled.conflicts)} conflicts; policy {compiled.policy.digest[:16]}")
    if strict and compiled.conflicts:
        raise SystemExit(1)


def _export(desk: AgentDesk) -> click.Command:
    @click.command(name="export")
    @click.option("--cedar", "as_cedar", is_flag=True, required=True, help="Print the policy as Cedar policies.")
    def export(*, as_cedar: bool) -> None:
        """Print the policy for a gateway above this host, as if every granted tool were offered and could change."""
        sources = desk.library.sources
        names = sorted({tool for source in sources for tools in source.uses.values() for tool in tools})
        click.echo(cedar(desk.library.compiled({name: HostTool(name) for name in names}).policy), nl=False)

    return export


def _pending(desk: AgentDesk) -> click.Command:
    @click.command(name="pending")
    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    def pending(*, as_json: bool) -> None:
        """List the agents' calls that wait for a person, with exactly what each would do."""
        waiting = desk.pending()
        if as_json:
            click.echo(json.dumps(convert.pending_approvals(waiting).model_dump(mode="json")["approvals"], indent=2))
            return
        for approval in waiting:
            click.echo(f"{approval.id}  valid until {approval.expires_at:%Y-%m-%d %H:%M} UTC  run {approval.run}")
            click.echo(convert.question(approval))
        click.echo(f"{len(waiting)} waiting")

    return pending


def _decision(desk: AgentDesk, word: str) -> click.Command:
    @click.command(name=word, help=f"{word.title()} one call by its APPROVAL id. This command does not run the call.")
    @click.argument("approval")
    @click.option("--comment", help="The reason, which is stored with the decision.")
    def decision(approval: str, comment: str | None) -> None:
        try:
            found = desk.decide(
                approval, approve=word == "approve", by=f"terminal::{getpass.getuser()}", comment=comment
            )
        except UserError as exc:
            raise click.ClickException(exc.message) from exc
        done = "approved" if word == "approve" else "denied"
        click.echo(f"{done}: {found.tool} for {found.agent}. Call invoke_agent with goal_id to continue the run.")

    return decision


def _stop(desk: AgentDesk) -> click.Command:
    @click.command(name="stop")
    def stop() -> None:
        """Stop every agent at once: from now on each call they make is denied, in every process of this host."""
        desk.records.stop(f"terminal::{getpass.getuser()}", desk.now())
        click.echo("all agents are stopped; `packhorse pai start` lets them work again")

    return stop


def _start(desk: AgentDesk) -> click.Command:
    @click.command(name="start")
    def start() -> None:
        """Let agents work again."""
        desk.records.start()
        click.echo("agents may work again")

    return start
