"""Which accepted offers of a server can be served, why one cannot, and how a person at a terminal reads them."""

import keyword
from collections.abc import Iterable, Iterator
from textwrap import shorten
from typing import Any

from mcp.shared.uri_template import UriTemplate

from packhorse.contract.offers import Prompt, Resource, Tool
from packhorse.door.entrances import RESERVED
from packhorse.mounts.accepted import KEYS, KINDS, Kind, Mount, Pinned
from packhorse.schema.answers import Answers
from packhorse.schema.arguments import Arguments
from packhorse.schema.disguised import disguise_in
from packhorse.schema.parameters import parameters_of

_WIDTH = 90


async def _takes(arguments: dict[str, Any]) -> Any:
    """A tool of the least kind: whether a schema can be served is tried on it."""


class Judge:
    """Judges the offers of one mount after another: a name or URI is served once."""

    def __init__(self) -> None:
        self._taken: dict[tuple[Kind, str], str] = {}

    def judged(self, name: str, mount: Mount, kind: Kind) -> Iterator[tuple[Pinned, str | None]]:
        """Each accepted offer of a kind that is wanted, and why it cannot be served; None where it can."""
        for item in mount.offers[kind]:
            key = item[KEYS[kind]]
            if not mount.wants(key):
                continue
            served = mount.served_as(kind, item)
            if (kind, served) in self._taken:
                other = self._taken[kind, served]
                yield item, f"another {kind} has this name" if other == name else f"the mount {other} serves it"
                continue
            if kind == "tool" and served in RESERVED:
                yield item, "packhorse itself has a tool of this name: mount it with another --prefix"
                continue
            self._taken[kind, served] = name
            yield item, _fault_in(kind, item, served)


def _fault_in(kind: Kind, item: Pinned, served: str) -> str | None:
    if (disguise := disguise_in(item)) is not None:
        return f"it contains {disguise}"
    try:
        match kind:
            case "tool":
                Tool(fn=_takes, name=served)
                parameters = parameters_of(_takes)
                Arguments(served, parameters, override=item["inputSchema"])
                Answers(served, parameters.returns, item.get("outputSchema"))
            case "resource":
                Resource(uri=item["uri"], fn=_takes)
                if "{" in item["uri"]:
                    return "its URI has a brace, as templates have"
            case "template":
                Resource(uri=item["uriTemplate"], fn=_takes)
                return _no_names(UriTemplate.parse(item["uriTemplate"]).variable_names)
            case "prompt":
                Prompt(fn=_takes, name=served)
                return _no_names([argument["name"] for argument in item.get("arguments") or ()])
    except Exception as exc:
        # A stranger's schema may fail in any way of the checker's; the other offers are served.
        return " ".join(str(exc).split())[:200]
    return None


def _no_names(variables: Iterable[str]) -> str | None:
    for variable in variables:
        if not variable.isidentifier() or keyword.iskeyword(variable):
            return f"{variable!r} is not a name that a variable can have"
    return None


def described(name: str, mount: Mount) -> Iterator[str]:
    """A line for each accepted offer that is wanted."""
    judge = Judge()
    for kind in KINDS:
        for item, fault in judge.judged(name, mount, kind):
            if fault is not None:
                yield f"not served: {kind} {item[KEYS[kind]]!a}: {fault}"
                continue
            words = shorten(item.get("description") or "", _WIDTH, placeholder=" ...")
            served = mount.served_as(kind, item)
            if kind == "tool":
                effect = "reads" if mount.reads(item["name"]) else "may change something"
                yield f"{served} ({effect}): {words}"
            else:
                yield f"{kind} {served}: {words}"


def served_of(name: str, mount: Mount) -> list[str]:
    """The names of what is served: tools, URIs, templates, prompts."""
    judge = Judge()
    return [
        mount.served_as(kind, item)
        for kind in KINDS
        for item, fault in judge.judged(name, mount, kind)
        if fault is None
    ]


def counted(mount: Mount) -> str:
    """How much of each kind is wanted: 14 tools, 1 prompt."""
    counts = [(kind, sum(mount.wants(item[KEYS[kind]]) for item in items)) for kind, items in mount.offers.items()]
    return ", ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in counts if count) or "nothing"
