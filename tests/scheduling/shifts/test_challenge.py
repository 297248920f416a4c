"""Families of the MiniZinc Challenge: a small instance's best is that of all its rosters, by the models' text."""

import json
import random
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

import challenge_scorer
from packhorse import UserError
from packhorse_scheduling.commands.shifts import roster_command
from packhorse_scheduling.convert.shifts.challenge import ward_from
from packhorse_scheduling.convert.shifts.dzn import data_from
from packhorse_scheduling.domain.wards.search import solve

DATA = Path(__file__).parents[4] / "shared" / "benchmarks" / "minizinc"


def dzn(data):
    """A data file of plain values."""

    def words(value):
        if isinstance(value, set):
            return "{" + ", ".join(map(str, sorted(value))) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(words, value)) + "]"
        return json.dumps(value)

    return "\n".join(f"{name} = {words(value)};" for name, value in data.items())


ROTATING = """
employees = 4;
requirements =
[|      Day: Evening: Night:
 | Mon:  1,      1,    1
 | Tue:  1,      0,    1
 | Wed:  1,      1,    1
 | Thu:  1,      1,    0
 | Fri:  1,      0,    0
 | Sat:  0,      0,    1
 | Sun:  0,      0,    1
 |];
"""


def test_a_rotation_is_solved_by_the_rules_of_its_model():
    ward = ward_from(ROTATING)
    outcome = solve(ward, 10)
    weeks = ["".join(k or "-" for k in week) for week in outcome.roster.named(ward).values()]
    assert outcome.status == "optimal"
    assert challenge_scorer.rotating(data_from(ROTATING, "r"), weeks) == 0


def any_on_call(seed):
    rng = random.Random(seed)
    days = 7
    fixed = [{1, 2} if rng.random() < 0.5 else set(), {6} if rng.random() < 0.3 else set(), set()]
    return {
        "num_staff": 3, "work_load": [rng.choice([100, 60, 30]) for _ in range(3)], "num_days": days,
        "unavailable": [{3, 4} if rng.random() < 0.3 else set(), set(), {rng.randint(3, 5)}], "fixed": fixed,
        "weekend_offset": rng.randint(0, 4), "adj_days_str": rng.randint(0, 2), "wed_before_weekend_str": 1,
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_the_best_on_call_roster_is_the_best_of_all(seed):
    data = any_on_call(seed)
    values = [challenge_scorer.on_call(data, roster) for roster in product(range(3), repeat=data["num_days"])]
    best = min((value for value in values if value is not None), default=None)
    outcome = solve(ward_from(dzn(data)), 10)
    assert outcome.proven or outcome.status == "optimal"
    assert (outcome.objective if outcome.status == "optimal" else None) == best


def any_physicians(seed):
    """Three people and two days; station 0 is off, 1 is common, 2 and 3 have a department each."""
    rng = random.Random(seed)
    need = {(2, 1): 1, (3, 1): rng.randint(0, 1), (1, 1): rng.randint(0, 1)}
    demand = [need.get((i, j), 0) * (k == 1) for i in range(4) for j in range(3) for _ in range(2) for k in range(2)]
    prefs = [rng.choice([0, 1, 3, 4]) if i and k else 0 for _ in range(3) for i in range(4) for k in range(2)]
    return {
        "numDepartments": 2, "numStations": 3, "stationDepartment": [0, 1, 1, 2],
        "stationCommon": [True, True, False, False], "numPers": 3, "numSkills": 1, "stationPrefs": prefs,
        "persRisk": [True, False, False], "persRequireWork": [False, rng.random() < 0.5, False],
        "maxHoursWeek": [50, 50, 50], "forbiddenDays": [set(), set(), {rng.randint(1, 2)}],
        "histConsecutiveWorkDays": [0, 1, 0], "histLastStationWorked": [rng.randint(0, 3) for _ in range(3)],
        "histShiftLastDay": [rng.choice([0, 2]), 1, 0], "numShifts": 2, "numDays": 2, "shiftLength": [0, 7, 24],
        "forbiddenSequences": [set(), set(), {1, 2}], "demand": demand, "preferenceWeight": 5, "riskWeight": 10,
        "persWeight": 50, "stationWeight": 500, "indexNight": set(), "numSubsum": 1, "subDepartment": [1],
        "subDemand": [1, rng.randint(0, 1)], "subSkills": [{1}],
    }  # fmt: skip


def best_of_physicians(data):
    cells = [None, *((i, j, 1) for i in (1, 2, 3) for j in (1, 2))]
    values = [challenge_scorer.physicians(data, [flat[:2], flat[2:4], flat[4:]]) for flat in product(cells, repeat=6)]
    return min((value for value in values if value is not None), default=None)


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_the_best_physicians_roster_is_the_best_of_all(seed):
    data = any_physicians(seed)
    outcome = solve(ward_from(dzn(data)), 10)
    assert outcome.proven or outcome.status == "optimal"
    assert (outcome.objective if outcome.status == "optimal" else None) == best_of_physicians(data)


def test_a_person_at_risk_who_works_in_two_departments_pays_for_both():
    """The model asks only for the last one: 20 less."""
    data = any_physicians(7)
    assert solve(ward_from(dzn(data)), 10).objective == best_of_physicians(data) + 20


def any_sickness(seed):
    """Three people; some shifts are held, some of them by somebody who holds another at the same time."""
    rng = random.Random(seed)
    hours = sorted((start, start + rng.choice([2, 4, 6])) for start in rng.choices(range(0, 20, 2), k=7))
    holder = [rng.choice([None, None, None, None, 0, 1, 2]) for _ in hours]
    return {
        "n_shifts": len(hours), "n_employees": 3, "n_expertises": 2, "time_units_per_hour": 4,
        "contract": [rng.randint(0, 16), rng.randint(0, 8), 0],
        "employee_expertises": [{1}, {1, 2}, {rng.randint(1, 2)}],
        "req_expertise": [rng.randint(1, 2) for _ in hours],
        "start_time": [start for start, _ in hours], "stop_time": [stop for _, stop in hours],
        "is_assigned": [who == e for e in range(3) for who in holder],
    }  # fmt: skip


def best_of_sickness(data):
    shifts, people = data["n_shifts"], range(data["n_employees"])
    held = [any(data["is_assigned"][e * shifts + s] for e in people) for s in range(shifts)]
    choices = [[None] if taken else [None, *people] for taken in held]
    values = [challenge_scorer.sickness(data, takers) for takers in product(*choices)]
    return max(value for value in values if value is not None)


@pytest.mark.parametrize("seed", range(20))
def test_what_sick_people_leave_is_covered_as_well_as_it_can_be(seed):
    data = any_sickness(seed)
    outcome = solve(ward_from(dzn(data)), 10)
    lengths = [stop - start for start, stop in zip(data["start_time"], data["stop_time"], strict=True)]
    assert outcome.status == "optimal"
    assert (1 + max(*data["contract"], *lengths)) * data["n_shifts"] - outcome.objective == best_of_sickness(data)


def test_a_data_file_is_solved_at_a_terminal(tmp_path):
    path = tmp_path / "calls.dzn"
    path.write_text(dzn(any_on_call(1)))
    done = CliRunner().invoke(roster_command(), ["solve", str(path), "--cpu-seconds", "5", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["status"] == "optimal"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = 1;", "is none of the families"),
        ("is_assigned = [true];", "n_employees is missing"),
        ("employees = 4;\nrequirements = [1, 2];", "requirements must be an array of 21 values"),
        ("num_staff = 3;\nnum_days = ;", "line 2"),
        ("num_staff = 3", "num_days is missing"),
    ],
)
def test_a_data_file_that_does_not_fit_is_refused(text, words):
    with pytest.raises(UserError, match=words):
        ward_from(text)


def test_instances_at_hand_are_read():
    if not DATA.is_dir():
        pytest.skip(f"{DATA} is absent")
    assert all(ward_from(path.read_text(), path.name).people for path in sorted(DATA.rglob("*.dzn")))
