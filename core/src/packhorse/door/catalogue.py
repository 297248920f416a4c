"""What a deployment serves: its tools, resources, prompts and routes, ready to be called."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from packhorse.contract.observers import Observer
from packhorse.contract.offers import Endpoint, Prompt, Resource, Route, Tool
from packhorse.contract.packs import Approvals, Guard, Pack, Verifier
from packhorse.door.limits import Limit
from packhorse.errors import UserError
from packhorse.present.skills import Skill
from packhorse.schema.answers import Answers
from packhorse.schema.arguments import Arguments
from packhorse.schema.parameters import Parameters

HOST = "packhorse"
"""Whose the host's own offers are, where others have their pack."""


@dataclass(frozen=True, slots=True)
class Found:
    """An installed pack, as its metadata tells: nothing of it has been imported."""

    name: str
    module: str
    distribution: str
    version: str
    requires: tuple[str, ...] = ()
    """What its metadata says about the core (``packhorse>=0.1,<0.2``), as it stands: reading it costs an import."""
    summary: str = field(default="", compare=False)
    """What the pack is for, in the words of its distribution."""
    file: Path | None = field(default=None, compare=False)
    """The one file that a pack is which is not installed; its distribution is then the file's path."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A pack whose module has been imported and whose hooks are known to fit."""

    found: Found
    module: Any
    pack: Pack


@dataclass(frozen=True, slots=True)
class Broken:
    """A pack that cannot be served, and why."""

    found: Found
    reason: str
    judges: bool = False
    """Whether it is known to hold verifiers, guards or observers: without them the others would be served unguarded,
    or unrecorded."""
    cure: str = ""
    """What its operator does about it, where that is known better than of a pack in general."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """An offer as it is served, whose it is and under which name."""

    pack: str
    name: str
    offer: Any
    description: str | None
    parameters: Parameters
    is_async: bool


@dataclass(frozen=True, slots=True)
class ToolEntry(_Entry):
    """A tool as it is served, with everything that a call needs worked out beforehand."""

    offer: Tool
    description: str
    arguments: Arguments
    answers: Answers
    limit: Limit | None = None
    is_kept: bool = False
    """Whether answers are kept for the offer's ttl."""
    own_name: str = ""
    """Its name within its pack, or on the mounted server that it is of."""


@dataclass(frozen=True, slots=True)
class ResourceEntry(_Entry):
    """A resource, or a template of resources, as it is served."""

    offer: Resource
    is_kept: bool = False

    @property
    def is_template(self) -> bool:
        return "{" in self.offer.uri


@dataclass(frozen=True, slots=True)
class PromptEntry(_Entry):
    """A prompt as it is served."""

    offer: Prompt


@dataclass(frozen=True, slots=True)
class RouteEntry(_Entry):
    """A page over plain HTTP, as it is served; its name is its path, behind ``POST `` for what its form sends."""

    offer: Route
    posts: bool = False


FORM = "form"
"""The argument in which a route's function gets what a form sent."""

Match = Callable[[ResourceEntry, str], Mapping[str, Any] | None]
"""How the variables of a template are found in a URI."""

Listed = ToolEntry | ResourceEntry | PromptEntry
"""What clients of the protocol see in lists."""
Entry = Listed | RouteEntry


def kind_of(entry: Entry) -> Literal["tool", "resource", "prompt", "route"]:
    """What sort of offer it is, in one word."""
    match entry:
        case ToolEntry():
            return "tool"
        case ResourceEntry():
            return "resource"
        case PromptEntry():
            return "prompt"
    return "route"


def is_probe(entry: Entry) -> bool:
    """Whether it answers anybody however many calls are running, and no observer hears of it."""
    return isinstance(entry, RouteEntry) and entry.offer.probe and entry.offer.public


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The offers of one deployment, in a stable order: by pack as served, then as the pack lists them."""

    tools: Mapping[str, ToolEntry]
    resources: Mapping[str, ResourceEntry]
    prompts: Mapping[str, PromptEntry]
    verifiers: tuple[Verifier, ...]
    guards: tuple[Guard, ...]
    packs: tuple[Loaded, ...]
    broken: tuple[Broken, ...]
    local_names: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """(pack, the pack's own name for a tool) to the name on the wire, for calls from within that pack."""
    skills: tuple[Skill, ...] = ()
    """What teaches an assistant to use all this; the files are among the resources."""

    routes: Mapping[str, RouteEntry] = field(default_factory=dict)
    observers: tuple[Observer, ...] = ()
    approvals: tuple[tuple[str, Approvals], ...] = ()
    """What waits for people, by the pack that offers it."""
    endpoints: tuple[tuple[str, Endpoint], ...] = ()
    """What packs answer by themselves over HTTP, by the pack that offers it."""
    builtin: tuple[Loaded, ...] = ()
    """The packs that come with the host; ``packs`` are the others."""

    def resource_at(self, uri: str, match: Match) -> tuple[ResourceEntry, Mapping[str, Any] | UserError] | None:
        """The resource at a URI, with the variables that ``match`` finds there, or its refusal of them."""
        entry = self.resources.get(uri)
        if entry is not None and not entry.is_template:
            return entry, {}
        for entry in self.resources.values():
            if entry.is_template:
                try:
                    variables = match(entry, uri)
                except UserError as unsafe:
                    return entry, unsafe
                if variables is not None:
                    return entry, variables
        return None

    def has(self, builtin: str) -> bool:
        return any(pack.found.name == builtin for pack in self.builtin)

    @property
    def listed(self) -> list[Listed]:
        return [*self.tools.values(), *self.resources.values(), *self.prompts.values()]

    @property
    def entries(self) -> list[Entry]:
        """Every offer: what is listed, and routes."""
        return [*self.listed, *self.routes.values()]


def digest_of(entry: Listed) -> str:
    """SHA-256, in hex, of all that clients see of an offer, and of the words by which it is found."""
    seen: dict[str, Any] = {"pack": entry.pack, "name": entry.name, "title": entry.offer.title}
    seen["description"] = entry.description
    if isinstance(entry, ToolEntry):
        offer = entry.offer
        seen["words"] = offer.words
        seen["schemas"] = [entry.arguments.schema, entry.answers.schema]
        seen["marks"] = [offer.read_only, offer.destructive, offer.idempotent, offer.open_world]
    elif isinstance(entry, ResourceEntry):
        seen["uri"] = entry.offer.uri
    else:
        seen["arguments"] = [[name, one.required] for name, one in entry.parameters.plain.items()]
        seen["about"] = dict(entry.offer.arguments)
    return hashlib.sha256(json.dumps(seen, sort_keys=True, default=str).encode()).hexdigest()
