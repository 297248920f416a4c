"""``packhorse pai ...``: lint cards and governance, export the policy, decide approvals, stop and start agents."""

import getpass
import json
import sys

import click

from packhorse import Host, UserError
from packhorse_pai import convert
from packhorse_pai.commands.lint import lint_command, new_command
from packhorse_pai.domain.cedar import cedar
from packhorse_pai.domain.people import TERMINAL, Person
from packhorse_pai.domain.policy import HostTool
from packhorse_pai.service import agents_of
from packhorse_pai.service.agents import AgentService
from packhorse_pai.store.approvals import Approval


def commands(host: Host) -> list[click.Command]:
    """The commands over one host's service."""
    service = agents_of(host)
    return [
        lint_command(service),
        new_command(service),
        _trail(service),
        _export(service),
        _pending(service),
        _decide(service),
        _stop(service),
        _start(service),
    ]


def _trail(service: AgentService) -> click.Command:
    @click.command(name="trail")
    @click.argument("run", required=False)
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    def trail(run: str | None, *, as_json: bool) -> None:
        """List what agents tried to do, with the result, and who approved or denied calls.

        With RUN: list only the attempts of that run.
        """
        lines = service.records.attempts(run)
        if as_json:
            click.echo(json.dumps(lines, indent=2, ensure_ascii=False))
            return
        if run and not lines:
            raise click.ClickException(f"The record has no run {run[:40]!r}. 'packhorse pai trail' lists all attempts.")
        for line in lines:
            click.echo(convert.trail_line(line))
        decisions = sum(line["kind"] == "decision" for line in lines)
        click.echo(f"Attempts: {len(lines) - decisions}" + (f", decisions: {decisions}" if decisions else ""))

    return trail


def _export(service: AgentService) -> click.Command:
    @click.command(name="export")
    @click.option("--cedar", "as_cedar", is_flag=True, required=True, help="Print the policy as Cedar policies.")
    def export(*, as_cedar: bool) -> None:
        """Print the policy for a gateway in front of this server.

        The policy assumes that this server offers every granted tool, and that each of them can change data.
        """
        sources = service.library.sources
        names = sorted({tool for source in sources for tools in source.uses.values() for tool in tools})
        click.echo(cedar(service.library.compiled({name: HostTool(name) for name in names}).policy), nl=False)

    return export


def _pending(service: AgentService) -> click.Command:
    @click.command(name="pending")
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    def pending(*, as_json: bool) -> None:
        """List the agents' calls that wait for approval, with what each would do."""
        waiting = service.approving.pending()
        if as_json:
            click.echo(json.dumps([convert.waiting_fields(one) for one in waiting], indent=2, ensure_ascii=False))
            return
        for approval in waiting:
            click.echo(f"{approval.id}  until {approval.expires_at:%Y-%m-%d %H:%M} UTC")
            click.echo(_words(service, approval))
        click.echo(f"{len(waiting)} waiting")

    return pending


def _words(service: AgentService, approval: Approval) -> str:
    mission, by_person = service.approving.mission(approval)
    return convert.question(approval, mission, by_person=by_person)


def _decide(service: AgentService) -> click.Command:
    @click.command(name="decide")
    @click.argument("approval")
    @click.option("--deny", is_flag=True, help="Deny the call.")
    @click.option("--comment", help="The reason, kept with the decision.")
    def decide(approval: str, *, deny: bool, comment: str | None) -> None:
        """Approve or deny a call that an agent wants to make.

        APPROVAL is the id that 'packhorse pai pending' prints. Read what would change, and confirm by typing the
        word that you are asked for. The agent then makes its call itself.
        """
        if not sys.stdin.isatty():
            raise click.ClickException("Run this at a terminal: an answer from a pipe is not accepted.")
        found = service.records.approval(approval, service.now())
        if found is None:
            raise click.ClickException(f"There is no approval {approval!r}. 'packhorse pai pending' lists them.")
        words = _words(service, found)
        click.echo(words)
        last = _bare(words.split("\n", 1)[0].split()[-1])
        if not deny and _bare(click.prompt(f"To approve it, type the last word of the first line ({last})")) != last:
            raise click.ClickException(f"You did not type {last!r}, so nothing is decided.")
        by = str(_operator())
        try:
            service.approving.decide(approval, approve=not deny, by=by, comment=comment)
        except UserError as exc:
            raise click.ClickException(exc.message) from exc
        click.echo(
            f"{'denied' if deny else 'approved'}: {found.tool} for {found.agent}; the agent makes its call again."
        )

    return decide


def _bare(word: str) -> str:
    """A word without the marks around it, which nobody types, or everybody."""
    return word.strip(" .,;:!?\"'{}()[]")


def _operator() -> Person:
    return Person(TERMINAL, subject=getpass.getuser())


def _stop(service: AgentService) -> click.Command:
    @click.command(name="stop")
    def stop() -> None:
        """Stop every agent at once.

        From now on each call of an agent is denied, in every process of this server.
        """
        service.stop(_operator())
        click.echo("all agents are stopped; `packhorse pai start` lets them work again")

    return stop


def _start(service: AgentService) -> click.Command:
    @click.command(name="start")
    def start() -> None:
        """Let agents work again."""
        service.start(_operator())
        click.echo("agents may work again")

    return start
