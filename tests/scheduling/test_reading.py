"""A chief's own grid is read, what is open is asked, and no wrong value is taken without a question."""

import json
import zipfile
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from packhorse import Host, UserError
from packhorse.testing import fixed_clock
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.domain.grids.codes import alias_of, leave_inside, near
from packhorse_scheduling.domain.grids.dates import Mark, Token, mark_of, years_in
from packhorse_scheduling.domain.grids.people import level_of, named
from packhorse_scheduling.models.settings import SchedulingSettings
from packhorse_scheduling.service import RosterDesk

openpyxl = pytest.importorskip("openpyxl", reason="packhorse-scheduling[excel] is not installed")

from grid_makers import MAKERS, NAMES, day_first, halves, made_by, paint, spans, truth, two_rows, untidy, us  # noqa: E402 - where openpyxl is
from grid_scores import read, score, words_of  # noqa: E402
from packhorse_scheduling.convert.grids import workbook  # noqa: E402
from packhorse_scheduling.convert.grids.draft import draft_of  # noqa: E402
from packhorse_scheduling.convert.grids.workbook import sheets_of  # noqa: E402

GRIDS = Path(__file__).parent / "grids"


def against(report, wanted):
    """People, columns and cells that differ from a maker's truth, by what they say."""
    people = {one["name"]: one["level"] for one in report["people"]}
    columns = [(one["start"], one["end"]) for one in report["columns"]]
    cells = {(one["person"], one["start"]): one["code"] for one in report["cells"]}
    own = {(name, first.isoformat()): code for (name, first), code in wanted["cells"].items()}
    return (
        {name: level for name, level in people.items() if wanted["people"].get(name) != level and level is not None},
        [
            one
            for one in columns
            if one[0] and one not in [(a.isoformat(), b.isoformat()) for a, b in wanted["columns"]]
        ],
        {key: code for key, code in cells.items() if key[1] and own.get(key) != code},
        len(wanted["people"].keys() - people.keys()) + len(own.keys() - cells.keys()),
    )


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_a_grid_of_any_maker_is_read_whole_once_its_questions_are_answered(maker, tmp_path):
    wanted, answers = made_by(maker, tmp_path / "grid.xlsx")
    _, report = read(tmp_path / "grid.xlsx", answers)
    assert against(report, wanted) == ({}, [], {}, 0)
    assert len(report["people"]) == len(wanted["people"])


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_without_answers_nothing_wrong_is_taken_and_at_most_ten_are_asked(maker, tmp_path):
    wanted, _ = made_by(maker, tmp_path / "grid.xlsx")
    _, report = read(tmp_path / "grid.xlsx")
    people, columns, cells, _ = against(report, wanted)
    asked = {one["id"] for one in report["questions"]}
    assert (people, cells) == ({}, {})
    assert len(columns) <= ("last" in asked)
    assert len(asked) <= 10


@pytest.mark.parametrize("marked", [True, False])
def test_a_second_row_of_a_person_is_the_second_half_of_blocks_where_the_grid_or_its_chief_says_so(marked, tmp_path):
    wanted, _ = made_by(lambda book: two_rows(book, marked), tmp_path / "grid.xlsx")
    _, report = read(tmp_path / "grid.xlsx")
    if not marked:
        assert [one["id"] for one in report["questions"]] == ["second"]
        assert report["cells"] == []
        _, report = read(tmp_path / "grid.xlsx", {"second": "halves"})
    people, _, cells, missing = against(report, wanted)
    assert (people, cells, missing) == ({}, {}, 0)


# --- grids that strangers made before this reader was written ---

OPEN = {
    "01_im_plain": {},
    "02_fm_sections": {},
    "03_peds_real_dates": {"last": "2027-06-27"},
    "04_psych_merged": {},
    "05_surgery_weeks": {"last": "2027-06-27"},
    "06_neuro_colours": {"text.V": "both", "colour.00FFCC": "empty"},
    "07_im_large": {
        "sheet": "2026-27 Master",
        "split": "halves",
        "colour.A6A6A6": "empty",
        "code.leaves 12/29 -> Rad": "empty",
    },
    "08_anes_transposed": {"level.CA1": "2", "unlisted": "yes"},
    "09_em_blocks_elsewhere": {"level.EM1": "1", "unlisted": "yes", "aliases": "yes"},
    "10_obgyn_spacers": {"unlisted": "yes", "last": "2027-06-27"},
}
"""The questions that each leaves open, with the answers that its truth gives."""


@pytest.mark.parametrize("name", OPEN)
def test_a_stranger_s_grid_is_read_without_a_wrong_value_and_whole_with_answers(name):
    path, wanted = GRIDS / f"{name}.xlsx", json.loads((GRIDS / f"{name}.json").read_text())
    filled = sum(code is not None for row in wanted["cells"].values() for code in row)
    before, after = score(path, wanted), score(path, wanted, OPEN[name])
    assert (before.wrong, before.strangers) == (0, 0)
    assert before.questions == len(OPEN[name])
    assert (after.people, after.columns, after.cells) == (len(wanted["people"]), len(wanted["columns"]), filled)
    assert (after.wrong, after.open, after.questions) == (0, 0, 0)


# --- laws ---

PAINTS = ["ICU", "WARD", "NF", "CLINIC", "ED"]


@settings(max_examples=25, deadline=None)
@given(
    rows=st.lists(st.lists(st.sampled_from(PAINTS), min_size=13, max_size=13), min_size=3, max_size=9),
    turned=st.booleans(),
    painted=st.booleans(),
)  # fmt: skip
def test_any_plan_drawn_as_a_grid_comes_back_as_it_was(tmp_path_factory, rows, turned, painted):
    columns = spans(13, 28, last=date(2027, 6, 30))
    colours = {"ICU": "FF7C80", "WARD": "92D050", "NF": "7030A0", "CLINIC": "FFD966", "ED": "BDD7EE"}
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "2026-2027"

    def put(row, column, value, colour=None):
        cell = sheet.cell(*((column, row) if turned else (row, column)), value)
        if colour:
            paint(cell, colour)

    put(1, 1, "Name")
    for b, (first, last) in enumerate(columns):
        put(1, 2 + b, f"{us(first)}-{us(last)}")
    for n, row in enumerate(rows):
        put(2 + n, 1, f"{NAMES[n]} (PGY-{n % 3 + 1})")
        for b, code in enumerate(row):
            put(2 + n, 2 + b, None if painted else code, colours[code] if painted else None)
    legend = book.create_sheet("Legend")
    for n, (code, colour) in enumerate(colours.items(), start=1):
        legend.cell(n, 1, code)
        paint(legend.cell(n, 1), colour)
    path = tmp_path_factory.mktemp("grid") / "grid.xlsx"
    book.save(path)
    _, report = read(path)
    wanted = truth(
        columns,
        people={name: n % 3 + 1 for n, name in enumerate(NAMES[: len(rows)])},
        cell=lambda n, b: rows[n][b],
        names=NAMES[: len(rows)],
    )
    assert against(report, wanted) == ({}, [], {}, 0)


# --- heads, labels, codes ---

HEADS = [
    ("7/1-7/28", Token(None, 7, 1, plain=False), Token(None, 7, 28, plain=False)),
    ("Jul 1 \u2013 Jul 28", Token(None, 7, 1), Token(None, 7, 28)),
    ("July 1-28", Token(None, 7, 1), Token(None, 7, 28)),
    ("29 Jun - 26 Jul", Token(None, 6, 29), Token(None, 7, 26)),
    ("Block 2\nJul 29", Token(None, 7, 29), None),
    ("2\n7/29", Token(None, 7, 29, plain=False), None),
    ("Wk of Mon 7/6", Token(None, 7, 6, plain=False), None),
    ("2026-07-01", Token(2026, 7, 1), None),
    ("Jul 1, 2026", Token(2026, 7, 1), None),
    ("1-Jul-26", Token(2026, 7, 1), None),
    (date(2026, 7, 1), Token(2026, 7, 1), None),
]


@pytest.mark.parametrize(("head", "first", "last"), HEADS)
def test_heads_of_many_makes_name_their_days(head, first, last):
    mark = mark_of(head)
    assert (mark.first, mark.last) == (first, last)


@pytest.mark.parametrize(
    "text", ["Name", "EM (vac 7/27-8/2)", "Smith", "Total", "R1", "", None, True, 60, "call me 7/1"]
)
def test_what_is_no_head_is_none(text):
    assert mark_of(text) is None


@pytest.mark.parametrize(("text", "number"), [("Block 3", 3), ("13", 13), (7, 7), ("W12", 12), ("4B", 4)])
def test_numbers_of_blocks_are_heads_without_days(text, number):
    assert mark_of(text) == Mark(number=number)


@pytest.mark.parametrize(
    ("title", "years"),
    [
        ("AY 2026-27", (2026, 2027)), ("2026 - 2027", (2026, 2027)), ("July 2026 to June 2027", (2026, 2027)),
        ("2025-2030", (2025, None)), ("Schedule 2026", (2026, None)), ("7/1-7/28", None),
    ],
)  # fmt: skip
def test_titles_name_academic_years(title, years):
    assert years_in(title) == years


@pytest.mark.parametrize(
    ("label", "name", "level"),
    [
        ("Smith, Jane", "Smith, Jane", None), ("Jane Smith (PGY-2)", "Jane Smith", 2), ("PGY3 Smith", "Smith", 3),
        ("Dr. O'Neil, Pat MD", "O'Neil, Pat", None), ("Smith (2)", "Smith", 2), ("Haldane (Chief)", "Haldane", None),
        ("Intern 1", "Intern 1", 1), ("R2 - Ng, V", "Ng, V", 2), ("A. Nguyen*", "A. Nguyen", None),
    ],
)  # fmt: skip
def test_names_are_taken_from_labels_with_their_levels(label, name, level):
    made = named(label)
    assert (made.name, made.level) == (name, level)


@pytest.mark.parametrize(
    ("text", "level"),
    [("PGY-1", 1), ("PGY II", 2), ("R3s", 3), ("Interns", 1), ("2nd year residents", 2), ("CA-1", None)],
)  # fmt: skip
def test_years_of_training_are_read_where_they_are_certain(text, level):
    assert level_of(text) == level


def test_a_slip_is_near_one_code_and_a_sister_service_is_not():
    assert near("wrad", ["ward", "icu"]) == "ward"
    assert near("clinc", ["clinic"]) == "clinic"
    assert near("micu", ["sicu"]) is None
    assert near("ward b", ["ward a"]) is None


def test_other_spellings_are_proposed_only_where_one_code_fits():
    names = {"wa": "Wards Alder", "wb": "Wards Birch", "nf": "Night float", "us": "Ultrasound"}
    assert [alias_of(text, names) for text in ("alder", "nights", "u/s", "wards")] == ["wa", "nf", "us", None]


def test_leave_inside_a_block_has_its_days():
    assert leave_inside("EM (vac 7/27-8/2)") == ("EM", "vac", "7/27-8/2")
    assert leave_inside("ICU") is None


# --- at a terminal ---


@pytest.fixture
def terminal(tmp_path):
    host = Host(
        "scheduling",
        data_dir=tmp_path / "data",
        migrations=pack.pack.migrations,
        clock=fixed_clock("2026-06-15T12:00:00Z"),
        settings=SchedulingSettings(highest_pgy=5),
    )
    by_name = {command.name: command for command in commands(host)}

    def run(name, *arguments, fails=False):
        done = CliRunner().invoke(by_name[name], [str(one) for one in arguments])
        assert (done.exit_code != 0) == fails, done.output
        assert "Traceback" not in done.output
        return done.output

    return run, RosterDesk(host)


@pytest.mark.parametrize("name", OPEN)
def test_the_draft_of_a_grid_can_be_imported_with_its_plan_as_locks(name, terminal, tmp_path):
    run, desk = terminal
    wanted = json.loads((GRIDS / f"{name}.json").read_text())
    (tmp_path / "answers.json").write_text(json.dumps(OPEN[name]))
    run("read", GRIDS / f"{name}.xlsx", "--answers", tmp_path / "answers.json", "--out", tmp_path / "draft.xlsx")
    assert "Imported" in run("import", tmp_path / "draft.xlsx")
    _, programme = desk.programme()
    keys = {words_of(person.name): person.key for person in programme.people}
    assert all(words_of(one["name"]) in keys for one in wanted["people"])
    assert programme.rotation_locks
    assert not any(lock.end < lock.start for lock in programme.rotation_locks)


def test_what_is_open_is_shown_with_its_cells_and_the_way_to_answer(terminal, tmp_path):
    run, _ = terminal
    made_by(next(maker for maker in MAKERS if maker.__name__ == "untidy"), tmp_path / "grid.xlsx")
    shown = run("read", tmp_path / "grid.xlsx")
    assert "PGY-1: Abara, Ngozi; Bell, Thomas; Castillo, Rosa" in shown
    assert "'?' is not decided: AY 26-27!J5" in shown
    assert "split: 1 block names two things, such as 'ICU/NF'" in shown
    assert "the mark * of 'ELEC*' is not read" in shown
    answered = run("read", tmp_path / "grid.xlsx", "--answer", "split=halves", "--answer", "code.WRAD=WARD")
    assert "split:" not in answered
    assert "code.WRAD" not in answered


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("nothing=1", "No question has the id 'nothing'"),
        ("year=soon", "must be a year such as 2026"),
        ("level.PGY9=9", "No question has the id"),
        ("no equals", "must have the form ID=VALUE"),
        ("sheet=Elsewhere", "is none of"),
    ],
)
def test_an_answer_to_no_question_is_refused(terminal, tmp_path, given, says):
    run, _ = terminal
    made_by(next(maker for maker in MAKERS if maker.__name__ == "level_in_name"), tmp_path / "grid.xlsx")
    assert says in run("read", tmp_path / "grid.xlsx", "--answer", given, "--out", tmp_path / "d.json", fails=True)
    assert not (tmp_path / "d.json").exists()


def test_no_draft_is_written_while_the_days_are_not_known(terminal, tmp_path):
    run, _ = terminal
    made_by(next(maker for maker in MAKERS if maker.__name__ == "level_in_name"), tmp_path / "grid.xlsx")
    said = run("read", tmp_path / "grid.xlsx", "--out", tmp_path / "draft.json", fails=True)
    assert "days of the columns are not known yet" in said
    assert "year:" in said
    assert not (tmp_path / "draft.json").exists()


def test_the_report_is_a_document_for_programs_too(terminal, tmp_path):
    run, _ = terminal
    report = json.loads(run("read", GRIDS / "04_psych_merged.xlsx", "--json"))
    assert {"people", "columns", "rotations", "cells", "not_understood", "questions"} <= report.keys()


# --- what is no grid, or too much ---


def test_a_workbook_without_a_grid_says_so(terminal, tmp_path):
    run, _ = terminal
    book = openpyxl.Workbook()
    book.active.append(["shopping", "milk", 2])
    book.save(tmp_path / "list.xlsx")
    said = run("read", tmp_path / "list.xlsx", "--out", tmp_path / "draft.json", fails=True)
    assert "No grid of blocks" in said


def test_a_sheet_of_services_with_names_in_its_blocks_is_not_read_as_people(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    columns = spans(13, 28)
    sheet.append(["Service", *(f"{us(a)}-{us(b)}/26" for a, b in columns)])
    for n, service in enumerate(("Wards", "Intensive care", "Night float", "Clinic")):
        sheet.append([service, *(NAMES[(n * 2 + b) % 9].split(",")[0] for b in range(13))])
    book.save(tmp_path / "inverse.xlsx")
    found, report = read(tmp_path / "inverse.xlsx")
    assert not found.people
    assert any("has names in its blocks" in note for note in report["notes"])


@pytest.mark.parametrize("body", [b"", b"PK\x03\x04", b"name,7/1\n"])
def test_what_is_no_workbook_is_refused(terminal, tmp_path, body):
    (tmp_path / "x.xlsx").write_bytes(body)
    assert "is not an Excel workbook" in terminal[0]("read", tmp_path / "x.xlsx", fails=True)


def test_too_many_cells_sheets_or_bytes_are_refused_before_they_are_unpacked(tmp_path, monkeypatch):
    made_by(MAKERS[0], tmp_path / "grid.xlsx")
    for name, most, says in (("MOST_CELLS", 50, "cells, above 50"), ("MOST_SHEETS", 0, "sheets, above 0")):
        with monkeypatch.context() as patch:
            patch.setattr(workbook, name, most)
            with pytest.raises(UserError, match=says):
                sheets_of(tmp_path / "grid.xlsx")
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", b" " * 50_000_001)
    with pytest.raises(UserError, match="unpacks to"):
        sheets_of(tmp_path / "bomb.xlsx")


def test_a_merged_area_of_a_whole_sheet_is_refused(tmp_path):
    book = openpyxl.Workbook()
    book.active.merged_cells.add("A1:ZZ1048576")
    book.active["A1"] = "x"
    book.save(tmp_path / "wide.xlsx")
    with pytest.raises(UserError, match="cells, above"):
        sheets_of(tmp_path / "wide.xlsx")


def test_colours_of_a_theme_are_told_apart_by_their_tint():
    assert workbook._tinted("4472C4", 0) == "4472C4"
    assert len({workbook._tinted("4472C4", tint) for tint in (0, 0.4, 0.8, -0.25)}) == 4


def changed(tmp_path, maker, change):
    """A maker's workbook after a change of its first sheet."""
    path = tmp_path / "grid.xlsx"
    made_by(maker, path)
    book = openpyxl.load_workbook(path)
    change(book.active)
    book.save(path)
    return path


def test_a_text_that_stands_once_and_in_no_legend_is_asked_about_before_it_is_a_rotation(tmp_path):
    path = changed(tmp_path, day_first, lambda sheet: sheet.cell(3, 8, "Nite Float"))
    _, before = read(path)
    assert "Nite Float" not in {one["code"] for one in before["rotations"]}
    assert any("Nite Float (1)" in one["question"] for one in before["questions"] if one["id"] == "unlisted")
    _, after = read(path, {"unlisted": "yes"})
    assert "Nite Float" in {one["code"] for one in after["rotations"]}


def test_blocks_without_a_text_take_that_of_their_colour_after_one_question(tmp_path):
    def rub_out(sheet):
        for row in range(4, 7):
            for column in range(2, 12):
                sheet.cell(row, column).value = None

    path = changed(tmp_path, halves, rub_out)
    _, before = read(path)
    assert "colours" in {one["id"] for one in before["questions"]}
    assert len(before["not_understood"]) == 30
    wanted, _ = made_by(halves, tmp_path / "whole.xlsx")
    _, after = read(path, {"colours": "yes", "last": "2027-06-29"})
    assert against(after, wanted) == ({}, [], {}, 0)


def test_blocks_that_name_two_rotations_or_half_a_block_become_locks_of_each_half_or_are_asked(tmp_path):
    odd = {"C2": "ICU/WARD", "D3": "ICU 1st half", "E4": "second half: WARD", "F5": "\u00bd ED", "G6": "ICU (1/2)"}
    odd |= {"H2": "ED/Wards", "H3": "ED/Wards", "H4": "ED/Wards"}

    def write(sheet):
        for at, text in odd.items():
            sheet[at] = text

    path = changed(tmp_path, untidy, write)
    _, before = read(path)
    taken = {one["cell"].split("!")[1]: one for one in before["cells"]}
    assert odd.keys() & taken.keys() == {"D3", "E4"}
    asked = {one["id"]: one["choices"] for one in before["questions"]}
    assert {"split", "half.\u00bd ED", "half.ICU (1/2)", "code.ED/Wards"} <= asked.keys()
    assert "halves" in asked["code.ED/Wards"]
    answers = {"split": "halves", "half.\u00bd ED": "second", "half.ICU (1/2)": "all", "code.ED/Wards": "halves"}
    found, after = read(path, {**answers, "code.WRAD": "WARD"})
    assert not any("names two" in row["why"] for row in after["not_understood"])
    draft = draft_of(found)
    names = {person.key: person.name for person in draft.people}
    blocks = spans(13, 28, last=date(2027, 6, 30))
    for block, person, parts in (
        (0, 0, [("ICU", 0, 13), ("WARD", 14, 27)]),
        (1, 1, [("ICU", 0, 13)]),
        (2, 2, [("WARD", 14, 27)]),
        (3, 3, [("ED", 14, 27)]),
        (4, 4, [("ICU", 0, 27)]),
        (5, 1, [("ED", 0, 13), ("Wards", 14, 27)]),
    ):
        first = blocks[block][0]
        days = {
            (first + timedelta(days=n)): lock.rotation
            for lock in draft.rotation_locks
            for n in range(28)
            if names[lock.person] == NAMES[person] and lock.start <= first + timedelta(days=n) <= lock.end
        }
        wanted = {first + timedelta(days=n): code for code, low, high in parts for n in range(low, high + 1)}
        assert days == wanted, (block, person)


def test_struck_out_blocks_are_not_read(tmp_path):
    def strike(sheet):
        sheet["C3"].font = openpyxl.styles.Font(strike=True)

    path = changed(tmp_path, MAKERS[0], strike)
    found, report = read(path)
    assert [one["cell"].split("!")[1] for one in report["not_understood"]] == ["C3"]
    assert found.cells.stays[0].spot.where.endswith("D3")
