"""What an audit says beyond the validator's own words: a score, and what to do about each rule that was broken."""

from collections.abc import Mapping
from typing import Any

from packhorse_pai.domain.grants import Clause, Grant, Layer, Rule

# The rules of the scheduling specification, section "validate_schedule"; the advice is ours.
_ADVICE: Mapping[str, str] = {
    "80_HOUR_RULE": "Move duty of the people named to others until the four-week average is at most 80 hours.",
    "1_IN_7_RULE": "Free one day in seven, averaged over four weeks, for the people named.",
    "SUPERVISION_RATIO": "Assign more faculty to the sessions named, or fewer residents.",
    "MINIMUM_STAFFING": "Fill the sessions named, or close them.",
    "CREDENTIAL_REQUIREMENTS": "Give the duty named to people whose credentials are valid on that day.",
}

RULES_OF_SCOPE: Mapping[str, frozenset[str]] = {
    "acgme_only": frozenset({"80_HOUR_RULE", "1_IN_7_RULE", "SUPERVISION_RATIO"}),
    "institutional_only": frozenset({"MINIMUM_STAFFING", "CREDENTIAL_REQUIREMENTS"}),
}
"""The rules of each scope of an audit that is not of everything."""


_SHORT: Mapping[str, str] = {
    "80_hour": "80_HOUR_RULE",
    "1_in_7": "1_IN_7_RULE",
    "supervision_ratio": "SUPERVISION_RATIO",
    "minimum_staffing": "MINIMUM_STAFFING",
    "credentials": "CREDENTIAL_REQUIREMENTS",
}
"""The specification's short names of rules."""


def rules_outside(named: Any, scope: str) -> list[str] | None:
    """The rules that were named, where none of them is in the scope; else None."""
    within = RULES_OF_SCOPE.get(scope)
    asked = [str(rule) for rule in named] if isinstance(named, list | tuple) else []
    inside = [rule for rule in asked if within is None or _SHORT.get(rule, rule) in within]
    return asked if asked and not inside else None


def validation_within(rules: frozenset[str]) -> Layer:
    """What a run whose audit has a scope may validate: these rules, named."""
    within = Rule(((Clause("in", tuple(sorted(rules))),),))
    free = Rule(((Clause("free"),),))
    grant = Grant(
        "validate_schedule", {"validation_rules": within, "schedule_id": free}, frozenset({"validation_rules"})
    )
    return Layer.of([grant], whole=False)


def score(validation: Any) -> float | None:
    """Percent of the rules that were checked in which no violation was found, to one decimal.

    None where nothing was checked: there is no score for what nobody looked at.
    """
    checked = _rules(validation, "rules_checked")
    if not checked:
        return None
    broken = {violation.get("rule") for violation in _violations(validation)}
    return round(100 * sum(rule not in broken for rule in checked) / len(checked), 1)


def recommendations(validation: Any) -> list[str]:
    """One sentence for each broken rule, in the order of their first violation."""
    broken = dict.fromkeys(str(violation.get("rule")) for violation in _violations(validation))
    return [_ADVICE.get(rule, f"Look at the violations of {rule[:60]}; no advice is known for it.") for rule in broken]


def _rules(validation: Any, key: str) -> list[str]:
    found = validation.get(key) if isinstance(validation, Mapping) else None
    return list(dict.fromkeys(str(rule) for rule in found if rule != "ALL")) if isinstance(found, list | tuple) else []


def _violations(validation: Any) -> list[Mapping[str, Any]]:
    found = validation.get("violations") if isinstance(validation, Mapping) else None
    return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list | tuple) else []
