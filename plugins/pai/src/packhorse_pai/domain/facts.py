"""Facts that a tool's validated output proves about one version of the data, and for that version alone."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from packhorse_pai.domain.policy import Policy
from packhorse_pai.domain.sources import FactRule


def proved(
    rules: Iterable[FactRule],
    tool: str,
    output: Mapping[str, Any] | None,
    refusal: str | None,
    *,
    by_host: bool = False,
) -> tuple[str, ...]:
    """The kinds of fact that a finished call of ``tool`` proves; ``refusal`` is the code of its refusal.

    What the host provides counts only of calls that it made itself: an agent
    could ask for a schedule that is none, and so prove that there is none.
    """
    return tuple(
        rule.kind for rule in rules if rule.tool == tool and rule.provided == by_host and _holds(rule, output, refusal)
    )


def shared_arguments(
    policy: Policy, tool: str, arguments: Mapping[str, Any]
) -> Iterator[tuple[FactRule, Mapping[str, Any]]]:
    """Of the proofs that a call needs, those of tools that only read and can be asked with its arguments; and these."""
    wanted = {fact for rule in policy.preconditions.get(tool, ()) for fact in (*rule.facts, *rule.unless)}
    for rule in policy.facts:
        proving = policy.tools.get(rule.tool)
        if rule.kind in wanted and not rule.provided and proving is not None and proving.read_only:
            takes = proving.input_schema.get("properties", {})
            shared = {key: value for key, value in arguments.items() if key in takes}
            if shared and shared.keys() >= {*proving.input_schema.get("required", ())}:
                yield rule, shared


def at_path(value: Any, path: str) -> Any:
    """What ``a.b.c`` names in nested mappings; None where it is not there."""
    for step in path.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return None
        value = value[step]
    return value


def _holds(rule: FactRule, output: Mapping[str, Any] | None, refusal: str | None) -> bool:
    if rule.refusal is not None:
        return refusal == rule.refusal
    return output is not None and refusal is None and (rule.when is None or at_path(output, rule.when) is True)
