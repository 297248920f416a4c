"""One attempt, one line: which agent wanted what, and what was decided. No values, only a digest of the arguments."""

import json
from collections.abc import Mapping
from typing import Any

from attrs import define

from packhorse import Host
from packhorse_pai.domain.digests import digest
from packhorse_pai.domain.moves import Denied, Done, Outcome, Refused
from packhorse_pai.store.records import Records

MOST_NAME = 80
"""Letters of a tool's name that are kept: an attacker may write a book there."""


@define
class Attempt:
    """A line while it is written: ``verdict`` is done, refused, denied, waits, failed or stopped.

    ``caller`` is who starts a run; ``approval`` what a call waits for.
    """

    run: str
    agent: str
    kind: str
    tool: str
    arguments: Any = None
    verdict: str = "failed"
    rule: str = ""
    version: str = ""
    caller: str = ""
    approval: str = ""

    def settle(self, outcome: Outcome) -> None:
        """What became of it."""
        match outcome:
            case Done():
                self.verdict, self.rule = "done", "granted"
            case Refused(code=code):
                self.verdict, self.rule = "refused", code
            case Denied(rule=rule):
                self.verdict, self.rule = "denied", rule
            case _:
                self.verdict, self.rule = "done", "noted"

    def write(self, host: Host, records: Records) -> None:
        """Put it on record. Blocking and short: it must be written where a call is cancelled, too."""
        row: dict[str, Any] = {
            "id": host.new_id(),
            "run": plain(self.run)[:64],
            "agent": self.agent,
            "kind": self.kind,
            "tool": plain(self.tool)[:MOST_NAME],
            "arguments": _digest(self.arguments),
            "verdict": self.verdict,
            "rule": str(self.rule)[:MOST_NAME],
            "version": self.version[:200],
            "caller": plain(self.caller),
            "approval": self.approval,
        }
        records.attempt(row, host.clock())


def plain(value: Any) -> str:
    """Any value as text that every store takes."""
    text = value if isinstance(value, str) else type(value).__name__
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", "\\x00")


def _digest(arguments: Any) -> str:
    try:
        return digest(arguments if isinstance(arguments, Mapping) else [arguments])[:16]
    except (ValueError, TypeError, RecursionError):
        return digest(json.dumps(str(type(arguments))))[:16]
