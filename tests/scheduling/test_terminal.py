"""A coordinator at a terminal: every act of the tools, in the words of a terminal; and years of training by setting."""

import json
import re
from datetime import datetime, timedelta

import pytest
from attrs import evolve
from click.testing import CliRunner

from packhorse import Host, UserError
from packhorse.testing import fixed_clock
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.commands.asking import COMMANDS, for_terminal
from packhorse_scheduling.convert.files import csvs
from packhorse_scheduling.convert.files.documents import programme_from
from packhorse_scheduling.convert.files.tables import document_from, tables_of
from packhorse_scheduling.domain.programme.kinds import LEAVE_KINDS
from packhorse_scheduling.domain.programme.people import EVERY_PGY
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.models.settings import SchedulingSettings
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.imports import import_roster
from packhorse_scheduling.store import document_of
from packhorse_scheduling.tools.offered import offered
from roster_factories import programme, resident


def desk_with(folder, **settings):
    return RosterDesk(
        Host(
            "scheduling",
            data_dir=folder / "data",
            migrations=pack.pack.migrations,
            clock=fixed_clock("2026-06-15T12:00:00Z"),
            settings=SchedulingSettings(**settings),
        )
    )


@pytest.fixture
def terminal(tmp_path, served, small):
    """Four weeks in force in a store of the test's own, and what types commands at it."""
    desk = desk_with(tmp_path)
    desk.import_programme(small)
    desk.publish(import_roster(desk, served[1].current().schedule.cells, None).schedule.id, None)
    by_name = {command.name: command for command in commands(desk.host)}

    def run(name, *arguments, fails=False):
        done = CliRunner().invoke(by_name[name], [str(one) for one in arguments])
        assert (done.exit_code != 0) == fails, done.output
        assert "Traceback" not in done.output
        return done.output

    return run, desk


def worked(desk, role="R", half=0):
    """Somebody's half-day by day, as key, day, session and service."""
    opened = desk.current()
    nights = {service.code for service in opened.programme.services if service.overnight}
    return next(
        (key, day, ("AM", "PM")[h], code)
        for key, day, h, code in opened.schedule.cells
        if key.startswith(role) and h == half and code not in nights
    )


def test_leave_is_recorded_and_the_draft_around_it_made(terminal):
    run, desk = terminal
    key, day, *_ = worked(desk)
    assert "is approved; it collides with" in run("leave", key, day, day, "--kind", "medical")
    repaired = run("repair")
    assert "Draft" in repaired
    draft = repaired.splitlines()[-1].split()[1]
    assert not any(cell[0] == key and cell[1] == day for cell in desk.opened(draft).schedule.cells)
    assert run("publish", draft).startswith("Version")


def test_absences_are_mended_in_one_command(terminal):
    run, desk = terminal
    key, day, _, _ = worked(desk)
    other = next(cell[0] for cell in desk.current().schedule.cells if cell[0] != key and cell[0].startswith("R"))
    body = json.loads(run("repair", "--absent", key, day, day, "--absent", other, day, day, "--json"))
    assert body["compliance_status"] in ("COMPLIANT", "VIOLATIONS")
    live = {one.person for one in desk.leave_records() if one.meets(one.person, day, day) and one.is_live}
    assert {key, other} <= live


def test_an_unknown_kind_of_leave_is_refused_with_all_kinds(terminal):
    run, desk = terminal
    key, day, *_ = worked(desk)
    refused = run("leave", key, day, day, "--kind", "parental", fails=True)
    assert all(kind in refused for kind in LEAVE_KINDS)


def test_a_request_is_listed_answered_and_withdrawn(terminal):
    run, desk = terminal
    assert run("inbox", "list").strip() == "No request is open."
    key, day, *_ = worked(desk)
    run("leave", key, day, day, "--request")
    request = re.findall(r"[0-9a-f-]{36}", run("inbox", "list", "--person", key))[0]
    assert "Nothing is changed yet" in run("inbox", "answer", request, "--approve")
    assert run("inbox", "answer", request, "--approve", "--confirm").endswith("The request is approved.\n")
    assert "already approved" in run("inbox", "answer", request, "--decline", "--confirm", fails=True)
    assert run("inbox", "withdraw", request, "--reason", "not needed") == "The request is cancelled.\n"
    assert request in run("inbox", "list", "--all")


def test_wishes_are_ranked_listed_and_taken_away(terminal):
    run, desk = terminal
    key, *_ = worked(desk)
    ranked = run("wishes", key, "2026-07-24", "2026-07-23 PM", "work 2026-07-22")
    assert ranked == run("wishes", key)
    assert ranked.index("2026-07-24") < ranked.index("2026-07-23 PM") < ranked.index("work 2026-07-22")
    assert "is not a wish" in run("wishes", key, "soon", fails=True)
    assert "2026-07-24" not in run("wishes", key, "--none")
    run("wishes", "nobody", fails=True)


def test_swaps_are_listed_and_declined_in_the_inbox(terminal):
    run, desk = terminal
    assert run("swap", "list").strip() == "No swap is open."
    for key, day, half, _ in desk.current().schedule.cells:
        found = run("swap", "candidates", key, day, ("AM", "PM")[half]).split()
        if found[0] in desk.current().kernel.person_of:
            break
    kind = next(word for word in found if word in ("ABSORB", "ONE_TO_ONE"))
    session = ("AM", "PM")[half]
    run("swap", "request", key, found[0], day, session, *(["--absorb"] if kind == "ABSORB" else []))
    listed = run("swap", "list")
    assert "waits for" in listed
    request = re.findall(r"[0-9a-f-]{36}", listed)[0]
    assert run("inbox", "answer", request, "--decline", "--confirm") == "The request is declined.\n"
    assert run("swap", "list").strip() == "No swap is open."
    assert request in run("swap", "list", "--all")


def test_why_somebody_works_is_explained(terminal):
    run, desk = terminal
    key, day, session, code = worked(desk)
    told = run("explain", key, day, session)
    name = next(one.name for one in desk.current().programme.services if one.code == code)
    assert name in told.splitlines()[0]
    assert "\n- " in told
    assert "another person of the same role" in run("explain", key, day, session, "--instead", key, fails=True)


def test_one_half_day_is_changed_by_hand_after_its_effect_was_shown(terminal):
    run, desk = terminal
    opened = desk.current()
    fills = {service.code for service in opened.programme.services if service.fills}
    key, day, half, _ = next(cell for cell in opened.schedule.cells if cell[3] in fills)
    before = opened.schedule.id
    assert "Nothing is changed yet" in run("assign", key, day, ("AM", "PM")[half])
    assert desk.current().schedule.id == before
    assert "is published" in run("assign", key, day, ("AM", "PM")[half], "--confirm")
    assert (key, day, half) not in {cell[:3] for cell in desk.current().schedule.cells}


def test_losses_are_counted(terminal):
    run, desk = terminal
    assert run("contingency").startswith("The schedule is ")
    key, day, *_ = worked(desk)
    body = json.loads(run("contingency", "--losses", "N_MINUS_1", "--away", key, day, day, "--json"))
    assert "n_minus_2_result" not in body
    assert "is outside" in run("contingency", "--away", key, "2030-01-01", "2030-01-02", fails=True)


@pytest.mark.parametrize("name", ["leave", "repair", "explain"])
def test_an_unknown_person_is_refused_in_words(terminal, name):
    arguments = {"leave": ("X9", "2026-07-01", "2026-07-02"), "repair": ("--absent", "X9", "2026-07-01", "2026-07-02")}
    refused = terminal[0](name, *arguments.get(name, ("X9", "2026-07-01", "AM")), fails=True)
    assert "There is no person 'X9'" in refused


def test_refusals_name_commands_and_options_of_the_terminal():
    words = for_terminal(
        "Next: repair_schedule with schedule_id 7 makes a draft; validate_schedule lists all. See the draft with"
        " enforce_acgme_compliance false."
    )
    assert words == (
        "Next: packhorse scheduling repair 7 makes a draft; 'packhorse scheduling validate' lists all. See the draft"
        " with --no-enforce."
    )


def test_every_tool_that_a_terminal_words_differently_exists(terminal):
    _, desk = terminal
    names = {tool.fn.__name__ for tool in offered(desk)}
    groups = {command.name: command for command in commands(desk.host)}
    for tool, command in COMMANDS.items():
        assert tool in names
        group, *inner = command.split()
        assert group in groups
        assert not inner or inner[0] in groups[group].commands


# --- error paths ---


def test_a_fault_in_a_table_is_told_by_its_row_and_column_in_the_file(tmp_path):
    tables = tables_of(sample(Shape()))
    columns, rows = tables["services"]
    rows[1][columns.index("am")] = "12:00-11:00"
    tables["services"] = (columns, [rows[0], [""] * len(columns), *rows[1:]])
    with pytest.raises(UserError, match=r"^services, row 4, column am: "):
        programme_from(document_from(tables))


def test_a_fault_in_a_document_counts_from_one():
    document = json.loads(json.dumps(document_of(sample(Shape()))))
    document["rotations"][0]["services"][1] = 7
    with pytest.raises(UserError, match=r"^rotations, item 1, services, item 2 must be text"):
        programme_from(document)


# --- years of training ---


def surgery():
    people = (*(resident(f"R{n}", pgy=n) for n in range(1, 6)), *programme().people)
    return evolve(programme(), people=tuple({one.key: one for one in people}.values()))


def test_five_years_of_training_are_taken_where_the_setting_allows_them(tmp_path):
    made = surgery()
    assert any(person.pgy == 5 for person in made.people)
    assert desk_with(tmp_path, highest_pgy=5).import_programme(made)


def test_above_the_setting_a_year_of_training_is_refused_with_the_setting_s_name(tmp_path):
    with pytest.raises(UserError, match=r"PGY-4, above 3\..*sets highest_pgy under \[packs.scheduling\], 7 at most"):
        desk_with(tmp_path).import_programme(surgery())


def test_a_service_is_open_to_every_year_of_training_unless_it_names_some(tmp_path):
    made = evolve(surgery(), services=tuple(evolve(one, pgy=EVERY_PGY) for one in surgery().services))
    for name, text in csvs.programme_csvs(made).items():
        (tmp_path / name).write_bytes(text.encode())
    back = programme_from(csvs.document_of_folder(tmp_path))
    assert back == made
    assert all(service.suits(made.people[4]) == (made.people[4].role in service.roles) for service in back.services)


@pytest.mark.parametrize("value", [0, 8, 10])
def test_a_setting_or_a_resident_beyond_seven_years_is_refused(value):
    with pytest.raises(ValueError, match="highest_pgy"):
        SchedulingSettings(highest_pgy=value)
    with pytest.raises(ValueError, match="from 1 to 7"):
        resident(pgy=value)


# --- calendars ---


def test_a_whole_day_on_one_service_is_one_event(served):
    icalendar = pytest.importorskip("icalendar", reason="packhorse-scheduling[calendar] is not installed")
    from packhorse_scheduling.convert.files.calendars import calendar_of

    opened = served[1].current()
    services = {service.code: service for service in opened.programme.services}
    cells = {cell[:3]: cell[3] for cell in opened.schedule.cells}
    key, day, _ = next(
        one for one, code in cells.items()
        if one[2] == 0 and not services[code].overnight and cells.get((one[0], one[1], 1)) == code
    )  # fmt: skip
    service = services[cells[key, day, 0]]
    events = [
        event
        for event in icalendar.Calendar.from_ical(calendar_of(opened, key)).walk("VEVENT")
        if isinstance(event.decoded("dtstart"), datetime) and event.decoded("dtstart").date() == day
    ]
    midnight = datetime.combine(day, datetime.min.time())
    times = [(event.decoded("dtstart"), event.decoded("dtend")) for event in events]
    assert times == [(midnight + timedelta(minutes=service.am.start), midnight + timedelta(minutes=service.pm.end))]
