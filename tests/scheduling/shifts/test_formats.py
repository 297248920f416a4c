"""Reading the public formats: every file beside the checkout, and refusals that name line and section."""

from pathlib import Path

import pytest

from packhorse import UserError
from packhorse_scheduling.convert.shifts import inrc2
from packhorse_scheduling.convert.shifts.curtois import ward_from
from packhorse_scheduling.domain.wards.patterns import as_problem
from shift_instances import HISTORY, SCENARIO, SMALL, WEEKS, written

DATA = Path(__file__).resolve().parents[4] / "shared" / "benchmarks" / "shift_scheduling"
beside = pytest.mark.skipif(not DATA.is_dir(), reason="../shared is absent")


@beside
@pytest.mark.parametrize("number", range(1, 25, 2))
def test_every_curtois_file_is_read_whole(number):
    text = (DATA / "curtois" / f"Instance{number}.txt").read_text()
    problem = as_problem(ward_from(text))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(("#", "SECTION_"))]
    read = 1 + len(problem.shifts) + len(problem.people) + len(problem.requests) + len(problem.covers)
    assert read + sum(bool(person.days_off) for person in problem.people) == len(lines)


@beside
def test_every_inrc2_folder_is_read_with_every_history_and_week():
    for folder in sorted((DATA / "inrc2").iterdir()):
        weeks = int(folder.name[-1])
        for history in range(3):
            for first in range(10 - weeks + 1):
                read = inrc2.ward_from(folder, history, range(first, first + weeks))
                assert read.days == 7 * weeks
                assert [past.person for past in read.past] == [nurse.key for nurse in read.people]


def test_an_instance_is_read():
    problem = as_problem(ward_from(SMALL))
    assert (problem.days, [shift.id for shift in problem.shifts]) == (14, ["E", "L"])
    assert problem.shifts[1].not_next == {"E"}
    first = problem.people[0]
    assert (first.id, dict(first.most_of), first.days_off) == ("A", {"E": 14, "L": 3}, {0})
    limits = (first.most_minutes, first.least_minutes, first.most_run, first.least_run, first.least_rest)
    assert (*limits, first.most_weekends) == (4320, 2880, 5, 2, 2, 1)
    assert sum(request.wanted for request in problem.requests) == 3
    assert len(problem.covers) == 28


def test_windows_line_ends_and_comments_make_no_difference():
    assert ward_from("# words\r\n" + SMALL.replace("\n", "\r\n")) == ward_from(SMALL)


BROKEN = [
    ("no section", "hello\n", ("line 1", "SECTION_HORIZON")),
    ("an unknown section", SMALL.replace("SECTION_STAFF", "SECTION_STUFF"), ("line 7", "SECTION_STUFF", "not known")),
    ("a section twice", SMALL + "SECTION_STAFF\n", ("SECTION_STAFF", "there already")),
    ("a section missing", SMALL[: SMALL.index("SECTION_COVER")], ("SECTION_COVER is missing",)),
    ("a horizon of words", SMALL.replace("\n14\n", "\ntwo weeks\n"), ("line 3", "SECTION_HORIZON", "whole number")),
    ("a horizon too long", SMALL.replace("\n14\n", "\n1400\n"), ("line 3", "from 1 to 366")),
    ("a horizon of two lines", SMALL.replace("\n14\n", "\n14\n14\n"), ("line 4", "one line")),
    ("a shift without minutes", SMALL.replace("E,480,", "E,,"), ("line 5", "SECTION_SHIFTS", "minutes")),
    ("a shift too few fields", SMALL.replace("E,480,\n", "E,480\n"), ("line 5", "3 fields")),
    ("a shift twice", SMALL.replace("L,480,E", "E,480,E"), ("line 6", "there already")),
    ("an unknown shift after", SMALL.replace("L,480,E", "L,480,X"), ("line 6", "'X'")),
    ("an unknown shift limit", SMALL.replace("L=3", "N=3"), ("line 8", "SECTION_STAFF", "N=3")),
    ("a limit that is no number", SMALL.replace("L=3", "L=x"), ("line 8", "whole number", "'x'")),
    ("a person twice", SMALL.replace("B,E=14", "A,E=14"), ("line 9", "'A'")),
    ("least above most", SMALL.replace("4320,2880", "2880,4320", 1), ("line 8", "least minutes, 4320")),
    ("a shortest run of nothing", SMALL.replace("5,2,2,1", "5,0,2,1", 1), ("line 8", "shortest run, 0")),
    ("a person too few fields", SMALL.replace(",5,2,2,1", ",5,2,2", 1), ("line 8", "8 fields", "7")),
    ("days off of nobody", SMALL.replace("A,0\n", "Z,0\n"), ("line 13", "SECTION_DAYS_OFF", "'Z'")),
    ("a day off outside", SMALL.replace("A,0\n", "A,14\n"), ("line 13", "from 0 to 13")),
    ("a request of nobody", SMALL.replace("A,2,E,2", "Z,2,E,2"), ("SECTION_SHIFT_ON_REQUESTS", "'Z'")),
    ("a request outside", SMALL.replace("C,12,E,1", "C,99,E,1"), ("SECTION_SHIFT_OFF_REQUESTS", "99")),
    ("a negative weight", SMALL.replace("C,12,E,1", "C,12,E,-1"), ("the weight", "-1")),
    ("a cover of an unknown shift", SMALL + "0,X,1,1,1\n", ("SECTION_COVER", "'X'")),
    ("a cover twice", SMALL + "0,E,1,1,1\n", ("SECTION_COVER", "there already")),
]


@pytest.mark.parametrize(("text", "words"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_broken_file_is_refused_by_line_and_section(text, words):
    with pytest.raises(UserError) as refused:
        ward_from(text, "mine.txt")
    assert refused.value.code == "VALIDATION_ERROR"
    for word in ("mine.txt", *words):
        assert word in refused.value.message


def test_a_folder_is_read(tmp_path):
    read = inrc2.ward_from(written(tmp_path / "tiny"), 0, [0, 1])
    assert read == inrc2.ward_from_texts(SCENARIO, HISTORY, WEEKS)
    ann = read.people[0]
    contract = read.contract_of[0]
    assert (ann.skills, contract.shifts, contract.whole_weekends) == (("Head", "Nurse"), (6, 10), True)
    assert read.shifts[1].not_next == {"Early"}
    assert read.past_of[0].days == ("-", "?", "?", "?", "Night")
    assert read.past_of[1].days == ("?", "-")
    assert [(one.person, one.shift, one.first) for one in read.requests] == [("Ann", "*", 1), ("Dan", "Night", 5)]
    first = [one for one in read.demands if (one.shifts, one.skill, one.day) == (("Early",), "Nurse", 0)]
    assert [(one.least, one.wished) for one in first] == [(0, 1)]


NURSES = [
    ("a header missing", SCENARIO.replace("WEEKS = 2\n", ""), HISTORY, WEEKS, ("line 4", "WEEKS is expected")),
    ("weeks in words", SCENARIO.replace("WEEKS = 2", "WEEKS = two"), HISTORY, WEEKS, ("WEEKS", "whole number")),
    ("an unknown skill", SCENARIO.replace("Ben Full 1 Nurse", "Ben Full 1 Cook"), HISTORY, WEEKS, ("NURSES", "skills")),
    ("a span missing", SCENARIO.replace("Night (2,3)", "Night"), HISTORY, WEEKS, ("SHIFT_TYPES", "1 spans")),
    ("an unknown nurse", SCENARIO, HISTORY.replace("Ben", "Bob"), WEEKS, ("NURSE_HISTORY", "Bob")),
    ("a nurse without history", SCENARIO, HISTORY.replace("Ben 0 0 None 0 0 1\n", ""), WEEKS, ("no line for Ben",)),
    (
        "an unknown shift",
        SCENARIO,
        HISTORY,
        (WEEKS[0].replace("Early Head", "Late Head"), ""),
        ("REQUIREMENTS", "Late"),
    ),
    ("six days", SCENARIO, HISTORY, (WEEKS[0].replace(" (0,0)\n", "\n", 1), ""), ("REQUIREMENTS", "7 spans")),
    ("an unknown day", SCENARIO, HISTORY, (WEEKS[0].replace("Any Tue", "Any Day"), ""), ("SHIFT_OFF_REQUESTS", "Day")),
    ("a short file", SCENARIO[: SCENARIO.index("Cis")], HISTORY, WEEKS, ("ends too early",)),
    ("too many weeks", SCENARIO, HISTORY, (*WEEKS, WEEKS[0]), ("2 weeks to plan, not 3",)),
]


@pytest.mark.parametrize(
    ("scenario", "history", "weeks", "words"), [row[1:] for row in NURSES], ids=[r[0] for r in NURSES]
)
def test_broken_nurse_files_are_refused_by_line_and_section(scenario, history, weeks, words):
    with pytest.raises(UserError) as refused:
        inrc2.ward_from_texts(scenario, history, weeks)
    for word in words:
        assert word in refused.value.message


def test_a_missing_week_file_is_refused_with_those_there_are(tmp_path):
    with pytest.raises(UserError, match=r"WD-tiny-7\.txt is not in tiny: there is WD-tiny-0\.txt"):
        inrc2.ward_from(written(tmp_path / "tiny"), 0, [0, 7])
