"""Callers, instants and replies of the locator tests."""

import json
from pathlib import Path
from typing import Any

from packhorse.contract.principal import ANONYMOUS, Principal
from packhorse.testing import fixed_clock

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "locator"
QUERIES = Path(__file__).parent / "queries"

NOVEMBER = fixed_clock("2026-11-01T12:00:00Z")
ADVOCATE = Principal("human", "advocate-1", roles=frozenset({"ADVOCATE"}))
COLLEAGUE = Principal("human", "advocate-2", roles=frozenset({"ADVOCATE"}))
FAMILY = Principal("human", "mother-1")
NOBODY = ANONYMOUS


def error_of(reply: Any) -> dict[str, Any]:
    """The refusal in a reply."""
    assert reply.is_error, reply.structured_content
    found: dict[str, Any] = (reply.meta or {})["packhorse/error"]
    return found


def everything_in(reply: Any) -> str:
    """All that a client got, as one text."""
    pieces = [getattr(piece, "text", "") for piece in reply.content]
    return json.dumps([reply.structured_content, reply.meta, pieces], ensure_ascii=False)
