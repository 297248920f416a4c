"""A file with one wrong value is refused with its place, and none of it is kept."""

import copy
import json
import random
import shutil
import zipfile

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from packhorse import Host, UserError
from packhorse.testing import fixed_clock
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.convert.files import csvs
from packhorse_scheduling.convert.files.documents import programme_from
from packhorse_scheduling.convert.files.schema import programme_schema
from packhorse_scheduling.domain.programme.requests import Demand
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.prompts import review_schedule
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.store import document_of
from roster_factories import programme

openpyxl = pytest.importorskip("openpyxl", reason="packhorse-scheduling[excel] is not installed")

from packhorse_scheduling.convert.files import workbooks  # noqa: E402 - where openpyxl is


@pytest.fixture(scope="module")
def made():
    return sample(Shape(seed=5))


@pytest.fixture(scope="module")
def document(made):
    return json.loads(json.dumps(document_of(made)))


@pytest.fixture
def desk(tmp_path):
    host = Host(
        "scheduling",
        data_dir=tmp_path / "data",
        migrations=pack.pack.migrations,
        clock=fixed_clock("2026-06-15T12:00:00Z"),
    )
    return RosterDesk(host)


def imported(desk, path):
    """What the import said; a refusal has kept nothing and shows no traceback."""
    command = next(one for one in commands(desk.host) if one.name == "import")
    before = kept(desk)
    done = CliRunner().invoke(command, [str(path)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    if done.exit_code:
        assert kept(desk) == before, done.output
    return done


def kept(desk):
    with desk.rosters() as rosters:
        return [
            rosters.store.query(f"SELECT count(*) AS n FROM {name}")[0]["n"] for name in ("programmes", "schedules")
        ]


def changed(document, place, value):
    """The document with one value another."""
    found = copy.deepcopy(document)
    *way, last = place
    inner = found
    for step in way:
        inner = inner[step]
    inner[last] = value
    return found


BENT = [
    pytest.param(("demands", 0, "minimum"), 1.7, "demands, item 1, minimum must be a whole number", id="a fraction"),
    pytest.param(("demands", 0, "minimum"), True, "minimum must be a whole number", id="yes for a number"),
    pytest.param(("preferences", 0, "weight"), float("nan"), "must be a whole number", id="no number"),
    pytest.param(("people", 0, "name"), None, "people, item 1, name must be text", id="no name"),
    pytest.param(("people", 0, "ssn"), "123-45-6789", "not known here: `ssn`", id="a security number"),
    pytest.param(("people", 0, "birth_date"), "1990-01-01", "not known here: `birth_date`", id="a birth date"),
    pytest.param(("leaves", 0, "blocking"), "no", "leaves, item 1, blocking must be true or false", id="no as text"),
    pytest.param(("note",), "x", "not known here: `note`", id="a name too many"),
]


@pytest.mark.parametrize(("place", "value", "says"), BENT)
def test_a_value_is_not_bent_to_fit(document, place, value, says):
    with pytest.raises(UserError) as refused:
        programme_from(changed(document, place, value))
    assert says in refused.value.message
    assert refused.value.jsonrpc_code == -32003


def test_the_published_schema_refuses_unknown_names_too(document):
    validator = Draft202012Validator(programme_schema())
    assert validator.is_valid(document)
    assert not validator.is_valid(changed(document, ("people", 0, "ssn"), "123-45-6789"))


SENSELESS = [
    pytest.param(("people", 0, "name"), " ", "name is empty", id="an empty name"),
    pytest.param(("people", 0, "name"), "x" * 201, "201 characters, above 200", id="an endless name"),
    pytest.param(("people", 0, "name"), "A\nBEGIN:VEVENT", "a line break", id="a name of two lines"),
    pytest.param(("people", 0, "email"), "nowhere", "must be an address such as", id="no address"),
    pytest.param(("demands", 0, "maximum"), 10**12, None, id="a large maximum is only a maximum"),
    pytest.param(("demands", 0, "weekdays"), [9], "weekdays are from 0", id="a ninth weekday"),
    pytest.param(("preferences", 0, "weight"), 10**30, "must be from 1 to 100", id="a wish above all"),
    pytest.param(("services", 0, "roles"), [], "is done by no role", id="a service of nobody"),
    pytest.param(("rotations", 0, "services"), [], "has no service", id="a rotation of nothing"),
    pytest.param(("rotations", 0, "least"), -5, "must be from 0", id="fewer than none"),
    pytest.param(("rotations", 0, "required"), {"9": 1}, "years of training", id="a ninth year"),
    pytest.param(("rules", "average_days"), 0, "average_days is 0", id="an average of no days"),
    pytest.param(("rules", "call_every", "value"), 0, "call_every is 0", id="call every no night"),
    pytest.param(("rules", "weekly_hours", "value"), 1000, "must be from 1 to 168", id="more hours than a week has"),
    pytest.param(("rules", "weekly_hours", "value"), 88, "called the CPR's, which says 80", id="88 hours by the CPR"),
    pytest.param(("rules", "free_days", "value"), 3, "called the CPR's, which says 4", id="three free days by the CPR"),
    pytest.param(("rules", "weekly_hours", "severity"), "WARNING", "a mere warning", id="80 hours as advice"),
    pytest.param(("rules", "day_run", "authority"), "CPR", "none of the CPR's", id="six days by the CPR"),
    pytest.param(("year",), {"start": "0001-01-01", "end": "0001-12-31"}, "must lie between", id="long ago"),
    pytest.param(
        ("history",), [{"person": "R01", "day": "2028-01-01", "session": "AM", "service": "WARD"}],
        "not before the programme's first day", id="history to come",
    ),
    pytest.param(
        ("locks",),
        [{"person": "R01", "day": "2026-09-01", "session": "AM", "service": code} for code in ("WARD", "ICU")],
        "is locked on two services", id="locked in two places",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("place", "value", "says"), SENSELESS)
def test_a_value_without_sense_is_told_with_its_limit(document, place, value, says):
    faults = programme_from(changed(document, place, value)).faults()
    if says is None:
        assert faults == []
    else:
        assert any(says in fault for fault in faults), faults


def test_too_many_people_for_one_demand_are_told_before_any_roster_is_made(document):
    wrong = changed(document, ("demands", 0, "minimum"), 10**6)
    wrong["demands"][0]["maximum"] = 10**6
    assert "asks for 1000000 people, above 500" in programme_from(wrong).faults()[0]


def test_a_stricter_number_may_be_called_the_cpr_s_and_an_exception_names_who_granted_it(document):
    assert programme_from(changed(document, ("rules", "weekly_hours", "value"), 72)).faults() == []
    exception = {"value": 88, "authority": "specialty", "source": "review committee, 6.20.a", "severity": "ERROR"}
    assert programme_from(changed(document, ("rules", "weekly_hours"), exception)).faults() == []


def test_each_fault_is_told_once(document):
    found = programme_from(changed(document, ("people", 0, "key"), "X")).faults()
    assert len(found) == len(set(found))


def test_json_with_a_byte_order_mark_is_read(desk, document, tmp_path):
    (tmp_path / "p.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(document).encode())
    assert imported(desk, tmp_path / "p.json").exit_code == 0


# --- workbooks ---


@pytest.fixture(scope="module")
def book_of(made, tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "p.xlsx"
    workbooks.write_programme(made, path)
    return path


def edited(source, target, change):
    book = openpyxl.load_workbook(source)
    change(book)
    book.save(target)
    return target


def setting(sheet, cell, value):
    return lambda book: book[sheet].__setitem__(cell, value)


def renaming(sheet, title):
    return lambda book: setattr(book[sheet], "title", title)


EDITS = [
    pytest.param(setting("leaves", "E2", '="declined"'), "leaves, cell E2, has a formula", id="a formula"),
    pytest.param(setting("people", "B2", "#REF!"), "people, cell B2, has the error #REF!", id="a broken reference"),
    pytest.param(setting("people", "B2", None), "people, row 2: name is missing", id="a cell left empty"),
    pytest.param(lambda book: book["people"].append(["R99"]), "people, row 22: name is missing", id="half a row"),
    pytest.param(setting("demands", "E2", "Mongolia"), "must be one of Mon", id="no weekday"),
    pytest.param(setting("people", "F2", "ICU 2027-06-30"), "name=value", id="a credential and its day without ="),
    pytest.param(renaming("leaves", "leave"), "Did you mean 'leaves'?", id="a sheet nearly named"),
]


@pytest.mark.parametrize(("change", "says"), EDITS)
def test_a_wrong_workbook_is_told_with_its_cell(desk, book_of, tmp_path, change, says):
    told = imported(desk, edited(book_of, tmp_path / "x.xlsx", change))
    assert told.exit_code == 1
    assert says in told.output


def test_rows_are_counted_as_the_spreadsheet_counts_them(desk, book_of, tmp_path):
    def apart(book):
        book["people"].insert_rows(3, 5)
        book["people"]["C8"] = "KING"

    assert "people, row 8, column role" in imported(desk, edited(book_of, tmp_path / "x.xlsx", apart)).output


def test_sheets_for_people_are_left_alone(desk, book_of, tmp_path):
    def noted(book):
        book.create_sheet("Notes")["A1"] = "=1+1"

    assert imported(desk, edited(book_of, tmp_path / "x.xlsx", noted)).exit_code == 0


def test_a_wrong_roster_keeps_its_programme_out_as_well(desk, served, tmp_path):
    workbooks.write_roster(served[1].current(), tmp_path / "r.xlsx")

    def elsewhere(book):
        book["Roster"]["E3"] = "ZZZ"

    told = imported(desk, edited(tmp_path / "r.xlsx", tmp_path / "x.xlsx", elsewhere))
    assert told.exit_code == 1
    assert "no service 'ZZZ'" in told.output


def test_a_damaged_workbook_is_no_workbook(desk, book_of, tmp_path):
    chance, whole = random.Random(1), book_of.read_bytes()
    for _ in range(12):
        bytes_ = bytearray(whole)
        for _ in range(3):
            bytes_[chance.randrange(len(bytes_))] ^= chance.randrange(1, 256)
        (tmp_path / "x.xlsx").write_bytes(bytes_)
        imported(desk, tmp_path / "x.xlsx")


def test_a_workbook_with_a_part_missing_is_no_workbook(desk, book_of, tmp_path):
    with zipfile.ZipFile(book_of) as source, zipfile.ZipFile(tmp_path / "x.xlsx", "w") as target:
        for name in source.namelist():
            if "styles" not in name:
                target.writestr(name, source.read(name))
    assert "not an Excel workbook" in imported(desk, tmp_path / "x.xlsx").output


# --- CSV ---


@pytest.fixture
def folder(made, tmp_path):
    (tmp_path / "tables").mkdir()
    for name, text in csvs.programme_csvs(made).items():
        (tmp_path / "tables" / name).write_bytes(text.encode())
    return tmp_path / "tables"


def test_a_table_nearly_named_is_not_lost_without_a_word(desk, folder):
    shutil.move(folder / "leaves.csv", folder / "leave.csv")
    assert "Did you mean 'leaves'?" in imported(desk, folder).output


def test_a_file_of_quite_another_name_is_left_alone(desk, folder):
    (folder / "payroll.csv").write_text("a,b\n")
    assert imported(desk, folder).exit_code == 0


def test_a_roster_s_row_is_named_as_the_file_counts_it(desk, made, tmp_path):
    desk.import_programme(made)
    (tmp_path / "r.csv").write_text("date,session,person_key,service_code\n\n2026-07-01,NOON,R01,WARD\n")
    assert "r.csv, row 3: the session 'NOON'" in imported(desk, tmp_path / "r.csv").output


@pytest.mark.parametrize("value", ['"2"', '"1_0"', "2.5", "true"])
def test_a_number_in_json_that_is_none_is_refused_with_its_place(value):
    document = document_of(programme(demands=(Demand("DAY", "RESIDENT", 1, 1),)))
    document["demands"][0]["minimum"] = json.loads(value)
    with pytest.raises(UserError, match="minimum"):
        programme_from(document)


def test_a_name_that_stands_twice_in_json_is_refused(tmp_path):
    file = tmp_path / "twice.json"
    file.write_text('{"name": "A", "name": "B"}')
    host = Host("scheduling", data_dir=tmp_path, migrations=pack.pack.migrations)
    run = {command.name: command for command in commands(host)}["import"]
    refused = CliRunner().invoke(run, [str(file)])
    assert refused.exit_code == 1
    assert "'name' is in one object twice" in refused.output


def test_areas_of_a_review_come_as_an_array_or_with_commas():
    assert "compliance, workload." in review_schedule("current", '["compliance", "workload"]')
    assert "compliance, workload." in review_schedule("current", "compliance, workload")
    for wrong in ('["salary"]', "[compliance", "[]"):
        with pytest.raises(UserError, match="must be a list"):
            review_schedule("current", wrong)
