"""Fixtures of the discovery tests: shared data read in place, and somebody who answers from a schema's own example."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from packhorse_discovery.domain.interview.merging import Proposal, merge
from packhorse_discovery.domain.interview.questions import Question, template_for
from packhorse_discovery.domain.interview.structure import Mark, Structure, flattened
from packhorse_discovery.domain.schema import edn, loading
from packhorse_discovery.domain.schema.eads import Eads, path_from

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "discovery"


def schema_files() -> list[Path]:
    """The original schema files beside the checkout; none where they are absent."""
    return sorted([*SHARED.glob("eads/*.json"), *SHARED.glob("eads/*.edn")])


def document_of(file: Path) -> Any:
    text = file.read_text()
    return edn.loads(text) if file.suffix == ".edn" else json.loads(text)


def eads_of(file: Path) -> Eads:
    return loading.load(document_of(file), name=file.stem.rpartition("__")[2])


class Expert:
    """Answers every question from the example in the schema, in the words and tables a person would use."""

    def __init__(self, eads: Eads) -> None:
        self.eads = eads
        proposals = [Proposal(path, value) for path, value in flattened(eads.example, eads)]
        self.knows, _ = merge(Structure(), proposals, eads, mark=Mark())

    def answer(self, question: Question) -> str:
        fields = [one for path in question.paths if (one := self.eads.field(path_from(path)))]
        block = next((one for one in self.eads.blocks if one.path == question.block), None)
        if question.block and block is not None:
            keys = [one for one in block.fields if one.name == block.key and one not in fields]
            table = template_for(block, self.eads, self.knows, [*keys, *fields], self.knows.rows(block.path))
            lines = table.splitlines()
            shown = [self._filled(line, lines[0], block) for line in lines[2:]]
            without = [path.split("/")[-2] for path, mark in self.knows.marks.items() if mark.state == "not_applicable"]
            shown += [f"| {parent} | none |" for parent in without if block.parents]
            return "\n".join([*lines[:2], *shown])
        answers = [(one.label, self.words(self.knows.get(one.path), one.kind)) for one in fields]
        if question.finer == "form":
            return "\n".join(["| item | answer |", "| --- | --- |", *(f"| {a} | {b} |" for a, b in answers)])
        return (
            "\n".join(words for _, words in answers)
            if question.finer != "opening"
            else "We make pencils, and it goes as it goes."
        )

    def words(self, value: Any, kind: str) -> str:
        if value is None:
            return "n/a" if kind != "quantity" else "2 hours"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if kind == "any":
            return json.dumps(value)
        if isinstance(value, dict):
            return f"{value.get('value-string', '')} {value.get('units', '')}".strip()
        if isinstance(value, list):
            return "; ".join(str(one.get("item-id") if isinstance(one, dict) else one) for one in value) or "none"
        return str(value)

    def _filled(self, line: str, head: str, block: Any) -> str:
        labels = [cell.strip() for cell in head.strip().strip("|").split("|")]
        kinds = {one.label: one.kind for one in block.fields}
        cells = [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
        shown = [
            cell or ("2 hours" if kinds.get(label) == "quantity" else "n/a")
            for label, cell in zip(labels, cells, strict=True)
        ]
        return "| " + " | ".join(shown) + " |"


class Original:
    """One original schema file: as it is, and as it loads."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.document = document_of(file)
        self.eads = eads_of(file)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "original" in metafunc.fixturenames:
        files = schema_files()
        absent = [pytest.param(None, marks=pytest.mark.skip(reason="no original schemas beside the checkout"))]
        metafunc.parametrize(
            "original",
            [Original(file) for file in files] or absent,
            ids=[file.stem.partition("__")[2] for file in files] or ["absent"],
        )


@pytest.fixture
def expert() -> Callable[[Eads], Expert]:
    """Somebody who knows the example of a schema."""
    return Expert


@pytest.fixture
def without_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server without packhorse[jobs]: it solves in the call itself, where a job loads the solver in a new process."""
    monkeypatch.setitem(sys.modules, "dbos", None)
