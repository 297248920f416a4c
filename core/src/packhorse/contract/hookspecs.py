"""The contract between the host and its packs: hooks, all optional.

Start-up is when every chosen pack has been imported and nothing is served
yet. A hook returns what the pack contributes (a list, or anything to iterate)
and calls nothing back. Leave out the ``host`` argument where it is not needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import click

    from packhorse.contract.host import Host
    from packhorse.contract.observers import Observer
    from packhorse.contract.offers import Endpoint, Prompt, Resource, Route, Tool
    from packhorse.contract.packs import Approvals, Guard, Verifier

hookspec = pluggy.HookspecMarker("packhorse")
hookimpl = pluggy.HookimplMarker("packhorse")

BUILTIN = "packhorse.builtin"
"""The group of the packs that come with the host: on unless they are left out, and nobody else's."""


@hookspec
def register_tools(host: Host) -> Iterable[Tool | Callable[..., Any]]:
    """Return the pack's tools; a plain function is a tool with every default.

    Called once, at start-up. Two packs offering one name stop the start, with
    the cure spelled out.
    """


@hookspec
def register_resources(host: Host) -> Iterable[Resource]:
    """Return what the pack lets clients read.

    Called once, at start-up. Two packs offering one URI or one template stop
    the start.
    """


@hookspec
def register_prompts(host: Host) -> Iterable[Prompt | Callable[..., Any]]:
    """Return the pack's conversation starters; a plain function is one with every default.

    Called once, at start-up. Two packs offering one name stop the start.
    """


@hookspec
def register_auth(host: Host) -> Iterable[Verifier | Guard]:
    """Return verifiers of credentials, and guards that judge calls.

    Called once, at start-up; what it returned is asked at every call. Of
    several packs, the first verifier that knows a credential decides who is
    calling; every guard is asked, and any denial wins.
    """


@hookspec
def register_routes(host: Host) -> Iterable[Route | Endpoint]:
    """Return pages over plain HTTP, for programs that do not speak the protocol, and endpoints of other protocols.

    Called once, at start-up. Two packs offering one path, or a path of the
    host's own, stop the start.
    """


@hookspec
def register_approvals(host: Host) -> Iterable[Approvals]:
    """Return what waits for a person's yes or no.

    Called once, at start-up; what it returned is asked whenever a page or a
    terminal shows what waits. Those of several packs are shown together.
    """


@hookspec
def register_observers(host: Host) -> Iterable[Observer]:
    """Return who observes every call: that it arrives, begins, ends or is refused.

    Called once, at start-up. The observers of several packs are all called, in
    the order in which the packs are served. An observer's ``ends`` also hears
    of calls that were refused. What an observer prints goes to standard error
    when the server speaks over stdio.
    """


@hookspec
def register_commands(host: Host) -> Iterable[click.Command]:
    """Return commands for a person at a terminal, mounted as ``packhorse <pack> <command>``.

    Called once, and only when that pack's commands are asked for. Two packs
    cannot clash here. A built-in pack takes no ``host``, and has its commands
    at the root: ``packhorse <command>``.
    """
