"""One transaction a call: killed between any two writes, the state is as before or as after."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from packhorse.contract.host import Host
from packhorse_discovery.models.settings import DiscoverySettings
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.modelling import Modeller
from packhorse_discovery.service.projects import Projects
from packhorse_discovery.service.scheduling import Scheduler
from packhorse_discovery.store.tables import MIGRATIONS
from packhorse_discovery.tools import InterviewTools, ModelTools

WARM_UP = "process/warm-up-with-challenges"
SCRIPT = """
import json, os, runpy, signal, sys
from pathlib import Path
from packhorse.store.sqlite import Store

checks = runpy.run_path(sys.argv[1])
tools, state, scenes = checks["tools"], checks["state"], checks["SCENES"]
execute = Store.execute

def done(folder, calls):
    folder.mkdir()
    for tool, arguments in calls:
        getattr(tools(folder), tool)(**arguments)

def outcome(folder, name, arguments):
    if "conflict_id" in arguments:
        arguments = {**arguments, "conflict_id": tools(folder).list_conflicts("p").conflicts[0].conflict_id}
    before, killed = state(folder), 0
    while True:
        child = os.fork()
        if not child:
            writes = 0
            def counted(self, sql, **parameters):
                nonlocal writes
                if writes == killed:
                    os.kill(os.getpid(), signal.SIGKILL)
                writes += 1
                return execute(self, sql, **parameters)
            Store.execute = counted
            try:
                getattr(tools(folder), name)(**arguments)
            except BaseException as error:
                print(repr(error), file=sys.stderr, flush=True)
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            return killed, os.WEXITSTATUS(status), state(folder) != before
        if state(folder) != before:
            return killed, f"killed before write {killed + 1}, the state is another", True
        killed += 1

folder = Path(sys.argv[2])
done(folder / "what every call imports is loaded once", [*checks["MODELLED"], ("solve_model", {"project_id": "p"})])
found = {}
for number, (scene, (before, call)) in enumerate(scenes.items()):
    done(folder / str(number), before)
    found[scene] = outcome(folder / str(number), *call)
print(json.dumps(found))
"""


class Desk:
    """Every tool of the pack on one folder, by name."""

    def __init__(self, folder: Path) -> None:
        projects = Projects(Host("discovery", data_dir=folder, settings=DiscoverySettings(), migrations=MIGRATIONS))
        modeller = Modeller(Casefile(projects))
        self._found = [InterviewTools(projects.host), ModelTools(projects.host)]
        self._solve = Scheduler(modeller).solve

    def __getattr__(self, name: str) -> Any:
        return next(getattr(one, name) for one in self._found if hasattr(one, name))

    def solve_model(self, project_id: str, *, job: str = "") -> None:
        """The tool without its call's context, and what a job does."""
        self._solve(project_id, seconds=5, seed=0, job=job)


def tools(folder: Path) -> Desk:
    return Desk(folder)


def state(folder: Path) -> str:
    """Everything in the store but the instants."""
    host = Host("discovery", data_dir=folder, settings=DiscoverySettings(), migrations=MIGRATIONS)
    kept: dict[str, Any] = {}
    with host.store() as store:
        for row in store.query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"):
            rows = store.query(f"SELECT * FROM {row['name']}")
            kept[row["name"]] = [
                {key: value for key, value in one.items() if key not in {"at", "started", "asked", "finished"}}
                for one in rows
            ]
    return json.dumps(kept, sort_keys=True)


def _made(words: str) -> dict[str, Any]:
    return {"product-or-service-name": words}


CALLS = [
    ("start_interview", {"project_id": "p"}),
    ("get_next_eads", {"project_id": "p"}),
    ("start_eads_pursuit", {"project_id": "p", "eads_id": WARM_UP}),
    ("get_next_question", {"project_id": "p", "eads_id": WARM_UP}),
    (
        "process_eads_answer",
        {
            "project_id": "p",
            "eads_id": WARM_UP,
            "question_id": "q1-1",
            "answer": "We make pens.",
            "refinement": _made("pens"),
        },
    ),
    (
        "correct_answer",
        {
            "project_id": "p",
            "eads_id": WARM_UP,
            "path": "/product-or-service-name",
            "value": "ink",
            "answer": "No, ink.",
        },
    ),
    ("finalize_eads", {"project_id": "p", "eads_id": WARM_UP}),
    ("add_note", {"project_id": "p", "text": "n"}),
    ("delete_project", {"project_id": "p"}),
]


KIND = "process/scheduling-problem-type"
STEPS = "process/flow-shop"
TWO_VOICES = [
    *CALLS[:4],
    *(
        (
            "process_eads_answer",
            {
                "project_id": "p",
                "eads_id": WARM_UP,
                "question_id": "q1-1",
                "answer": f"We make {made}.",
                "answered_by": by,
                "refinement": _made(made),
            },
        )
        for by, made in (("Ann", "pens"), ("Bob", "bottles"))
    ),
]
PROPOSED = {
    "format": "packhorse-eads/1",
    "version": "1.0.0",
    "title": "Ferries",
    "interview-objective": "Learn which ferries run.",
    "EADS": {"EADS-id": "resources/ferries", "ferries": [{"ferry-id": "Aurora", "seats": 40}]},
}


def _pursued(eads_id: str, number: int, answer: str) -> list[tuple[str, dict[str, Any]]]:
    where = {"project_id": "p", "eads_id": eads_id}
    return [
        ("start_eads_pursuit", where),
        ("get_next_question", where),
        ("process_eads_answer", {**where, "question_id": f"q{number}-1", "answer": answer}),
        ("finalize_eads", {**where, "accept_gaps": True}),
    ]


MODELLED = [
    *CALLS[:1],
    *_pursued(WARM_UP, 1, "We bake bread."),
    *_pursued(KIND, 2, "(a)"),
    *_pursued(STEPS, 3, "- mix: 10 minutes, mixer\n- bake: 40 minutes, oven"),
]
DURATION = {"project_id": "p", "eads_id": STEPS, "path": "/subprocesses/mix/duration"}
CHANGED = [
    *MODELLED,
    ("correct_answer", {**DURATION, "value": {"value-string": "20", "units": "minutes"}, "answer": "Mix: 20 minutes."}),
]
NAME_TAKEN = {
    "project_id": "p",
    "conflict_id": "the first",
    "resolution": "Ann knows: pens and ink.",
    "value": "pens and ink",
}
WRITES = {"start_interview", "process_eads_answer", "add_note", "correct_answer", "delete_project", "get_next_eads"}
SCENES = {
    **{name: (CALLS[:place], (name, arguments)) for place, (name, arguments) in enumerate(CALLS) if name in WRITES},
    "start_eads_pursuit": (
        CALLS[:5],
        ("start_eads_pursuit", {"project_id": "p", "eads_id": "data/areas-of-inquiry"}),
    ),
    "finalize_eads with gaps": (
        CALLS[:1],
        ("finalize_eads", {"project_id": "p", "eads_id": WARM_UP, "accept_gaps": True}),
    ),
    "process_eads_answer that contradicts": (TWO_VOICES[:-1], TWO_VOICES[-1]),
    "resolve_conflict": (TWO_VOICES, ("resolve_conflict", NAME_TAKEN)),
    "propose_eads": (CALLS[:1], ("propose_eads", {"project_id": "p", "document": PROPOSED})),
    "start_eads_pursuit with more budget": (
        CALLS[:3],
        ("start_eads_pursuit", {"project_id": "p", "eads_id": WARM_UP, "extra_budget": 1}),
    ),
    "correct_answer that undoes": (CHANGED, ("correct_answer", {**DURATION, "undo": True})),
    "correct_answer that undoes an answer": (
        CHANGED,
        ("correct_answer", {"project_id": "p", "eads_id": STEPS, "question_id": "q3-1", "undo": True}),
    ),
    "generate_model": (MODELLED, ("generate_model", {"project_id": "p"})),
    "solve_model": (MODELLED, ("solve_model", {"project_id": "p"})),
    "solve_model as a job": (MODELLED, ("solve_model", {"project_id": "p", "job": "j1"})),
}


@pytest.fixture(scope="module")
def killed_everywhere(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Of every scene: how often its call was killed, how the last one ended, and whether that one changed the state."""
    command = [sys.executable, "-c", SCRIPT, __file__, str(tmp_path_factory.mktemp("scenes"))]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    outcomes: dict[str, Any] = json.loads(found.stdout)
    return outcomes


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
@pytest.mark.parametrize("scene", list(SCENES))
def test_killed_between_any_two_writes_the_state_is_as_before(killed_everywhere: dict[str, Any], scene: str) -> None:
    killed, ended, changed = killed_everywhere[scene]

    assert (ended, changed) == (0, True)
    assert killed >= 1


def test_what_was_said_is_there_after_a_restart(tmp_path: Path) -> None:
    for name, arguments in CALLS[:5]:
        getattr(tools(tmp_path), name)(**arguments)

    status = tools(tmp_path).get_eads_status("p", WARM_UP)

    assert status.data_structure["product-or-service-name"] == "pens"
    assert tools(tmp_path).start_interview("p").resumed
