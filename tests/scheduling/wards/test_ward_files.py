"""A ward in files: sheets and CSV are read back as they were written, and faults name sheet, row and column."""

import json
import shutil
from datetime import date
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from packhorse_scheduling.commands.shifts import roster_command
from packhorse_scheduling.convert.wards.months import example
from packhorse_scheduling.convert.wards.pictures import file_names
from packhorse_scheduling.convert.wards.question import ward_of

START = date(2027, 1, 4)


def run(*arguments):
    return CliRunner().invoke(roster_command(), [str(a) for a in arguments])


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    path = tmp_path_factory.mktemp("ward") / "ward.xlsx"
    assert run("new", path, "--start", START).exit_code == 0
    return path


@pytest.fixture
def book(written, tmp_path):
    return Path(shutil.copy(written, tmp_path))


def changed(path, sheet, cell, value):
    book = openpyxl.load_workbook(path)
    book[sheet][cell] = value
    book.save(path)
    return path


@pytest.mark.parametrize("name", ["ward.xlsx", "ward"])
def test_an_example_is_read_back_as_the_question_that_was_written(tmp_path, name):
    from packhorse_scheduling.convert.wards.books import read_ward

    path = tmp_path / name
    assert run("new", path, "--start", START).exit_code == 0
    assert read_ward(path)[1] == ward_of(example(START))


def test_a_document_is_read_as_well(tmp_path):
    path = tmp_path / "ward.json"
    path.write_text(json.dumps(example(START)))
    done = run("solve", path, "--cpu-seconds", 1, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["broken"] == []


FAULTS = [
    ("people", "C3", "fulll", "sheet people, row 3, column C (contract): there is no contract 'fulll'"),
    ("demand", "D2", "many", "sheet demand, row 2, column D (least): 'many' must be a number"),
    ("demand", "C3", "Mondays-X", "sheet demand, row 3, column C (days): 'mondays-x' must be all, a weekday"),
    ("contracts", "E2", date(2027, 2, 5), "sheet contracts, row 2, column E (work_run)"),
    ("contracts", "B2", "160-128", "sheet contracts, row 2, column B (hours): the least, 160"),
    ("shifts", "B2", "25:00", "sheet shifts, row 2, column B (start)"),
    ("requests", "B3", "soon", "sheet requests, row 3, column B (from): 'soon' must be a date"),
    ("requests", "A3", "Nobody", "sheet requests, row 3, column A (person): there is no person 'Nobody'"),
    ("ward", "C2", "none", "sheet ward, row 2, column C (days): 'none' must be a number"),
    ("people", "F1", "colour", "sheet people, row 1, column F (colour): 'colour' is not a column"),
    ("sequences", "A2", "N - X", "sheet sequences, row 2, column A (pattern): there is no shift 'X'"),
    ("before", "C4", "Q", "sheet before, row 4: there is no shift 'Q'"),
    ("requests", "B2", "4/1/2027", "can mean 2027-01-04 or 2027-04-01"),
    ("requests", "H2", 37.5, "sheet requests, row 2, column H (hours): input should be less than or equal to 24"),
    ("demand", "B6", "chargee", "sheet demand, row 6, column B (skill): nobody has the skill 'chargee'"),
    ("before", "B1", "28.12.", "sheet before, row 1, column B (28.12.): the head must be a date"),
    ("ward", "B2", date(2027, 2, 1), "the last day is 2027-01-03, and the ward starts on 2027-02-01"),
    ("shifts", "A2", "E 1", "must be a short name without blanks"),
    ("people", "A3", "Ana", "sheet people, row 3, column A (key): 'Ana' stands there twice"),
]


@pytest.mark.parametrize(("sheet", "cell", "value", "words"), FAULTS, ids=[f"{f[0]} {f[1]}" for f in FAULTS])
def test_a_fault_names_sheet_row_and_column(book, sheet, cell, value, words):
    done = run("solve", changed(book, sheet, cell, value))
    assert done.exit_code == 1
    assert words in done.output


AS_PEOPLE_WRITE = [
    ("shifts", "E1", "Not next", None),
    ("people", "A1", "Key", None),
    ("contracts", "H1", "weekend run", None),
    ("demand", "C2", "Monday \u2013 Friday", lambda d: d["demand"][0].update(days="Mon-Fri")),
    ("demand", "C3", "Sat & Sun", None),
    ("demand", "C3", "weekends", None),
    ("demand", "C4", "every day", None),
    (
        "demand",
        "C5",
        "2027-01-04 - 2027-01-06",
        lambda d: d["demand"][3].update(days="2027-01-04,2027-01-05,2027-01-06"),
    ),
    ("demand", "A2", "e", None),
    ("contracts", "E2", "2 to 5", None),
    ("contracts", "E2", "max 5 days", lambda d: d["contracts"][0].update(work_run=[None, 5])),
    ("contracts", "F2", "at least 2", None),
    ("contracts", "I2", "y", None),
    ("people", "E2", "80%", lambda d: d["people"][0].update(share=80)),
    ("people", "E2", 0.8, lambda d: d["people"][0].update(share=80)),
    ("people", "E2", 1, None),
    ("demand", "B6", "Charge", None),
    ("requests", "A2", "ana diaz", None),
    ("requests", "E3", "n", None),
    ("requests", "E4", "off", None),
    ("requests", "D5", "Wednesdays", None),
    ("before", "B2", "Off", lambda d: d["before"][0]["days"].__setitem__(0, "-")),
    ("sequences", "A2", "N off E", None),
    ("shifts", "B2", "7am", None),
    ("shifts", "B2", "0700", None),
    ("shifts", "B2", 700, None),
    ("requests", "B2", "13.1.2027", None),
    ("requests", "B2", "Mi 13. Januar 2027", None),
    ("requests", "B2", "January 13, 2027", None),
    ("demand", "C2", "Mo-Fr", None),
    ("contracts", "B2", "120 - 160", None),
    ("before", "B1", "28.12.2026", None),
]


@pytest.mark.parametrize(("sheet", "cell", "value", "change"), AS_PEOPLE_WRITE)
def test_cells_are_read_as_people_write_them(book, sheet, cell, value, change):
    from packhorse_scheduling.convert.wards.books import read_ward

    document = example(START)
    if change is not None:
        change(document)
    assert read_ward(changed(book, sheet, cell, value))[1] == ward_of(document)


@pytest.mark.parametrize("value", ["13pm", "0 am", "25:00"])
def test_an_hour_that_no_clock_shows_is_refused_with_its_cell(book, value):
    said = run("solve", changed(book, "shifts", "B2", value)).output
    assert "row 2, column B" in said
    assert "must be a time such as 07:00" in said


def test_a_sheet_whose_name_is_nearly_that_of_a_table_is_refused(book):
    opened = openpyxl.load_workbook(book)
    opened["requests"].title = "Request"
    opened.save(book)
    assert "a ward has no table 'request'. Rename it: 'requests'" in run("solve", book).output


def test_a_sheet_with_the_columns_of_a_table_under_another_name_is_refused(book):
    opened = openpyxl.load_workbook(book)
    opened["requests"].title = "Wishes"
    opened.save(book)
    done = run("solve", book, "--cpu-seconds", 1)
    assert done.exit_code == 1
    assert "sheet Wishes has columns of the table 'requests'" in done.output


@pytest.mark.parametrize("content", [b"", b"N\xe4chte", b'"open'])
def test_another_file_in_the_folder_of_a_ward_is_left_unread_whatever_it_holds(tmp_path, content):
    assert run("new", tmp_path / "ward", "--start", "2027-01-04").exit_code == 0
    (tmp_path / "ward" / "notes.csv").write_bytes(content)
    done = run("solve", tmp_path / "ward", "--cpu-seconds", 1)
    assert done.exit_code == 0, done.output
    assert "Notes.csv is no table of a ward" in done.output


def test_sums_below_the_people_are_noted_and_not_read(book, tmp_path):
    answer = tmp_path / "answer.xlsx"
    assert run("solve", book, "--cpu-seconds", 1, "--out", answer).exit_code == 0
    opened = openpyxl.load_workbook(answer)
    for head in ("", "Total"):
        opened["roster"].append([head, "", *[14] * 28])
    opened.save(answer)
    done = run("check", answer)
    assert done.exit_code == 0, done.output
    assert "Sheet roster, row 28 has sums: it is not read" in done.output
    done = run("check", changed(answer, "roster", "C28", "E"))
    assert done.exit_code == 1
    assert "sheet roster, row 28, column A (person): there is no person 'Total'" in done.output


def test_an_answer_says_how_many_work_each_shift_on_each_day(book, tmp_path):
    answer = tmp_path / "answer.xlsx"
    assert run("solve", book, "--cpu-seconds", 1, "--out", answer).exit_code == 0
    opened = openpyxl.load_workbook(answer)
    days = list(zip(*opened["roster"].iter_rows(min_row=2, min_col=3, values_only=True), strict=True))
    staffing = {row[0]: list(row[1:]) for row in opened["staffing"].iter_rows(min_row=2, values_only=True)}
    assert staffing == {shift: [day.count(shift) for day in days] for shift in "ELN"}


def test_merged_cells_are_refused_and_what_is_unseen_or_unread_is_said(book):
    opened = openpyxl.load_workbook(book)
    opened.create_sheet("Notes")["A1"] = "Ask Ana"
    opened["people"].row_dimensions[3].hidden = True
    opened["people"].insert_rows(1)
    opened["people"]["A1"] = "Our people"
    opened["people"].merge_cells("A1:C1")
    opened.save(book)
    done = run("solve", book, "--cpu-seconds", 1)
    assert done.exit_code == 0, done.output
    assert "Sheet Notes is no table of a ward: it is not read" in done.output
    assert "Sheet people: hidden row 3, and read" in done.output
    opened["requests"].merge_cells("A2:A3")
    opened.save(book)
    assert "the cells A2:A3 are merged" in run("solve", book).output


@pytest.mark.parametrize(
    ("keys", "names"),
    [(["Adler B.", "Adler B", "M\u00fcller, Anna"], ["Adler B", "Adler B 2", "M\u00fcller Anna"]), (["../x"], ["x"])],
)
def test_names_of_calendars_are_taken_by_any_file_system(keys, names):
    assert file_names(keys) == names


def test_a_missing_sheet_is_named(book):
    opened = openpyxl.load_workbook(book)
    del opened["shifts"]
    opened.save(book)
    assert "The table 'shifts' is missing" in run("solve", book).output


def test_what_is_there_is_not_overwritten(book):
    done = run("new", book)
    assert done.exit_code == 1
    assert "already exists" in done.output


@pytest.mark.parametrize(("name", "words"), [("ward.xlsx", "already exists"), ("answer.pdf", "must be a .xlsx file")])
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_solved(book, name, words):
    done = run("solve", book, "--cpu-seconds", 3600, "--out", book.parent / name)
    assert done.exit_code == 1
    assert words in done.output


def test_the_schema_of_the_question_is_printed():
    schema = json.loads(run("schema").output)
    assert schema["required"] == ["start", "days", "shifts", "contracts", "people"]


def test_a_repair_of_an_empty_folder_asks_for_a_roster_and_for_no_option_that_it_lacks(tmp_path):
    told = run("repair", tmp_path, "--away", "R01")
    assert told.exit_code == 2
    assert "has no CSV files" in told.output
    assert "--weeks" not in told.output
