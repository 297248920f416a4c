"""How much of real answers is read without a language model: prints recall, and the proposals for a person to label.

Run it as a script. Recall counts the values of the interviews' own structures (step names, durations, kinds of
resources, areas of data) that stand literally in the first answer on their topic, and asks whether they were read.
With ``--proposals`` every proposal is listed, numbered, beside the words it was read from.
"""

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packhorse_discovery.domain.answers import read
from packhorse_discovery.domain.merging import Proposal
from packhorse_discovery.domain.questions import next_question
from packhorse_discovery.domain.structure import Structure
from packhorse_discovery.service.library import library

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "discovery"
TOPICS = {
    "Process: Flow Shop": ("process/flow-shop", "process/flow-shop"),
    "Resources: Warm Up": ("resources/inventory", "resources/warm-up"),
    "Data: Warm Up": ("data/areas-of-inquiry", "data/warm-up"),
}


def plain(text: Any) -> str:
    words = str(text).casefold().replace("\u2013", "-").replace("\u2014", "-").replace("**", "").replace("~", "")
    return " ".join(re.sub(r"[^\w.%/+-]+", " ", words.replace("-", " ")).split())


def references(kind: str, data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(what it is, words) of each value worth reading."""
    if kind == "process/flow-shop":
        for step in data.get("subprocesses", []):
            yield "name", step.get("process-id", "")
            duration = step.get("duration", {})
            if isinstance(duration, dict) and re.match(
                r"^~?[\d.]+(\s*[-\u2013]\s*[\d.]+)?$", str(duration.get("value-string", ""))
            ):
                yield "duration", duration["value-string"]
    elif kind == "resources/warm-up":
        yield from (("resource", one) for one in data.get("resource-types", []))
    elif kind == "data/warm-up":
        yield from (("area", one) for one in data.get("areas", []))


def answers() -> Iterator[tuple[str, str, str, list[tuple[str, str]]]]:
    """(interview, schema, answer, references) of every first answer on a topic that has a structure."""
    for file in sorted(SHARED.glob("interviews/*.json")):
        talk = json.loads(file.read_text())
        if "ascrs" not in talk:
            continue
        structures = {
            one["eads_id"]: one["data_structure"] for one in talk["ascrs"] if isinstance(one["data_structure"], dict)
        }
        for topic, (ours, theirs) in TOPICS.items():
            said = [one["answer"] for one in talk["qa"] if one.get("topic") == topic]
            if said and theirs in structures:
                yield file.stem, ours, said[0], list(references(theirs, structures[theirs]))


def proposals_for(schema: str, answer: str) -> tuple[Proposal, ...]:
    eads = library().get(schema)
    assert eads is not None
    empty = Structure()
    question = next_question(eads, empty)
    assert question is not None
    return read(question, answer, eads, empty).proposals


def words_of(proposal: Proposal) -> list[str]:
    value = proposal.value
    if isinstance(value, dict):
        return [str(value.get("value-string", ""))]
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def measure() -> dict[str, tuple[int, int]]:
    """Found and wanted, by kind of value."""
    counted: dict[str, list[int]] = {}
    for name, schema, answer, wanted in answers():
        read_words = [plain(one) for proposal in proposals_for(schema, answer) for one in words_of(proposal)]
        literal = f" {plain(answer)} "
        for kind, words in wanted:
            if not plain(words) or f" {plain(words)} " not in literal:
                continue
            row = counted.setdefault(kind, [0, 0])
            row[1] += 1
            hit = any(f" {plain(words)} " in f" {one} " for one in read_words)
            row[0] += hit
            if not hit and "--missed" in sys.argv:
                print("missed", name, kind, words)
    return {kind: (found, wanted) for kind, (found, wanted) in counted.items()}


def precision() -> tuple[int, int]:
    """Right and labelled, of the first proposals, as a person judged them (``proposal_labels.json``)."""
    judged = json.loads((Path(__file__).parent / "proposal_labels.json").read_text())["labels"]
    keys = [
        hashlib.sha256(f"{name}|{schema}|{one.path}".encode()).hexdigest()[:16]
        for name, schema, answer, _ in answers()
        for one in proposals_for(schema, answer)
    ]
    known = [judged[key] for key in keys if key in judged]
    return sum(known), len(known)


if __name__ == "__main__":
    if "--proposals" in sys.argv:
        number = 0
        for name, schema, answer, _ in answers():
            for one in proposals_for(schema, answer):
                number += 1
                print(f"{number}\t{name}\t{schema}\t{one.path}\t{words_of(one)}\t{one.said[:80]!r}")
    total = measure()
    for kind, (found, wanted) in total.items():
        print(f"{kind}: {found} of {wanted}")
    found, wanted = (sum(one[at] for one in total.values()) for at in (0, 1))
    print(f"recall {found / wanted:.0%} ({found} of {wanted})" if wanted else "nothing to measure")
    right, labelled = precision()
    if labelled:
        print(f"precision {right / labelled:.1%} ({right} of {labelled} labelled proposals)")
