"""``packhorse pai lint`` and ``new``: check cards and governance files, and write the card of a new agent."""

import difflib
import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import click
from attrs import evolve

from packhorse_pai import convert
from packhorse_pai.domain.cards import Reading
from packhorse_pai.domain.compiling import Compiled, compile_policy
from packhorse_pai.domain.deriving import grant_text
from packhorse_pai.domain.findings import Finding, kinds_of
from packhorse_pai.domain.linting import findings
from packhorse_pai.domain.linting_sources import source_findings
from packhorse_pai.domain.linting_tasks import task_findings
from packhorse_pai.domain.names import is_agent, is_tool
from packhorse_pai.domain.playbooks import Playbook
from packhorse_pai.domain.policy import NEVER, SPAWN_TOOLS, HostTool, Policy
from packhorse_pai.errors import GovernanceError
from packhorse_pai.service.agents import AgentService
from packhorse_pai.service.folders import ENDING, cards_in, not_read, shipped_cards, shipped_matrix, sources_in
from packhorse_pai.service.library import shipped_playbooks, tasks_and_faults

_FOLDER = click.Path(path_type=Path)


def lint_command(service: AgentService) -> click.Command:
    """``packhorse pai lint``."""

    @click.command(name="lint")
    @click.argument("cards", type=_FOLDER)
    @click.option(
        "--governance",
        type=_FOLDER,
        help="A folder of governance files (who may use which tool, who may start whom) to compare the cards with.",
    )
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    @click.option("--strict", is_flag=True, help="End with status 1 if there is any conflict or finding.")
    def lint(cards: Path, governance: Path | None, *, as_json: bool, strict: bool) -> None:
        """Check the agents' cards in the folder CARDS for contradictions.

        Where two statements contradict each other, the permission is denied.
        Your cards and tasks are also checked against the shipped cards and
        the tools of every served pack. The command lists agents that nobody
        can invoke, tools that do not exist, and steps that the agent of a
        task may not take. It also lists rules that never apply, that always
        apply, or that another rule hides.
        """
        try:
            own, compiled, found = inspected(cards, governance, service.served())
        except GovernanceError as exc:
            raise click.ClickException(str(exc)) from exc
        if as_json:
            click.echo(json.dumps(convert.lint_report(own, compiled, found), indent=2, ensure_ascii=False))
        else:
            for conflict in compiled.conflicts:
                taken = f" Denied: {', '.join(conflict.denies)}." if conflict.denies else ""
                click.echo(f"{conflict.kind}: {conflict.message}{taken}")
            _say(found)
            counted = {"card": len(own), "conflict": len(compiled.conflicts), "finding": len(found)}
            counts = ", ".join(f"{count} {name}{'s' * (count != 1)}" for name, count in counted.items())
            click.echo(f"{counts}, policy {compiled.policy.digest[:16]}")
        if strict and (compiled.conflicts or found):
            raise SystemExit(1)

    return lint


def inspected(
    cards: Path, governance: Path | None, served: Mapping[str, HostTool]
) -> tuple[dict[str, Reading], Compiled, list[Finding]]:
    """The cards of a folder, what they and the governance files contradict, and what lint finds in all of it.

    Raises:
        GovernanceError: a folder or file that cannot be read.
    """
    own, (books, faults) = cards_in(cards), tasks_and_faults(cards)
    sources = sources_in(governance) if governance else []
    everyone = {**shipped_cards(), **own}
    shipped = everyone.keys() - own.keys()
    beside = compile_policy(everyone, [shipped_matrix(), *sources], served)
    compiled = compile_policy(everyone, sources, quiet=shipped) if governance else beside
    conflicts = tuple(one for one in compiled.conflicts if governance or one.subject in own)
    of_files = source_findings(sources, beside.policy, shipped, served)
    of_agents = _found(beside.policy, sorted(own), books, {source.name for source in sources})
    found = [*faults, *of_agents, *of_files]
    found += [Finding("not_read", name, text) for name, _, text in (one.partition(": ") for one in not_read(cards))]
    return own, evolve(compiled, conflicts=conflicts), found


def _found(
    policy: Policy, agents: Sequence[str], books: Sequence[Playbook], files: Collection[str] = ()
) -> list[Finding]:
    return [*findings(policy, agents, files), *task_findings(policy, books, [*shipped_playbooks(), *books])]


def _say(found: Sequence[Finding]) -> None:
    for one in found:
        click.echo(f"{one.kind}: {one.place}: {one.text}{'' if one.text.endswith('?') else '.'}")


CARD = """# {name} Identity Card

## Identity
- **Role:** {role}
- **Tier:** Specialist
- **Model:** haiku
- **Exposed:** yes

## Chain of Command
- **Reports To:** Human
- **Can Spawn:** None (terminal)
- **Escalate To:** Human

## Standing Orders (Execute Without Asking)
1. {role}

## Escalation Triggers (MUST Escalate)
- A tool refuses what the mission needs

## Key Constraints
- Never do what the mission does not ask for

## Tools
{tools}

## Limits
- **Calls:** 20

## One-Line Charter
"{role}."
"""


RULES = "# This holds by itself, by the names of arguments. For closer rules take the marks away, and change it.\n"
TASK = """# {role}: each tool once, in this order, with what `context` gives.
playbook = {task}
agent = {agent}

needs = {needs}
{steps}
[[steps]]
result = {{ {results} }}
"""
STEP = """
[[steps]]
call = {tool}
save = {tool}
args = {{ {arguments} }}
"""


def new_command(service: AgentService) -> click.Command:
    """``packhorse pai new``."""

    @click.command(name="new")
    @click.argument("name")
    @click.option("--tools", required=True, help="The tools that it may use, separated by commas.")
    @click.option("--role", default="Looks and reports", show_default=True, help="What it is for.")
    @click.option("--task", help="Also write a task of this name, which calls each tool once.")
    @click.option(
        "--into", type=_FOLDER, help="The folder for the card. Without this option: `cards` under [packs.pai]."
    )
    def new(name: str, tools: str, role: str, task: str | None, into: Path | None) -> None:
        """Write the card of a new agent: its role, its tools, their arguments, and its limits.

        NAME has capitals, digits and underscores. For each tool that changes
        something, the card suggests limits on its arguments in a comment
        under ## Tools. Uncomment them and make them stricter.
        """
        folder = into or service.own_cards
        names = [tool.strip() for tool in tools.split(",") if tool.strip()]
        if folder is None:
            raise click.ClickException(
                "Give the folder for the card: --into FOLDER, or set `cards` under [packs.pai] in packhorse.toml."
            )
        if not is_agent(name):
            raise click.ClickException(
                f"{name!r} cannot be an agent's name. Use capitals, digits and '_', such as BOB."
            )
        if name in shipped_cards():
            raise click.ClickException(f"There is already an agent {name}. Choose another name.")
        if wrong := [tool for tool in names if not is_tool(tool) or tool in NEVER or tool in SPAWN_TOOLS]:
            raise click.ClickException(f"An agent cannot have the tool {wrong[0]!r}. Leave it out of --tools.")
        if task is not None and not is_tool(task):
            raise click.ClickException(f"{task!r} cannot be a task's name. Use small letters, digits and '_'.")
        served = service.served()
        for tool in [tool for tool in names if served and tool not in served]:
            close = difflib.get_close_matches(tool, served, 3)
            hint = f"Did you mean {' or '.join(close)}?" if close else "'packhorse tools' lists the tools."
            raise click.ClickException(f"No served pack has a tool {tool!r}. {hint}")
        listed = "\n".join(f"- {tool}" for tool in names)
        observing = shipped_matrix().observing
        changing = [served[tool] for tool in names if tool in served and tool not in observing]
        kinds = kinds_of(served[tool] for tool in names if tool in served)
        if rules := [grant_text(tool, kinds) for tool in changing if not tool.read_only]:
            listed += f"\n\n```toml\n{RULES}{chr(10).join(rules)}```"
        written = {folder / f"{name}{ENDING}": CARD.format(name=name, role=role.rstrip("."), tools=listed)}
        if task is not None:
            written[folder / f"{task}.toml"] = _task(task, name, role, [(tool, served.get(tool)) for tool in names])
        if taken := [path for path in written if path.exists()]:
            raise click.ClickException(f"{taken[0]} already exists.")
        if not folder.exists():
            folder.mkdir(parents=True)
            click.echo(f"The folder {folder} is new.")
        for path, text in written.items():
            path.write_text(text, "utf-8")
            click.echo(f"{path} is written.")
        compiled = compile_policy({**shipped_cards(), **cards_in(folder)}, [shipped_matrix()], served)
        _say(_found(compiled.policy, [name], [book for book in tasks_and_faults(folder)[0] if book.name == task]))
        if service.own_cards is None:
            click.echo(f'Write cards = "{folder}" under [packs.pai] in packhorse.toml, and start the server again.')

    return new


def _task(task: str, agent: str, role: str, tools: Sequence[tuple[str, HostTool | None]]) -> str:
    """A playbook that calls each tool once, with arguments by the names of its schema."""
    needs: dict[str, None] = {}
    steps = []
    for name, tool in tools:
        schema = tool.input_schema if tool is not None else {}
        needs.update(dict.fromkeys(schema.get("required", ())))
        given = ", ".join(f'{key} = {{ ref = "context.{key}" }}' for key in schema.get("properties", {}))
        steps.append(STEP.format(tool=json.dumps(name), arguments=given))
    results = ", ".join(f'{name} = {{ ref = "steps.{name}" }}' for name, _ in tools)
    return TASK.format(
        role=role.rstrip("."), task=json.dumps(task), agent=json.dumps(agent), needs=json.dumps([*needs]),
        steps="".join(steps), results=results,
    )  # fmt: skip
