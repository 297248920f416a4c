"""How many wishes a roster meets, for whom, in every answer that makes one."""

from datetime import date, timedelta

import pytest

from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.convert.wishes import wishes_from, wishes_words
from packhorse_scheduling.domain.insight.wishes import wishes
from packhorse_scheduling.domain.programme.requests import Preference
from packhorse_scheduling.domain.rules.kernel import Kernel
from roster_factories import MONDAY, cells, programme
from wire import NOW, call, code_of, desk_in, done, own

pytestmark = pytest.mark.anyio


def wish(person, day, **more):
    return Preference(person, MONDAY + timedelta(days=day), **more)


@pytest.mark.parametrize(
    ("row", "met"),
    [
        (wish("R1", 0), False),
        (wish("R1", 1), True),
        (wish("R1", 0, session="PM"), True),
        (wish("R1", 0, service="LONG"), True),
        (wish("R1", 0, service="DAY"), False),
        (wish("R1", 0, avoid=False), True),
        (wish("R1", 1, avoid=False), False),
        (wish("R1", 0, service="LONG", avoid=False), False),
    ],
)
def test_a_wish_is_met_by_what_the_roster_has_then(row, met):
    kernel = Kernel(programme(preferences=(row,)))
    grid = kernel.grid_of(cells(("R1", 0, "A", "DAY"), ("R2", 1, "A", "DAY")))
    assert [one.met for one in wishes(kernel, grid)] == [met]


def test_a_person_s_own_order_ranks_wishes_and_days_that_are_not_planned_are_none():
    rows = (wish("R1", 0, weight=1), wish("R1", 1, weight=3), wish("R2", 0, weight=2), wish("R2", 9))
    kernel = Kernel(programme(preferences=rows))
    grid = kernel.grid_of(cells(("R1", 0, "A", "DAY"), ("R2", 1, "A", "DAY")))
    keys = [person.key for person in kernel.programme.people]
    found = [(keys[one.person], one.day - kernel.tail, one.rank, one.met) for one in wishes(kernel, grid)]
    assert found == [("R1", 1, 1, True), ("R1", 0, 2, False), ("R2", 0, 1, True)]


async def test_a_generated_roster_says_which_wishes_it_meets(served):
    _, desk, made = served
    opened = desk.opened(made["schedule_id"])
    counted = wishes(opened.kernel, opened.grid)
    assert made["wishes"]["of"] == len(counted) > 0
    assert made["wishes"]["met"] == sum(one.met for one in counted)
    assert made["wishes"] == wishes_from(opened)["wishes"]
    assert f"{made['wishes']['met']} of {made['wishes']['of']}" in wishes_words(made)


async def test_a_repair_says_it_too(served):
    deployment, _, _ = served
    reply = await call(deployment, "repair_schedule", {})
    assert not reply.is_error, reply.content
    assert reply.structured_content["wishes"]["of"] > 0
    assert "Wishes met" in reply.content[0].text


# --- ranked by the people themselves ---


async def test_a_person_ranks_their_own_wishes_and_reads_them_back_in_order(in_force):
    at, desk = in_force
    deployment, person = at(), desk.current().programme.people[0]
    given = ["2026-07-04", "work 2026-07-20 PM", "2026-07-13 AM"]
    asked = {"person_id": person.name, "wishes": given}
    body = await done(deployment, "rank_wishes", asked, own(person.key))
    assert body["wishes"] == given
    assert body["of"] == 3
    rows = [row for row in desk.programme()[1].preferences if row.person == person.key]
    assert [row.weight for row in rows] == [7, 6, 5]
    assert await done(deployment, "rank_wishes", {"person_id": person.key}, own(person.key)) == body
    fewer = await done(deployment, "rank_wishes", {**asked, "wishes": given[2:]}, own(person.key))
    assert fewer["wishes"] == given[2:]
    assert (await done(deployment, "rank_wishes", {**asked, "wishes": []}))["wishes"] == []


async def test_nobody_ranks_another_s_wishes_but_a_coordinator(in_force):
    at, desk = in_force
    first, second = (person.key for person in desk.current().programme.people[:2])
    asked = {"person_id": second, "wishes": ["2026-07-13"]}
    assert code_of(await call(at(), "rank_wishes", asked, own(first))) == "AUTHORIZATION_FAILED"
    assert (await done(at(), "rank_wishes", asked))["wishes"] == ["2026-07-13"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Christmas", "is not a wish"),
        ("2026-02-30", "not a date"),
        ("2031-12-25", "outside"),
        ("2026-07-01", "has passed"),
    ],
)
async def test_a_wish_that_cannot_be_is_refused_and_the_earlier_ones_stay(in_force, text, says):
    at, desk = in_force
    key = desk.current().programme.people[0].key
    await done(at(), "rank_wishes", {"person_id": key, "wishes": ["2026-07-20"]})
    reply = await call(at(date(2026, 7, 8)), "rank_wishes", {"person_id": key, "wishes": ["2026-07-14", text]})
    assert code_of(reply) == "VALIDATION_ERROR"
    assert says in reply.content[0].text
    assert (await done(at(), "rank_wishes", {"person_id": key}))["wishes"] == ["2026-07-20"]


async def test_a_wish_twice_is_refused(in_force):
    at, desk = in_force
    key = desk.current().programme.people[0].key
    reply = await call(at(), "rank_wishes", {"person_id": key, "wishes": ["2026-07-14", "2026-07-14"]})
    assert "twice" in reply.content[0].text


async def test_wishes_outlive_a_revised_file_and_those_of_days_gone_by_stay(in_force, small):
    at, desk = in_force
    key = desk.current().programme.people[0].key
    await done(at(), "rank_wishes", {"person_id": key, "wishes": ["2026-07-06", "2026-07-20"]})
    later = at(date(2026, 7, 8))
    await done(later, "rank_wishes", {"person_id": key, "wishes": ["2026-07-21"]})
    desk.import_programme(small)
    rows = [(row.day.isoformat(), row.weight) for row in desk.programme()[1].preferences if row.person == key]
    assert sorted(rows) == [("2026-07-06", 7), ("2026-07-21", 7)]


async def test_wishes_are_ranked_before_there_is_a_roster(tmp_path, small):
    deployment = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack)
    desk = desk_in(tmp_path)
    desk.import_programme(small)
    key = small.people[0].key
    body = await done(deployment, "rank_wishes", {"person_id": key, "wishes": ["2026-07-20", "2026-07-04"]})
    assert body["wishes"] == ["2026-07-20", "2026-07-04"]
    assert "met" not in body
    assert [row.day.isoformat() for row in desk.programme()[1].preferences if row.person == key] == body["wishes"]
