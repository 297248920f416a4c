"""What is recorded of a call: before it, after it, or both at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from packhorse.audit.canonical import canonical
from packhorse.audit.masking import Mask
from packhorse.contract.clock import NewId, utc_text
from packhorse.contract.observers import ObservedCall, Outcome
from packhorse.errors import PackhorseError

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


def about_call(call: ObservedCall, arguments: Mapping[str, Any], mask: Mask) -> dict[str, Any]:
    """The parts of a row that a call fills, with those of its ``arguments`` that may be written.

    What a caller can choose is masked; a verified subject is not, for it is
    whom the record is about. A resource of a template is named by the
    template, never by what was asked for.
    """
    principal = call.principal
    issuer = principal.claims.get("iss")
    who = {
        "kind": principal.kind,
        "issuer": clean(issuer) if isinstance(issuer, str) else None,
        "subject": clean(principal.subject),
        "roles": [clean(role) for role in sorted(principal.roles)[:_MANY]] or None,
        "chain": [clean(link) for link in principal.chain[:_MANY]] or None,
    }
    about = {
        "kind": clean(call.kind),
        "name": mask.word(clean(call.uri or call.name)),
        "pack": clean(call.pack),
        "principal": {key: value for key, value in who.items() if value is not None},
        "address": clean(call.address),
        "request_id": mask.word(clean(call.request_id)) if call.request_id else None,
        "effectful": call.effectful or None,
        "arguments": {**arguments, **{name: mask.text(words) for name, words in call.facts.items()}} or None,
        "count": call.count if call.count > 1 else None,
    }
    return {key: value for key, value in about.items() if value is not None}


def about_outcome(outcome: Outcome, mask: Mask) -> dict[str, Any]:
    """The parts of a row that an outcome fills; ``ms`` to the microsecond."""
    taken = round(float(outcome.seconds) * 1000, 3)
    status = {"asked": "ok", "limited": "refused"}.get(outcome.word, outcome.word)
    about: dict[str, Any] = {"status": status, "ms": int(taken) if taken.is_integer() else taken}
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
