"""The hooks of the discovery pack: its table of contents."""

from typing import TYPE_CHECKING

from packhorse import Host, Pack, Prompt, Resource, Tool, hookimpl
from packhorse_discovery.models.settings import DiscoverySettings
from packhorse_discovery.offered import SIGNED_IN, resources, scene, tools
from packhorse_discovery.prompts import InterviewPrompts
from packhorse_discovery.store.tables import MIGRATIONS

if TYPE_CHECKING:
    import click

pack = Pack(
    title="Discovery",
    settings=DiscoverySettings,
    migrations=MIGRATIONS,
    demo=scene,
    instructions="An interview about somebody's scheduling, which ends in a computed schedule. Begin with"
    " start_interview; each answer brings the next question. Hand answers in word for word: what the words do not"
    " support is refused.",
    codes="CHANGE_UNFIT CONFLICT_SETTLED CONFLICT_UNKNOWN CONVERSATION_UNKNOWN EADS_FAULTY EADS_UNKNOWN"
    " EADS_UNREADABLE EXAMPLE_UNKNOWN FORMAT_UNAVAILABLE FORMULATION_FAULTY MODEL_INCOMPLETE NOTHING_TO_UNDO"
    " NOT_PURSUED NOT_THE_OWNER NO_FORMULATION NO_MODEL NO_SCHEDULE NO_SUCH_PAGE NO_WORDS PATH_MISSING"
    " PATH_UNKNOWN PREREQUISITE_MISSING PROJECT_AMBIGUOUS PROJECT_UNKNOWN QUESTION_UNKNOWN REFINEMENT_UNFIT"
    " REVISION_STALE SOLVER_FAILED SOLVER_UNAVAILABLE TOO_LONG TOO_MANY_EADS TOO_MANY_WORDS UNDO_UNCLEAR"
    " VALUE_UNFIT VALUE_UNPLACED VALUE_UNSAID",
)


@hookimpl
def register_tools(host: Host) -> list[Tool]:
    """The interview, what it established, and what can be done with it."""
    return tools(host)


@hookimpl
def register_resources(host: Host) -> list[Resource]:
    """The schemas, and what a project has established."""
    return resources(host)


@hookimpl
def register_prompts(host: Host) -> list[Prompt]:
    """How to conduct the interview."""
    return [
        Prompt(
            fn=InterviewPrompts(host).interview,
            title="Interview somebody about their scheduling",
            roles=SIGNED_IN,
            arguments={"project_id": "A short name for the project.", "trade": "What they do, if you know."},
        )
    ]


@hookimpl
def register_commands(host: Host) -> "list[click.Command]":
    """For a person at a terminal: check and look at schemas, carry projects in and out."""
    from packhorse_discovery.commands import commands  # click is only needed at a terminal
    from packhorse_discovery.service.projects import Projects

    return commands(Projects(host))
