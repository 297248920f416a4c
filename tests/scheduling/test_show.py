"""What is shown: the roster as a grid of people by days, and its health week by week."""

import jsonschema
import pytest
from attrs import evolve
from mcp.client.extension import advertise

from packhorse.contract.principal import Principal
from packhorse.testing import connected
from packhorse_scheduling.convert.show import closely, roster_from
from packhorse_scheduling.domain.programme.requests import Leave
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.models.show import HEALTH, ROSTER
from wire import COORDINATOR, call, read

pytestmark = pytest.mark.anyio


def one_of(person):
    return Principal("human", subject=person.subject, roles=frozenset({"RESIDENT"}))


DRAWS = advertise("io.modelcontextprotocol/ui", {"mimeTypes": ["text/html;profile=mcp-app"]})


async def shown(deployment, principal=COORDINATOR, extensions=(DRAWS,), **arguments):
    async with connected(deployment, principal=principal, extensions=list(extensions)) as client:
        reply = await client.call_tool("show_roster", arguments)
    assert not reply.is_error, reply.content
    jsonschema.validate(reply.structured_content, ROSTER)
    return reply.structured_content


async def test_the_grid_is_the_published_schedule(served):
    deployment, _, _ = served
    roster = await shown(deployment, days=28)
    current = await read(deployment, "schedule://current")
    names = {service["name"]: service["code"] for service in roster["services"]}
    dates = [day["date"] for day in roster["days"]]
    assert dates[0] == current["start_date"]
    assert len(dates) == 28
    cells = {
        (person["person_id"], dates[n // 2], ("AM", "PM")[n % 2]): code
        for person in roster["people"]
        for n, code in enumerate(person["half_days"])
        if code is not None
    }
    assert cells == {
        (one["person_id"], one["block_date"], one["block_session"]): names[one["rotation_name"]]
        for one in current["assignments"]
    }


async def test_a_client_that_draws_nothing_reads_the_same_days_in_words(served, small):
    deployment, _, _ = served
    whole = await shown(deployment, days=14)
    seen = {}
    for page in range(1, 9):
        brief = await shown(deployment, extensions=(), days=14, page=page)
        seen |= {row["name"]: row["duty"].split() for row in brief["people"]}
        if page == brief["pages"]:
            break
    assert set(seen) == {person.name for person in small.people}
    for row in whole["people"]:
        halves = [[] if word == "away" else word.split("/") for word in seen[row["name"]]]
        told = [code for day in halves for code in (day * 2 if len(day) == 1 else day or ["-", "-"])]
        assert told == [code or "-" for code in row["half_days"]]


async def test_it_can_be_of_people_by_name(served, small):
    deployment, _, _ = served
    one, other = small.people[0], small.people[3]
    brief = await shown(deployment, extensions=(), people=[one.name, other.key])
    assert [row["key"] for row in brief["people"]] == [one.key, other.key]


async def test_it_begins_today_or_where_it_is_told_and_ends_with_the_schedule(served, small):
    deployment, _, _ = served
    assert (await shown(deployment))["time_period"] == {"start": "2026-07-01", "end": "2026-07-07"}
    late = await shown(deployment, start_date=small.year.end.isoformat(), days=56)
    assert late["time_period"] == {"start": small.year.end.isoformat(), "end": small.year.end.isoformat()}


async def test_weekends_and_holidays_are_marked(served):
    deployment, _, _ = served
    roster = await shown(deployment, days=7)
    # Independence Day 2026 falls on a Saturday and is kept on the Friday.
    assert [day["date"] for day in roster["days"] if day["off"]] == ["2026-07-03", "2026-07-04", "2026-07-05"]


async def test_one_role_alone_can_be_asked_for(served):
    deployment, _, _ = served
    roster = await shown(deployment, role="FACULTY")
    assert {person["role"] for person in roster["people"]} == {"FACULTY"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"start_date": "2025-07-01"}, "VALIDATION_ERROR"),
        ({"start_date": "2026-02-30"}, "VALIDATION_ERROR"),
        ({"schedule_id": "00000000-0000-5000-8000-000000000000"}, "NOT_FOUND"),
        ({"days": 57}, "INVALID"),
        ({"days": 0}, "INVALID"),
    ],
)
async def test_what_cannot_be_shown_is_refused(served, arguments, code):
    deployment, _, _ = served
    reply = await call(deployment, "show_roster", arguments)
    assert reply.is_error
    assert reply.meta["packhorse/error"]["code"].startswith(code)


def test_others_see_the_grid_and_of_leave_and_violations_only_their_own(served):
    opened = served[1].current()
    busy = [p for p, row in enumerate(opened.grid[:, 5]) if (row != FREE).all()][:2]
    day = opened.kernel.date_of(5)
    programme = evolve(
        opened.programme,
        people=tuple(evolve(person, subject=person.key) for person in opened.programme.people),
        leaves=(
            *opened.programme.leaves,
            *(Leave(opened.programme.people[p].key, day, day, "vacation", "approved") for p in busy),
        ),
    )
    opened = evolve(opened, kernel=Kernel(programme))
    one, other = (programme.people[p] for p in busy)
    roster = {
        who.subject: roster_from(opened, 0, 6, people=range(opened.kernel.P), may_see=closely(opened, who))
        for who in (COORDINATOR, one_of(one))
    }
    everything, own = roster["coordinator"], roster[one.subject]
    assert [row["half_days"] for row in own["people"]] == [row["half_days"] for row in everything["people"]]
    assert _of_whom(everything) >= {one.id, other.id}
    assert _of_whom(own) == {one.id}
    assert _away(everything) >= {one.id, other.id}
    assert _away(own) == {one.id}


def _of_whom(roster):
    return {row.get("affected_person_id") for row in roster["violations"]}


def _away(roster):
    return {row["person_id"] for row in roster["people"] if any(row["away"])}


async def test_a_schedule_by_its_id_is_for_coordinators(served, small):
    deployment, _, made = served
    resident = next(person for person in small.people if person.role == "RESIDENT")
    reply = await call(deployment, "show_roster", {"schedule_id": made["schedule_id"]}, one_of(resident))
    assert reply.is_error
    assert reply.meta["packhorse/error"]["code"] == "AUTHORIZATION_FAILED"
    assert (await shown(deployment, schedule_id=made["schedule_id"]))["schedule_id"] == made["schedule_id"]


async def test_the_board_is_the_health_resource_and_its_weeks(served):
    deployment, _, _ = served
    reply = await call(deployment, "show_health", {})
    board = dict(reply.structured_content)
    jsonschema.validate(board, HEALTH)
    weeks = board.pop("weeks")
    assert board == await read(deployment, "resilience://health")
    assert [week["start_date"] for week in weeks] == ["2026-07-01", "2026-07-08", "2026-07-15", "2026-07-22"]
    mean = sum(week["utilization_rate"] for week in weeks) / 4
    assert mean == pytest.approx(board["metrics"]["utilization_rate"], abs=0.03)
    assert board["overall_status"] in reply.content[0].text


@pytest.mark.parametrize("draws", [True, False])
async def test_a_client_that_draws_no_views_is_told_of_the_page(served, draws):
    deployment, _, _ = served
    async with connected(deployment, principal=COORDINATOR, extensions=[DRAWS] if draws else []) as client:
        for tool, uri in (
            ("show_roster", "schedule://current/roster.html"),
            ("show_health", "resilience://health/board.html"),
        ):
            content = (await client.call_tool(tool, {})).content
            assert content[0].type == "text"
            assert [str(one.uri) for one in content if one.type == "resource_link"] == ([] if draws else [uri])


async def test_both_are_pages_to_open_too(served):
    deployment, _, _ = served
    async with connected(deployment, principal=COORDINATOR) as client:
        for uri in ("schedule://current/roster.html", "resilience://health/board.html"):
            (page,) = (await client.read_resource(uri)).contents
            assert page.mime_type == "text/html"
            assert '<script type="application/json" id="answer">{' in page.text
