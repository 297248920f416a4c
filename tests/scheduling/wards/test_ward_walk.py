"""The walk of docs/scheduling-ward.md: one cell is changed by hand, and its commands are run as they stand.

Only the search is shorter: after a second it has a lawful roster, and from then on a better one."""

import shlex
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from packhorse_scheduling.commands.shifts import roster_command
from packhorse_scheduling.convert.wards.books import read_ward, roster_of
from packhorse_scheduling.domain.wards.roster import count
from ward_checker import check

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[3] / "docs" / "scheduling-ward.md"
START = "    $ packhorse scheduling roster "
COMMANDS = [line.removeprefix(START) for line in PAGE.read_text().splitlines() if line.startswith(START)]


def run(command, folder, monkeypatch):
    monkeypatch.chdir(folder)
    return CliRunner().invoke(roster_command(), shlex.split(command.replace("--cpu-seconds 10", "--cpu-seconds 4")))


def judged(path):
    """The roster of a workbook by the checker, which shares no code with the engine."""
    tables, ward = read_ward(path)
    roster = roster_of(tables, ward)
    cost, hard = check(tables.document, roster.named(ward), roster.skilled(ward))
    assert cost == count(ward, roster).cost
    return hard


def test_a_ward_is_solved_corrected_checked_repaired_and_continued(tmp_path, monkeypatch):
    new, solve, checks, repair, goes_on, again = COMMANDS
    for command in (new, solve):
        done = run(command, tmp_path, monkeypatch)
        assert done.exit_code == 0, done.output
    assert judged(tmp_path / "answer.xlsx") == {}
    assert (tmp_path / "january.svg").read_text().startswith("<svg")
    assert len(list((tmp_path / "calendars").iterdir())) == 25

    book = openpyxl.load_workbook(tmp_path / "answer.xlsx")
    sheet = book["roster"]
    row = next(cells for cells in sheet.iter_rows(min_row=2) if cells[0].value == "Ana")
    assert not row[11].value  # Ana is on leave from the tenth day on; two columns say who she is
    row[11].value = "E"
    book.save(tmp_path / "answer.xlsx")
    done = run(checks, tmp_path, monkeypatch)
    assert done.exit_code == 1
    assert "Ana Diaz: the request for a day off on Wed 13 Jan 2027 is not met" in done.output

    done = run(repair, tmp_path, monkeypatch)
    assert done.exit_code == 0, done.output
    assert "proven: no repair has fewer" in done.output
    assert judged(tmp_path / "repaired.xlsx") == {}

    for command in (goes_on, again):
        done = run(command, tmp_path, monkeypatch)
        assert done.exit_code == 0, done.output
    _, ward = read_ward(tmp_path / "february.xlsx")
    assert ward.start.isoformat() == "2027-02-01"
    assert {len(past.days) for past in ward.past} == {28}
    assert [(one.person, ward.date(one.first).day) for one in ward.requests] == [
        ("Gus", day) for day in (3, 10, 17, 24)
    ]
    assert judged(tmp_path / "answer2.xlsx") == {}
