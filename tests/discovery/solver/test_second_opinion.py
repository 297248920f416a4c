"""Where the real MiniZinc is on the path, programs are compiled by it and schedules may be its own."""

from pathlib import Path

import pytest
from eight_models import model_of

from packhorse import Host, UserError
from packhorse_discovery.models.settings import DiscoverySettings
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.modelling import Modeller
from packhorse_discovery.service.projects import Projects
from packhorse_discovery.service.scheduling import Scheduler
from packhorse_discovery.solver import minizinc as real
from packhorse_discovery.store.tables import MIGRATIONS
from packhorse_discovery.tools import InterviewTools

STEPS = """| step | duration | resources |
|---|---|---|
| mix | 10 minutes | mixer |
| bake | 40 minutes | oven |
"""
TALK = {
    "process/warm-up-with-challenges": ("bread", None),
    "process/scheduling-problem-type": (
        "All of them go through the same steps in the same order.",
        {"principal-problem-type": "FLOW-SHOP", "quote": "same steps in the same order"},
    ),
    "process/flow-shop": (STEPS, None),
}


@pytest.fixture
def modeller(tmp_path: Path, minizinc: Path, monkeypatch: pytest.MonkeyPatch) -> Modeller:
    """A project of two steps, on a server that has MiniZinc on its path."""
    monkeypatch.setenv("PATH", str(minizinc.parent), prepend=":")
    host = Host("discovery", data_dir=tmp_path, settings=DiscoverySettings(), migrations=MIGRATIONS)
    tools = InterviewTools(host)
    tools.start_interview("p")
    for eads_id, (answer, refinement) in TALK.items():
        tools.start_eads_pursuit("p", eads_id)
        asked = tools.get_next_question("p", eads_id)
        tools.process_eads_answer("p", eads_id, asked.question_id or "", answer, refinement=refinement)
        tools.finalize_eads("p", eads_id, accept_gaps=True)
    return Modeller(Casefile(Projects(host)))


def test_a_generated_program_is_compiled_and_said_to_be(modeller: Modeller) -> None:
    made = modeller.generate("p")

    assert made["compiled"] is True
    assert made["compiler"].startswith("compiled by")


def test_a_program_that_is_asked_for_again_is_not_compiled_again(
    modeller: Modeller, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = modeller.generate("p")
    monkeypatch.setenv("PATH", "")

    assert modeller.generate("p") == first


def test_minizinc_solves_a_project_and_agrees(modeller: Modeller) -> None:
    ours, theirs = (Scheduler(modeller).solve("p", seconds=20, seed=0, solver=one) for one in ("cp-sat", "minizinc"))

    assert (theirs["solver"], theirs["status"], theirs["proved"]) == ("minizinc", "optimal", True)
    assert theirs["goals"] == ours["goals"]
    assert theirs["gantt"]["rows"]


def broken(folder: Path) -> Path:
    script = folder / "minizinc"
    script.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    script.chmod(0o755)
    return script


@pytest.mark.skipif("sys.platform == 'win32'", reason="a shell script stands for a broken MiniZinc")
def test_a_minizinc_that_fails_is_refused_in_words_of_our_own(
    modeller: Modeller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(broken(tmp_path).parent))

    with pytest.raises(UserError, match="use cp-sat") as caught:
        Scheduler(modeller).solve("p", seconds=5, seed=0, solver="minizinc")
    assert caught.value.code == "SOLVER_FAILED"
    assert modeller.generate("p")["compiled"] is False


def test_compiling_says_nothing_where_the_program_is_good(minizinc: Path) -> None:
    real.compile_with_minizinc(model_of("flow-shop"), minizinc)
