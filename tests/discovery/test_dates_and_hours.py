"""Dates, times of day and hours as people say them: used, asked about or refused by name, and never lost."""

from pathlib import Path
from typing import Any

import pytest

from packhorse import Host, UserError
from packhorse.testing import fixed_clock
from packhorse_discovery.domain.models.model import Model
from packhorse_discovery.models.settings import DiscoverySettings
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.modelling import Modeller
from packhorse_discovery.service.projects import Projects
from packhorse_discovery.store.tables import MIGRATIONS
from packhorse_discovery.tools import InterviewTools

STEPS, ORDERS, HOURS = "process/flow-shop", "data/orders", "resources/calendar-and-maintenance"


@pytest.fixture
def projects(tmp_path: Path) -> Projects:
    """The record of a project, on the twenty-third of November 2026."""
    clock = fixed_clock("2026-11-23T12:00:00Z")
    return Projects(
        Host("discovery", data_dir=tmp_path, settings=DiscoverySettings(), migrations=MIGRATIONS, clock=clock)
    )


@pytest.fixture
def tools(projects: Projects) -> InterviewTools:
    """A flow shop of one step on one kiln."""
    tools = InterviewTools(projects.host)
    tools.start_interview("p")
    say(tools, "process/warm-up-with-challenges", "We make tiles.", {"product-or-service-name": "tiles"})
    say(tools, "process/scheduling-problem-type", "a)")
    say(tools, STEPS, "| step | duration | resources |\n|---|---|---|\n| fire | 2 h | kiln |")
    return tools


def say(tools: InterviewTools, eads_id: str, words: str, refinement: dict[str, Any] | None = None) -> Any:
    tools.start_eads_pursuit("p", eads_id)
    asked = tools.get_next_question("p", eads_id)
    return tools.process_eads_answer("p", eads_id, asked.question_id or "", words, refinement=refinement)


def model(projects: Projects) -> Model:
    return Modeller(Casefile(projects)).model("p")


@pytest.mark.parametrize(
    ("field", "odd"),
    [
        ("origin", "12-02"), ("due", "2026-13-45"), ("release", "02/30"), ("origin", "2026-02-30T25:61"),
        ("due", "half past"), ("origin", "\u00b2"), ("origin", "03:45"),
    ],
)  # fmt: skip
def test_a_date_of_an_odd_form_is_refused_with_its_field_and_the_form(
    tools: InterviewTools, field: str, odd: str
) -> None:
    row = {"order-id": "A-1", "product": "tiles"}
    given = {"orders": [row], "origin": odd} if field == "origin" else {"orders": [{**row, field: odd}]}
    found = say(tools, ORDERS, f"A-1 is tiles, {odd}, from Monday on, in 3 weeks.", given)
    after = say(tools, HOURS, "The kiln works Monday 08:00 to 16:00.")

    assert [(one.path.rpartition("/")[2], one.why.split(",")[0]) for one in found.refused] == [
        (field, f"{field} is a date as 2026-12-02")
    ]
    assert after.completeness >= 0


@pytest.mark.parametrize(
    "words", ["in 99999999 weeks", "from 31 December 9999", "on 9999-12-31, a Monday", "5 m \u00b2"]
)
def test_words_of_no_real_date_are_read_without_a_fault(tools: InterviewTools, words: str) -> None:
    rows = [{"order-id": "A-1", "product": "tiles", "due": "2026-12-04"}]
    found = say(tools, ORDERS, f"A-1 is tiles, {words}.", {"orders": rows, "origin": "9999-12-31"})

    assert "/orders/a-1/due" in [one.path for one in found.refused]


def test_a_time_of_day_without_a_date_is_due_the_next_time_after_the_start(
    tools: InterviewTools, projects: Projects
) -> None:
    words = "A-1 and A-2 are tiles. A-1 is due at 15:45 and A-2 at 06:30."
    due = [("A-1", "15:45"), ("A-2", "06:30")]
    say(tools, ORDERS, words, {"orders": [{"order-id": one, "product": "tiles", "due": at} for one, at in due]})
    say(tools, "optimality/goals", "on time")
    say(tools, HOURS, "We start on 2 December 2026 at 08:00.", {"origin": "2026-12-02T08:00"})
    found = model(projects)

    assert [found.clock.at(job.due.value) for job in found.jobs if job.due] == ["2026-12-02 15:45", "2026-12-03 06:30"]
    assert [goal.kind for goal in found.goals] == ["tardiness"]


def test_a_due_time_waits_for_the_date_of_the_start_before_anything_is_solved(
    tools: InterviewTools, projects: Projects
) -> None:
    say(
        tools,
        ORDERS,
        "A-1 is tiles, due at 15:45.",
        {"orders": [{"order-id": "A-1", "product": "tiles", "due": "15:45"}]},
    )

    with pytest.raises(UserError, match="the date on which the schedule starts"):
        model(projects)


def test_a_date_added_to_a_time_of_day_is_no_contradiction(tools: InterviewTools) -> None:
    row = {"order-id": "A-1", "product": "tiles"}
    say(tools, ORDERS, "A-1 is tiles, due at 15:45.", {"orders": [{**row, "due": "15:45"}]})
    words = "We start on 2 December 2026. A-1 is due on 2 December at 15:45."
    given = {"orders": [{**row, "due": "2026-12-02T15:45"}], "origin": "2026-12-02"}
    say(tools, "optimality/goals", words, given)
    say(tools, "optimality/goals", "A-1, due on 2 December.", {"orders": [{**row, "due": "2026-12-02"}]})

    assert tools.list_conflicts("p").open == 0
    assert tools.get_eads_status("p", ORDERS).data_structure["orders"][0]["due"].replace("T", " ") == "2026-12-02 15:45"


def test_another_time_of_day_is_a_contradiction_still(tools: InterviewTools) -> None:
    row = {"order-id": "A-1", "product": "tiles"}
    say(tools, ORDERS, "A-1 is tiles, due at 15:45.", {"orders": [{**row, "due": "15:45"}]})
    words = "We start on 2 December 2026. A-1 is due on 2 December at 16:45."
    given = {"orders": [{**row, "due": "2026-12-02T16:45"}], "origin": "2026-12-02"}
    say(tools, "optimality/goals", words, given)

    assert tools.list_conflicts("p").open == 1


def test_hours_of_a_name_that_is_no_resource_are_of_the_whole_place(tools: InterviewTools, projects: Projects) -> None:
    hours = [{"resource": "pottery", "days": ["Monday", "Tuesday"], "start": "08:00", "end": "16:00"}]
    say(tools, HOURS, "The pottery is open Monday and Tuesday, 08:00 to 16:00.", {"working-hours": hours})
    found = model(projects)

    assert [(each.name, bool(each.closed)) for each in found.resources] == [("kiln", True)]
    assert "the hours of pottery hold for the whole place, since no resource is called so" in found.notes


def test_hours_of_somebody_else_are_named_as_binding_nothing(tools: InterviewTools, projects: Projects) -> None:
    words = "The kiln works Monday 08:00 to 16:00. Ada works Tuesday 09:00 to 12:00."
    hours = [
        {"resource": "kiln", "days": ["Monday"], "start": "08:00", "end": "16:00"},
        {"resource": "Ada", "days": ["Tuesday"], "start": "09:00", "end": "12:00"},
    ]
    say(tools, HOURS, words, {"working-hours": hours})

    assert "the hours of ada bind nothing, since no resource is called so" in model(projects).notes


def test_a_start_and_a_due_date_take_their_year_from_the_same_day(tools: InterviewTools) -> None:
    words = "It's Tuesday now, the first of December, we start Wednesday, the second. A-1 is tiles, due on Wednesday."
    given = {"orders": [{"order-id": "A-1", "product": "tiles", "due": "2026-12-02"}], "origin": "2026-12-02"}
    found = say(tools, ORDERS, words, given)

    assert found.refused == []


BAKING = {
    "process-id": "bake",
    "durations": [
        {"product": "tarts", "duration": {"value-string": "40", "units": "minutes"}},
        {"product": "buns", "duration": {"value-string": "25", "units": "minutes"}},
    ],
}


def test_a_unit_said_of_all_numbers_counts_for_those_of_the_answer_before(tools: InterviewTools) -> None:
    say(tools, ORDERS, "We bake tarts and buns. To bake: the tarts, forty; the buns, 25.", {"rules": []})
    found = say(tools, HOURS, "Yes, minutes, all of them.", {"subprocesses": [BAKING]})

    assert [one.path for one in found.refused if "duration" in one.path] == []


def test_a_number_without_a_unit_stays_refused_where_nobody_says_one(tools: InterviewTools) -> None:
    say(tools, ORDERS, "We bake tarts and buns. To bake: the tarts, forty; the buns, 25.", {"rules": []})
    found = say(tools, HOURS, "Yes, all of them, and cleaning takes some minutes.", {"subprocesses": [BAKING]})

    assert len([one for one in found.refused if one.path.endswith("/duration")]) == 2


def test_times_said_in_an_earlier_answer_count_beside_steps_that_a_later_one_names(tools: InterviewTools) -> None:
    say(tools, ORDERS, "Tarts are forty minutes in the oven. The buns bake 25 minutes.", {"rules": []})
    words = "First we mix each of them, ten minutes. Then they wait for the oven if it is full."
    steps = [
        {"process-id": "mix", "duration": {"value-string": "10", "units": "minutes"}},
        {**BAKING, "resources": ["oven"], "quote": "they wait for the oven if it is full"},
    ]
    found = say(tools, HOURS, words, {"subprocesses": steps})

    assert [one.path for one in found.refused if "/bake/" in one.path] == []


def test_a_rule_that_is_denied_and_then_denied_again_for_force_is_one_that_denies(tools: InterviewTools) -> None:
    quote = "the boy's not to open the kiln alone, never"
    rules = [{"rule": "the boy must never open the kiln alone", "quote": quote}]
    found = say(tools, HOURS, f"And {quote}.", {"rules": rules})

    assert found.refused == []


def test_a_row_is_meant_by_the_last_word_of_its_name_once_the_whole_name_was_said(tools: InterviewTools) -> None:
    words = (
        "Today we have hotel brochures, posters and business cards. Brochures: plates 40 minutes. "
        "Posters: plates 20 minutes. Cards: plates 10 minutes."
    )
    takes = [("hotel brochures", "40"), ("posters", "20"), ("business cards", "10")]
    rows = [{"product": one, "duration": {"value-string": many, "units": "minutes"}} for one, many in takes]
    found = say(tools, HOURS, words, {"subprocesses": [{"process-id": "plates", "durations": rows}]})

    assert found.refused == []


def test_a_step_that_one_product_skips_is_a_step_of_the_others(tools: InterviewTools) -> None:
    words = (
        "We press it, then the Stahl folds it, an hour. Posters don't get folded, and for the cards no folding either."
    )
    steps = [
        {"process-id": "folding", "duration": {"value-string": "1", "units": "hours"}, "resources": ["Stahl"]},
        {"process-id": "trimming", "after": ["folding"]},
    ]
    found = say(tools, HOURS, f"{words} Trimming comes last.", {"subprocesses": steps})

    assert [one.path for one in found.refused] == []
