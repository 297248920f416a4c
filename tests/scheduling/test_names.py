"""Names, dates and AM or PM wherever ids are, at the wire."""

import pytest

from packhorse_scheduling.convert.references import people_named
from packhorse_scheduling.domain.programme.calendar import SESSIONS, block_id
from packhorse_scheduling.domain.programme.people import Person
from wire import call, code_of, done, own

pytestmark = pytest.mark.anyio

PEOPLE = (
    Person("R01", "Bao Tran", "RESIDENT", "a@example.org", pgy=1),
    Person("R02", "Bao Anh Lim", "RESIDENT", "b@example.org", pgy=2),
    Person("F01", "Dr. Efe Kaya", "FACULTY", "c@example.org"),
    Person("Bao", "Gita Rao", "RESIDENT", "d@example.org", pgy=3),
    Person("F02", "Dr. Efe Kaya-Lund", "FACULTY", "e@example.org"),
)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (PEOPLE[0].id, ["R01"]),
        ("r01", ["R01"]),
        ("bao", ["Bao"]),  # a key goes before a name
        ("Bao Tran", ["R01"]),
        ("tran, bao", ["R01"]),
        ("Bao L", ["R02"]),
        ("Lim", ["R02"]),
        ("ba", ["R01", "R02"]),
        ("Efe Kaya", ["F01"]),  # a whole name goes before parts of one
        ("efe", ["F01", "F02"]),
        ("dr", []),
        ("Nobody", []),
        ("", []),
    ],
)
def test_a_person_is_found_by_id_key_name_or_parts_of_it(given, found):
    assert [PEOPLE[p].key for p in people_named(PEOPLE, given)] == found


def worked(desk):
    """A resident's half-day: the person, the date and the session."""
    opened = desk.current()
    key, day, half, _ = next(
        cell for cell in opened.schedule.cells if cell[0].startswith("R") and cell[1].day > 5 and cell[3] == "CLINIC"
    )
    return next(one for one in opened.programme.people if one.key == key), day, SESSIONS[half]


async def test_a_name_and_a_date_ask_the_same_as_two_ids(served):
    deployment, desk, _ = served
    person, day, session = worked(desk)
    by_id = await done(deployment, "explain_assignment", {"person_id": person.id, "block_id": block_id(day, session)})
    for who in (person.name, person.key, person.name.split()[-1] + " " + person.name.split()[0][0]):
        asked = {"person_id": who, "block_id": f"{day} {session.lower()}"}
        assert await done(deployment, "explain_assignment", asked) == by_id
    swap = {"swap_type": "ABSORB", "requester_id": person.id, "block_ids": [block_id(day, session)]}
    named = {**swap, "requester_id": person.name, "block_ids": [f"{day} {session}"]}
    assert await done(deployment, "check_swap_feasibility", named) == await done(
        deployment, "check_swap_feasibility", swap
    )


async def test_a_date_alone_is_the_half_days_that_the_person_works(served):
    deployment, desk, _ = served
    opened = desk.current()
    p, d = next(
        (p, d)
        for p in range(opened.kernel.P)
        for d in range(5, opened.kernel.D)
        if (opened.grid[p, d, 0] >= 0) != (opened.grid[p, d, 1] >= 0)
    )
    half = int(opened.grid[p, d, 1] >= 0)
    swap = {"swap_type": "ABSORB", "requester_id": opened.programme.people[p].key}
    day = opened.kernel.date_of(d)
    alone = await done(deployment, "check_swap_feasibility", {**swap, "block_ids": [f"{day}"]})
    assert alone == await done(deployment, "check_swap_feasibility", {**swap, "block_ids": [f"{day} {SESSIONS[half]}"]})


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ({"person_id": "Dr"}, "NOT_FOUND", "find_person"),
        ({"person_id": "R"}, "VALIDATION_ERROR", "Give the key in brackets"),
        ({"block_id": "2026-13-01 AM"}, "VALIDATION_ERROR", "not a date that exists"),
        ({"block_id": "2030-01-01 AM"}, "VALIDATION_ERROR", "runs from 2026-07-01"),
        ({"block_id": "next Tuesday"}, "NOT_FOUND", "such as 2026-08-04 AM"),
    ],
)
async def test_what_names_nobody_or_several_is_refused_with_what_could_be_meant(served, given, code, words):
    deployment, desk, _ = served
    person, day, session = worked(desk)
    asked = {"person_id": person.name, "block_id": f"{day} {session}", **given}
    reply = await call(deployment, "explain_assignment", asked)
    assert code_of(reply) == code
    assert words in reply.content[0].text


async def test_people_act_for_themselves_by_name_and_learn_nothing_of_others(in_force):
    at, desk = in_force
    person, day, session = worked(desk)
    deployment = at()
    asked = {"person_id": person.name, "block_id": f"{day} {session}"}
    assert (await done(deployment, "explain_assignment", asked, own(person.key)))["person_name"] == person.name
    stranger = next(one for one in desk.current().programme.people if one.role == "RESIDENT" and one != person)
    refusals = set()
    for name in (person.name, "R", "Nobody Here"):
        reply = await call(deployment, "explain_assignment", {**asked, "person_id": name}, own(stranger.key))
        assert code_of(reply) == "AUTHORIZATION_FAILED"
        refusals.add(reply.content[0].text)
    assert len(refusals) == 1


async def test_a_swap_is_asked_for_and_answered_by_names(in_force):
    at, desk = in_force
    deployment = at()
    opened = desk.current()
    person, day, session = worked(desk)
    found = await done(
        deployment,
        "analyze_swap_candidates",
        {"requester_person_id": person.name, "assignment_id": f"{day} {session}"},
    )
    best = found["candidates"][0]
    swap = {
        "swap_type": best["swap_type"],
        "requester_id": person.name,
        "target_person_id": best["candidate_name"],
        "block_ids": [f"{day} {session}"],
    }
    made = await done(deployment, "request_swap", swap)
    assert made["block_ids"] == [block_id(day, session)]
    for name in (person.name, best["candidate_name"]):
        made = await done(deployment, "respond_swap", {"swap_id": made["swap_id"], "accept": True, "person_id": name})
    assert made["status"] == "approved"
    assert opened.schedule.id == desk.current().schedule.id
