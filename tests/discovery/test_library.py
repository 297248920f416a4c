"""Our own schemas, and those that others bring."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from packhorse_discovery.domain.interview.completeness import standing
from packhorse_discovery.domain.interview.form import form_of
from packhorse_discovery.domain.interview.merging import Proposal, merge
from packhorse_discovery.domain.interview.questions import next_question, plan
from packhorse_discovery.domain.interview.structure import Mark, Structure
from packhorse_discovery.domain.reading.plain import read
from packhorse_discovery.domain.schema.eads import Eads
from packhorse_discovery.domain.schema.linting import lint
from packhorse_discovery.domain.schema.loading import load
from packhorse_discovery.domain.schema.schema_document import SCHEMA
from packhorse_discovery.service.library import library

OURS = library().eads
each = pytest.mark.parametrize("eads", OURS, ids=lambda one: one.id)

FERRY = {
    "format": "packhorse-eads/1",
    "version": "1.0.0",
    "title": "Ferries",
    "interview-objective": "Learn which ferries run.",
    "EADS": {"EADS-id": "resources/ferries", "ferries": [{"ferry-id": "Aurora", "seats": 40}]},
}


def test_there_are_seventeen_in_four_domains() -> None:
    assert len(OURS) == 17
    assert {one.domain for one in OURS} == {"process", "data", "resources", "optimality"}
    assert library().skipped == ()


@each
def test_it_keeps_to_the_authoring_format(eads) -> None:
    Draft202012Validator.check_schema(dict(SCHEMA))
    Draft202012Validator(dict(SCHEMA)).validate(dict(eads.document))
    assert lint(eads, {one.id for one in OURS}) == ()


@each
def test_its_plan_is_within_its_budget(eads) -> None:
    assert 1 <= len(plan(eads)) <= eads.budget.questions


def test_a_plan_shows_the_question_for_what_a_weighty_value_is_asked_before() -> None:
    quay = {"val": "north", "comment": "Where they lie.", "question": "At which quay?"}
    eads = load({**FERRY, "EADS": {"EADS-id": "resources/quay", "kind": {**quay, "weight": 3}, "quay": quay}})
    planned, structure, asked = plan(eads), Structure(), []
    while (question := next_question(eads, structure, asked=asked)) is not None:
        structure, _ = merge(structure, read(question, "north", eads, structure).proposals, eads, mark=Mark())
        asked.append(question.signature)

    assert [one.signature for one in planned] == asked
    assert [one.paths for one in planned] == [("/kind",), ("/quay",)]


@each
def test_whoever_answers_in_full_completes_it(eads, expert) -> None:
    person, structure, asked = expert(eads), Structure(), []
    while (question := next_question(eads, structure, asked=asked)) is not None:
        reading = read(question, person.answer(question), eads, structure)
        structure, _ = merge(structure, reading.proposals, eads, mark=Mark())
        asked.append(question.signature)

    assert standing(eads, structure).completeness == 1.0
    assert len(asked) <= 3 + (structure.get("/origin") is not None)


@each
def test_its_form_has_every_field_and_the_key_of_every_table(eads) -> None:
    def names(node: object) -> set[str]:
        if isinstance(node, dict):
            return set(node).union(*map(names, node.values()))
        return set().union(*map(names, node)) if isinstance(node, list) else set()

    assert {field.name for field in eads.fields} - {"*"} <= names(form_of(eads)) | {"classifiable-jobs?"}


def test_no_two_wait_for_one_another() -> None:
    assert cycles(OURS) == []


def test_a_flow_shop_of_ten_steps_takes_at_most_six_questions() -> None:
    eads = next(one for one in OURS if one.id == "process/flow-shop")
    names = "\n".join(f"- step {chr(97 + n)}" for n in range(10))
    table = "| step | duration | resources |\n|---|---|---|\n" + "\n".join(
        f"| step {chr(97 + n)} | {n + 10} min | machine {n} |" for n in range(10)
    )
    structure, asked = Structure(), []
    for answer in (names, table):
        question = next_question(eads, structure, asked=asked)
        assert question is not None
        structure, _ = merge(structure, read(question, answer, eads, structure).proposals, eads, mark=Mark())
        asked.append(question.signature)

    assert next_question(eads, structure, asked=asked) is None
    assert len(structure.rows(("subprocesses",))) == 10


def test_a_folder_of_the_deployer_is_searched_and_its_broken_files_are_told(tmp_path: Path) -> None:
    (tmp_path / "ferry.json").write_text(json.dumps(FERRY))
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "taken.json").write_text(json.dumps({**FERRY, "EADS": {"EADS-id": "process/flow-shop", "a": "b"}}))

    found = library((str(tmp_path),))

    assert found.get("resources/ferries") is not None
    assert found.get("process/flow-shop.taken") is not None
    assert {one.file: one.reason for one in found.skipped} == {"broken.json": "it is not JSON"}


def test_a_distribution_of_one_file_and_a_manifest_is_found_and_a_broken_one_skipped(tmp_path: Path) -> None:
    _distribution(tmp_path, "harbour", "harbour_eads", json.dumps(FERRY))
    _distribution(tmp_path, "sunken", "sunken_eads", '{"EADS": 1}')
    (tmp_path / "gone-1.dist-info").mkdir()
    (tmp_path / "gone-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: gone\nVersion: 1\n")
    (tmp_path / "gone-1.dist-info" / "entry_points.txt").write_text("[packhorse.eads]\ngone = not_there_eads\n")
    code = (
        "import json; from packhorse_discovery.service.library import library; found = library();"
        "print(json.dumps([found.get('resources/ferries').origin, [one.file for one in found.skipped],"
        " len(found.eads)]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert json.loads(run.stdout) == ["harbour", ["sunken.json", "gone"], 18]


def _distribution(folder: Path, name: str, module: str, text: str) -> None:
    info = folder / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[packhorse.eads]\n{name} = {module}\n")
    (folder / module).mkdir()
    (folder / module / f"{name}.json").write_text(text)


@pytest.mark.parametrize("name", ["process/flow-shop", "process/job-shop--classifiable", "process/job-shop--unique"])
def test_what_is_needed_at_once_and_what_will_do_instead_are_told_apart(name: str) -> None:
    eads = next(one for one in OURS if one.id == name)
    row = next(iter(form_of(eads).values()))[0]
    step = row if "resources" in row else next(one[0] for one in row.values() if isinstance(one, list))

    assert step["resources"] == ["text: all are needed at once"]
    assert step["alternatives"] == ["text: any one of these will do"]


def test_a_step_of_which_any_machine_will_do_lacks_none() -> None:
    eads = next(one for one in OURS if one.id == "process/flow-shop")
    row = "/subprocesses/bake/"
    told = [Proposal(f"{row}process-id", "bake"), Proposal(f"{row}alternatives", ["oven 1", "oven 2"])]
    structure, _ = merge(Structure(), told, eads, mark=Mark())

    assert not any(path.endswith("resources") for path in standing(eads, structure).remaining)


def cycles(library: Iterable[Eads]) -> list[str]:
    """Ids of schemas that require one another in a circle, so that none of them can ever be pursued."""
    needs = {one.id: {need.eads for need in one.requires} for one in library}
    while ready := [one for one, wanted in needs.items() if not wanted & set(needs)]:
        for one in ready:
            del needs[one]
    return sorted(one for one, wanted in needs.items() if wanted & set(needs))
