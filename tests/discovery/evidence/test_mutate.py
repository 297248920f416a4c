"""The mutator: what it makes is wrong, said where it is wrong, and the same for the same seed."""

import copy
import importlib.util
import json
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SHARED = HERE.parents[3] / "shared" / "discovery" / "evidence" / "answers.json"
ANSWERS = json.loads((HERE / "fresh.json").read_text())

spec = importlib.util.spec_from_file_location("mutate", HERE / "mutate.py")
mutate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(mutate)


def at(node, pointer):
    for key in pointer.split("/")[1:]:
        node = node[int(key)] if isinstance(node, list) else node[key]
    return node


def test_the_same_seed_gives_the_same_mutations_and_another_seed_others():
    first, again, other = (list(mutate.mutations(ANSWERS[:3], seed, 10)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_batch_leaves_the_right_answers_as_they_are():
    before = copy.deepcopy(ANSWERS[:3])
    list(mutate.mutations(ANSWERS[:3], 1, 10))
    assert before == ANSWERS[:3]


@pytest.fixture(scope="module")
def batch():
    return list(mutate.mutations(ANSWERS, 3, 40))


@pytest.mark.parametrize("kind", mutate.KINDS)
def test_each_kind_has_forty_different_mutations_and_each_names_places_that_exist(batch, kind):
    made = [one for one in batch if one[1] == kind]
    assert len({(index, json.dumps(refinement)) for index, _, refinement, _ in made}) == 40
    for index, _, refinement, paths in made:
        assert refinement != ANSWERS[index]["refinement"]
        assert paths
        for path in paths:
            at(refinement, path)


def test_forty_of_each_kind_come_from_the_shared_answers():
    if not SHARED.exists():
        pytest.skip(f"{SHARED} is absent")
    kinds = [kind for _, kind, _, _ in mutate.mutations(json.loads(SHARED.read_text()), 1, 40)]
    assert {kind: kinds.count(kind) for kind in mutate.KINDS} == dict.fromkeys(mutate.KINDS, 40)


def test_two_shifts_of_one_crew_are_not_swapped_into_each_other():
    answer = {
        "answer": "The crew works six to two and two to ten.",
        "refinement": {
            "hours": [
                {"resource": "crew", "start": "06:00", "end": "14:00"},
                {"resource": "crew", "start": "14:00", "end": "22:00"},
            ]
        },
    }
    right = {("06:00", "14:00"), ("14:00", "22:00")}
    made = [m for _, kind, m, _ in mutate.mutations([answer]) if kind == "swapped rows"]
    assert made
    assert all({(row["start"], row["end"]) for row in m["hours"]} != right for m in made)


def test_equal_values_in_other_units_are_not_swapped():
    answer = {
        "answer": "Milling takes 90 minutes, turning an hour and a half.",
        "refinement": {
            "subprocesses": [
                {"process-id": "milling", "duration": {"value-string": "90", "units": "minutes"}},
                {"process-id": "turning", "duration": {"value-string": "1.5", "units": "hours"}},
            ]
        },
    }
    kinds = {kind for _, kind, _, _ in mutate.mutations([answer])}
    assert not kinds & {"swapped rows", "merged rows"}
