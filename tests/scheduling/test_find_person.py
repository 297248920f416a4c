"""Who is who, and who is on call now, at the wire."""

from datetime import UTC, datetime

import pytest

from live_http import deployed
from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.domain.programme.calendar import SESSIONS
from wire import call, code_of, desk_in, done, own, read

pytestmark = pytest.mark.anyio


async def test_everybody_is_found_with_key_role_and_year_and_few_with_their_id(served, small):
    deployment, _, _ = served
    body = await done(deployment, "find_person", {})
    assert [row["key"] for row in body["people"]] == [person.key for person in small.people]
    assert not [row for row in body["people"] if "id" in row]
    one = small.people[4]
    (row,) = (await done(deployment, "find_person", {"name": one.name.split()[0] + " " + one.name.split()[1]}))[
        "people"
    ]
    assert row == {"name": one.name, "key": one.key, "role": one.role, "pgy_level": one.pgy, "id": one.id}


async def test_a_name_that_nobody_has_is_refused_with_the_nearest(served, small):
    deployment, _, _ = served
    wrong = small.people[0].name[:-1] + "x"
    reply = await call(deployment, "find_person", {"name": wrong})
    assert code_of(reply) == "NOT_FOUND"
    assert small.people[0].name in reply.content[0].text
    assert reply.meta["packhorse/error"]["details"] == {"resource_type": "person", "resource_id": wrong}


async def test_the_page_of_people_has_every_name_once(served, small):
    page = await read(served[0], "schedule://people", own("R01"))
    told = [line for lines in page["people"].values() for line in lines]
    assert sorted(told) == sorted(f"{person.name} ({person.key})" for person in small.people)
    assert set(page["services"]) == {service.code for service in small.services}


@pytest.mark.parametrize("hour", [3, 9, 15, 22])
async def test_who_is_on_duty_now_is_counted_from_the_roster_by_the_clock(served, in_force, tmp_path, hour):
    _, desk = in_force
    at = datetime(2026, 7, 8, hour, 30, tzinfo=UTC)
    deployment = deployment_for(data_dir=tmp_path, clock=lambda: at, scheduling=pack)
    opened = desk.current()
    expected = {}
    for key, day, half, code in opened.schedule.cells:
        service = next(one for one in opened.programme.services if one.code == code)
        span = service.span(half)
        if day == at.date() and span.start <= hour * 60 + 30 < span.end:
            expected.setdefault(code, set()).add(opened.programme.people[opened.kernel.person_of[key]].name)
    body = await done(deployment, "find_person", {"on_duty": "all"}, own("R01"))
    assert {row["service"]: row["count"] for row in body["services"] if row["now"]} == {
        code: len(names) for code, names in expected.items()
    }
    assert body == await read(deployment, "schedule://on-call") | {"at": body["at"]}
    for code, names in expected.items():
        (row,) = (await done(deployment, "find_person", {"on_duty": code.lower()}))["services"]
        assert set(row["now"]) == names


async def test_the_clock_is_the_programme_s_own(in_force, tmp_path):
    at = datetime(2026, 7, 9, 2, 30, tzinfo=UTC)  # the evening before in New York
    own_settings = {"timezone": "America/New_York"}
    body = await done(
        deployed(tmp_path, clock=lambda: at, own=own_settings, signed=False), "find_person", {"on_duty": "NF"}
    )
    assert body["at"] == "2026-07-08T22:30-04:00"
    (row,) = body["services"]
    opened = in_force[1].current()
    names = {
        opened.programme.people[opened.kernel.person_of[key]].name
        for key, day, half, code in opened.schedule.cells
        if (day.isoformat(), SESSIONS[half], code) == ("2026-07-08", "PM", "NF")
    }
    assert set(row["now"]) == names != set()
    assert row["until"] == "24:00"


async def test_a_service_with_nobody_now_tells_who_comes_next(in_force, tmp_path):
    at = datetime(2026, 7, 8, 9, 30, tzinfo=UTC)
    deployment = deployment_for(data_dir=tmp_path, clock=lambda: at, scheduling=pack)
    (row,) = (await done(deployment, "find_person", {"on_duty": "Night float"}))["services"]
    assert row["now"] == []
    assert row["next_from"] == "2026-07-08 19:00"
    assert row["next"]


async def test_an_unknown_service_is_refused_with_those_there_are(served):
    reply = await call(served[0], "find_person", {"on_duty": "XRAY"})
    assert code_of(reply) == "NOT_FOUND"
    assert "CLINIC" in reply.content[0].text


async def test_before_anything_is_published_the_refusal_says_what_to_do(tmp_path):
    desk_in(tmp_path)
    deployment = deployment_for(data_dir=tmp_path, scheduling=pack)
    reply = await call(deployment, "find_person", {"on_duty": "all"})
    assert code_of(reply) == "NOT_FOUND"
    assert "generate_schedule" in reply.content[0].text
