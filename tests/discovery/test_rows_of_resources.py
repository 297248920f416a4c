"""Rows that differ by their resource or their days alone stay rows of their own, in tables and in refinements."""

from pathlib import Path
from typing import Any

import pytest

from packhorse import Host
from packhorse_discovery.models.settings import DiscoverySettings
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.store.tables import MIGRATIONS
from packhorse_discovery.tools import InterviewTools

CALENDAR = "resources/calendar-and-maintenance"
TRAVEL = """| from | to | resource | duration |
| --- | --- | --- | --- |
| cafe | market | van 1 | 10 minutes |
| cafe | market | van 2 | 20 minutes |"""
HOURS = """| resource | days | start | end |
| --- | --- | --- | --- |
| all | Monday to Thursday | 08:00 | 17:00 |
| all | Friday | 08:00 | 12:00 |"""
SAID = "From cafe to market van 1 takes 10 minutes. From cafe to market van 2 takes 20 minutes."
STRUCTURED = {
    "changeovers": [
        {
            "from": "cafe",
            "to": "market",
            "resource": van,
            "duration": {"value-string": minutes, "units": "minutes"},
            "quote": f"From cafe to market {van} takes {minutes} minutes",
        }
        for van, minutes in (("van 1", "10"), ("van 2", "20"))
    ]
}


@pytest.fixture
def tools(tmp_path: Path) -> InterviewTools:
    """A project whose inventory is known and whose calendar is being asked for."""
    host = Host("discovery", data_dir=tmp_path, settings=DiscoverySettings(), migrations=MIGRATIONS)
    tools = InterviewTools(host)
    tools.start_interview("p")
    for eads_id, answer in {
        "process/warm-up-with-challenges": "bread",
        "resources/inventory": "| resource | count |\n| --- | --- |\n| van 1 | 1 |\n| van 2 | 1 |",
    }.items():
        tools.start_eads_pursuit("p", eads_id)
        asked = tools.get_next_question("p", eads_id)
        tools.process_eads_answer("p", eads_id, asked.question_id or "", answer)
        tools.finalize_eads("p", eads_id, accept_gaps=True)
    tools.start_eads_pursuit("p", CALENDAR)
    return tools


def answered(tools: InterviewTools, answer: str, refinement: dict[str, Any] | None = None) -> Any:
    asked = tools.get_next_question("p", CALENDAR)
    given = tools.process_eads_answer("p", CALENDAR, asked.question_id or "", answer, refinement=refinement)
    assert not given.refused, given.refused
    return Casefile(tools.services.interview.projects).scr("p")


def test_a_table_of_travel_times_keeps_those_of_each_van(tools: InterviewTools) -> None:
    answered(tools, HOURS)
    scr = answered(tools, TRAVEL)

    assert {each.resource.value: each.duration.value.low for each in scr.changeovers} == {"van-1": 10, "van-2": 20}


def test_a_refinement_of_travel_times_keeps_those_of_each_van(tools: InterviewTools) -> None:
    scr = answered(tools, SAID, STRUCTURED)

    assert {each.resource.value: each.duration.value.low for each in scr.changeovers} == {"van-1": 10, "van-2": 20}


def test_hours_that_begin_alike_and_end_apart_are_two(tools: InterviewTools) -> None:
    scr = answered(tools, HOURS)

    assert {each.end.value: len(each.days) for each in scr.windows} == {"17:00": 4, "12:00": 1}
