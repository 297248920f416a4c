"""One text for one JSON value, and its SHA-256.

The text follows RFC 8785 for what is digested here: keys in the order of their
UTF-16 units, no spaces, the shortest number. Numbers that JSON cannot say are
refused, so that two readings can never share a digest.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any


def canonical(value: Any) -> str:
    """The one text of a JSON value. Sets are written as sorted lists, tuples as lists.

    Raises:
        ValueError: a value that JSON has no text for.
    """
    return "".join(_written(value))


def digest(value: Any) -> str:
    """SHA-256 of the canonical text, 64 hex digits."""
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def action_digest(
    *,
    tool: str,
    tool_digest: str,
    arguments: Mapping[str, Any],
    chain: tuple[str, ...],
    owner: str,
    policy: str,
    version: str = "",
) -> str:
    """SHA-256 over the tool as offered, its arguments in full, the data's version, who acts for whom, and the policy.

    Raises:
        ValueError: arguments that JSON cannot say.
    """
    return digest(
        {
            "tool": tool,
            "tool_digest": tool_digest,
            "arguments": arguments,
            "chain": list(chain),
            "owner": owner,
            "policy": policy,
            **({"version": version} if version else {}),
        }
    )


def _written(value: Any) -> list[str]:
    match value:
        case None | bool() | str():
            return [json.dumps(value, ensure_ascii=False)]
        case int():
            return [str(value)]
        case float():
            if not math.isfinite(value):
                raise ValueError("a number that is not finite has no JSON text")
            return [str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)]
        case Mapping():
            if not all(isinstance(key, str) for key in value):
                raise ValueError("a key that is no text has no JSON text")
            keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
            pieces = [f"{json.dumps(key, ensure_ascii=False)}:{canonical(value[key])}" for key in keys]
            return ["{", ",".join(pieces), "}"]
        case AbstractSet():
            return _written(sorted(value))
        case list() | tuple():
            return ["[", ",".join(canonical(item) for item in value), "]"]
        case _:
            raise ValueError(f"a {type(value).__name__} has no JSON text")
