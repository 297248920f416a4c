"""The hooks of the pai pack: its table of contents."""

from typing import TYPE_CHECKING

from packhorse import Approvals, Guard, Host, Pack, Resource, Route, Tool, hookimpl
from packhorse_pai.guards import AgentGuard
from packhorse_pai.models import PaiSettings
from packhorse_pai.resources import CardPages
from packhorse_pai.resources.pages import DecisionPages
from packhorse_pai.service import ESCALATIONS, PAGE, agents_of, unreadable
from packhorse_pai.service.scene import scene
from packhorse_pai.store.migrations import MIGRATIONS
from packhorse_pai.tools import AgentTools
from packhorse_pai.tools.offered import LEADERS, offered

if TYPE_CHECKING:
    import click

pack = Pack(
    title="Governed agents",
    instructions="Agents with cards that say what each may do. list_agents shows which mission an agent takes. A person"
    " decides what waits for approval: never decide for them.",
    settings=PaiSettings,
    migrations=MIGRATIONS,
    demo=scene,
    faults=unreadable,
    measures=lambda host: agents_of(host).figures(),
    codes="AGENTS_UNREADABLE ANSWERED FOUR_EYES INTERRUPTED INVALID_COORDINATOR MODEL_UNAVAILABLE NEEDS_MODEL"
    " NEEDS_SAMPLING NOTHING_DECIDED NOT_GRANTED NOT_PENDING NOT_WAITING NOT_YOURS NO_CARD NO_LINK"
    " OUTCOME_UNKNOWN OUTSIDE_SCOPE SPECIALISTS_OPEN START_OR_GO_ON STOPPED UNKNOWN_AGENT UNKNOWN_APPROVAL"
    " UNKNOWN_GOAL UNKNOWN_RUN",
)


@hookimpl
def register_tools(host: Host) -> list[Tool]:
    """Agents to invoke, and who may do what."""
    return offered(AgentTools(host))


@hookimpl
def register_resources(host: Host) -> list[Resource]:
    """The cards, and what was escalated."""
    pages = CardPages(host)
    return [
        Resource(
            uri="pai://agents/{name}",
            fn=pages.card,
            title="Identity card of an agent",
            mime_type="text/markdown",
            roles=(*LEADERS, "FACULTY"),
            complete={"name": pages.names},
        ),
        Resource(
            uri=ESCALATIONS,
            fn=pages.escalations,
            title="What agents escalated last",
            mime_type="application/json",
            roles=LEADERS,
            subscribable=True,
        ),
    ]


@hookimpl
def register_routes(host: Host) -> list[Route]:
    """The page on which the person at this machine decides."""
    pages = DecisionPages(host, LEADERS)
    return [Route(path=PAGE, fn=pages.by_link, form=pages.decide_by_link, public=True)]


@hookimpl
def register_approvals(host: Host) -> list[Approvals]:
    """Calls that wait for a person."""
    return [DecisionPages(host, LEADERS).approvals()]


@hookimpl
def register_auth(host: Host) -> list[Guard]:
    """The guard that judges every call an agent makes."""
    guard = AgentGuard(host)
    return [Guard(guard.judge, hides=guard.hides, bars=guard.bars)]


@hookimpl
def register_commands(host: Host) -> "list[click.Command]":
    """Lint, export of the policy, approvals, and the kill switch."""
    from packhorse_pai import commands

    return commands.commands(host)
