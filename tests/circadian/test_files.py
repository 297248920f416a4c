"""A plan as a calendar, a picture and a page."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree as ET

import anyio
import icalendar
import pytest
from tests.circadian.conftest import on_its_way

from packhorse import UserError
from packhorse_circadian import convert
from packhorse_circadian.models import AdaptationPlan, PlanQuestion, ReplanQuestion
from packhorse_circadian.resources import PlanPages
from packhorse_circadian.service import JetLagDesk
from packhorse_circadian.tools import CircadianTools

PAGES = PlanPages(JetLagDesk(lambda: datetime(2026, 1, 1, tzinfo=UTC)))
Planned = Callable[..., AdaptationPlan]
SVG = "{http://www.w3.org/2000/svg}"
LANDS_IN_HONOLULU = [
    {
        "timezone": "Pacific/Honolulu",
        "arrival_datetime": "2026-02-15T15:30",
        "departure_datetime": "2026-02-15T17:30",
    }
]
TRIPS = [
    pytest.param({}, id="west"),
    pytest.param(
        {
            "destination_timezone": "Europe/Paris",
            "departure_datetime": "2026-06-10T15:30",
            "arrival_datetime": "2026-06-11T11:15",
        },
        id="east",
    ),
    pytest.param({"arrival_datetime": "2026-02-16T21:45", "layovers": LANDS_IN_HONOLULU}, id="two legs"),
]


def token(arguments: dict[str, Any]) -> str:
    question = PlanQuestion.model_validate_json(json.dumps(arguments), strict=True)
    return convert.files_from(question, convert.trip_from(question)).calendar.split("/")[3]


@pytest.mark.parametrize("trip", TRIPS)
def test_a_calendar_reads_back_the_plan_s_own_instants(
    planned: Planned, flight: Callable[..., dict[str, Any]], trip: dict[str, Any]
) -> None:
    text = PAGES.calendar(token(flight(**trip)))
    events = icalendar.Calendar.from_ical(text).walk("VEVENT")
    items = [item for day in planned(**trip).days for item in day.items if item.type not in {"wake", "caffeine_ok"}]

    assert [event["DTSTART"].dt for event in events] == [datetime.fromisoformat(item.utc) for item in items]
    assert [str(event["SUMMARY"]) for event in events] == [item.title for item in items]
    for event, item in zip(events, items, strict=True):
        assert ("DTEND" in event) == (item.until is not None)
        if item.until:
            assert event["DTEND"].dt == datetime.fromisoformat(item.until.utc)
        assert str(event["LOCATION"]) == item.timezone
        assert item.time in event["DESCRIPTION"]
    assert len({str(event["UID"]) for event in events}) == len(events)


@pytest.mark.parametrize("trip", TRIPS)
def test_a_calendar_taken_in_and_given_out_again_has_the_same_instants(
    flight: Callable[..., dict[str, Any]], trip: dict[str, Any]
) -> None:
    first = icalendar.Calendar.from_ical(PAGES.calendar(token(flight(**trip))))
    again = icalendar.Calendar.from_ical(first.to_ical())
    told = [[(event["UID"], event.start, event.end) for event in read.walk("VEVENT")] for read in (first, again)]

    assert told[0] == told[1]
    assert all(start.utcoffset() == timedelta(0) for _, start, _ in told[1])


def test_the_files_of_a_plan_keep_the_preparation_that_was_planned(flight: Callable[..., dict[str, Any]]) -> None:
    tools = CircadianTools(JetLagDesk(lambda: datetime(2026, 2, 14, 12, tzinfo=UTC)))
    question = PlanQuestion.model_validate_json(json.dumps(flight()), strict=True)
    plan = anyio.run(tools.get_adaptation_plan, question).structured
    assert plan.files
    events = icalendar.Calendar.from_ical(PAGES.calendar(plan.files.calendar.split("/")[3])).walk("VEVENT")

    assert plan.summary.prep_days == 1
    assert min(event.start for event in events) >= datetime(2026, 2, 14, 8, tzinfo=UTC)


def test_the_files_of_a_plan_made_again_hold_what_is_left_of_it(flight: Callable[..., dict[str, Any]]) -> None:
    asked = {**flight(), "now_datetime": "2026-02-18T09:00", "followed_until_datetime": "2026-02-16T16:00"}
    asked = on_its_way({**asked, "detail": "full"})
    question = ReplanQuestion.model_validate_json(json.dumps(asked), strict=True)
    found = CircadianTools(PAGES.desk).replan(question).structured
    assert found.plan.files
    address = found.plan.files.calendar.split("/")[3]
    events = icalendar.Calendar.from_ical(PAGES.calendar(address)).walk("VEVENT")
    items = [item for day in found.plan.days for item in day.items if item.type not in {"wake", "caffeine_ok"}]

    assert [event["DTSTART"].dt for event in events] == [datetime.fromisoformat(item.utc) for item in items]
    assert "<svg" in PAGES.page(address)


def test_lines_of_a_calendar_are_short_and_end_as_the_standard_has_it(flight: Callable[..., dict[str, Any]]) -> None:
    text = PAGES.calendar(token(flight()))

    assert text.endswith("END:VCALENDAR\r\n")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))


@pytest.mark.parametrize("trip", TRIPS)
def test_a_picture_has_a_row_for_every_day_and_shows_both_courses(
    flight: Callable[..., dict[str, Any]], trip: dict[str, Any]
) -> None:
    light, dark = (draw(token(flight(**trip))) for draw in (PAGES.picture, PAGES.picture_dark))
    drawing = ET.fromstring(light)

    assert light != dark
    assert len(ET.fromstring(dark).findall(f"{SVG}rect")) == len(drawing.findall(f"{SVG}rect"))
    fills = {dot.get("fill") for dot in drawing.findall(f"{SVG}circle")}
    assert {"#ffffff", "#c0262d"} <= fills
    for bar in drawing.findall(f"{SVG}rect"):
        assert float(bar.get("x") or 0) >= 0
        assert float(bar.get("x") or 0) + float(bar.get("width") or 0) <= float(drawing.get("width") or 0)


def test_a_picture_goes_by_the_clock_where_the_traveller_is_and_has_every_nap_and_dose(
    planned: Planned, flight: Callable[..., dict[str, Any]]
) -> None:
    items = [item for day in planned().days for item in day.items]
    drawing = ET.fromstring(PAGES.picture(token(flight())))
    names = [title.text or "" for title in drawing.iter(f"{SVG}title")]
    words = "".join(drawing.itertext())

    assert "America/Los_Angeles time" in words
    assert "Asia/Tokyo time" in words
    for kind in ("nap", "melatonin", "sleep", "bright_light"):
        titles = {item.title for item in items if item.type == kind}
        drawn = [name for name in names if any(title in name for title in titles)]
        if kind != "sleep":
            assert len(drawn) == sum(item.type == kind for item in items)
        for item in (item for item in items if item.type == kind):
            assert any(item.time in name for name in drawn), item


def test_a_page_to_print_has_everything_and_loads_nothing(flight: Callable[..., dict[str, Any]]) -> None:
    page = PAGES.page(token(flight()))

    assert "Go to bed and get up 1 hour later" in page
    assert "not medical advice" in page
    assert "<svg" in page
    assert "<script" not in page
    assert "src=" not in page
    assert "Asia/Tokyo" in page


@pytest.mark.parametrize("odd", ["", "nonsense", "e30", "_" * 5000, "\u00e9"])
def test_what_is_no_address_of_a_plan_is_refused(odd: str) -> None:
    with pytest.raises(UserError) as refused:
        PAGES.page(odd)

    assert refused.value.code == "INVALID_PLAN"
