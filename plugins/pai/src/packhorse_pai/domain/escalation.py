"""Typed events, and to whom they go. Words inside a text are never an event: "no violations found" is none."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from packhorse_pai.domain.cards import Card
from packhorse_pai.domain.facts import at_path
from packhorse_pai.domain.names import lead
from packhorse_pai.domain.sources import EventRule

PERSON = "Human"
"""Whom the last card in a chain reports to."""

PEOPLE = frozenset({"HUMAN", "USER", "PERSON"})
"""Words for a person."""

# The host's own codes of refusals that are events by themselves.
_CODES: Mapping[str, str] = {"TIMEOUT": "timeout", "INTERNAL_ERROR": "tool_error", "AUDIT_UNAVAILABLE": "tool_error"}


@frozen
class Event:
    """Something that a card's superior must hear of. ``reason`` names tool, field and value, never free text."""

    kind: str
    reason: str


def events_from(
    rules: Iterable[EventRule], tool: str, output: Mapping[str, Any] | None, refusal: str | None
) -> tuple[Event, ...]:
    """The events that a finished call is."""
    found = []
    if refusal is not None and refusal in _CODES:
        found.append(Event(_CODES[refusal], f"{tool} was refused with {refusal}."))
    for rule in rules:
        if rule.tool != tool:
            continue
        if rule.refusal is not None:
            if refusal == rule.refusal:
                found.append(Event(rule.event, f"{tool} was refused with {refusal}."))
        elif output is not None and rule.path is not None and _is_event(rule, value := at_path(output, rule.path)):
            found.append(Event(rule.event, f"{tool}: {rule.path} is {value}."))
    return tuple(found)


def target_of(card: Card) -> str:
    """Whom a card escalates to: an agent or a person; where it names neither, its superior."""
    hears = lead(card.escalate_to)
    if hears is None and names_person(card.escalate_to):
        return PERSON
    return hears or lead(card.reports_to) or PERSON


def names_person(line: str) -> bool:
    """Whether a line of a card's chain of command, or a name in it, is a person's."""
    return any(word in line.upper() for word in PEOPLE)


def _is_event(rule: EventRule, value: Any) -> bool:
    if rule.above is not None:
        return isinstance(value, int | float) and not isinstance(value, bool) and value > rule.above
    alike = isinstance(value, bool) == isinstance(rule.equals, bool)  # 1 is not true
    return rule.equals is not None and alike and bool(value == rule.equals)
