"""One request of the 2026 protocol on one connection, so that whatever is in between may send each elsewhere."""

import json
from collections.abc import Mapping
from typing import Any

import httpx2
from tests.core.raw_http import META, headers_of

SECONDS = 60


class RefusedError(Exception):
    """A JSON-RPC error."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]
        self.data = error.get("data") or {}


def call(url: str, tool: str, *, more: Mapping[str, Any] | None = None, **arguments: Any) -> dict[str, Any]:
    """The result of one call. ``more`` goes into its parameters, such as answers to questions.

    Raises:
        RefusedError: the answer was an error.
        httpx2.HTTPError: there was no answer, or the web server's own.
    """
    return ask(url, "tools/call", {"name": tool, "arguments": arguments, **(more or {})}, named=tool)


def ask(url: str, method: str, params: Mapping[str, Any], *, named: str) -> dict[str, Any]:
    """The result of one request."""
    meta = {**META, "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    headers = {**headers_of(named, method), "Connection": "close"}
    answer = httpx2.post(url, json=message, headers=headers, timeout=SECONDS)
    found = answered(answer.text, answer.headers.get("content-type", ""))
    if found is None:
        raise httpx2.RemoteProtocolError(f"status {answer.status_code}, and no answer in it")
    if "error" in found:
        raise RefusedError(found["error"])
    return found["result"]


def answered(text: str, kind: str) -> dict[str, Any] | None:
    """The answer in a body, of either kind; None where it was cut off before."""
    lines = [line[6:] for line in text.splitlines() if line.startswith("data: ")] if "event-stream" in kind else [text]
    for line in lines:
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict) and ("result" in message or "error" in message):
            return message
    return None
