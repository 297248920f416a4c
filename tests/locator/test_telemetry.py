"""Times beside thresholds, and what health makes of them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.locator.factories import NOBODY

from packhorse import UserError
from packhorse_locator.service.health import health_of
from packhorse_locator.service.pace import MOST_AT_ONCE, Pace
from packhorse_locator.service.telemetry import FEWEST, THRESHOLDS_MS, Telemetry


class Watch:
    """A clock that each look moves on by so many seconds."""

    def __init__(self, step):
        self.now, self.step = 0.0, step

    def __call__(self):
        self.now += self.step
        return self.now


def worked(telemetry, tool, times):
    for _ in range(times):
        with telemetry.timed(tool):
            pass


def test_calls_are_counted_by_how_they_ended():
    telemetry = Telemetry()
    worked(telemetry, "search_by_name", 2)
    with pytest.raises(UserError), telemetry.timed("search_by_name"):
        raise UserError("No.", code="NO")
    with pytest.raises(RuntimeError), telemetry.timed("search_by_name"):
        raise RuntimeError

    (work,) = telemetry.work()
    assert (work.answered, work.refused, work.failed, work.p95_ms) == (2, 1, 1, None)


@pytest.mark.parametrize(("seconds", "slow"), [(0.4, False), (0.6, True)])
def test_a_tool_is_slow_beyond_the_specified_time(seconds, slow):
    telemetry = Telemetry(Watch(seconds))
    worked(telemetry, "parse_natural_query", FEWEST)

    (work,) = telemetry.work()
    assert work.p95_ms == pytest.approx(seconds * 1000)
    assert work.is_slow == slow
    assert work.beyond == (FEWEST if slow else 0)


def test_a_slow_tool_degrades_the_registry_s_health_and_is_named(registry):
    telemetry = Telemetry(Watch(3.0))
    worked(telemetry, "search_by_name", FEWEST)
    page = health_of(registry, None, telemetry)

    assert (page["status"], page["slow_tools"]) == ("degraded", ["search_by_name"])
    assert page["work"][0]["threshold_ms"] == THRESHOLDS_MS["search_by_name"]


@pytest.mark.anyio
async def test_health_tells_what_the_tools_have_done_and_what_they_use(client):
    async with client(NOBODY) as caller:
        for first in ("Olena", "Olga"):
            await caller.call_tool("search_by_name", {"first_name": first, "last_name": "Kovalenko"})
        await caller.call_tool("get_facility_info", {"facility_id": "QQQ"})
        page = json.loads((await caller.read_resource("locator://health")).contents[0].text)

    counted = {one["tool"]: (one["answered"], one["refused"]) for one in page["work"]}
    assert counted == {"search_by_name": (2, 0), "get_facility_info": (0, 1)}
    assert page["resources"]["store_bytes"] > 0
    assert page["resources"]["index_bytes"] > 0


def test_a_failing_source_is_asked_fewer_questions_at_a_time_and_a_recovered_one_more():
    pace, widths = Pace(), []
    for answered in (False, False, False, False, True, True):
        assert pace.begin()
        pace.end(answered=answered)
        widths.append(pace.width)

    assert widths == [5, 2, 1, 1, 2, 3]


@given(st.lists(st.booleans(), max_size=60))
def test_a_pace_is_never_below_one_nor_above_the_most(ends):
    pace = Pace()
    for answered in ends:
        assert pace.begin()
        pace.end(answered=answered)
        assert 1 <= pace.width <= MOST_AT_ONCE


def test_no_more_than_the_width_are_under_way():
    pace = Pace(2)
    assert [pace.begin(), pace.begin(), pace.begin()] == [True, True, False]
    pace.end(answered=True)
    assert pace.begin()
