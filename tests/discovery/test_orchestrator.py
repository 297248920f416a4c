"""What to pursue next: ranked, explained, and the same for the same state."""

from collections.abc import Mapping
from typing import Any

from packhorse_discovery.domain.interview.merging import Proposal, merge
from packhorse_discovery.domain.interview.orchestrator import PARTS, Progress, blockers, recommend
from packhorse_discovery.domain.interview.structure import Mark, Structure, flattened
from packhorse_discovery.service.library import library

SHELF = library()
WARM_UP, KIND = "process/warm-up-with-challenges", "process/scheduling-problem-type"


def done(eads_id: str, data: Mapping[str, Any], **more: Any) -> Progress:
    eads = SHELF.get(eads_id)
    proposals = [Proposal(path, value) for path, value in flattened(data, eads)]
    structure, _ = merge(Structure(), proposals, eads, mark=Mark())
    return Progress(eads, structure, **{"state": "complete", **more})


START = done(WARM_UP, {"product-or-service-name": "beer"})


def typed(kind: str) -> list[Progress]:
    return [START, done(KIND, {"principal-problem-type": kind, "continuous?": False, "cyclical?": False})]


def test_an_empty_project_begins_with_the_warm_up() -> None:
    assert recommend(SHELF.eads, []).best.id == WARM_UP


def test_the_parts_of_a_score_add_up_to_it() -> None:
    advice = recommend(SHELF.eads, typed("FLOW-SHOP"))

    assert advice.best.score == round(sum(PARTS[name] * value for name, value in advice.best.parts.items()), 4)
    assert sum(PARTS.values()) == 1.0


def test_the_kind_of_problem_opens_its_own_schema_and_says_why_the_others_wait() -> None:
    advice = recommend(SHELF.eads, typed("FLOW-SHOP"))
    waiting = {one.id: " ".join(one.blocked_by) for one in advice.blocked}

    assert advice.best.id == "process/flow-shop"
    assert "'FLOW-SHOP'" in waiting["process/job-shop"]
    assert "JOB-SHOP is needed" in waiting["process/job-shop"]


def test_an_unfinished_pursuit_with_budget_left_comes_first() -> None:
    begun = done("data/areas-of-inquiry", {}, state="working", budget_left=0.5)
    spent = done("data/areas-of-inquiry", {}, state="working", budget_left=0.0)

    assert recommend(SHELF.eads, [*typed("FLOW-SHOP"), begun]).best.id == "data/areas-of-inquiry"
    assert recommend(SHELF.eads, [*typed("FLOW-SHOP"), spent]).best.id != "data/areas-of-inquiry"


def test_a_schema_for_each_item_of_a_list_is_offered_for_each_item() -> None:
    areas = done("data/areas-of-inquiry", {"areas": ["customer orders", "tank board"]})
    first = done("data/orm", {}, topic="customer orders")
    advice = recommend([SHELF.get("data/orm"), SHELF.get(WARM_UP)], [START, areas, first])
    ids = {one.id for one in [advice.best, *advice.alternatives] if one is not None}

    assert ids == {"data/orm--tank-board"}


def test_two_schemas_that_exclude_each_other_are_not_both_pursued() -> None:
    shop = [*typed("JOB-SHOP"), done("process/job-shop", {"classifiable-jobs?": True})]
    chosen = [*shop, done("process/job-shop--classifiable", {}, state="working")]

    assert any("exclude" in why for why in blockers(SHELF.get("process/job-shop--unique"), chosen))
    assert blockers(SHELF.get("process/job-shop--classifiable"), shop) == ()


def test_an_original_s_longer_name_of_a_kind_counts_alike() -> None:
    kind = done(KIND, {"continuous?": False, "cyclical?": False})
    structure, _ = merge(
        kind.structure, [Proposal("/principal-problem-type", "FLOW-SHOP-SCHEDULING-PROBLEM")], kind.eads, mark=Mark()
    )

    assert blockers(SHELF.get("process/flow-shop"), [START, Progress(kind.eads, structure, "complete")]) == ()


def test_nothing_left_is_said_and_the_same_state_gives_the_same_advice() -> None:
    alone = [SHELF.get(WARM_UP)]

    assert recommend(alone, [START]).best is None
    assert recommend(SHELF.eads, typed("PROJECT-SCHEDULING")) == recommend(SHELF.eads, typed("PROJECT-SCHEDULING"))


def test_a_yes_or_no_that_was_left_open_blocks_neither_of_two_schemas_and_one_begun_ends_the_other() -> None:
    job_shop = [*typed("JOB-SHOP"), done("process/job-shop", {})]
    unique, classifiable = (SHELF.get(f"process/job-shop--{name}") for name in ("unique", "classifiable"))
    begun = [*job_shop, done("process/job-shop--unique", {}, state="working")]

    assert (blockers(unique, job_shop), blockers(classifiable, job_shop)) == ((), ())
    assert "process/job-shop--classifiable" not in recommend(SHELF.eads, begun).lacking
