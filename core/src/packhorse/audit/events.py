"""What happened: a call that somebody makes, and how it ended. What the audit record is made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from packhorse.contract.principal import Principal

Status = Literal["ok", "refused", "denied", "failed", "timeout", "cancelled"]


@dataclass(frozen=True, slots=True)
class Event:
    """A call that somebody makes.

    ``kind`` is tool, resource, prompt, completion, auth or a word of the host's own.
    ``name`` is the offer's (of a template: the template, never the URI that was
    asked for). ``arguments`` are those that `AuditLog.allowed` let through, and
    nothing else; a function that gives them is asked when the row is made,
    which for a note is later and in another thread. ``count`` is how many
    such calls of one caller this stands for, which were refused alike.
    """

    kind: str
    name: str
    principal: Principal
    pack: str | None = None
    address: str | None = None
    request_id: str | None = None
    effectful: bool = False
    arguments: Mapping[str, Any] | Callable[[], Mapping[str, Any]] = field(default_factory=dict)
    count: int = 1


@dataclass(slots=True)
class Outcome:
    """How it ended. ``code`` is the refusal's own word; ``milliseconds`` is the time it took, 0 when unknown."""

    status: Status
    code: str | None = None
    milliseconds: float = 0
