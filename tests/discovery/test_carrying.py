"""A change of the kind of problem loses nothing: what has a place in the new form is there, what has none is named."""

from typing import Any

import pytest

from packhorse_discovery.domain.interview.carrying import carried
from packhorse_discovery.service.library import library

MINUTES = {"value-string": "20", "units": "minutes"}
HOURS = {"value-string": "8", "units": "hours"}
FLOW = {
    "subprocesses": [
        {"process-id": "throw", "durations": [{"product": "mug", "duration": MINUTES}, {"product": "bowl"}],
         "resources": ["wheel"], "setup": MINUTES},
        {"process-id": "fire", "duration": HOURS, "after": ["throw"]},
    ],
    "same-order?": True,
    "rules": [{"rule": "mugs go first", "quote": "mugs first"}],
}  # fmt: skip
ROUTES = {
    "job-level-processes": [
        {"process-id": "mug", "subprocesses": [
            {"process-id": "throw", "duration": MINUTES, "resources": ["wheel"]},
            {"process-id": "fire", "duration": HOURS, "after": ["throw"], "resources": ["kiln"]}]},
        {"process-id": "bowl", "subprocesses": [{"process-id": "fire", "duration": MINUTES, "resources": ["oven"]}]},
    ]
}  # fmt: skip


def eads(name: str) -> Any:
    return library().get(f"process/{name}")


def test_steps_of_products_become_the_routes_of_their_jobs() -> None:
    found = carried(FLOW, eads("flow-shop"), eads("job-shop--classifiable"))

    assert found.refinement == {
        "job-level-processes": [{"process-id": "mug", "subprocesses": [
            {"process-id": "throw", "duration": MINUTES, "resources": ["wheel"], "setup": MINUTES},
            {"process-id": "fire", "duration": HOURS, "after": ["throw"]}]}],
        "rules": FLOW["rules"],
    }  # fmt: skip
    assert found.homeless == ("same-order?",)


def test_routes_become_steps_with_a_duration_for_each_product() -> None:
    found = carried(ROUTES, eads("job-shop--classifiable"), eads("flow-shop"))
    throw, fire = found.refinement["subprocesses"]

    assert throw["durations"] == [{"product": "mug", "duration": MINUTES}]
    assert fire["durations"] == [{"product": "mug", "duration": HOURS}, {"product": "bowl", "duration": MINUTES}]
    assert throw["resources"] == ["wheel"]
    assert "resources" not in fire  # not the same for both


def test_steps_that_are_the_same_for_all_become_activities() -> None:
    plain = {"subprocesses": [{"process-id": "throw", "duration": MINUTES, "setup": MINUTES},
                              {"process-id": "fire", "after": ["throw"]}]}  # fmt: skip
    found = carried(plain, eads("flow-shop"), eads("project"))

    assert found.refinement == {"activities": [{"activity-id": "throw", "duration": MINUTES},
                                               {"activity-id": "fire", "after": ["throw"]}]}  # fmt: skip
    assert found.homeless == ("setup",)


@pytest.mark.parametrize("into", ["project", "timetabling", "single-machine", "job-shop--unique"])
def test_what_has_no_place_is_named(into: str) -> None:
    found = carried(FLOW, eads("flow-shop"), eads(into))

    assert found.refinement == {}
    assert found.homeless == ("same-order?", "subprocesses", "the rule that mugs go first")
