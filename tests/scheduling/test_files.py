"""What goes out as a file comes back as it was, and what is wrong in a file is told with its place."""

import json
from datetime import date, datetime, timedelta

import pytest
from attrs import evolve
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

from packhorse import Host, UserError
from packhorse.testing import fixed_clock
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.convert.files import csvs
from packhorse_scheduling.convert.files.rows import cells_of_document, roster_document
from packhorse_scheduling.convert.files.schema import programme_schema, roster_schema
from packhorse_scheduling.convert.files.tables import document_from, tables_of
from packhorse_scheduling.domain.programme.limits import Limit, RuleSet
from packhorse_scheduling.domain.programme.people import Person
from packhorse_scheduling.domain.programme.programme import Worked
from packhorse_scheduling.domain.programme.requests import Leave, Lock, Preference
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.store import document_of, programme_of
from roster_factories import MONDAY, programme, resident

openpyxl = pytest.importorskip("openpyxl", reason="packhorse-scheduling[excel] is not installed")
icalendar = pytest.importorskip("icalendar", reason="packhorse-scheduling[calendar] is not installed")

from packhorse_scheduling.convert.files import workbooks  # noqa: E402 - where openpyxl is
from packhorse_scheduling.convert.files.calendars import calendar_of, cells_of_calendar  # noqa: E402

EVERY_FIELD = evolve(
    programme(
        people=(
            resident("R1", subject="sub-1"),
            evolve(resident("R2"), name="=SUM(A1)"),
            Person("F1", "Dr. 'Quote' \"Both\", Jr.", "FACULTY", "f1@example.org", credentials={"X": None}),
            Person("007", "+41 79", "FACULTY", "f2@example.org", credentials={"X": date(2027, 1, 31), "Y": None}),
            Person("N1", "Née Ørsted 李", "RN", "n1@example.org"),
        ),
        leaves=(Leave("R1", MONDAY, MONDAY + timedelta(days=2), "conference", "requested", blocking=False),),
    ),
    preferences=(Preference("R2", MONDAY, "PM", "DAY", avoid=False, weight=3),),
    locks=(Lock("R1", MONDAY, "AM", "DAY"), Lock("R2", MONDAY, "AM", None)),
    history=(Worked("R1", MONDAY - timedelta(days=1), "AM", "DAY"),),
    rules=RuleSet(
        weekly_hours=Limit(88, "specialty", "an exception; granted = by rotation", "CRITICAL"),
        resident_units={1: 3, 2: 1},
        duty_roles=frozenset({"RESIDENT", "RN"}),
    ),
)


def through_csv(made, folder):
    for name, text in csvs.programme_csvs(made).items():
        (folder / name).write_bytes(text.encode())
    return programme_of(csvs.document_of_folder(folder))


def through_workbook(made, folder):
    workbooks.write_programme(made, folder / "p.xlsx")
    document, cells, _ = workbooks.read_workbook(folder / "p.xlsx")
    assert cells is None
    return programme_of(document)


def through_json(made, folder):
    return programme_of(json.loads(json.dumps(document_of(made))))


WAYS = pytest.mark.parametrize("through", [through_json, through_csv, through_workbook])


@WAYS
def test_a_programme_with_every_field_comes_back_as_it_went_out(through, tmp_path):
    assert through(EVERY_FIELD, tmp_path) == EVERY_FIELD


@WAYS
def test_a_sample_year_comes_back_as_it_went_out(through, tmp_path):
    made = sample(Shape(seed=5))
    assert through(made, tmp_path) == made


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), tightness=st.sampled_from([0.0, 1.0]), wishes=st.integers(0, 12))
def test_reading_tables_of_any_sample_is_identity(seed, tightness, wishes):
    made = sample(Shape(seed=seed, tightness=tightness, wishes=wishes))
    assert programme_of(document_from(tables_of(made))) == made


@settings(max_examples=50, deadline=None)
@given(name=st.text(st.characters(exclude_categories=("C",)), min_size=1).filter(lambda text: text == text.strip()))
def test_any_name_survives_a_table_and_a_csv_file(name):
    made = programme(people=(evolve(resident("R1"), name=name),))
    written = csvs.programme_csvs(made)["people.csv"]
    assert programme_of(document_from(tables_of(made))) == made
    assert not any(line.startswith(("=", "+", "-", "@")) for line in written.split(",")[8:9])


def test_documents_keep_to_the_schemas_that_are_published(served):
    _, desk, _ = served
    checked = FormatChecker()
    Draft202012Validator(programme_schema(), format_checker=checked).validate(
        json.loads(json.dumps(document_of(EVERY_FIELD)))
    )
    Draft202012Validator(roster_schema(), format_checker=checked).validate(roster_document(desk.current()))


def test_a_programme_s_schema_refuses_what_the_import_refuses():
    validator = Draft202012Validator(programme_schema())
    document = json.loads(json.dumps(document_of(EVERY_FIELD)))
    assert not validator.is_valid({**document, "people": 3})
    assert not validator.is_valid({key: value for key, value in document.items() if key != "year"})
    assert not validator.is_valid({**document, "people": [{**document["people"][0], "role": "KING"}]})


# --- rosters ---


def test_a_roster_comes_back_from_json_csv_and_grid(served, tmp_path):
    opened = served[1].current()
    cells = sorted(opened.schedule.cells)
    assert sorted(cells_of_document(json.loads(json.dumps(roster_document(opened))))) == cells
    (tmp_path / "r.csv").write_bytes(csvs.roster_csv(opened).encode())
    assert sorted(csvs.cells_of_csv(tmp_path / "r.csv")) == cells
    workbooks.write_roster(opened, tmp_path / "r.xlsx")
    document, back, plan = workbooks.read_workbook(tmp_path / "r.xlsx")
    assert {stay.person for stay in plan} == {one.key for one in opened.programme.people if one.role == "RESIDENT"}
    assert sorted(back) == cells
    assert programme_of(document) == opened.programme


def test_the_grid_is_for_people(served, tmp_path):
    opened = served[1].current()
    workbooks.write_roster(opened, tmp_path / "r.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "r.xlsx")["Roster"]
    assert [sheet.cell(2, n).value for n in range(1, 7)] == ["Key", "Name", "Role", "PGY", "AM", "PM"]
    assert sheet.cell(1, 5).value.date() == opened.programme.year.start
    assert sheet.freeze_panes == "E3"
    filled = [cell for row in sheet.iter_rows(min_row=3, min_col=5) for cell in row if cell.value]
    assert len(filled) == len(opened.schedule.cells)
    colours = {cell.value: cell.fill.start_color.rgb for cell in filled}
    assert all(cell.fill.start_color.rgb == colours[cell.value] for cell in filled)


def test_violations_are_framed_and_told_in_the_grid(served, tmp_path):
    opened = served[1].current()
    person = opened.programme.people[0]
    day = opened.programme.year.start + timedelta(days=1)
    leave = Leave(person.key, day, day, "sick")
    from packhorse_scheduling.domain.rules.kernel import Kernel
    from packhorse_scheduling.domain.rules.opened import Opened

    kernel = Kernel(evolve(opened.programme, leaves=(*opened.programme.leaves, leave)))
    workbooks.write_roster(Opened(opened.schedule, kernel, opened.grid), tmp_path / "r.xlsx")
    book = openpyxl.load_workbook(tmp_path / "r.xlsx")
    rows = list(book["Violations"].iter_rows(min_row=2, values_only=True))
    assert any(row[0] == "LEAVE_RULE" and row[5] == person.name for row in rows)
    framed = [cell for row in book["Roster"].iter_rows(min_row=3) for cell in row if cell.comment]
    assert framed
    assert all(cell.border.left.style == "medium" for cell in framed)


def test_a_calendar_has_each_half_day_once_and_comes_back(served):
    opened = served[1].current()
    for person in opened.programme.people[:3]:
        cells = sorted(cell for cell in opened.schedule.cells if cell[0] == person.key)
        assert sorted(cells_of_calendar(calendar_of(opened, person.key), person.key)) == cells


def test_a_calendar_in_a_time_zone_carries_it_and_comes_back(served):
    opened = served[1].current()
    key = opened.programme.people[0].key
    text = calendar_of(opened, key, "America/New_York")
    events = icalendar.Calendar.from_ical(text).walk("VEVENT")
    assert "BEGIN:VTIMEZONE" in text
    timed = [event.decoded("dtstart") for event in events if "x-packhorse-session" in event]
    assert {str(start.tzinfo) for start in timed} == {"America/New_York"}
    assert sorted(cells_of_calendar(text, key)) == sorted(cell for cell in opened.schedule.cells if cell[0] == key)


def test_a_calendar_s_uids_are_the_same_after_a_new_version(served):
    opened = served[1].current()
    key = opened.programme.people[0].key
    later = evolve(
        opened.schedule, id="7d444840-9dc0-11d1-b245-5ffdce74fad2", version=9, created_at=datetime.now().astimezone()
    )
    before, after = (
        [event["uid"] for event in icalendar.Calendar.from_ical(calendar_of(one, key)).walk("VEVENT")]
        for one in (opened, evolve(opened, schedule=later))
    )
    assert before == after
    assert len(set(before)) == len(before)


def test_a_calendar_has_clock_times_and_no_reason_of_leave(served):
    opened = served[1].current()
    night = next(cell for cell in opened.schedule.cells if cell[3] == "NF" and cell[2] == 1)
    text = calendar_of(opened, night[0])
    events = icalendar.Calendar.from_ical(text).walk("VEVENT")
    found = next(
        event for event in events
        if event.decoded("dtstart") == datetime.combine(night[1], datetime.min.time()) + timedelta(hours=19)
    )  # fmt: skip
    assert found.decoded("dtend") == datetime.combine(night[1] + timedelta(days=1), datetime.min.time()) + timedelta(
        hours=7
    )
    assert "vacation" not in text


# --- what is wrong ---

FAULTS = [
    pytest.param("people", {"role": "KING"}, "people, row 2, column role: 'KING' must be one of", id="a role"),
    pytest.param("people", {"pgy": "two"}, "column pgy: 'two' must be a whole number", id="a number"),
    pytest.param("services", {"am": "8 to 12"}, "must be clock times such as 08:00-12:00", id="clock times"),
    pytest.param("services", {"am": "25:00-26:00"}, "must be clock times", id="no such hour"),
    pytest.param("services", {"overnight": "maybe"}, "must be yes or no", id="yes or no"),
    pytest.param("leaves", {"start": "31.12.2026"}, "must be a date such as", id="a date"),
    pytest.param("leaves", {"kind": "holiday"}, "must be one of vacation", id="a kind of leave"),
    pytest.param("rules", {"rule": "our_rule"}, "there is no rule 'our_rule'", id="a rule"),
    pytest.param("demands", {"weekdays": "Monday; Frey"}, "'Frey' must be one of Mon", id="a weekday"),
]


@pytest.mark.parametrize(("table", "changed", "says"), FAULTS)
def test_a_wrong_cell_is_told_with_its_place(table, changed, says):
    tables = tables_of(evolve(EVERY_FIELD, demands=sample(Shape()).demands, services=sample(Shape()).services))
    columns, rows = tables[table]
    rows[0] = [changed.get(name, cell) for name, cell in zip(columns, rows[0], strict=True)]
    with pytest.raises(UserError, match=says.replace("(", r"\(")) as refused:
        document_from(tables)
    assert refused.value.jsonrpc_code == -32003


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param(lambda t: t.pop("people"), "'people' is missing", id="no people"),
        pytest.param(lambda t: t.update(peeple=t["people"]), "no table 'peeple'", id="a table of another name"),
        pytest.param(lambda t: t.update(people=(("key", "ssn"), [])), "unknown column 'ssn'", id="a column too many"),
        pytest.param(lambda t: t.update(people=(("key", "key"), [])), "same column twice", id="a column twice"),
        pytest.param(lambda t: t.update(programme=(t["programme"][0], [])), "must have 1 row", id="no year"),
        pytest.param(
            lambda t: t.update(people=(t["people"][0], [["x"] * 7] * 20_001)), "more than 20,000", id="too many rows"
        ),
    ],
)
def test_wrong_tables_are_told(change, says):
    tables = tables_of(EVERY_FIELD)
    change(tables)
    with pytest.raises(UserError, match=says):
        document_from(tables)


def test_a_code_with_a_separator_cannot_go_into_a_table():
    made = evolve(EVERY_FIELD, people=(resident("R1", credentials={"A;B": None}),))
    with pytest.raises(UserError, match="cannot be in a table"):
        tables_of(made)


@pytest.mark.parametrize(
    ("name", "body", "says"),
    [
        pytest.param("x.xlsx", b"no zip", "not an Excel workbook", id="no workbook"),
        pytest.param("x.xlsx", b"PK\x03\x04", "not an Excel workbook", id="half a workbook"),
        pytest.param("x.csv", b"\xff\xfe\x00", "not a CSV file in UTF-8", id="no text"),
        pytest.param("x.csv", b"", "is empty", id="an empty file"),
        pytest.param("x.csv", b"date,session\n", "no column 'person_key'", id="a column missing"),
        pytest.param(
            "x.csv", b"date,session,person_key,service_code\n2026-07-01,NOON,R01,WARD\n", "must be AM or PM", id="noon"
        ),
        pytest.param(
            "x.csv", b"date,session,person_key,service_code\n2026-07-01,AM,R01,WARD\n2026-07-01,AM,R01,ICU\n",
            "two services", id="in two places",
        ),
        pytest.param(
            "x.csv", b"date,session,person_key,service_code\n2026-07-01,AM,R99,WARD\n", "no person 'R99'", id="nobody"
        ),
        pytest.param(
            "x.csv", b"date,session,person_key,service_code\n2029-07-01,AM,R01,WARD\n", "outside the programme",
            id="another year",
        ),
        pytest.param("x.csv", b"date,session,person_key,service_code\n", "no filled half-day", id="nothing"),
        pytest.param("x.json", b"{", "is not a JSON document", id="no JSON"),
        pytest.param("x.json", b"[]", "is not a document of a programme", id="a list"),
        pytest.param("x.json", b'{"assignments": 3}', "must be a list", id="no list"),
        pytest.param("x.json", b'{"assignments": [{}]}', "date is missing", id="an empty row"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_and_nothing_is_kept(terminal, tmp_path, name, body, says):
    run, desk = terminal
    desk.import_programme(sample(Shape()))
    (tmp_path / name).write_bytes(body)
    refused = run("import", str(tmp_path / name))
    assert refused.exit_code == 1
    assert says in refused.output
    assert "Traceback" not in refused.output
    with desk.rosters() as rosters:
        assert rosters.next_version() == 1


# --- at a terminal ---


@pytest.fixture
def terminal(tmp_path):
    host = Host(
        "scheduling",
        data_dir=tmp_path / "data",
        migrations=pack.pack.migrations,
        clock=fixed_clock("2026-06-15T12:00:00Z"),
    )
    by_name = {command.name: command for command in commands(host)}

    def run(name, *arguments):
        return CliRunner().invoke(by_name[name], list(arguments))

    return run, RosterDesk(host)


@pytest.mark.parametrize("name", ["start.xlsx", "start.json", "start"])
def test_what_init_writes_can_be_imported_at_once(terminal, tmp_path, name):
    run, desk = terminal
    made = run("init", "--out", str(tmp_path / name))
    assert made.exit_code == 0, made.output
    again = run("init", "--out", str(tmp_path / name))
    assert again.exit_code == 1
    assert "already exists" in again.output
    imported = run("import", str(tmp_path / name))
    assert imported.exit_code == 0, imported.output
    assert desk.programme()[1].name == "My residency"


@pytest.mark.parametrize("kind", ["programme", "roster"])
def test_the_schemas_are_printed(terminal, kind):
    printed = json.loads(terminal[0]("init", "--schema", kind).output)
    Draft202012Validator.check_schema(printed)


def test_a_roster_goes_out_and_in_again_at_a_terminal(terminal, tmp_path, served, small):
    run, desk = terminal
    desk.import_programme(small)
    source = served[1].current()
    (tmp_path / "r.json").write_text(json.dumps(roster_document(source)))
    imported = run("import", str(tmp_path / "r.json"))
    assert imported.exit_code == 0, imported.output
    draft = imported.output.split()[1]
    assert "COMPLIANT" in imported.output
    assert run("publish", draft).exit_code == 0
    assert sorted(desk.current().schedule.cells) == sorted(source.schedule.cells)
    for kind, name in (("json", "o.json"), ("csv", "o.csv"), ("xlsx", "o.xlsx")):
        out = run("export", "--format", kind, "--out", str(tmp_path / name))
        assert out.exit_code == 0, out.output
        back = run("import", str(tmp_path / name))
        assert back.exit_code == 0, back.output
        again = desk.opened(back.output.splitlines()[-1].split()[1])
        assert sorted(again.schedule.cells) == sorted(source.schedule.cells)
    out = run("export", "--format", "ics", "--out", str(tmp_path / "calendars"))
    assert out.exit_code == 0, out.output
    assert len(list((tmp_path / "calendars").glob("*.ics"))) == len(small.people)
    valid = run("validate", "--json")
    assert valid.exit_code == 0
    assert json.loads(valid.output)["is_valid"] is True


def test_a_swap_is_made_at_a_terminal(terminal, served, small):
    run, desk = terminal
    from packhorse_scheduling.service.imports import import_roster

    desk.import_programme(small)
    desk.publish(import_roster(desk, served[1].current().schedule.cells, None).schedule.id, None)
    for key, day, half, _ in desk.current().schedule.cells:
        slot = (key, day.isoformat(), ("AM", "PM")[half])
        found = run("swap", "candidates", *slot).output.split()
        if found[0] in {person.key for person in small.people}:
            break
    taker, kind = found[0], next(word for word in found if word in ("ABSORB", "ONE_TO_ONE"))
    made = run("swap", "request", key, taker, *slot[1:], *(["--absorb"] if kind == "ABSORB" else []))
    assert made.exit_code == 0, made.output
    swap = made.output.split()[1]
    assert run("swap", "execute", swap).exit_code == 1
    for party in (key, taker):
        assert run("swap", "answer", swap, party, "--accept").exit_code == 0
    done = run("swap", "execute", swap)
    assert done.exit_code == 0, done.output
    back = run("swap", "rollback", swap)
    assert back.exit_code == 0, back.output
    assert sorted(desk.current().schedule.cells) == sorted(served[1].current().schedule.cells)


def test_a_policy_is_added_found_replaced_and_forgotten(terminal, tmp_path):
    from packhorse_scheduling import search
    from packhorse_scheduling.service.policies import passages

    run, desk = terminal
    (tmp_path / "moonlight.md").write_text("# Moonlighting\n\nInterns may not moonlight.\n\n# Pets\n\nNo ferrets.\n")
    for _ in range(2):
        added = run("policy", "add", str(tmp_path / "moonlight.md"))
        assert added.exit_code == 0, added.output
    assert "2 passages" in run("policy", "list").output
    (hit,) = search.find(passages(desk), "ferret", most=3, least=0)
    assert (hit.passage.title, hit.passage.kind, hit.passage.source) == ("Pets", "institution", "moonlight.md")
    assert run("policy", "remove", "moonlight.md").exit_code == 0
    assert run("policy", "remove", "moonlight.md").exit_code == 1
    assert search.find(passages(desk), "ferret", most=3, least=0) == []


@pytest.mark.parametrize("body", [b"", b"\xff\xfe\xff", b"# Only a heading"])
def test_what_is_no_text_is_no_policy(terminal, tmp_path, body):
    run, _ = terminal
    (tmp_path / "p.txt").write_bytes(body)
    refused = run("policy", "add", str(tmp_path / "p.txt"))
    assert refused.exit_code == 1
    assert "Traceback" not in refused.output
