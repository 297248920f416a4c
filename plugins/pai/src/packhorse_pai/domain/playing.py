"""Playing a playbook: the next move, from what was asked and every outcome so far. The same inputs give the same."""

from collections.abc import Generator, Mapping, Sequence
from datetime import date
from typing import Any

from packhorse_pai.domain.compliance import recommendations, score
from packhorse_pai.domain.facts import at_path
from packhorse_pai.domain.moves import Denied, Done, Escalate, Fail, Finish, Move, Outcome, Refused, Spawn, UseTool
from packhorse_pai.domain.playbooks import Mission, Playbook, Step, plain_words

_JULY = 7


def advance(playbook: Playbook, mission: Mission, outcomes: Sequence[Outcome]) -> Move:
    """The next move, given every outcome so far. The same inputs and outcomes always give the same move."""
    asked = {
        key: plain_words(words) in map(plain_words, mission.constraints) for words, key in playbook.constraints.items()
    }
    values = {
        "context": mission.context,
        "mission": mission.text,
        "constraints": list(mission.constraints),
        "asked": asked,
        "steps": {},
    }
    if lacking := [key for key in playbook.needs if mission.context.get(key) is None]:
        return Fail(
            "CONTEXT_MISSING", f"The playbook {playbook.name} needs these keys in `context`: {', '.join(lacking)}."
        )
    play = _play(playbook.steps, values)
    try:
        move = next(play)
        for outcome in outcomes:
            move = play.send(outcome)
    except StopIteration:
        return Finish({"steps": values["steps"]})
    return move


def _play(steps: Sequence[Step], values: dict[str, Any]) -> Generator[Move, Outcome, None]:
    for step in steps:
        if step.when is not None and not step.when(values):
            continue
        match step.kind:
            case "call" | "spawn":
                outcome = yield _move(step, values)
                stop = _kept(step, outcome, values)
                if stop is not None:
                    yield stop
                    return
            case "require" | "escalate":
                if step.test is None or not step.test(values):
                    yield Escalate(step.given["trigger"], step.given["reason"])
            case "each":
                rounds = at_path(values, step.about)
                for item in list(rounds)[: step.given["limit"]] if isinstance(rounds, list | tuple) else ():
                    yield from _play(step.steps, {**values, step.given["as"]: item})
            case "result":
                yield Finish(filled(step.about, values))
                return
            case _:
                yield Fail(step.about, step.given.get("message", "The playbook ends the run with a failure here."))
                return


def _move(step: Step, values: Mapping[str, Any]) -> Move:
    if step.kind == "call":
        arguments = filled(step.given.get("args", {}), values)
        return UseTool(step.about, {key: value for key, value in arguments.items() if value is not None})
    context = filled(step.given.get("context", {}), values)
    context = {key: value for key, value in context.items() if value is not None}
    return Spawn(step.about, step.given["mission"], context, step.given["task"])


def _kept(step: Step, outcome: Outcome, values: dict[str, Any]) -> Move | None:
    """Save an outcome; the move that ends the play, where it must end."""
    match outcome:
        case Done(output=output):
            if "save" in step.given:
                values["steps"][step.given["save"]] = dict(output)
            return None
        case Refused(code=code, message=message) | Denied(rule=code, message=message):
            if step.given.get("optional"):
                if "save" in step.given:
                    values["steps"][step.given["save"]] = None
                return None
            return Fail(code, message)
        case _:
            return Fail("OUTCOME", "The outcome does not belong to this kind of step.")


def filled(value: Any, values: Mapping[str, Any]) -> Any:
    """Data with its references filled in.

    ``{ref}`` is the value at a path, ``{count}`` its length, ``{map, table}``
    the table's entry for it, ``{scoped, table, scope, scopes}`` those of the
    entries that the scope holds (all of it where there are none), ``{academic_year}`` the year of a date,
    ``{score}`` and ``{recommend}`` what an audit says of a validation.
    """
    match value:
        case {"ref": path, **rest} if not rest or set(rest) == {"default"}:
            found = at_path(values, path)
            return rest.get("default") if found is None else found
        case {"count": path, **rest} if not rest:
            found = at_path(values, path)
            return len(found) if isinstance(found, list | tuple | Mapping) else None
        case {"academic_year": path, **rest} if not rest:
            return academic_year(at_path(values, path))
        case {"score": path, **rest} if not rest:
            return score(at_path(values, path))
        case {"recommend": path, **rest} if not rest:
            return recommendations(at_path(values, path))
        case {"scoped": path, "scope": scope, "table": table, "scopes": scopes, **rest} if not rest:
            within = scopes.get(at_path(values, scope))
            asked = _mapped(at_path(values, path), table)
            return within if asked is None else [rule for rule in asked if within is None or rule in within]
        case {"map": path, "table": table, **rest} if not rest:
            return _mapped(at_path(values, path), table)
        case Mapping():
            return {key: filled(item, values) for key, item in value.items()}
        case list() | tuple():
            return [filled(item, values) for item in value]
        case _:
            return value


def academic_year(start: Any) -> str | None:
    """``2024-2025`` for a date from 1 July 2024 to 30 June 2025, the specification's academic year."""
    try:
        day = date.fromisoformat(start)
    except (TypeError, ValueError):
        return None
    first = day.year if day.month >= _JULY else day.year - 1
    return f"{first}-{first + 1}"


def _mapped(found: Any, table: Mapping[str, Any]) -> Any:
    if isinstance(found, list | tuple):
        return [table.get(str(item), item) for item in found]
    return None if found is None else table.get(str(found), found)
