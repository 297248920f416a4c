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
