"""The pack's part of ``packhorse demo``: a made-up residency, its roster, and what the roster can bear."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from packhorse import Host, Scene
from packhorse_scheduling.service import RosterDesk

FIRST, LAST = date(2026, 7, 6), date(2026, 8, 2)
"""Four whole weeks: averages of duty hours are over as many."""


def _prepare(host: Host) -> None:
    """Make and publish the roster of a small sample programme of four weeks; it takes a second or two."""
    from attrs import evolve

    from packhorse_scheduling.domain.programme.calendar import Year
    from packhorse_scheduling.domain.programme.sample import Shape, sample
    from packhorse_scheduling.domain.solve.wishes import Aims

    desk = RosterDesk(host)
    desk.import_programme(
        evolve(sample(Shape(residents=6, faculty=4, leave_weeks=0, wishes=0)), year=Year(FIRST, LAST))
    )
    made = desk.generate(
        start=FIRST,
        end=LAST,
        mode="FULL",
        aims=Aims(),
        enforce=True,
        locked=(),
        by=None,
        progress=lambda done, total, words: None,
    )
    desk.publish(made.opened.schedule.id, None)


def _tell(answers: Sequence[Mapping[str, Any]]) -> list[str]:
    judged, lost, found = answers
    rules, broken = len(judged["rules_checked"]), judged["summary"]["total_violations"]
    critical = lost["n_minus_1_result"]["critical_persons"]
    told = [
        f"Four weeks for ten invented people, made by the solver: {rules} rules checked, {broken or 'none'} broken."
    ]
    if critical:
        worst = critical[0]
        told.append(
            f"Without {worst['person_name']}, {worst['affected_blocks']} half-days would have to be filled again."
        )
    told += [
        f"How long may a shift be? {one['text'].partition('. ')[0]}. ({one['source']})" for one in found["documents"]
    ]
    return told


scene = Scene(
    title="Does this roster keep the rules, and what if somebody is ill?",
    calls=(
        ("validate_schedule", {}),
        ("analyze_contingency", {"analysis_type": "N_MINUS_1"}),
        ("rag_search", {"query": "24 hours continuous duty", "top_k": 1}),
    ),
    tell=_tell,
    prepare=_prepare,
)
