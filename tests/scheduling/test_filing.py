"""Files at a terminal: a dry run checks and says all that an import would, and each file goes where its name says."""

import csv
import json

import pytest
from click.testing import CliRunner

from packhorse import Host
from packhorse.testing import connected, deployment_for, fixed_clock
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.convert.files import csvs
from packhorse_scheduling.convert.files.rows import roster_document
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.absences import AbsenceDesk
from packhorse_scheduling.service.imports import import_roster
from wire import COORDINATOR, NOW

CLOCK = fixed_clock("2026-06-15T12:00:00Z")


@pytest.fixture
def empty(tmp_path):
    """A store of the test's own, and what types commands at it."""
    host = Host("scheduling", data_dir=tmp_path / "data", migrations=pack.pack.migrations, clock=CLOCK)
    by_name = {command.name: command for command in commands(host)}

    def run(name, *arguments, fails=False):
        done = CliRunner().invoke(by_name[name], [str(one) for one in arguments])
        assert (done.exit_code != 0) == fails, done.output
        assert "Traceback" not in done.output
        return done.output

    return run, RosterDesk(host)


@pytest.fixture
def terminal(empty, served, small):
    """The same, with four weeks in force."""
    run, desk = empty
    desk.import_programme(small)
    desk.publish(import_roster(desk, served[1].current().schedule.cells, None).schedule.id, None)
    return run, desk


def kept(desk):
    with desk.rosters() as rosters:
        return rosters.state(), rosters.next_version()


def roster_files(folder, opened):
    """The roster as CSV, JSON and workbook."""
    from packhorse_scheduling.convert.files import workbooks

    (folder / "r.csv").write_text(csvs.roster_csv(opened), newline="")
    (folder / "r.json").write_text(json.dumps(roster_document(opened)))
    workbooks.write_roster(opened, folder / "r.xlsx")
    return [folder / name for name in ("r.csv", "r.json", "r.xlsx")]


def test_a_dry_run_of_a_roster_says_what_would_be_kept_and_keeps_nothing(terminal, tmp_path):
    pytest.importorskip("openpyxl", reason="packhorse-scheduling[excel] is not installed")
    run, desk = terminal
    opened = desk.current()
    before, count = kept(desk), f"{len(opened.schedule.cells):,} half-days, COMPLIANT."
    for file in roster_files(tmp_path, opened):
        assert run("import", file, "--dry-run").splitlines()[-1] == f"Would keep a draft: {count}"
        assert kept(desk) == before
        assert run("import", file).endswith(f" is stored: {count}\n")
        before = kept(desk)


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("service_code", "SURF", "there is no service 'SURF'"),
        ("person_key", "R99", "there is no person 'R99'"),
        ("date", "2031-01-01", "is outside the programme"),
    ],
)
def test_a_roster_that_would_be_refused_is_refused_by_the_dry_run_too_with_its_row(
    terminal, tmp_path, column, value, says
):
    run, desk = terminal
    (tmp_path / "good.csv").write_text(csvs.roster_csv(desk.current()), newline="")
    with (tmp_path / "good.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    rows[4][column] = value
    with (tmp_path / "r.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    before = kept(desk)
    for more in (["--dry-run"], []):
        refused = run("import", tmp_path / "r.csv", *more, fails=True)
        assert "r.csv, row 6: " in refused
        assert says in refused
    assert kept(desk) == before


def test_a_first_programme_is_told_by_what_it_holds(empty, tmp_path, small):
    run, desk = empty
    run("sample", "--out", tmp_path / "p.json")
    document = json.loads((tmp_path / "p.json").read_text())
    told = run("import", tmp_path / "p.json", "--dry-run")
    first, last = told.splitlines()
    assert first.startswith("The first programme of these days: ")
    for table in ("services", "rotations", "demands", "leaves", "preferences"):
        assert f"{len(document[table])} {table}" in first
    assert last.startswith("Would import ")
    with desk.rosters() as rosters:
        assert list(rosters.programmes_of(small.year)) == []


def test_a_workbook_that_import_takes_is_known_when_it_is_given_to_read(terminal, tmp_path):
    pytest.importorskip("openpyxl", reason="packhorse-scheduling[excel] is not installed")
    run, desk = terminal
    for what in ("roster", "programme"):
        file = tmp_path / f"{what}.xlsx"
        run("export", "--what", what, "--out", file)
        said = run("read", file, "--out", tmp_path / "draft.json", fails=True)
        assert f"packhorse scheduling import {file}" in said
        assert not (tmp_path / "draft.json").exists()
        run("import", file)
    assert desk.programme()[1].people


@pytest.mark.parametrize("kind", ["csv", "json", "xlsx"])
def test_a_folder_to_export_to_gets_a_file_with_a_name(terminal, tmp_path, kind):
    if kind == "xlsx":
        pytest.importorskip("openpyxl", reason="packhorse-scheduling[excel] is not installed")
    run, _ = terminal
    (tmp_path / "there.d").mkdir()
    for folder in (tmp_path / "made", tmp_path / "there.d"):
        assert run("export", "--format", kind, "--out", folder) == f"Wrote {folder / 'roster'}.{kind}.\n"
        assert "half-days" in run("import", folder / f"roster.{kind}")


def test_the_format_is_what_the_file_s_name_says_and_never_another(terminal, tmp_path):
    run, _ = terminal
    run("export", "--out", tmp_path / "o.csv")
    assert (tmp_path / "o.csv").read_text().startswith("date,session,")
    assert "does not fit --format json" in run("export", "--format", "json", "--out", tmp_path / "n.csv", fails=True)
    assert not (tmp_path / "n.csv").exists()


def asked_leave(desk):
    """A request for leave on working days of somebody, and who."""
    opened = desk.current()
    person = next(one for one in opened.programme.people if one.role == "RESIDENT")
    days = sorted({cell[1] for cell in opened.schedule.cells if cell[0] == person.key and cell[1].weekday() < 5})
    return AbsenceDesk(desk).record_leave(person.key, days[8], days[8], "vacation", approved=False, by=None)[0], person


def test_what_declining_would_do_is_said_before_it_is_done(terminal):
    run, desk = terminal
    request, _ = asked_leave(desk)
    assert run("inbox", "answer", request.id, "--decline").splitlines() == [
        "Declining it changes nothing in the roster.",
        "Nothing is changed yet; run this again with --confirm to make the change.",
    ]


@pytest.mark.anyio
async def test_what_declining_would_do_is_said_at_the_wire(terminal, tmp_path):
    _, desk = terminal
    request, _ = asked_leave(desk)
    deployment = deployment_for(data_dir=tmp_path / "data", clock=NOW, scheduling=pack)
    async with connected(deployment, principal=COORDINATOR) as client:
        reply = await client.call_tool("answer_request", {"request_id": request.id, "decision": "decline"})
    told = "Declining it changes nothing in the roster. Nothing is done yet: confirm true carries it out."
    assert reply.content[0].text == told


def test_leave_that_is_taken_back_at_a_terminal_names_the_half_days_it_leaves_empty(terminal):
    run, desk = terminal
    request, person = asked_leave(desk)
    run("inbox", "answer", request.id, "--approve", "--confirm")
    draft = run("repair").splitlines()[-1].split()[1]
    run("publish", draft)
    said = run("inbox", "withdraw", request.id).splitlines()
    day = request.start
    assert said[0] == "The request is cancelled."
    assert said[1].startswith(f"{person.name} has nothing on ")
    assert f"packhorse scheduling generate --mode PARTIAL --start {day} --end {day} fills" in said[1]
