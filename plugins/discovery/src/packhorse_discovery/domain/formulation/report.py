"""A formulation that was solved, with its answer, as a part of a report for people."""

from collections.abc import Mapping
from typing import Any


def report(found: Mapping[str, Any]) -> str:
    """A record as a part of a report for people; empty for no record."""
    if not found:
        return ""
    brief, answer = found["standing"], found["answer"]
    rules = found["formulation"].get("rules", {}).items()
    lines = ["## The formulation", "", f"Goal: {brief['goal']}.", "", answer["summary"], ""]
    for name, value in answer.get("values", {}).items():
        cells = value.items() if isinstance(value, Mapping) else [("", value)]
        lines += [f"- {name}{f'[{key}]' if key else ''} = {size}" for key, size in cells] + [""]
    lines += ["### Its rules", "", *(f"- {name}: {_rule(body)}" for name, body in rules), ""]
    if brief["not_kept"]:
        lines += ["### Said, and in no rule", "", *(f"- {each}" for each in brief["not_kept"]), ""]
    if found["words"]:
        lines += ["### What was said", "", *(f"> {line}" for each in found["words"] for line in each.splitlines()), ""]
    return "\n".join(lines)


def _rule(body: Any) -> str:
    if isinstance(body, str):
        return f"`{body}`"
    return f"`{body['rule']}`" + (f" («{body['quote']}»)" if body.get("quote") else "")
