"""The ledger: what everybody had, what is carried from year to year, sick calls, and the counts in an answer."""

from datetime import timedelta

import numpy as np
import pytest
from attrs import evolve

from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.convert.ledger import ledger_from, turn_words, turns_of
from packhorse_scheduling.domain.insight.ledger import Entry, balances, carried, closed, sick_calls
from packhorse_scheduling.domain.programme.calendar import Year, block_id
from packhorse_scheduling.domain.programme.figures import Figure
from packhorse_scheduling.domain.programme.requests import Leave
from packhorse_scheduling.domain.roster.roster import Schedule
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.service.imports import import_roster
from packhorse_scheduling.service.ledger import entries
from roster_factories import MONDAY, cells, faculty, programme, resident
from wire import NOW, call, desk_in, read

PEOPLE = (resident("R1"), resident("R2"), resident("R3", pgy=1), faculty("F1"))
LAST_YEAR = MONDAY - timedelta(days=6)


def day(n):
    return MONDAY + timedelta(days=n)


def opened_with(made, *rows):
    kernel = Kernel(made)
    written = cells(*rows)
    schedule = Schedule("s", 1, "p", "published", "COMPLIANT", NOW, None, tuple(written))
    return Opened(schedule, kernel, kernel.grid_of(written))


def night(person, n):
    return [(person, n, "P", "CALL"), (person, n + 1, "A", "CALL")]


# R1 has three nights, one of them on a weekend; R2 one; Monday of the ninth week is Labor Day.
WORKED = (
    *night("R1", 0),
    *night("R1", 4),
    *night("R1", 9),
    *night("R2", 2),
    ("R3", 5, "AP", "DAY"),
    ("R3", 63, "A", "DAY"),
)


def test_a_year_is_closed_with_everybodys_count_and_an_equal_share_of_their_class():
    made = programme(70, PEOPLE)
    found = {(one.person, one.kind): (one.amount, one.expected) for one in closed(*_kernel_and_grid(made))}
    assert found["R1", "night"] == (3, 2.0)
    assert found["R2", "night"] == (1, 2.0)
    assert found["R1", "weekend"] == (1, 0.5)
    assert found["R3", "weekend"] == (1, 1.0)
    assert found["R3", "holiday"] == (1, 1.0)
    assert found["F1", "night"] == (0, 0.0)


def _kernel_and_grid(made):
    opened = opened_with(made, *WORKED)
    return opened.kernel, opened.grid


@pytest.mark.parametrize(
    ("entries", "balance"),
    [
        ([Entry("R1", "night", 26, LAST_YEAR, "roster", 22.6)], 3),
        ([Entry("R1", "night", 26, LAST_YEAR, "file", 22), Entry("R1", "night", 19, LAST_YEAR, "roster", 23)], 0),
        ([Entry("R1", "night", 26, LAST_YEAR, "file"), Entry("R2", "night", 22, LAST_YEAR, "file")], 2),
        ([Entry("R1", "night", 26, day(3), "roster", 20)], 0),  # of this year
    ],
    ids=["above", "made up for", "against the mean of the file", "not yet over"],
)
def test_what_is_carried_is_the_difference_from_an_equal_share(entries, balance):
    assert balances(entries, MONDAY).get(("R1", "night"), 0) == balance


def test_one_year_makes_up_for_so_much_and_the_rest_is_carried_on():
    kernel = Kernel(programme(28, PEOPLE))
    rows = [Entry("R1", "night", 40, LAST_YEAR, "roster", 20), Entry("R2", "holiday", 0, LAST_YEAR, "roster", 1)]
    found = carried(kernel, rows)
    assert found.nights.tolist() == [6, 0, 0, 0]
    assert found.holidays.tolist() == [0, -1, 0, 0]
    closing = Entry("R1", "night", 14, day(27), "roster", 20)
    assert balances([*rows, closing], day(28))["R1", "night"] == 14


def test_a_half_day_taken_over_from_somebody_sick_is_owed_and_paid():
    sick = Leave("R1", day(2), day(2), "sick")
    planned = Leave("R2", day(3), day(3), "vacation")
    kernel = Kernel(programme(28, PEOPLE, leaves=(sick, planned)))
    before = kernel.grid_of(cells(("R1", 2, "AP", "DAY"), ("R2", 3, "A", "DAY")))
    after = kernel.grid_of(cells(("R3", 2, "AP", "DAY"), ("R3", 3, "A", "DAY")))
    found = sick_calls(kernel, before, after, day(1))
    assert [(one.person, one.kind, one.amount) for one in found] == [
        ("R1", "sick_call_owed", 2),
        ("R3", "sick_call_paid", 2),
    ]
    assert sick_calls(kernel, before, np.where(after == before, before, -1).astype(np.int8), day(1)) == []


def test_an_answer_names_the_counts_behind_a_night():
    opened = opened_with(programme(70, PEOPLE), *WORKED)
    rows = turns_of(opened, 0, (9, 1), [Entry("R1", "night", 24, LAST_YEAR, "roster", 22)])
    (words,) = [turn_words(opened, 0, row) for row in rows]
    assert words.startswith("Resident R1 has 3 nights this year; PGY-2: 1 to 3, all of the role: 0 to 3; ")
    assert words.endswith("; 2 nights above an equal share in the years before.")
    assert turns_of(opened, 2, (1, 0), []) == []


def test_the_page_has_a_line_a_person_and_stays_small_for_sixty_people():
    people = tuple(resident(f"R{n}", pgy=n % 3 + 1) for n in range(40)) + tuple(faculty(f"F{n}") for n in range(20))
    opened = opened_with(programme(28, people), *night("R1", 0))
    body = ledger_from(opened, [Entry("R1", "night", 26, LAST_YEAR, "roster", 23)])
    assert "Resident R1 (PGY-2): 1 0 0 | +3 +0 +0 | 0 0" in body["people"]
    assert body["spread"]["PGY-2"]["nights"].startswith("0 to 1, SD")
    assert len(str(body)) / 4 < 2_000


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (Figure("R9", "night", 1, LAST_YEAR), "unknown person"),
        (Figure("R1", "night", 1, MONDAY), "not before the programme's first day"),
        (Figure("R1", "night", 800, LAST_YEAR), "from 0 to 732"),
    ],
)
def test_figures_that_cannot_be_are_refused(row, words):
    assert words in " ".join(programme(28, PEOPLE, ledger=(row,)).faults())


# --- kept, over the wire ---


@pytest.mark.anyio
async def test_a_year_that_is_followed_by_another_is_carried_and_figures_of_a_file_are_never_dropped(tmp_path):
    desk = desk_in(tmp_path)
    deployment = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack)
    figure = Figure("R2", "night", 9, LAST_YEAR, 5)
    first = programme(70, PEOPLE, ledger=(figure,))
    desk.import_programme(first)
    draft = import_roster(desk, cells(*WORKED), None)
    desk.publish(draft.schedule.id, None)
    start = day(70)
    second = evolve(first, year=Year(start, start + timedelta(days=27)), ledger=())
    desk.import_programme(second)
    later = import_roster(desk, [("R1", start, 0, "DAY")], None)
    desk.publish(later.schedule.id, None)
    known = balances(entries(desk), start)
    assert known["R1", "night"] == 1
    assert known["R2", "night"] == 3  # four above in the file, one below this year
    page = await read(deployment, "analytics://ledger")
    assert "Resident R2 (PGY-2): 0 0 0 | +3 +0 +0 | 0 0" in page["people"]


@pytest.mark.anyio
@pytest.mark.slow
async def test_why_me_is_answered_with_counts_at_the_wire(served, small):
    deployment, desk, _ = served
    person, on, half, _ = next(cell for cell in desk.current().schedule.cells if cell[3] == "CALL" and cell[2] == 1)
    number = desk.current().kernel.person_of[person]
    asked = {"person_id": small.people[number].id, "block_id": block_id(on, ("AM", "PM")[half])}
    reply = await call(deployment, "explain_assignment", asked)
    assert "night" in [row["kind"] for row in reply.structured_content["turns"]]
    assert f"{small.people[number].name} has " in reply.content[0].text
    assert "this year; PGY-" in reply.content[0].text
