"""Short answers, rates in prose, and corrections, as people gave them at the wire."""

from pathlib import Path
from typing import Any

import pytest

from packhorse import Host, UserError
from packhorse_discovery.models.settings import DiscoverySettings
from packhorse_discovery.store.tables import MIGRATIONS
from packhorse_discovery.tools import InterviewTools

GOALS, STEPS, ORDERS = "optimality/goals", "process/flow-shop", "data/orders"


@pytest.fixture
def tools(tmp_path: Path) -> InterviewTools:
    """A flow shop whose steps are being asked for."""
    host = Host("discovery", data_dir=tmp_path, settings=DiscoverySettings(), migrations=MIGRATIONS)
    tools = InterviewTools(host)
    tools.start_interview("p")
    say(tools, "process/warm-up-with-challenges", "We make pens.", {"product-or-service-name": "pens"})
    say(tools, "process/scheduling-problem-type", "a)")
    return tools


def say(tools: InterviewTools, eads_id: str, words: str, refinement: dict[str, Any] | None = None) -> Any:
    tools.start_eads_pursuit("p", eads_id)
    asked = tools.get_next_question("p", eads_id)
    return tools.process_eads_answer("p", eads_id, asked.question_id or "", words, refinement=refinement)


@pytest.mark.parametrize(
    ("words", "goals"),
    [
        ("b", ["tardiness"]),
        ("(b) then (a)", ["tardiness", "makespan"]),
        ("d, e", ["number-late", "changeovers"]),
        ("Keep the late orders to a minimum", ["number-late"]),
        ("on time, then finish early", ["tardiness", "makespan"]),
    ],
)
def test_goals_are_chosen_by_letters_or_words_in_their_order(
    tools: InterviewTools, words: str, goals: list[str]
) -> None:
    say(tools, GOALS, words)

    assert tools.get_eads_status("p", GOALS).data_structure == {"objectives": goals}


@pytest.mark.parametrize(
    "words",
    [
        "The press runs 12,000 sheets per hour.",
        "Bottling does 1,000 bottles per hour.",
        "The line fills 100,000 cans a day.",
        "Makeready 20 minutes and 10,000 sheets an hour.",
    ],
)
def test_a_rate_in_prose_asks_for_a_structure(tools: InterviewTools, words: str) -> None:
    found = say(tools, STEPS, words)

    assert (found.recorded, found.next_action) == (0, "needs_clarification")
    assert found.table_template


def test_a_quantity_is_read_back_with_its_unit_once(tools: InterviewTools) -> None:
    found = say(tools, STEPS, "| step | duration | resources |\n|---|---|---|\n| mix | 1.5 h | mixer |")

    assert found.read_back == "mix: 1.5 hours, mixer"


def test_an_optional_value_that_was_cleared_is_gone_and_comes_back_with_undo(tools: InterviewTools) -> None:
    say(tools, STEPS, "| step | duration | resources |\n|---|---|---|\n| mix | 20 min | mixer |")
    say(tools, ORDERS, "| order | product | release |\n|---|---|---|\n| O-1 | pens | 2 days |")
    path = "/orders/o-1/release"
    release = {"release": "2 days"}
    cleared = tools.correct_answer("p", ORDERS, path, None)
    gone = tools.get_eads_status("p", ORDERS).data_structure["orders"][0]
    tools.correct_answer("p", ORDERS, path, undo=True)
    back = tools.get_eads_status("p", ORDERS).data_structure["orders"][0]

    assert cleared.recorded == 1
    assert "release" not in gone
    assert release.items() <= back.items()


def test_a_row_that_is_not_there_is_not_made_by_a_correction(tools: InterviewTools) -> None:
    say(tools, ORDERS, "| order | product |\n|---|---|\n| O-1 | pens |")
    with pytest.raises(UserError, match="Similar paths"):
        tools.correct_answer("p", ORDERS, "/orders/O-7/release", "2 days", answer="2 days")

    assert len(tools.get_eads_status("p", ORDERS).data_structure["orders"]) == 1


def test_a_schema_of_one_s_own_needs_a_version_of_three_numbers(tools: InterviewTools) -> None:
    document = {
        "format": "packhorse-eads/1", "version": "one", "title": "Moods", "interview-objective": "Learn the mood.",
        "EADS": {"EADS-id": "data/mood", "mood": {"val": "good", "comment": "The mood."}},
    }  # fmt: skip
    with pytest.raises(UserError):
        tools.propose_eads("p", document)

    assert tools.propose_eads("p", {**document, "version": "1.0.0"}).eads_id == "data/mood"
