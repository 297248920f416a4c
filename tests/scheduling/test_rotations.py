"""The rotation plan: made of quotas, kept with the version, told, respected, and never given up without a word."""

import json
import re
from datetime import date, timedelta

import numpy as np
import pytest
from attrs import evolve

from packhorse import UserError
from packhorse_scheduling.convert.files import workbooks
from packhorse_scheduling.convert.files.blocks import plan_from, plan_of_sheet, plan_rows
from packhorse_scheduling.convert.rotations import _name_within, chart, rotations_from, rotations_told
from packhorse_scheduling.domain.change.churn import Generated, churn
from packhorse_scheduling.domain.change.swaps import candidates
from packhorse_scheduling.domain.insight.plan_conflicts import explain_plan
from packhorse_scheduling.domain.insight.wording import grid_fault_words, violation_words
from packhorse_scheduling.domain.programme.calendar import Year, block_id, name_id
from packhorse_scheduling.domain.programme.requests import Demand, Leave, Lock, RotationLock
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.domain.programme.services import Rotation
from packhorse_scheduling.domain.roster.plan import Stay, by_weeks, known, plan_faults
from packhorse_scheduling.domain.roster.roster import Schedule
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.solve import grid_model
from packhorse_scheduling.domain.solve.night_weeks import NightWeeks
from packhorse_scheduling.domain.solve.rotations import Asked, rotate
from packhorse_scheduling.domain.solve.search import Effort, run
from packhorse_scheduling.domain.solve.start import start_of
from packhorse_scheduling.domain.solve.wishes import Aims
from packhorse_scheduling.domain.solve.year import ROTATION_GAP, Draft, Impossible, YearSolver
from roster_factories import MONDAY, cells, programme, resident
from wire import NOW, call, read

UNIT = 28
WARD = Rotation("WARD", "Ward", ("DAY",), least=1)
LONG = Rotation("LONG", "Long ward", ("LONG",))


def two_units(**changed):
    made = {"people": (resident("R1"), resident("R2")), "rotations": (WARD, LONG), **changed}
    return programme(2 * UNIT, **made)


def day(n):
    return MONDAY + timedelta(days=n)


def grid_of(made, **asked):
    kernel = Kernel(made, asked.pop("plan", ()))
    return kernel, rotate(kernel, Effort(), Asked(asked.get("first", 0), asked.get("last", kernel.D - 1)))


def opened_with(made, plan, rows=()):
    kernel = Kernel(made, plan)
    schedule = Schedule("s", 1, "p", "draft", "COMPLIANT", NOW, None, tuple(rows), plan=plan)
    return Opened(schedule, kernel, kernel.grid_of(rows))


def codes(kernel, rules=("ROTATION_RULE", "CURRICULUM_RULE")):
    grid = kernel.empty()
    return [v for rule in kernel.rules if set(rule.codes) & set(rules) for v in rule.check(grid)]


# --- the grid ---


def test_illness_in_a_unit_gone_by_does_not_hinder_a_plan_that_somebody_joins_later():
    """R1 alone was on the ward, and ill on one day of the first unit; R3, who joins, has no plan of it."""
    plan = (
        Stay("R1", day(0), day(2 * UNIT - 1), "WARD"),
        Stay("R2", day(0), day(2 * UNIT - 1), "LONG"),
    )
    people = tuple(resident(key) for key in ("R1", "R2", "R3"))
    made = two_units(people=people, leaves=(Leave("R1", day(3), day(3), "sick"), Leave("R3", day(0), day(20))),
                     demands=(Demand("DAY", "RESIDENT", 1, 2),))  # fmt: skip
    _, found = grid_of(made, plan=plan, first=UNIT)
    assert found.faults == ()
    assert explain_plan(Kernel(made, plan), UNIT, 2 * UNIT - 1) is None


def joining(done=None):
    """R1 and R2 have had a unit of three; R3 of the same year of training joins behind it, and must have the ward."""
    people = (resident("R1"), resident("R2"), resident("R3", rotations_done=done or {}))
    made = programme(3 * UNIT, people, rotations=(evolve(WARD, least=0, required={2: 9}), LONG))
    plan = (Stay("R1", day(0), day(27), "WARD"), Stay("R2", day(0), day(27), "WARD"))
    return made, plan


def test_rotations_done_elsewhere_count_for_somebody_who_joins_in_mid_year():
    def ward_units(done):
        made, plan = joining(done)
        _, found = grid_of(made, plan=plan, first=UNIT)
        assert found.faults == ()
        assert (found.days[2, :UNIT] == -1).all()
        after = Kernel(made, found.plan())
        assert [one for one in codes(after, ("CURRICULUM_RULE",)) if one.person == 2] == []
        return int((found.days[2] == 0).sum()) / UNIT

    assert ward_units({"WARD": 2, "LONG": 1}) <= 1
    assert ward_units({"LONG": 1}) == 2
    assert ward_units(None) >= 1  # nothing is known: as much as of a plan that is as long
    held = (RotationLock("R3", day(UNIT), day(3 * UNIT - 1), "LONG"),)
    for done, clash in ({"WARD": 1}, {"ROTATION_LOCK", "CURRICULUM_LEAST"}), ({"WARD": 2}, set()):
        made, plan = joining(done)
        found = explain_plan(Kernel(evolve(made, rotation_locks=held), plan), UNIT, 3 * UNIT - 1)
        assert {one.code for one in (found.conflict if found else ())} == clash


def test_what_somebody_worked_in_a_roster_without_a_plan_counts_as_the_rotation_that_holds_it():
    made, plan = joining()
    kernel = Kernel(made, plan)
    near = kernel.grid_of(cells(*(("R3", n, "AP", "DAY") for n in range(10))))
    found = rotate(kernel, Effort(), Asked(UNIT, kernel.D - 1, near=near))
    assert (found.days[2, :UNIT] == 0).all()
    assert int((found.days[2, UNIT:] == 0).sum()) >= UNIT
    little = kernel.grid_of(cells(*(("R3", n, "AP", "DAY") for n in range(3))))
    assert (rotate(kernel, Effort(), Asked(UNIT, kernel.D - 1, near=little)).days[2, :UNIT] == -1).all()


def test_a_year_of_training_shares_each_rotation_evenly(kernel):
    found = rotate(kernel, Effort(), Asked(0, kernel.D - 1))
    people = kernel.programme.people
    assert found.faults == ()
    for pgy in (1, 2, 3):
        for k in range(len(kernel.programme.rotations)):
            days = [(found.days[p] == k).sum() for p, person in enumerate(people) if person.pgy == pgy]
            assert max(days) - min(days) <= 30, (pgy, k)


def test_a_year_whose_night_weeks_go_over_no_best_units_has_its_grid_in_a_unit_of_the_solver_s_time(monkeypatch):
    """The worker on the relaxation has no first grid in one and a half; the one on clauses has it in a hundredth."""
    spent = []

    def counting(*args, **kwargs):
        ran = run(*args, **kwargs)
        spent.append(ran.spent)
        return ran

    monkeypatch.setattr(grid_model, "run", counting)
    kernel = Kernel(sample(Shape(seed=2)))
    assert rotate(kernel, evolve(Effort(), gap=ROTATION_GAP), Asked(0, kernel.D - 1)).faults == ()
    assert sum(spent) < 1


def test_no_more_people_are_on_a_rotation_than_its_services_have_work_for():
    one_a_day = (Demand("DAY", "RESIDENT", 0, 1), Demand("LONG", "RESIDENT", 0, 9))
    people = tuple(resident(f"R{n}") for n in range(1, 7))
    made = two_units(people=people, demands=one_a_day, rotations=(evolve(WARD, least=0), LONG))
    _, found = grid_of(made)
    assert int((found.days == 0).sum()) <= 3 * UNIT


def test_a_locked_rotation_stands_in_the_grid_and_says_whose_word_it_is():
    made = two_units(rotation_locks=(RotationLock("R1", day(0), day(6), "LONG"),))
    _, found = grid_of(made)
    mine = [stay for stay in found.plan() if stay.person == "R1"]
    assert (mine[0].rotation, mine[0].first, mine[0].source) == ("LONG", MONDAY, "locked")


def test_a_rotation_that_is_locked_out_is_given_to_somebody_else():
    made = two_units(rotation_locks=(RotationLock("R1", day(0), day(55), "WARD", avoid=True),))
    _, found = grid_of(made)
    assert {stay.rotation for stay in found.plan() if stay.person == "R1"} == {"LONG"}
    assert [stay.rotation for stay in found.plan() if stay.person == "R2"] == ["WARD"]


def test_locks_of_two_halves_part_a_unit_and_count_by_their_days():
    """A grid of two-week columns, or of calendar months, is locked as it stands; a day between goes on as it was."""
    halves = (RotationLock("R1", day(0), day(9), "LONG"), RotationLock("R1", day(14), day(27), "WARD"))
    months = (RotationLock("R2", day(0), day(30), "WARD"), RotationLock("R2", day(31), day(55), "LONG"))
    made = two_units(rotation_locks=(*halves, *months), rotations=(evolve(WARD, least=0), LONG))
    kernel, found = grid_of(made)
    assert found.faults == ()
    assert found.days[0, :28].tolist() == [1] * 14 + [0] * 14
    assert found.days[1].tolist() == [0] * 31 + [1] * 25
    assert [stay.source for stay in found.plan() if stay.person == "R2"] == ["locked", "locked"]
    assert explain_plan(kernel, 0, 55) is None
    short = evolve(made, rotations=(WARD, LONG), people=(resident("R1"),), rotation_locks=halves)
    kernel, found = grid_of(short)
    assert [fault.kind for fault in found.faults] == ["team"]
    assert [one.code for one in explain_plan(kernel, 0, 55).conflict] == ["ROTATION_LEAST"]
    kept = evolve(made, rotation_locks=(*halves, RotationLock("R1", day(20), day(20), "WARD", avoid=True)))
    assert [fault.kind for fault in grid_of(kept)[1].faults] == ["lock"]


def test_a_lock_of_half_a_day_decides_the_rotation_before_any_half_day_is_solved():
    made = two_units(locks=(Lock("R2", day(30), "AM", "LONG"),))
    _, found = grid_of(made)
    assert found.days[1, 30] == 1


def test_units_outside_the_days_asked_for_stay_as_they_are_in_force():
    plan = (Stay("R1", day(0), day(27), "LONG"), Stay("R1", day(28), day(55), "WARD"),
            Stay("R2", day(0), day(27), "WARD"), Stay("R2", day(28), day(55), "WARD"))  # fmt: skip
    kernel, found = grid_of(two_units(), plan=plan, first=28)
    assert np.array_equal(found.days[:, :28], kernel.rotation[:, :28])
    assert (found.days >= 0).all()


def test_what_no_grid_can_keep_is_named_with_its_unit_and_number():
    made = two_units(rotations=(evolve(WARD, least=3), LONG))
    kernel, found = grid_of(made)
    assert [grid_fault_words(kernel, fault) for fault in found.faults] == [
        "Ward from 2026-07-06 to 2026-08-02 asks for 3 residents present, 1 missing",
        "Ward from 2026-08-03 to 2026-08-30 asks for 3 residents present, 1 missing",
    ]


def test_locks_that_no_rotation_can_keep_are_named_with_the_person():
    locks = (RotationLock("R1", day(0), day(9), "LONG"), RotationLock("R1", day(3), day(3), "WARD"))
    kernel, found = grid_of(two_units(rotation_locks=locks))
    assert [fault.kind for fault in found.faults] == ["lock"]
    assert "Resident R1" in grid_fault_words(kernel, found.faults[0])


def test_generation_refuses_with_the_faults_of_the_grid():
    kernel = Kernel(two_units(rotations=(evolve(WARD, least=3), LONG)))
    found = YearSolver(kernel, *start_of(kernel), 0, kernel.D - 1, effort=Effort()).solve()
    assert isinstance(found, Impossible)
    assert (found.stage, len(found.faults)) == ("rotations", 2)


# --- weeks of nights ---


def test_nights_are_given_by_weeks_off_the_units_and_in_equal_turns(kernel):
    found = rotate(kernel, Effort(), Asked(0, kernel.D - 1))
    nights = next(k for k, one in enumerate(kernel.programme.rotations) if one.code == "NIGHT")
    residents = [p for p, person in enumerate(kernel.programme.people) if person.role == "RESIDENT"]
    weeks = NightWeeks(kernel, 0, kernel.D - 1).weeks
    turns = [sum(found.days[p, first] == nights for first, _ in weeks) for p in residents]
    assert max(turns) - min(turns) <= 1
    for first, end in weeks:
        assert (found.days[residents, first:end] == nights).sum(axis=0).tolist() == [1] * (end - first)
    assert {kernel.date_of(first).weekday() for first, _ in weeks[1:]} == {6}  # the pause is Friday and Saturday


def test_nights_that_the_curriculum_requires_in_units_stay_in_units():
    night = Rotation("NF", "Nights", ("NIGHT",), required={2: 6})
    demand = Demand("NIGHT", "RESIDENT", 1, 1, sessions=("PM",))
    assert by_weeks(two_units(rotations=(WARD, night), demands=(demand,))) == ()
    assert by_weeks(two_units(rotations=(WARD, evolve(night, required={})), demands=(demand,))) == (1,)


def test_a_week_of_nights_counts_to_the_unit_that_it_lies_in():
    night = Rotation("NF", "Nights", ("NIGHT",))
    made = two_units(rotations=(evolve(WARD, least=0, required={2: 13}), night))
    plan = (Stay("R1", day(0), day(20), "WARD"), Stay("R1", day(21), day(27), "NF"), Stay("R1", day(28), day(34), "NF"),
            Stay("R1", day(35), day(55), "WARD"))  # fmt: skip
    assert codes(Kernel(made, plan)) == []


def test_a_lock_gives_a_week_of_nights_or_keeps_it_from_somebody():
    night = Rotation("NF", "Nights", ("NIGHT",), leave=False)
    demand = Demand("NIGHT", "RESIDENT", 1, 1, weekdays=frozenset({6, 0, 1, 2, 3}), sessions=("PM",))
    people = tuple(resident(f"R{n}") for n in range(1, 7))
    locks = (RotationLock("R3", day(6), day(12), "NF"), RotationLock("R4", day(0), day(55), "NF", avoid=True))
    made = two_units(people=people, rotations=(WARD, LONG, night), demands=(demand,), rotation_locks=locks)
    _, found = grid_of(made)
    assert found.faults == ()
    assert (found.days[2, 6:13] == 2).all()
    assert (found.locked[2, 6:13] == 2).all()
    assert not (found.days[3] == 2).any()


# --- kept, and judged ---


def test_a_half_day_off_its_rotation_is_a_warning_of_its_own():
    made = two_units()
    opened = opened_with(
        made, (Stay("R1", day(0), day(27), "WARD"),), cells(("R1", 0, "A", "LONG"), ("R1", 1, "A", "DAY"))
    )
    found = opened.violations(("ROTATION_RULE",))
    assert [(v.person, v.first, v.session, v.blocks) for v in found] == [(0, 0, 0, False)]
    assert violation_words(opened.kernel, found[0]).endswith("off the rotation Ward.")


def test_a_night_belongs_to_the_rotation_of_its_evening():
    night = Rotation("NF", "Nights", ("NIGHT",))
    made = two_units(rotations=(WARD, night))
    plan = (Stay("R1", day(0), day(3), "NF"), Stay("R1", day(4), day(9), "WARD"))
    opened = opened_with(made, plan, cells(("R1", 3, "P", "NIGHT"), ("R1", 4, "A", "NIGHT")))
    assert opened.violations(("ROTATION_RULE",)) == []


def test_a_version_without_a_plan_is_warned_of_nothing():
    opened = opened_with(two_units(), (), cells(("R1", 0, "A", "LONG")))
    assert opened.violations(("ROTATION_RULE", "CURRICULUM_RULE")) == []


def test_the_plan_is_held_against_the_curriculum():
    ward = Rotation("WARD", "Ward", ("DAY",), least=1, most=1, pgy=frozenset({1}), required={2: 13})
    rest = evolve(LONG, most_a_year={2: 0})
    plan = (
        Stay("R1", day(0), day(27), "WARD"),
        Stay("R2", day(0), day(27), "WARD"),
        Stay("R1", day(28), day(55), "LONG"),
    )
    kernel = Kernel(two_units(rotations=(ward, rest)), plan)
    words = [violation_words(kernel, v) for v in codes(kernel)]
    assert words == [
        "Resident R1: 1 unit of Ward in the rotation plan, below 2.",
        "Resident R1, PGY 2, on Ward, 2026-07-06 to 2026-08-02: not a rotation of that year of training.",
        "Resident R1: 1 unit of Long ward in the rotation plan, above 0.",
        "Resident R2: 1 unit of Ward in the rotation plan, below 2.",
        "Resident R2, PGY 2, on Ward, 2026-07-06 to 2026-08-02: not a rotation of that year of training.",
        "Ward, 2026-08-03 to 2026-08-30: 0 residents by the rotation plan, below 1.",
        "Ward, 2026-07-06 to 2026-08-02: 2 residents by the rotation plan, above 1.",
    ]


def test_whoever_stays_on_their_rotation_comes_before_whoever_leaves_it():
    people = (resident("R1"), resident("R2"), resident("R3"))
    made = two_units(people=people)
    plan = tuple(Stay(key, day(0), day(55), code) for key, code in (("R1", "WARD"), ("R2", "LONG"), ("R3", "WARD")))
    rows = cells(("R1", 0, "A", "DAY"), ("R3", 1, "AP", "DAY"), ("R3", 2, "AP", "DAY"))
    board = opened_with(made, plan, rows).board()
    found = candidates(board, 0, [(0, 0)])
    assert [one.person for one in found] == [2, 1]
    assert [one.factors["rotation"] for one in found] == [1, 0]


# --- the half-days do not fit ---


@pytest.mark.slow
def test_a_demand_that_the_rotations_cannot_meet_is_met_off_them_and_told_with_unit_and_service():
    """Two a day are needed of a rotation that has two, and each must be free one day in seven."""
    people = tuple(resident(f"R{n}") for n in range(1, 5))
    rotations = (evolve(WARD, least=2, most=2), LONG)
    made = programme(UNIT, people, (Demand("DAY", "RESIDENT", 2, 2),), rotations=rotations)
    kernel = Kernel(made)
    found = YearSolver(kernel, *start_of(kernel), 0, UNIT - 1, effort=Effort()).solve()
    assert isinstance(found, Draft)
    assert found.shortfall == 0
    held = opened_with(made, found.plan, kernel.cells_of(found.grid))
    told = rotations_told(Generated(held, found, ()))
    assert not told["held"]
    assert 0 < told["half_days_off_rotation"] < 40
    assert told["why"][0].startswith("Ward by day from 2026-07-06 to 2026-08-02: its minimum of 2 could not be met")
    assert {stay.rotation for stay in found.plan if stay.person == "R1"} <= {"WARD", "LONG"}


# --- files and pages ---


@pytest.fixture
def charted():
    plan = (Stay("R1", day(0), day(27), "WARD"), Stay("R1", day(28), day(55), "LONG", "locked"),
            Stay("R2", day(0), day(55), "LONG"))  # fmt: skip
    return opened_with(two_units(), plan, cells(("R1", 0, "A", "DAY")))


def test_the_first_sheet_of_a_workbook_is_the_block_chart_and_comes_back(tmp_path, charted):
    workbooks.write_roster(charted, tmp_path / "r.xlsx")
    _, _, plan = workbooks.read_workbook(tmp_path / "r.xlsx")
    import openpyxl

    book = openpyxl.load_workbook(tmp_path / "r.xlsx")
    assert book.sheetnames[0] == "Blocks"
    assert [cell.value for cell in book["Blocks"][2]] == ["R1", "Resident R1", 2, "WARD", "LONG"]
    assert [(stay.person, stay.first, stay.rotation) for stay in plan] == [
        ("R1", day(0), "WARD"),
        ("R1", day(28), "LONG"),
        ("R2", day(0), "LONG"),
    ]


def test_a_week_of_nights_stands_in_the_cell_of_its_unit_and_comes_back(tmp_path):
    night = Rotation("NF", "Nights", ("NIGHT",))
    made = two_units(rotations=(WARD, LONG, night))
    plan = (Stay("R1", day(0), day(5), "WARD"), Stay("R1", day(6), day(12), "NF"), Stay("R1", day(13), day(23), "WARD"),
            Stay("R1", day(24), day(30), "NF"), Stay("R1", day(31), day(55), "LONG"))  # fmt: skip
    workbooks.write_roster(opened_with(made, plan), tmp_path / "r.xlsx")
    _, _, back = workbooks.read_workbook(tmp_path / "r.xlsx")
    import openpyxl

    cells = [cell.value for cell in openpyxl.load_workbook(tmp_path / "r.xlsx")["Blocks"][2]]
    assert cells[3] == "WARD; NF 2026-07-12 to 2026-07-18; NF 2026-07-30 to 2026-08-02"
    assert [evolve(stay, source="solved") for stay in known(made, back)] == list(plan)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("WARD/LONG", "write one rotation"),
        ("WARD; NF in May", "is not understood"),
        ("WARD; NF 2026-02-30 to 2026-03-01", "is not understood"),
    ],
)
def test_a_cell_that_cannot_be_read_is_refused_with_an_example(cell, words):
    with pytest.raises(UserError, match=words):
        plan_of_sheet([["Key", "Name", "PGY", "2026-07-06"], ["R1", "One", "1", cell]])


def test_the_plan_goes_through_json_unchanged(charted):
    assert plan_from(plan_rows(charted)) == charted.schedule.plan


def test_a_plan_of_other_people_or_twice_is_refused_with_its_place():
    made = two_units()
    plan = (Stay("R9", day(0), day(9), "WARD"), Stay("R1", day(0), day(9), "WARD"), Stay("R1", day(5), day(99), "X"))
    words = " ".join(plan_faults(made, plan))
    assert "unknown person 'R9'" in words
    assert "unknown rotation 'X'" in words
    assert "outside the programme's days" in words
    assert "overlaps" in words


def test_the_page_has_a_line_a_resident_and_says_what_is_off(charted):
    body = rotations_from(charted, date(2026, 7, 6))
    assert [(row["name"], row["rotations"]) for row in body["people"]] == [
        ("Resident R1", "WARD LONG"),
        ("Resident R2", "LONG LONG"),
    ]
    assert body["units"] == ["2026-07-06", "2026-08-03"]
    assert body["warning_count"] == 1  # the ward has nobody in the second unit
    assert len(body["warnings"]) == 1


def test_the_picture_names_people_and_units(charted):
    drawn = chart(charted)
    assert drawn.startswith("<svg")
    for words in ("Resident R1, PGY-2", "03 Aug", "WARD", "LONG"):
        assert words in drawn


@pytest.mark.parametrize(("width", "label"), [(200, "Dr. Ada Castro"), (60, "Castro"), (30, "DAC"), (10, "")])
def test_a_stay_of_an_attending_shows_as_much_of_the_name_as_there_is_room_for(width, label):
    assert _name_within("Dr. Ada Castro", width) == label


def test_the_chart_follows_a_year_that_starts_on_any_day():
    made = evolve(two_units(), year=Year(date(2026, 7, 1), date(2026, 8, 25)))
    opened = opened_with(made, (Stay("R1", date(2026, 7, 1), date(2026, 7, 28), "WARD"),))
    assert rotations_from(opened, date(2026, 7, 1))["people"][0]["rotations"] == "WARD -"


@pytest.mark.anyio
@pytest.mark.slow
async def test_a_generated_version_shows_its_plan_over_the_wire_and_explains_by_it(served, small):
    deployment, desk, made = served
    page = await read(deployment, "schedule://rotations")
    assert made["rotations"] == {"held": True, "half_days_off_rotation": 0, "why": []}
    assert {row["service"] for row in made["continuity"]} == {"WARD", "ICU"}
    assert len(page["people"]) == sum(person.role == "RESIDENT" for person in small.people)
    assert page["warning_count"] == 0
    assert {row["service"] for row in page["attendings"]} == {"WARD", "ICU"}
    assert len(json.dumps(page)) < 6_000  # under 2,000 tokens
    person, on, half, _ = next(cell for cell in desk.current().schedule.cells if cell[3] == "NF")
    asked = {"person_id": name_id("person", person), "block_id": block_id(on, ("AM", "PM")[half])}
    reply = await call(deployment, "explain_assignment", asked)
    assert re.search(r"is on Night float from 2026-07-\d\d to 2026-07-\d\d by the rotation plan", reply.content[0].text)


@pytest.mark.anyio
async def test_an_attending_has_their_ward_for_whole_days_and_a_working_week(served, small):
    """Counted from the half-days, beside what the answer says."""
    _, desk, made = served
    faculty = {person.key for person in small.people if person.role == "FACULTY"}
    for row in made["continuity"]:
        by_day, weeks = {}, {}
        for key, on, half, service in desk.current().schedule.cells:
            if key in faculty and service == row["service"]:
                by_day.setdefault(on, {}).setdefault(half, set()).add(key)
                if on.weekday() < 5:
                    weeks.setdefault(on.isocalendar().week, set()).add(key)
        alike = [halves.get(0) == halves.get(1) for halves in by_day.values()]
        assert sum(alike) >= 0.97 * len(alike)
        assert sum(map(len, weeks.values())) <= 1.1 * len(weeks)
        assert row["same_attending_am_and_pm"] >= 0.97
        assert row["whole_days_of_residents"] >= 0.95


# --- without rotations ---


def test_a_programme_without_rotations_gets_posts_by_week_with_equal_turns():
    people = tuple(resident(f"R{n}") for n in range(1, 5))
    made = programme(56, people, (Demand("DAY", "RESIDENT", 1, 2), Demand("LONG", "RESIDENT", 1, 1)))
    kernel, found = grid_of(made)
    assert found.posts is not None
    turns = [int((found.posts.days[p] == kernel.service_of["DAY"]).sum()) for p in range(4)]
    assert sum(turns) == 56
    assert max(turns) - min(turns) <= 7
    assert {stay.rotation for stay in found.plan()} == {"DAY", "LONG"}
    allowed = found.allowed()
    on_day = int(np.flatnonzero(found.posts.days[:, 0] == kernel.service_of["DAY"])[0])
    assert allowed[on_day, kernel.service_of["DAY"], 0]
    assert not allowed[on_day, kernel.service_of["LONG"], 0]
    assert allowed[on_day, kernel.service_of["CALL"], 0]


def test_an_evening_locked_free_moves_the_night_rotation_to_somebody_else(small):
    """The one lock that ended a year with "try again": whoever has it cannot be the unit's only night float."""
    kernel = Kernel(small)
    nights = next(k for k, rotation in enumerate(small.rotations) if rotation.code == "NIGHT")
    before = rotate(kernel, Effort(), Asked(0, kernel.D - 1))
    p = int(np.flatnonzero(before.days[:, 7] == nights)[0])
    evening = next(d for d in range(7, 14) if kernel.least[:, kernel.service_of["NF"], d, 1].any())
    lock = Lock(small.people[p].key, kernel.date_of(evening), "PM", None)
    locked = Kernel(evolve(small, locks=(lock,)))
    after = rotate(locked, Effort(), Asked(0, kernel.D - 1))
    assert after.faults == ()
    assert (after.days[:, 7] == nights).sum() == 1
    assert after.days[p, 7] != nights


# --- made anew ---


@pytest.mark.slow
def test_days_made_anew_after_leave_keep_the_roster_and_its_plan_where_they_can(small):
    kernel = Kernel(small)
    effort = Effort()
    first = YearSolver(kernel, *start_of(kernel), 0, kernel.D - 1, effort=effort, budget=0).solve()
    absent = next(p for p in small.people if p.role == "RESIDENT" and not any(o.person == p.key for o in small.leaves))
    away = Leave(absent.key, kernel.date_of(12), kernel.date_of(18))
    again = Kernel(evolve(small, leaves=(*small.leaves, away)), first.plan)
    aims = Aims(was=first.grid)
    second = YearSolver(again, *start_of(again), 0, again.D - 1, effort=effort, budget=0, aims=aims).solve()
    bare = Kernel(again.programme)
    fresh = YearSolver(bare, *start_of(bare), 0, bare.D - 1, effort=effort, budget=0).solve()
    told, other = (churn(first.grid, one.grid, 0, again.D - 1) for one in (second, fresh))
    assert told.changed < other.changed / 2  # how large a share, the roster decides
    assert not any(v.blocks for rule in again.rules for v in rule.check(second.grid))
    assert churn(first.grid, first.grid, 0, again.D - 1).changed == 0
