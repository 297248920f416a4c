"""What agents ask: each answer against a count of the test's own."""

import pytest

from packhorse_scheduling import search
from packhorse_scheduling.domain.change.sacrifice import SUSPENDED, category_of, suspend
from packhorse_scheduling.domain.programme.policy import SUMMARY
from packhorse_scheduling.domain.rules.codes import CODES
from wire import call

pytestmark = pytest.mark.anyio

DAYS = {"start_date": "2026-07-06", "end_date": "2026-07-10"}


async def test_a_lawful_roster_has_no_conflicts_but_warnings(served):
    body = (await call(served[0], "detect_conflicts", DAYS)).structured_content
    assert {row["severity"] for row in body["conflicts"]} <= {"WARNING"}
    assert body["total_conflicts"] == sum(body["by_type"].values())


def test_every_rule_is_a_kind_of_conflict():
    from packhorse_scheduling.domain.rules.codes import CLASH_OF

    assert set(CODES) == set(CLASH_OF)


async def test_candidates_for_a_swap_are_those_the_swap_check_accepts(served, small):
    deployment, desk, _ = served
    from packhorse_scheduling.domain.roster.roster import assignment_id_of

    cell = next(c for c in desk.current().schedule.cells if c[0].startswith("R"))
    person = next(p for p in small.people if p.key == cell[0])
    asked = {"requester_person_id": person.id, "assignment_id": assignment_id_of(*cell[:3])}
    body = (await call(deployment, "analyze_swap_candidates", asked)).structured_content
    block = next(b.id for b in small.year.blocks if (b.day, b.session) == (cell[1], ("AM", "PM")[cell[2]]))
    for one in body["candidates"]:
        assert one["match_score"] == pytest.approx(
            sum(body["weights"][k] * v for k, v in one["factors"].items()), abs=1e-3
        )
        swap = {"swap_type": one["swap_type"], "requester_id": person.id, "block_ids": [block],
                "target_person_id": one["candidate_person_id"]}  # fmt: skip
        assert (await call(deployment, "check_swap_feasibility", swap)).structured_content["is_feasible"]


async def test_losing_everybody_of_a_role_is_beyond_help_and_losing_an_idle_one_is_nothing(served, small):
    deployment, desk, _ = served
    faculty = [person.id for person in small.people if person.role == "FACULTY"]
    asked = {"scenario": "mass_absence", "affected_person_ids": faculty, **DAYS}
    body = (await call(deployment, "run_contingency_analysis", asked)).structured_content
    cells = desk.current().schedule.cells
    keys = {person.key for person in small.people if person.role == "FACULTY"}
    lost = [c for c in cells if c[0] in keys and DAYS["start_date"] <= c[1].isoformat() <= DAYS["end_date"]]
    assert body["impact"]["assignments_lost"] == len(lost)
    assert len(body["impact"]["days_beyond_help"]) == 5
    assert body["impact"]["gaps"] > 0


async def test_coverage_of_a_full_roster_asks_for_prevention(served):
    body = (await call(served[0], "get_defense_level", {})).structured_content
    assert (body["recommended_level"], body["coverage_rate"]) == ("PREVENTION", 1)
    given = (await call(served[0], "get_defense_level", {"coverage_rate": 0.85})).structured_content
    assert (given["recommended_level"], given["source"]) == ("SAFETY_SYSTEMS", "given")


async def test_hubs_are_ranked_by_their_weighted_parts(served, small):
    body = (await call(served[0], "analyze_hub_centrality", {})).structured_content
    ranks = [(hub["half_days_uncovered"], hub["composite_score"]) for hub in body["hubs"]]
    assert ranks == sorted(ranks, reverse=True)  # who leaves nothing uncovered, on most rosters all, goes by score
    assert len(ranks) <= len(small.people)
    for hub in body["hubs"]:
        assert hub["composite_score"] == pytest.approx(
            sum(body["weights"][name] * value for name, value in hub["factors"].items()), abs=1e-3
        )


async def test_there_are_no_fallbacks_until_one_is_kept(served):
    deployment, _, _ = served
    assert (await call(deployment, "get_static_fallbacks", {})).structured_content["fallbacks"] == []
    label = {"label": "one away", "fallback_for": "single_absence"}
    kept = (await call(deployment, "snapshot_schedule", label)).structured_content
    (row,) = (await call(deployment, "get_static_fallbacks", {})).structured_content["fallbacks"]
    assert (row["schedule_id"], row["scenario"], row["violations"]) == (kept["schedule_id"], "single_absence", 0)


@pytest.mark.parametrize("level", list(SUSPENDED))
def test_what_is_freed_is_counted_and_patient_care_stays(kernel, draft, level):
    freed, after = suspend(kernel, draft.grid, level, 0, 27)
    assert sum(one.half_days for one in freed) == int((draft.grid != after).sum())
    for s in range(kernel.S):
        if category_of(kernel, s) == "patient_safety":
            assert ((draft.grid == s) == (after == s)).all()
    assert (draft.grid[:, 28:] == after[:, 28:]).all()


async def test_sacrifice_is_only_simulated_unless_asked_and_never_published(served):
    deployment, desk, _ = served
    with desk.rosters() as rosters:
        version = rosters.next_version()
    body = (await call(deployment, "execute_sacrifice_hierarchy", {"target_level": "RED"})).structured_content
    assert "schedule_id" not in body
    with desk.rosters() as rosters:
        assert rosters.next_version() == version
    now = desk.current().schedule.id
    asked = {"target_level": "RED", "simulate_only": False}
    made = (await call(deployment, "execute_sacrifice_hierarchy", asked)).structured_content
    assert desk.opened(made["schedule_id"]).schedule.status == "draft"
    assert desk.current().schedule.id == now


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("how many hours a week", "cpr-80"),
        ("rest after in-house call", "cpr-14"),
        ("supervision ratio", "house-supervision"),
        ("night float", "house-nights"),
    ],
)
def test_the_summary_is_found_by_its_words(query, first):
    hits = search.find(SUMMARY, query, most=3, least=0)
    assert hits[0].passage.id == first
    assert all(0 <= hit.similarity < 1 for hit in hits)


@pytest.mark.parametrize("query", ['"', "NEAR(a b)", "title: x OR", "* ^ -", "'; DROP TABLE pages"])
def test_a_query_is_words_and_no_syntax(query):
    assert isinstance(search.find(SUMMARY, query, most=3, least=0), list)
