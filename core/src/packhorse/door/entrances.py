"""Three tools by which a client calls what its list does not show: for reading, for writing, for destroying.

A call by an entrance is a call of the tool that it names. It is judged, counted,
checked and recorded as that; the entrance itself never runs. Its name says how
much harm may be done, so that a client's own rules of approval stay useful.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from packhorse.contract.offers import Tool
from packhorse.errors import INVALID_PARAMS, RequestError, UserError

SEARCH = "search_tools"


@dataclass(frozen=True, slots=True)
class Entrance:
    """``harm`` is 0 for tools that only read, 1 for those that change something, 2 for those that destroy."""

    name: str
    description: str
    harm: int


ENTRANCES: Mapping[str, Entrance] = {
    entrance.name: entrance
    for entrance in (
        Entrance("call_read_tool", "Call a tool that search_tools found and that only reads.", 0),
        Entrance("call_write_tool", "Call a tool that search_tools found and that changes something.", 1),
        Entrance("call_destructive_tool", "Call a tool that search_tools found and that may destroy something.", 2),
    )
}
_BY_HARM = tuple(ENTRANCES.values())
RESERVED = frozenset({SEARCH, *ENTRANCES})
"""Names that no pack's tool may have."""

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"tool": {"type": "string"}, "arguments": {"type": "object"}},
    "required": ["tool"],
}


def entrance_for(*, read_only: bool, destructive: bool) -> Entrance:
    """The entrance by which such a tool is called."""
    return _BY_HARM[0 if read_only else 2 if destructive else 1]


def seen_through(name: Any, arguments: Any) -> tuple[Any, Any]:
    """The tool and the arguments that a call means. A shape that no entrance takes is left for `opened` to refuse."""
    if isinstance(name, str) and name in ENTRANCES and isinstance(arguments, Mapping):
        return arguments.get("tool"), arguments.get("arguments", {})
    return name, arguments


def opened(name: str, arguments: Mapping[str, Any]) -> Entrance | None:
    """The entrance that a call uses; None where it names a tool itself.

    Raises:
        RequestError: an entrance is given something else than a tool and its arguments.
    """
    entrance = ENTRANCES.get(name)
    if entrance is None:
        return None
    tool, given = seen_through(name, arguments)
    if not isinstance(tool, str) or not isinstance(given, Mapping) or arguments.keys() - {"tool", "arguments"}:
        raise RequestError(
            INVALID_PARAMS,
            "invalid_arguments",
            f"{name} takes `tool`, the name of a tool, and `arguments`, an object with the arguments of that tool.",
        )
    return entrance


def check_harm(entrance: Entrance, tool: str, offer: Tool) -> None:
    """Refuse a tool that may do more harm than its entrance says.

    Raises:
        UserError: it names the right entrance.
    """
    right = entrance_for(read_only=offer.read_only, destructive=offer.destructive)
    if entrance.harm < right.harm:
        raise UserError(
            f"Call {tool} with {right.name}, not with {entrance.name}.",
            code="WRONG_ENTRANCE",
            details={"tool": tool, "entrance": right.name},
        )
