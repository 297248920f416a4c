"""A revised programme: what it changes is told, and everything is judged and named by it from then on."""

from datetime import UTC, datetime, time, timedelta
from itertools import product

import pytest
from attrs import evolve
from click.testing import CliRunner

from packhorse import Host
from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.convert.files import workbooks
from packhorse_scheduling.domain.programme.requests import Demand, Leave
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.board import Changes
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.places import Presence
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.imports import import_roster
from roster_factories import DAY, MONDAY, NIGHT, cells, faculty, programme, resident
from wire import NOW, call, code_of, desk_in, done, leave

pytestmark = pytest.mark.anyio

RESIDENTS = ("R1", "R2", "R3", "R4")
WEEKDAYS = frozenset(range(5))
LAST = MONDAY + timedelta(days=27)


def ward(**changed):
    """Four residents, of whom one is needed on the ward from Monday to Friday."""
    people = (*(resident(key, subject=f"sub-{key}") for key in RESIDENTS), faculty())
    demands = (Demand("DAY", "RESIDENT", 1, 2, WEEKDAYS),)
    return programme(28, people, **{"demands": demands, "services": (DAY, NIGHT), **changed})


def shifts(key):
    """The ward from Monday to Friday, four weeks long: 50 hours a week."""
    return [(key, 7 * week + day, "AP", "DAY") for week in range(4) for day in range(5)]


def desk_at(folder, day):
    now = datetime.combine(day, time(12), UTC)
    return RosterDesk(Host("scheduling", data_dir=folder, migrations=pack.pack.migrations, clock=lambda: now))


@pytest.fixture
def force(tmp_path):
    """(deployment at a day, desk): R1 is on the ward of four weeks, R3 on its first and last, by an imported roster."""
    desk = desk_in(tmp_path)
    desk.import_programme(ward())
    draft = import_roster(desk, cells(*shifts("R1"), ("R3", 0, "AP", "DAY"), ("R3", 25, "AP", "DAY")), None)
    desk.publish(draft.schedule.id, None)

    def at(day=None):
        now = NOW() if day is None else datetime.combine(day, time(12), UTC)
        return deployment_for(data_dir=tmp_path, clock=lambda: now, scheduling=pack)

    return at, desk


def stricter(programme, hours=45):
    rules = programme.rules
    return evolve(programme, rules=evolve(rules, weekly_hours=evolve(rules.weekly_hours, value=hours)))


def renamed(programme, key, name):
    people = tuple(evolve(one, name=name) if one.key == key else one for one in programme.people)
    return evolve(programme, people=people)


# --- what an import tells, and what it does to the roster in force ---


def run_import(folder, made, *more, day=None):
    file = folder / "revised.xlsx"
    workbooks.write_programme(made, file)
    clock = NOW if day is None else lambda: datetime.combine(day, time(12), UTC)
    host = Host("scheduling", data_dir=folder, migrations=pack.pack.migrations, clock=clock)
    run = {command.name: command for command in commands(host)}["import"]
    shown = CliRunner().invoke(run, [str(file), *more])
    assert shown.exit_code == 0, shown.output
    return shown.output


async def test_an_import_names_the_rule_that_changed_and_what_the_roster_in_force_breaks_by_it(force, tmp_path):
    _, desk = force
    made = stricter(desk.current().programme)
    shown = run_import(tmp_path, made, "--dry-run")
    assert "rules: weekly_hours: 80 before, 45 now." in shown
    assert "The roster in force then has 1 more violation: Resident R1" in shown
    assert f"{MONDAY}" in shown
    assert desk.current().programme.rules.weekly_hours.value == 80
    assert "then has 1 more violation" in run_import(tmp_path, made)
    assert "then has" not in run_import(tmp_path, made)


async def test_the_roster_in_force_is_judged_and_mended_by_the_present_rules(force, tmp_path):
    at, desk = force
    run_import(tmp_path, stricter(desk.current().programme))
    (told,) = (await done(at(), "validate_schedule", {}))["violations"]
    assert (told["rule"], told["affected_person_name"]) == ("80_HOUR_RULE", "Resident R1")
    body = await done(at(), "repair_schedule", {})
    assert body["changes"]
    await done(at(), "publish_schedule", {"schedule_id": body["schedule_id"]})
    assert (await done(at(), "validate_schedule", {}))["is_valid"] is True


async def test_everybody_calls_a_renamed_person_by_the_new_name(force, tmp_path):
    at, desk = force
    run_import(tmp_path, renamed(desk.current().programme, "R2", "Hana Ito-Becker"))
    found = await done(at(), "find_person", {"name": "Hana Ito-Becker"})
    assert "Hana Ito-Becker" in str(found)
    assert "Hana Ito-Becker" in str((await call(at(), "find_person", {"name": "Hana Ito"})).content)
    await done(at(), "record_leave", leave("Hana Ito-Becker", MONDAY))
    listed = await done(at(), "list_requests", {"all": True})
    assert "Hana Ito-Becker" in str(listed)
    wishes = await done(at(), "rank_wishes", {"person_id": "Hana Ito-Becker", "wishes": [f"{LAST}"]})
    assert "Hana Ito-Becker" in str(wishes)


async def test_people_who_are_left_out_leave_their_half_days_empty_in_a_version_of_its_own(force, tmp_path):
    at, desk = force
    was = desk.current()
    rest = evolve(was.programme, people=was.programme.people[1:])
    shown = run_import(tmp_path, rest)
    assert "40 half-days in force of people or services not in the file will be empty" in shown
    assert "repair_schedule mends what is still to come" in shown
    now = desk.current()
    assert now.schedule.id != was.schedule.id
    assert now.programme.people == rest.people
    assert {cell[0] for cell in now.schedule.cells} == {"R3"}
    assert len(desk.opened(was.schedule.id).schedule.cells) == 44
    body = await done(at(), "repair_schedule", {})
    assert (body["changed"], body["shortfall"]) == (36, 0)


async def test_clock_times_that_what_went_by_needs_are_not_taken_away(force, tmp_path):
    _, desk = force
    made = desk.current().programme
    services = tuple(evolve(one, pm=None) if one.code == "DAY" else one for one in made.services)
    demands = tuple(evolve(one, sessions=("AM",)) for one in made.demands)
    later = desk_at(tmp_path, MONDAY + timedelta(days=7))
    with pytest.raises(Exception, match=rf"R1 worked DAY on {MONDAY} PM"):
        later.import_programme(evolve(made, services=services, demands=demands))


# --- a draft made before the programme was revised ---


async def test_a_draft_made_before_a_rule_became_stricter_is_judged_by_it(force, tmp_path):
    at, desk = force
    old = (await done(at(), "snapshot_schedule", {"label": "as it is"}))["schedule_id"]
    run_import(tmp_path, stricter(desk.current().programme))
    mended = await done(at(), "repair_schedule", {})
    await done(at(), "publish_schedule", {"schedule_id": mended["schedule_id"]})
    judged = await done(at(), "validate_schedule", {"schedule_id": old})
    assert judged["is_valid"] is False
    reply = await call(at(), "publish_schedule", {"schedule_id": old})
    assert code_of(reply) == "CONSTRAINT_VIOLATION"
    for part in ("Resident R1", str(MONDAY), "45", f"Next: repair_schedule with schedule_id {old}"):
        assert part in reply.content[0].text, reply.content
    again = await done(at(), "repair_schedule", {"schedule_id": old})
    await done(at(), "publish_schedule", {"schedule_id": again["schedule_id"]})
    now = desk.current()
    assert now.programme.rules.weekly_hours.value == 45
    assert not any(one.blocks for one in now.violations())


async def test_a_draft_made_before_a_rename_and_leave_keeps_neither_the_old_name_nor_the_half_days(force, tmp_path):
    at, desk = force
    old = (await done(at(), "snapshot_schedule", {"label": "as it is"}))["schedule_id"]
    run_import(tmp_path, renamed(desk.current().programme, "R1", "Hana Ito-Becker"))
    day = MONDAY + timedelta(days=7)
    await done(at(), "record_leave", leave("Hana Ito-Becker", day))
    mended = await done(at(), "repair_schedule", {})
    await done(at(), "publish_schedule", {"schedule_id": mended["schedule_id"]})
    compared = await done(at(), "compare_versions", {"schedule_id": old})
    assert compared["new_violations"] == 4
    reply = await call(at(), "publish_schedule", {"schedule_id": old})
    assert code_of(reply) == "CONSTRAINT_VIOLATION"
    assert f"Hana Ito-Becker on Ward by day, {day} AM, while on leave" in reply.content[0].text


async def test_a_draft_with_people_who_are_no_more_is_published_without_them_as_a_version_of_its_own(force, tmp_path):
    at, desk = force
    made = desk.current().programme
    both = import_roster(desk, cells(*shifts("R1"), *shifts("R4")), None)
    rest = evolve(made, people=tuple(one for one in made.people if one.key != "R4"))
    run_import(tmp_path, rest)
    body = await done(at(), "publish_schedule", {"schedule_id": both.schedule.id})
    now = desk.current()
    assert body["schedule_id"] == now.schedule.id != both.schedule.id
    assert {cell[0] for cell in now.schedule.cells} == {"R1"}
    assert now.programme.people == rest.people
    assert {cell[0] for cell in desk.opened(both.schedule.id).schedule.cells} == {"R1", "R4"}


# --- a night is of its evening's day ---

NIGHTS = [("R2", 1, "P", "NIGHT"), ("R2", 2, "A", "NIGHT"), ("R2", 2, "P", "NIGHT"), ("R2", 3, "A", "NIGHT")]
ILL = MONDAY + timedelta(days=2)


@pytest.fixture
def nights(tmp_path):
    """(deployment at a day, desk): R2 has the nights that begin on Tuesday and Wednesday; one is needed on each."""
    desk = desk_in(tmp_path)
    need = Demand("NIGHT", "RESIDENT", 1, 1, frozenset({1, 2}), ("PM",))
    end = Demand("NIGHT", "RESIDENT", 1, 1, frozenset({2, 3}), ("AM",))
    first = {"start": MONDAY, "end": MONDAY + timedelta(days=6)}
    desk.import_programme(ward(demands=(evolve(need, **first), evolve(end, **first))))
    desk.publish(import_roster(desk, cells(*NIGHTS), None).schedule.id, None)

    def at(day, hour=12):
        now = datetime.combine(day, time(hour), UTC)
        return deployment_for(data_dir=tmp_path, clock=lambda: now, scheduling=pack)

    return at, desk


@pytest.mark.parametrize("told_on", [ILL, ILL - timedelta(days=1)])
async def test_a_night_that_ends_on_the_first_morning_of_leave_is_no_collision_and_stays(nights, told_on):
    at, desk = nights
    told = await done(at(told_on), "record_leave", leave("R2", ILL, days=1, kind="sick"))
    assert told["conflicting_assignments"] == 1
    body = await done(at(told_on), "repair_schedule", {})
    await done(at(told_on), "publish_schedule", {"schedule_id": body["schedule_id"]})
    judged = await done(at(ILL + timedelta(days=1)), "validate_schedule", {})
    assert (judged["is_valid"], judged["violations"]) == (True, [])
    mine = [(day, half) for who, day, half, _ in desk.current().schedule.cells if who == "R2"]
    assert mine == [(ILL - timedelta(days=1), 1), (ILL, 0)]


async def test_a_half_day_on_record_as_worked_is_no_collision_with_leave(nights):
    at, desk = nights
    later = at(ILL + timedelta(days=5))
    await done(later, "record_leave", leave("R2", ILL, days=1, kind="sick"))
    assert (await done(later, "validate_schedule", {}))["violations"]
    for block in (f"{ILL} PM", f"{ILL + timedelta(days=1)} AM"):
        asked = {"person_id": "R2", "block_id": block, "service": "NIGHT", "confirm": True}
        await call(later, "change_assignment", {**asked, "start_time": "19:00" if "PM" in block else "00:00",
                                                "end_time": "24:00" if "PM" in block else "06:45"})  # fmt: skip
    assert [one for one in desk.current().violations() if one.rule == "LEAVE_RULE"] == []


@pytest.mark.parametrize("away", [(2,), (3,), (1, 2), (2, 3)])
def test_what_a_change_breaks_is_what_the_whole_roster_breaks_more(away):
    made = ward(leaves=tuple(Leave("R2", MONDAY + timedelta(days=day), MONDAY + timedelta(days=day)) for day in away))
    kernel = Kernel(made)
    grid = kernel.grid_of(cells(*NIGHTS))
    rule = Presence(kernel)

    def found(roster):
        return {(one.person, one.first, one.session) for one in rule.check(roster)}

    for d, h, s in product(range(5), (0, 1), (FREE, *range(len(made.services)))):
        after = grid.copy()
        after[1, d, h] = s
        board = kernel.board(grid)
        hurt = rule.hurts(board, Changes.of(board, [(1, d, h, s)]))
        assert {(one.person, one.first, one.session) for one in hurt} == found(after) - found(grid)


# --- a rule that became stricter, and what went by ---


async def test_what_a_stricter_rule_finds_in_days_gone_by_stands_apart_and_last(force, tmp_path):
    at, desk = force
    after = MONDAY + timedelta(days=28)
    run_import(tmp_path, stricter(desk.current().programme), day=after - timedelta(days=1))
    still = await call(at(after - timedelta(days=1)), "validate_schedule", {})
    assert still.structured_content["is_valid"] is False
    assert "not valid: 1 violation" in still.content[0].text
    reply = await call(at(after), "validate_schedule", {})
    body = reply.structured_content
    assert (body["is_valid"], body["summary"]["total_violations"], len(body["violations"])) == (True, 1, 1)
    words = reply.content[0].text
    assert words.startswith("The schedule is valid: no violations")
    assert "1 violation on past days" in words
    assert "The first:" not in words


async def test_publishing_names_what_can_still_be_mended_and_counts_what_went_by(nights):
    at, desk = nights
    today = ILL + timedelta(days=5)
    made = desk.current().programme
    off = evolve(made, demands=(*made.demands, Demand("DAY", "RESIDENT", 1, 2, WEEKDAYS, start=ILL, end=ILL)))
    desk_at(desk.host.data_dir.parent, today).import_programme(off)
    copy = await done(at(today), "snapshot_schedule", {"label": "as it is"})
    words = (await call(at(today), "publish_schedule", {"schedule_id": copy["schedule_id"]})).content[0].text
    assert "is published. 2 violations of days gone by stay." in words
