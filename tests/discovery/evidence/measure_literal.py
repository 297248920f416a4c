"""How many values of the interviews' own structures, of those that stand literally in the answer, are accepted.

Picked are the step names and durations, the kinds of resources and the areas of data of each of the eight interviews
with aggregated structures (``ascrs``), against the first answer on their topic. No value has a quote.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packhorse_discovery.domain.reading.evidence import check
from packhorse_discovery.domain.reading.words import words_of

SHARED = Path(__file__).resolve().parents[3].parent / "shared" / "discovery" / "interviews"
FILES = [file for file in sorted(SHARED.glob("*.json")) if '"ascrs"' in file.read_text()]
TOPICS = {
    "Process: Flow Shop": "process/flow-shop",
    "Resources: Warm Up": "resources/warm-up",
    "Data: Warm Up": "data/warm-up",
}


def plain(text: Any) -> str:
    """Words to compare by: no case, emphasis, hyphens."""
    words = str(text).casefold().replace("\u2013", "-").replace("\u2014", "-").replace("**", "").replace("~", "")
    return " ".join(re.sub(r"[^\w.%/+-]+", " ", words.replace("-", " ")).split())


def literal(text: Any, answer: str) -> bool:
    """Whether a value stands in the answer just so."""
    return bool(plain(text)) and f" {plain(text)} " in f" {plain(answer)} "


def structures() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(interview, answer, the part of its structure whose values stand literally in it)."""
    for file in FILES:
        talk = json.loads(file.read_text())
        known = {
            one["eads_id"]: one["data_structure"] for one in talk["ascrs"] if isinstance(one["data_structure"], dict)
        }
        for topic, schema in TOPICS.items():
            answer = next((one["answer"] for one in talk["qa"] if one.get("topic") == topic), None)
            if answer is None or schema not in known:
                continue
            picked = {
                "subprocesses": [row for one in known[schema].get("subprocesses", []) if (row := _step(one, answer))],
                "resources": [
                    {"resource-id": one} for one in known[schema].get("resource-types", []) if literal(one, answer)
                ],
                "areas": [{"area-id": one} for one in known[schema].get("areas", []) if literal(one, answer)],
            }
            yield file.stem, answer, {name: rows for name, rows in picked.items() if rows}


def _step(step: dict[str, Any], answer: str) -> dict[str, Any] | None:
    if not literal(step.get("process-id", ""), answer):
        return None
    duration = step.get("duration")
    number = re.compile(r"^~?[\d.]+(\s*[-\u2013]\s*[\d.]+)?$")
    if isinstance(duration, dict) and number.match(str(duration.get("value-string", ""))):
        value = str(duration["value-string"]).replace("\u2013", "-").lstrip("~")
        if literal(duration["value-string"], answer):
            return {
                "process-id": step["process-id"],
                "duration": {"value-string": value, "units": duration.get("units", "")},
            }
    return {"process-id": step["process-id"]}


def measure() -> tuple[int, int]:
    """Accepted, and picked."""
    accepted = every = 0
    for name, answer, refinement in structures():
        found = check(refinement, words_of(answer))
        accepted += len(found.states)
        every += len(found.states) + len(found.refused)
        for one in found.refused if "--refused" in sys.argv else ():
            print(name, one.path, one.value, one.why, "|", one.nearest)
    return accepted, every


if __name__ == "__main__":
    accepted, every = measure()
    print(f"accepted {accepted} of {every}" + (f" ({accepted / every:.1%})" if every else ""))
