"""A table with a column for each step is read as a row for each step, and others are read as they are."""

import pytest

from packhorse_discovery.domain.interview.questions import next_question
from packhorse_discovery.domain.interview.structure import Structure
from packhorse_discovery.domain.reading.record import Record, record
from packhorse_discovery.service.library import library

JOBS, FLOW = "process/job-shop--unique", "process/flow-shop"


def read(eads_id: str, text: str) -> Record:
    eads = library().get(eads_id)
    assert eads is not None
    question = next_question(eads, Structure())
    assert question is not None
    return record(question, text, None, eads, Structure())


def durations(found: Record) -> dict[str, str]:
    """The duration of each row, by its path without the lists' names."""
    return {
        "/".join(one.path.split("/")[2::2]): f"{one.value['value-string']} {one.value['units']}"
        for one in found.proposals
        if one.path.endswith("/duration")
    }


@pytest.mark.parametrize(
    ("text", "wanted", "left"),
    [
        pytest.param(
            "patient | operation | theatre | operation time | recovery time\n"
            "Amy | tonsillectomy | either | 40 minutes | 40 minutes\n"
            "Brandt | hernia | either | 60 minutes | 60 minutes",
            {
                "amy/operation": "40 minutes", "amy/recovery": "40 minutes",
                "brandt/operation": "60 minutes", "brandt/recovery": "60 minutes",
            },
            ["operation", "theatre"],
            id="times beside other columns",
        ),
        pytest.param(
            "| job | sawing (min) | planing (min) | gluing (h) |\n|---|---|---|---|\n| chair | 10 | 25 | 2 |\n"
            "| stool | 5 | - | 1 |",
            {
                "chair/sawing": "10 minutes", "chair/planing": "25 minutes", "chair/gluing": "2 hours",
                "stool/sawing": "5 minutes", "stool/gluing": "1 hours",
            },
            [],
            id="units in the headings, and a step left out",
        ),
    ],
)  # fmt: skip
def test_each_step_of_a_job_has_the_time_in_its_column(text: str, wanted: dict[str, str], left: list[str]) -> None:
    found = read(JOBS, text)

    assert durations(found) == wanted
    assert [one.value for one in found.refused] == left


def test_in_a_flow_shop_the_columns_are_the_steps_and_the_rows_the_products() -> None:
    found = read(
        FLOW, "| product | mixing | baking time |\n|---|---|---|\n| rolls | 10 min | 20 min |\n| rye | 1 h | 40 min |"
    )

    assert durations(found) == {
        "mixing/rolls": "10 minutes", "mixing/rye": "1 hours", "baking/rolls": "20 minutes", "baking/rye": "40 minutes",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("eads_id", "text", "wanted"),
    [
        (
            JOBS,
            "| job | operation | duration | machine |\n|---|---|---|---|\n| A | cut | 2 h | saw |",
            {"a/cut": "2 hours"},
        ),
        (
            FLOW,
            "| step | duration | setup | max wait |\n|---|---|---|---|\n| bake | 40 min | 10 min | 5 min |",
            {"bake": "40 minutes"},
        ),
        (
            FLOW,
            "| step | working time | setup time | waiting |\n|---|---|---|---|\n| bake | 40 min | 9 min | 5 min |",
            {"bake": "40 minutes"},
        ),
    ],
)
def test_a_table_with_a_row_for_each_step_is_read_as_it_is(eads_id: str, text: str, wanted: dict[str, str]) -> None:
    assert durations(read(eads_id, text)) == wanted
