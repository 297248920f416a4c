"""The secret address of a calendar: who gets it, what it gives, and how it ends."""

from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import httpx2
import icalendar
import pytest
from attrs import evolve
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from live_http import bearing, deployed, serving
from wire import desk_in

pytestmark = pytest.mark.anyio


@pytest.fixture
def desk(tmp_path, served, small):
    desk = desk_in(tmp_path)
    people = tuple(evolve(person, subject=f"sub-{person.key}") for person in small.people)
    made = desk.import_programme(evolve(small, people=people))
    with desk.rosters() as rosters:
        rosters.save_schedule(evolve(served[1].current().schedule, programme=made, parent=None, status="published"))
    return desk


@pytest.fixture
def address(desk, tmp_path):
    with serving(deployed(tmp_path, own={"public_url": "https://roster.example.org/"})) as found:
        yield found


@asynccontextmanager
async def signed_in(address, role, sub="somebody"):
    async with (
        httpx2.AsyncClient(headers=bearing(role, sub), timeout=60) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http), mode="2026-07-28") as client,
    ):
        yield client


async def asked(address, arguments, role="RESIDENT", sub="sub-R1"):
    async with signed_in(address, role, sub) as client:
        return await client.call_tool("calendar_address", arguments)


def here(address, given):
    """The same path at the address under test: a subscriber signs in nowhere."""
    return httpx2.get(address + urlsplit(given).path, timeout=60)


def person(desk, number=0, role="RESIDENT"):
    return [one for one in desk.current().programme.people if one.role == role][number]


async def test_a_subscriber_without_a_token_reads_the_calendar_of_the_one_person(address, desk):
    own = person(desk)
    reply = await asked(address, {}, sub=own.subject)
    answer = here(address, reply.structured_content["address"])

    assert reply.structured_content["address"].startswith("https://roster.example.org/calendars/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    calendar = icalendar.Calendar.from_ical(answer.text)
    assert str(calendar["x-wr-calname"]) == f"Roster of {own.name}"
    assert str(calendar["x-published-ttl"]) == "PT1H"
    events = {event.decoded("dtstart") for event in calendar.walk("VEVENT")}
    assert len(events) > 10


async def test_a_night_is_one_event(address, desk):
    opened = desk.current()
    services = {service.code: service for service in opened.programme.services}
    key, day, _, code = next(cell for cell in opened.schedule.cells if cell[2] == 1 and services[cell[3]].overnight)
    who = opened.programme.people[opened.kernel.person_of[key]]
    reply = await asked(address, {"person_id": who.id}, role="COORDINATOR")
    calendar = icalendar.Calendar.from_ical(here(address, reply.structured_content["address"]).text)

    nights = [e for e in calendar.walk("VEVENT") if e.decoded("dtstart").date() == day and code in e["categories"].cats]
    assert [event.decoded("dtend").date() > day for event in nights] == [True]


async def test_the_address_is_shown_once_and_renewing_ends_the_old_one(address, desk):
    own = person(desk)
    first = (await asked(address, {}, sub=own.subject)).structured_content["address"]
    again = await asked(address, {}, sub=own.subject)
    second = (await asked(address, {"action": "renew"}, sub=own.subject)).structured_content["address"]

    assert again.is_error
    assert "renew" in again.content[0].text
    assert first not in again.content[0].text
    assert [here(address, one).status_code for one in (first, second)] == [404, 200]


async def test_an_ended_address_gives_nothing_and_says_what_to_do(address, desk):
    own = person(desk)
    given = (await asked(address, {}, sub=own.subject)).structured_content["address"]
    ended = await asked(address, {"action": "end"}, sub=own.subject)
    answer = here(address, given)

    assert "ended" in ended.structured_content["summary"]
    assert answer.status_code == 404
    assert "calendar_address" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("role", "sub", "whose", "taken"),
    [("RESIDENT", "self", "other", False), ("RESIDENT", "stranger", None, False), ("FACULTY", "self", "own", True),
     ("COORDINATOR", "stranger", "other", True), ("COORDINATOR", "stranger", None, False)],
)  # fmt: skip
async def test_everybody_gets_their_own_address_and_a_coordinator_any(address, desk, role, sub, whose, taken):
    own, other = person(desk, 0), person(desk, 1)
    arguments = {} if whose is None else {"person_id": (own if whose == "own" else other).id}
    reply = await asked(address, arguments, role=role, sub=own.subject if sub == "self" else sub)

    assert reply.is_error != taken
    if not taken:
        assert "address" not in (reply.structured_content or {})


async def test_neither_the_store_nor_the_record_holds_the_secret(address, desk, tmp_path):
    own = person(desk)
    given = (await asked(address, {}, sub=own.subject)).structured_content["address"]
    here(address, given)
    secret = given.rpartition("/")[2].removesuffix(".ics").encode()

    assert [file.name for file in _files(tmp_path) if secret in file.read_bytes()] == []


async def test_without_the_server_s_own_address_the_refusal_says_what_to_set(desk, tmp_path):
    with serving(deployed(tmp_path)) as found:
        reply = await asked(found, {}, sub=person(desk).subject)

    assert reply.is_error
    assert "public_url" in reply.content[0].text


async def test_who_left_the_programme_has_no_calendar_any_more(address, desk):
    own = person(desk)
    given = (await asked(address, {}, sub=own.subject)).structured_content["address"]
    opened = desk.current()
    rest = evolve(
        opened.programme,
        people=tuple(one for one in opened.programme.people if one.key != own.key),
        leaves=tuple(one for one in opened.programme.leaves if one.person != own.key),
        locks=tuple(one for one in opened.programme.locks if one.person != own.key),
        preferences=tuple(one for one in opened.programme.preferences if one.person != own.key),
        history=tuple(one for one in opened.programme.history if one.person != own.key),
    )
    made = desk.import_programme(rest)
    kept = tuple(cell for cell in opened.schedule.cells if cell[0] != own.key)
    draft = evolve(opened.schedule, id=desk.host.new_id(), programme=made, cells=kept, version=99, status="draft")
    with desk.rosters() as rosters:
        rosters.save_schedule(draft)
        rosters.publish(draft.id)

    assert here(address, given).status_code == 404


def _files(folder):
    return [file for file in folder.rglob("*") if file.is_file()]
