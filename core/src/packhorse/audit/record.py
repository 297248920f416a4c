"""What is recorded of a call: before it, after it, or both at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from packhorse.audit.canonical import canonical
from packhorse.audit.masking import Mask
from packhorse.contract.clock import NewId, utc_text
from packhorse.contract.principal import Principal
from packhorse.errors import PackhorseError

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


NAME_LIMIT = 256
"""Characters of any one name, subject, role or code that are written."""

_MANY = 32  # roles, and links of a chain of principals


class AuditTampered(PackhorseError):  # noqa: N818  # names what was found, as the exceptions beside it do
    """The record, or its anchor, is not as this host left it. The message says where."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A row before it has its place in the chain. ``body`` is canonical JSON with ``id`` and ``time`` inside."""

    id: str
    time: str
    body: bytes


def entry(new_id: NewId, at: datetime, kind: str, **about: Any) -> Entry:
    """A row of the given kind; what is None is left out."""
    known = {name: value for name, value in about.items() if value is not None}
    made = {**known, "type": kind, "id": new_id(), "time": stamp(at)}
    return Entry(made["id"], made["time"], canonical(made))


def stamp(at: datetime) -> str:
    """ISO 8601 in UTC, always with microseconds, so that text order is time order; rows before 0.2 end in +00:00."""
    return utc_text(at, "microseconds")


def about_event(event: Event, mask: Mask) -> dict[str, Any]:
    """The parts of a row that an event fills.

    What a caller can choose is masked; a verified subject is not, for it is
    whom the record is about.
    """
    principal = event.principal
    arguments = event.arguments() if callable(event.arguments) else event.arguments
    issuer = principal.claims.get("iss")
    who = {
        "kind": principal.kind,
        "issuer": clean(issuer) if isinstance(issuer, str) else None,
        "subject": clean(principal.subject),
        "roles": [clean(role) for role in sorted(principal.roles)[:_MANY]] or None,
        "chain": [clean(link) for link in principal.chain[:_MANY]] or None,
    }
    about = {
        "kind": clean(event.kind),
        "name": mask.word(clean(event.name)),
        "pack": clean(event.pack),
        "principal": {key: value for key, value in who.items() if value is not None},
        "address": clean(event.address),
        "request_id": mask.word(clean(event.request_id)) if event.request_id else None,
        "effectful": event.effectful or None,
        "arguments": dict(arguments) or None,
        "count": event.count if event.count > 1 else None,
    }
    return {key: value for key, value in about.items() if value is not None}


def about_outcome(outcome: Outcome, mask: Mask) -> dict[str, Any]:
    """The parts of a row that an outcome fills; ``ms`` to the microsecond."""
    taken = round(float(outcome.milliseconds), 3)
    about: dict[str, Any] = {"status": outcome.status, "ms": int(taken) if taken.is_integer() else taken}
    if outcome.code:
        about["code"] = mask.word(clean(outcome.code))
    return about


def clean(text: str | None) -> Any:
    """``text`` as any JSON reader takes it, and no longer than `NAME_LIMIT`."""
    if text is None:
        return None
    short = text[:NAME_LIMIT]
    # Half a surrogate pair has no UTF-8: it must not be what keeps a row from being written.
    return short if short.isascii() else short.encode("utf-8", "replace").decode()
