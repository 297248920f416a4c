"""Facts that a tool's validated output proves, about one thing, for a while."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from attrs import frozen

from packhorse_pai.domain.sources import FactRule, Precondition

WHOLE = "*"
"""The subject of a fact about no thing in particular."""

IN_FORCE = ""
"""The subject of a fact about the thing in force: what a call that names none is about."""


@frozen
class Fact:
    """``kind`` was seen to hold about ``subject`` at ``at``; after ``until`` it counts no more."""

    kind: str
    subject: str
    at: datetime
    until: datetime


def facts_from(
    rules: Iterable[FactRule],
    tool: str,
    output: Mapping[str, Any] | None,
    refusal: str | None,
    now: datetime,
    *,
    arguments: Mapping[str, Any] | None = None,
    by_host: bool = False,
) -> tuple[Fact, ...]:
    """What a finished call of ``tool`` with ``arguments`` proves; ``refusal`` is the code of its refusal.

    What the host provides counts only of calls that it made itself: an agent
    could ask for a schedule that is none, and so prove that there is none.
    """
    return tuple(
        Fact(rule.kind, subject, now, now + timedelta(minutes=rule.minutes))
        for rule in rules
        if rule.tool == tool and rule.provided == by_host
        for subject in _subjects(rule, output, refusal, arguments or {})
    )


def holding(
    facts: Iterable[Fact], rule: Precondition | None, arguments: Mapping[str, Any], now: datetime
) -> frozenset[str]:
    """Kinds that hold now about what the call would change.

    With a ``subject`` argument in the rule, only facts about its value count,
    and those about no thing in particular; where the call names none, those
    about the thing in force. Without such an argument any fact does. A clock that was set back
    makes a fact from the future count for nothing.
    """
    about = rule.subject if rule is not None else None
    named = arguments.get(about) if about is not None else None
    wanted = IN_FORCE if named is None else str(named)
    return frozenset(
        fact.kind
        for fact in facts
        if fact.at <= now < fact.until and (about is None or fact.subject in (WHOLE, wanted))
    )


def at_path(value: Any, path: str) -> Any:
    """What ``a.b.c`` names in nested mappings; None where it is not there."""
    for step in path.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return None
        value = value[step]
    return value


def _subjects(
    rule: FactRule, output: Mapping[str, Any] | None, refusal: str | None, arguments: Mapping[str, Any]
) -> tuple[str, ...]:
    if rule.refusal is not None:
        return (WHOLE,) if refusal == rule.refusal else ()
    if output is None or refusal is not None or (rule.when is not None and at_path(output, rule.when) is not True):
        return ()
    if rule.subject is None and rule.about is None:
        return (WHOLE,)
    found = []
    if rule.subject is not None:
        subject = at_path(output, rule.subject)
        found += [str(subject)] if isinstance(subject, str | int) and not isinstance(subject, bool) else []
    if rule.about is not None:
        named = arguments.get(rule.about)
        # What an output names is proved by it; an argument alone only where the output names nothing.
        found += [IN_FORCE] if named is None else [str(named)] if rule.subject is None else []
    return tuple(found)
