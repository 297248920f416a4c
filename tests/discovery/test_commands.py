"""The commands, as a person at a terminal types them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from packhorse.contract.host import Host
from packhorse_discovery.commands import commands
from packhorse_discovery.models.settings import DiscoverySettings
from packhorse_discovery.service.projects import Projects
from packhorse_discovery.store.tables import MIGRATIONS


@pytest.fixture
def run(tmp_path: Path) -> Any:
    host = Host("discovery", data_dir=tmp_path / "data", settings=DiscoverySettings(), migrations=MIGRATIONS)
    found = {one.name: one for one in commands(Projects(host))}

    def typed(name: str, *arguments: str) -> Any:
        return CliRunner().invoke(found[name], list(arguments))

    return typed


def test_the_seven_commands_are_there(run: Any, tmp_path: Path) -> None:
    host = Host("discovery", data_dir=tmp_path, settings=DiscoverySettings(), migrations=MIGRATIONS)

    assert {one.name for one in commands(Projects(host))} == {
        "lint", "preview", "import", "export", "model", "solve",
    }  # fmt: skip


def test_lint_tells_each_file_and_fails_when_one_is_bad(run: Any, tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text('{"interview-objective": "x", "EADS": {"EADS-id": "data/good", "a": "b"}}')
    (tmp_path / "bad.json").write_text("[]")
    result = run("lint", str(tmp_path), "--json")
    rows = {Path(one["file"]).name: one for one in json.loads(result.stdout)}

    assert result.exit_code == 1
    assert set(rows["good.json"]) == {"file", "id", "ok", "problems", "questions"}
    assert (rows["good.json"]["ok"], rows["good.json"]["id"], len(rows["good.json"]["questions"])) == (
        True,
        "data/good",
        1,
    )
    assert (rows["bad.json"]["ok"], rows["bad.json"]["problems"][0]["severity"]) == (False, "error")


def test_lint_reads_the_originals_edn_among_them(run: Any, original: Any) -> None:
    result = run("lint", str(original.file), "--json")

    assert result.exit_code == 0
    assert json.loads(result.stdout)[0]["questions"]


def test_preview_prints_each_question_with_its_table_and_cost(run: Any) -> None:
    result = run("preview", "process/flow-shop")

    assert result.exit_code == 0
    assert "| process | duration | resources |" in result.stdout
    assert "0.1 a question" in result.stdout


def test_edn_is_converted(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "x__flow-shop.edn"
    file.write_text(
        '{:message-type :PHASE-2-EADS, :EADS {:process-id {:val "pens" :comment "a name"} :inputs ["ink"]}}'
    )
    result = run("import", str(file))

    assert json.loads(result.stdout) == {
        "message-type": "PHASE-2-EADS",
        "EADS": {"process-id": {"val": "pens", "comment": "a name"}, "inputs": ["ink"]},
        "packhorse-id": "process/flow-shop",
    }


@pytest.mark.parametrize("name", ["export", "model", "solve"])
def test_a_project_that_is_not_there_is_told_in_words(run: Any, name: str) -> None:
    result = run(name, "nowhere")

    assert result.exit_code == 1
    assert "You have no project 'nowhere'. To begin a project, call start_interview" in result.output
