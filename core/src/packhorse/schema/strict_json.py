"""JSON that every reader reads alike: no key twice, no NaN, no Infinity."""

import hashlib
import json
from typing import Any


def strictly(body: bytes | str) -> tuple[str | None, Any]:
    """Why a body is not one JSON value that every reader reads alike (None when it is), and its value."""
    try:
        text = body.decode("utf-8") if isinstance(body, bytes) else body
        return None, _STRICT.decode(text)
    except _DuplicateKeyError:
        return "Parse error: an object has one key twice", None
    except (ValueError, RecursionError):
        return "Parse error", None


def digest(value: Any) -> str:
    """SHA-256, in hex, of a JSON value, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


class _DuplicateKeyError(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _DuplicateKeyError
    return made


def _no_constant(name: str) -> Any:
    raise ValueError(name)


_STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
