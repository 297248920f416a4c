"""Two versions beside each other before one is published: counts first, one person's days by page."""

import json
from datetime import date

import pytest

from packhorse_scheduling.domain.change.comparison import compare
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.service.changes import ChangeDesk
from wire import busy, call, done, half_days, leave

JULY_14 = date(2026, 7, 14)
pytestmark = pytest.mark.anyio


async def test_a_repair_is_compared_with_what_is_in_force(in_force):
    at, desk = in_force
    person = busy(desk, 1, JULY_14)[0][1]
    made = await done(at(), "repair_schedule", {"absences": [leave(person, JULY_14)]})
    reply = await call(at(), "compare_versions", {"schedule_id": made["schedule_id"]})
    body = reply.structured_content
    assert body["changed_half_days"] == made["vacated"] + made["changed"]
    assert body["people_changed"] == len({row["person_name"] for row in made["changes"]})
    assert body["new_violations"] == 0
    assert body["gone_violations"] > 0
    mine = next(row for row in body["people"] if row["person_id"] == person)
    vacated = [one for row in made["changes"] if row["person_name"] == mine["person_name"] for one in half_days(row)]
    assert mine["lost"] == len(vacated)
    assert mine["hours"] < 0
    assert mine["person_name"] in reply.content[0].text
    days = await done(at(), "compare_versions", {"schedule_id": made["schedule_id"], "person_id": person})
    assert len(days["half_days"]) == len(vacated)
    assert all("to free" in words for words in days["half_days"])


async def test_a_version_does_not_differ_from_itself(in_force):
    at, desk = in_force
    body = await done(at(), "compare_versions", {"schedule_id": desk.current().schedule.id})
    assert (body["changed_half_days"], body["people"], body["plan_change_count"]) == (0, [], 0)


async def test_what_one_gains_another_loses_where_two_change_places(in_force):
    _, desk = in_force
    opened = desk.current()
    (one, _), (other, _) = busy(desk, 2, JULY_14)
    p, q = (opened.kernel.person_of[key] for key in (one, other))
    grid = opened.grid.copy()
    grid[[p, q], 7:21] = grid[[q, p], 7:21]
    draft = ChangeDesk(desk).keep_draft(opened, grid, None, "tried")
    rows = {row.person: row for row in compare(opened, draft)}
    assert rows[one].minutes == -rows[other].minutes
    assert rows[one].nights == -rows[other].nights
    assert (rows[one].gained, rows[one].lost) == (rows[other].lost, rows[other].gained)


async def test_the_answer_is_small_however_much_differs_and_every_half_day_is_on_a_page(in_force):
    at, desk = in_force
    opened = desk.current()
    grid = opened.grid.copy()
    grid[:, 7:] = FREE
    draft = ChangeDesk(desk).keep_draft(opened, grid, None, "tried").schedule.id
    body = await done(at(), "compare_versions", {"schedule_id": draft})
    assert len(json.dumps(body)) < 6_000
    assert sum(row["lost"] for row in body["people"]) == body["changed_half_days"]
    person = body["people"][0]
    asked = {"schedule_id": draft, "person_id": person["person_id"]}
    first = await done(at(), "compare_versions", asked)
    pages = [await done(at(), "compare_versions", {**asked, "page": n}) for n in range(1, first["pages"] + 1)]
    assert sum(len(page["half_days"]) for page in pages) == person["lost"]
