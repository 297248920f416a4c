"""Which of a call's arguments are written as they are. The schema says; all others leave only a keyed digest."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from packhorse.audit.canonical import SAFE_INTEGER, canonical
from packhorse.audit.keys import Keys

SPAN = 1000
"""An integer whose schema leaves at most so many values is a count, a day or a limit. A PIN has ten times as many."""

LIST_LIMIT = 32
"""Items of a list that are written; of a longer one only its digest."""

UNKNOWN = "(unknown)"
"""Under this stands the digest of all arguments that the schema does not name: a name may be a secret too."""

_DEPTH = 6
_VIEWS = 64

Json = Any


def allowed(arguments: Mapping[str, Any], schema: Mapping[str, Any], *, keys: Keys) -> dict[str, Json]:
    """``arguments`` as they may be recorded.

    In clear are null, booleans, members of an ``enum`` or ``const``, and integers
    that the schema bounds to at most `SPAN` values; each only where the value is
    what the schema says, since a denied call was not validated. Of all other values there is
    ``{"hmac": ..., "kind": "string", "length": 9}``, the length in characters,
    items or members. Names that the schema does not know are not written.
    """
    return _Allow(schema, keys).members(arguments, [schema], depth=0)


class _Allow:
    def __init__(self, root: Mapping[str, Any], keys: Keys) -> None:
        self._root = root
        self._keys = keys

    def members(self, value: Mapping[str, Any], nodes: Sequence[Any], *, depth: int) -> dict[str, Json]:
        views = list(self._views(nodes))
        made: dict[str, Json] = {}
        unknown: dict[str, Any] = {}
        for name, item in value.items():
            below = [
                known[name] for view in views if isinstance(known := view.get("properties"), dict) and name in known
            ]
            if below:
                made[name] = self._reduced(item, below, depth=depth + 1)
            else:
                unknown[name] = item
        if unknown:
            made[UNKNOWN] = self._digest(unknown)
        return made

    def _reduced(self, value: Any, nodes: Sequence[Any], *, depth: int) -> Json:
        if value is None:
            return None
        views = list(self._views(nodes))
        if depth > _DEPTH:
            return self._digest(value)
        if isinstance(value, Mapping):
            if any(view.get("properties") for view in views):
                return self.members(value, nodes, depth=depth)
            return self._digest(value)
        if isinstance(value, list | tuple):
            below = [view["items"] for view in views if isinstance(view.get("items"), Mapping)]
            if len(value) <= LIST_LIMIT and below:
                items = [self._reduced(item, below, depth=depth + 1) for item in value]
                if not any(isinstance(item, dict) and "hmac" in item for item in items):
                    return items
            return self._digest(value)
        return value if any(_closed(value, view) for view in views) else self._digest(value)

    def _views(self, nodes: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
        """The schemas themselves, and those that they refer to or combine."""
        waiting, seen = list(nodes), 0
        while waiting and seen < _VIEWS:
            node = waiting.pop()
            if not isinstance(node, Mapping):
                continue
            seen += 1
            yield node
            reference = node.get("$ref")
            if isinstance(reference, str) and reference.startswith("#/$defs/"):
                waiting.append(self._root.get("$defs", {}).get(reference.removeprefix("#/$defs/")))
            for keyword in ("anyOf", "oneOf", "allOf"):
                waiting.extend(node.get(keyword) or ())

    def _digest(self, value: Any) -> dict[str, Json]:
        made: dict[str, Json] = {"kind": _kind(value)}
        if isinstance(value, str | Mapping | list | tuple):
            made["length"] = len(value)
        try:
            made["hmac"] = self._keys.digest(_bytes(value))
        except (TypeError, ValueError, RecursionError):
            made["hmac"] = None  # no JSON, so no call was made with it
        return made


def _closed(value: Any, view: Mapping[str, Any]) -> bool:
    """Whether the schema itself leaves ``value`` so little room that it tells nothing of a person."""
    if isinstance(value, bool):
        return view.get("type") == "boolean" or _listed(value, view)
    if isinstance(value, int) and not -SAFE_INTEGER <= value <= SAFE_INTEGER:
        return False
    if _listed(value, view):
        return True
    if not isinstance(value, int) or view.get("type") != "integer":
        return False
    # Only inclusive bounds count: others leave the value under a digest, which is never wrong.
    low, high = view.get("minimum"), view.get("maximum")
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    return high - low < SPAN and low <= value <= high


def _listed(value: Any, view: Mapping[str, Any]) -> bool:
    if not isinstance(value, str | bool | int):
        return False
    among = [*(view.get("enum") or ()), *([view["const"]] if "const" in view else ())]
    # In Python True == 1; in JSON they are two values.
    return any(type(value) is type(one) and value == one for one in among)


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return "string"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "array" if isinstance(value, list | tuple) else "object"


def _bytes(value: Any) -> bytes:
    try:
        return canonical(value)
    except ValueError:
        # Integers beyond 2**53 and lone surrogates have no canonical form, and are recognised all the same.
        return b"\x00" + json.dumps(value, sort_keys=True).encode()
