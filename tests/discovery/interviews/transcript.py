"""A log of calls as an interview to keep: see README.md.

python tests/discovery/interviews/transcript.py LOG.jsonl NAME [HELD_ON]
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

LOOKED = frozenset({"get_eads_status", "get_conversation_history", "get_aggregated_scr", "list_available_eads"})
"""Tools that only look: they count in the characters, and change nothing."""


def transcript(log: list[dict[str, Any]], name: str, held_on: str) -> dict[str, Any]:
    """The interview that ``log`` holds; its facts are those that the tools said they recorded."""
    facts: dict[str, Any] = {}
    for one in log:
        if one["tool"] == "get_aggregated_scr" and one.get("structured"):
            for eads_id, structure in one["structured"].get("scr_by_eads", {}).items():
                facts |= dict(flat(structure, eads_id))
    solved = [one["structured"] for one in log if (one.get("structured") or {}).get("gantt")]
    answers = [one for one in log if one["tool"] == "process_eads_answer" and not one.get("error")]
    return {
        "name": name,
        "held_on": held_on,
        "questions": len({one["arguments"]["answer"] for one in answers}),
        "characters": sum(one["chars"] for one in log),
        "calls": [{"tool": one["tool"], "arguments": one["arguments"]} for one in log if one["tool"] not in LOOKED],
        "facts": facts,
        "free": ["process/warm-up-with-challenges/*", "*/rules/*"],
        "unmodelled": [one["rule"] for one in solved[-1].get("not_kept", [])] if solved else [],
        "schedule": {"status": solved[-1]["status"]} if solved else {},
    }


def flat(node: Any, path: str) -> Iterator[tuple[str, Any]]:
    """(path, value) of every value of a structure in its schema's form; a row is called by its first value."""
    if isinstance(node, Mapping) and "value-string" in node:
        yield path, f"{node['value-string']} {node.get('units', '')}".strip()
    elif isinstance(node, Mapping):
        for name, inner in node.items():
            yield from flat(inner, f"{path}/{name}")
    elif isinstance(node, list) and node and all(isinstance(one, Mapping) for one in node):
        for row in node:
            yield from flat(row, f"{path}/{called(row, [one for one in node if one is not row])}")
    else:
        yield path, node


def called(row: Mapping[str, Any], others: list[Mapping[str, Any]]) -> str:
    """What a row is called here: its first value, and the next ones as far as others share them."""
    words: list[str] = []
    for value in row.values():
        words.append(", ".join(map(str, value)) if isinstance(value, list) else str(value))
        others = [one for one in others if list(one.values())[: len(words)] == list(row.values())[: len(words)]]
        if not others:
            break
    return " ".join(words)


if __name__ == "__main__":
    lines = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines() if line.strip()]
    when = sys.argv[3] if len(sys.argv) > 3 else "2026-11-23T12:00:00Z"
    print(json.dumps(transcript(lines, sys.argv[2], when), indent=1, ensure_ascii=False))
