"""Questions to domain values, and answers from them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from packhorse_scheduling.convert.references import day_from as day_from
from packhorse_scheduling.convert.references import person_from as person_from
from packhorse_scheduling.convert.references import slots_from as slots_from
from packhorse_scheduling.domain.change import swaps
from packhorse_scheduling.domain.change.churn import Generated
from packhorse_scheduling.domain.change.judging import parted
from packhorse_scheduling.domain.insight import contingency
from packhorse_scheduling.domain.insight.wording import counted, obstacle_words, role_words
from packhorse_scheduling.domain.insight.wording import violation_words as violation_words  # for those who import this
from packhorse_scheduling.domain.programme.calendar import SESSIONS, assignment_id
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.codes import CODES
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.violation import Violation
from packhorse_scheduling.errors import invalid

MOST_TOLD = 500
"""Violations listed one by one in an answer; the counts are of all."""
MOST_PAIRS = 50
MOST_CANDIDATES = 5
MOST_STAGES = 5
"""Stages of a generation listed one by one: the least settled."""


def codes_from(names: Sequence[str]) -> "tuple[str, ...] | None":
    """The rules to check; None for all."""
    if not names:
        raise invalid("validation_rules", "validation_rules is empty: name at least one rule, or ALL.")
    return None if "ALL" in names else tuple(dict.fromkeys(names))


def instant(at: datetime) -> str:
    """ISO 8601 in UTC, ending in Z."""
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def assignments_from(opened: "Opened", person_key: str | None = None) -> list[dict[str, Any]]:
    """Assignments as the specification writes them."""
    programme, minutes = opened.programme, opened.kernel.minutes
    people = {person.key: person for person in programme.people}
    services = {service.code: service for service in programme.services}
    blocks = {(block.day, block.session): block.id for block in programme.year.blocks}
    ids = {key: person.id for key, person in people.items()}
    rotations = {code: service.id for code, service in services.items()}
    hours = {
        (service.code, h): minutes[s, h].item() / 60 for s, service in enumerate(programme.services) for h in (0, 1)
    }
    return [
        {
            "id": assignment_id(ids[p], block := blocks[d, SESSIONS[h]]),
            "person_id": ids[p],
            "person_name": people[p].name,
            "person_role": people[p].role,
            "block_id": block,
            "block_date": d.isoformat(),
            "block_session": SESSIONS[h],
            "rotation_id": rotations[s],
            "rotation_name": services[s].name,
            "hours": hours[s, h],
        }
        for p, d, h, s in opened.schedule.cells
        if person_key is None or p == person_key
    ]


def blocks_from(programme: Programme) -> dict[str, Any]:
    """The half-days of the year; typical_hours is 4 on working days and 0 on weekends and holidays."""
    year = programme.year
    blocks = []
    for block in year.blocks:
        weekend, holiday = block.day.weekday() >= 5, block.day in year.holidays
        blocks.append(
            {
                "id": block.id,
                "date": block.day.isoformat(),
                "session": block.session,
                "day_of_week": _WEEKDAYS[block.day.weekday()],
                "is_holiday": holiday,
                "is_weekend": weekend,
                "typical_hours": 0.0 if weekend or holiday else 4.0,
            }
        )
    return {"academic_year": year.name, "total_blocks": len(blocks), "blocks": blocks}


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def violation_from(kernel: "Kernel", violation: "Violation") -> dict[str, Any]:
    """One breach, with whose rule it is."""
    found: dict[str, Any] = {
        "rule": violation.rule,
        "severity": violation.severity,
        "message": violation_words(kernel, violation),
        "date_range": days_from(kernel, violation),
        "details": {
            "authority": violation.authority,
            "value": round(violation.value, 2),
            "limit": round(violation.limit, 2),
            "unit": violation.unit,
            **violation.extra,
        },
    }
    if violation.service is not None:
        found["details"]["service"] = kernel.programme.services[violation.service].code
    if violation.person is not None:
        person = kernel.programme.people[violation.person]
        found |= {"affected_person_id": person.id, "affected_person_name": person.name}
    return found


def finding_from(kernel: "Kernel", violation: "Violation") -> dict[str, Any]:
    """One breach in a list: its sentence, which names person, days, value, limit and unit, and what to sort by."""
    found = {key: getattr(violation, key) for key in ("rule", "severity")}
    if violation.person is not None:
        found["person"] = kernel.programme.people[violation.person].key
    return found | {"message": violation_words(kernel, violation), "date_range": days_from(kernel, violation)}


def days_from(kernel: "Kernel", violation: "Violation") -> dict[str, str]:
    """The days of a breach."""
    return {
        "start": kernel.date_of(violation.first).isoformat(),
        "end": kernel.date_of(violation.last).isoformat(),
    }


def validation_from(opened: "Opened", codes: "tuple[str, ...] | None", *, strict: bool, at: datetime) -> dict[str, Any]:
    """The answer of validate_schedule: valid says that nothing is broken from today on; what went by stands last."""
    kernel = opened.kernel
    found = opened.violations(codes)
    ahead, past = parted(kernel, (violation for violation in found if violation.blocks), at.date())
    errors = [*ahead, *past]
    warnings = [violation for violation in found if not violation.blocks]
    told_warnings = []
    for violation in warnings[:MOST_TOLD]:
        full = violation_from(kernel, violation)
        told_warnings.append({key: full[key] for key in ("rule", "message", "affected_person_id") if key in full})
    return {
        "is_valid": not ahead and not (strict and warnings),
        "validated_at": instant(at),
        "schedule_id": opened.schedule.id,
        "rules_checked": list(codes or [code for code in CODES if code != "LOCKED_ASSIGNMENT"]),
        "violations": [violation_from(kernel, violation) for violation in errors[:MOST_TOLD]],
        "warnings": told_warnings,
        "summary": {
            "total_violations": len(errors),
            "critical_count": sum(violation.severity == "CRITICAL" for violation in errors),
            "error_count": sum(violation.severity == "ERROR" for violation in errors),
            "warning_count": len(warnings),
        },
    }


def verdict_words(body: Mapping[str, Any]) -> str:
    """A validation in a sentence, and the violations that can still be mended apart from those of days gone by."""
    total, warnings = body["summary"]["total_violations"], body["summary"]["warning_count"]
    ahead = [one for one in body["violations"] if one["date_range"]["end"] >= body["validated_at"][:10]]
    past = total - len(ahead) if len(ahead) < len(body["violations"]) else 0
    words = f"The schedule is {'valid' if body['is_valid'] else 'not valid'}:"
    words += f" {counted_or_none(total - past, 'violation')} and {counted_or_none(warnings, 'warning')}."
    if past:
        words += f" {counted(past, 'violation')} on past days, by the rules as they are now, cannot be repaired."
    return words


def counted_or_none(count: int, noun: str) -> str:
    """Such as "no violations", "1 violation", "2 violations"."""
    return counted(count, noun) if count else f"no {noun}s"


def swap_from(
    opened: "Opened",
    *,
    swap: str,
    requester: int,
    target: int | None,
    slots: list[tuple[int, int]],
    blocking: list[str],
    at: datetime,
) -> dict[str, Any]:
    """The answer of check_swap_feasibility; ``blocking`` are reasons found before any rule was asked."""
    kernel, board = opened.kernel, opened.board()
    answer: dict[str, Any] = {"checked_at": instant(at)}
    verdict = None
    today = kernel.day_of(at.date())
    if not blocking:
        cells = (
            [(requester, d, h, FREE) for d, h in swaps.whole_nights(board, requester, slots)]
            if target is None
            else (swaps.exchange if swap == "ONE_TO_ONE" else swaps.absorb)(board, requester, target, slots)
        )
        found = swaps.obstacle(board, cells, today)
        if found is not None:
            blocking = [obstacle_words(kernel, *found)]
    if target is not None and not blocking:
        verdict = swaps.judge(board, cells)
        blocking = [violation_words(kernel, violation) for violation in verdict.violations if violation.blocks]
        day = slots[0][0]
        before = {p: swaps.week_minutes(board, p, day) / 60 for p in (requester, target)}
        board.apply(verdict.cells)
        after = {p: swaps.week_minutes(board, p, day) / 60 for p in (requester, target)}
        answer["swap_preview"] = {
            name: {
                "person_id": kernel.programme.people[p].id,
                "person_name": kernel.programme.people[p].name,
                "current_hours_this_week": before[p],
                "hours_after_swap": after[p],
            }
            for name, p in (("requester", requester), ("target", target))
        }
    feasible = verdict is not None and verdict.feasible
    suggestions = []
    if not feasible and not (blocking and verdict is None):
        fresh = opened.board()
        suggestions = swaps.candidates(fresh, requester, slots, today=today)
    absorbing = target is None and swap == "ABSORB" and not blocking
    if absorbing:
        suggestions = [candidate for candidate in suggestions if candidate.swap == "ABSORB"]
        feasible = bool(suggestions)
        if not feasible:
            blocking = ["Nobody can take these blocks over without breaking a rule."]
    people = kernel.programme.people
    answer |= {
        "is_feasible": feasible,
        "compliance_check": {
            "is_compliant": feasible,
            "violations": [
                {
                    "rule": violation.rule,
                    "affected_person": "REQUESTER"
                    if violation.person == requester
                    else "TARGET"
                    if violation.person is not None
                    else "BOTH",
                    "message": violation_words(kernel, violation),
                }
                for violation in (verdict.violations if verdict else ())
            ],
        },
        "suggestions": [
            {
                "candidate_id": people[candidate.person].id,
                "candidate_name": people[candidate.person].name,
                "compatibility_score": candidate.score,
                "reason": f"{'Free then' if candidate.swap == 'ABSORB' else 'Could change places'}; breaks no rule. "
                + ", ".join(f"{name} {value:.2f}" for name, value in candidate.factors.items()),
            }
            for candidate in suggestions[:MOST_CANDIDATES]
        ],
        "blocking_reasons": blocking,
    }
    return answer


def contingency_from(
    opened: "Opened", analysis: "contingency.Contingency", *, kind: str, mitigate: bool, at: datetime
) -> dict[str, Any]:
    """The answer of analyze_contingency: persons and pairs whose loss leaves a half-day short, the worst first."""
    kernel = opened.kernel
    people, services = kernel.programme.people, kernel.programme.services
    first, last = (kernel.date_of(d).isoformat() for d in (analysis.first, analysis.last))
    answer: dict[str, Any] = {
        "analyzed_at": instant(at),
        "analysis_type": kind,
        "time_period": {"start_date": first, "end_date": last},
    }
    singles = [loss for loss in analysis.singles() if loss.affected]
    sole = {p: contingency.sole_services(kernel, p, analysis.first, analysis.last) for p in range(kernel.P)}
    if kind != "N_MINUS_2":
        answer["n_minus_1_result"] = {
            "is_vulnerable": any(loss.uncovered for loss in singles),
            "critical_persons": [
                {
                    "person_id": people[p].id,
                    "person_name": people[p].name,
                    "role": people[p].role,
                    "impact_score": round(loss.impact, 4),
                    "affected_blocks": loss.affected,
                    "unique_qualifications": [services[s].name for s in sole[p]],
                }
                for loss in singles
                for p in loss.persons
            ],
        }
    if kind != "N_MINUS_1":
        pairs = [loss for loss in analysis.pairs() if loss.uncovered]
        answer["n_minus_2_result"] = {
            "is_vulnerable": bool(pairs),
            "critical_pairs": [
                {
                    "person_1_id": people[loss.persons[0]].id,
                    "person_1_name": people[loss.persons[0]].name,
                    "person_2_id": people[loss.persons[1]].id,
                    "person_2_name": people[loss.persons[1]].name,
                    "combined_impact_score": round(loss.impact, 4),
                    "affected_blocks": loss.affected,
                }
                for loss in pairs[:MOST_PAIRS]
            ],
        }
    if mitigate:
        answer["mitigation_strategies"] = [
            {
                "strategy": f"Back up {people[loss.persons[0]].name}: make another"
                f" {role_words(people[loss.persons[0]].role)} able"
                " and present for the half-days that nobody in reserve can take.",
                "priority": "HIGH" if sole[loss.persons[0]] else "MEDIUM",
                "estimated_impact": f"Covers {counted(loss.uncovered, 'half-day')} that nobody in reserve could fill.",
                "implementation_complexity": "HIGH" if sole[loss.persons[0]] else "MEDIUM",
            }
            for loss in singles
            if loss.uncovered
        ]
    return answer


def contingency_words(body: Mapping[str, Any]) -> str:
    """The verdicts of a contingency analysis in a sentence."""
    parts = [
        f"{'vulnerable' if body[key]['is_vulnerable'] else 'not vulnerable'} to the loss of {name}"
        for key, name in (("n_minus_1_result", "one person (N-1)"), ("n_minus_2_result", "two people (N-2)"))
        if key in body
    ]
    days = body["time_period"]
    return f"The schedule is {' and '.join(parts)}. That looks at {days['start_date']} to {days['end_date']}."


def losses_words(body: Mapping[str, Any]) -> str:
    """How many losses hurt, and whose hurts most."""
    words = []
    for key, rows, noun in (
        ("n_minus_1_result", "critical_persons", "person"),
        ("n_minus_2_result", "critical_pairs", "pair"),
    ):
        found = body.get(key, {}).get(rows, [])
        if found:
            name = found[0].get("person_name") or f"{found[0]['person_1_name']} and {found[0]['person_2_name']}"
            many = f"{len(found)}{' or more' if noun == 'pair' and len(found) == MOST_PAIRS else ''}"
            plural = "people" if noun == "person" else "pairs"
            words.append(f"{many} {noun if len(found) == 1 else plural} would be missed, {name} most.")
    return " ".join(words)


def generation_from(generated: "Generated", *, at: datetime, seconds: float | None) -> dict[str, Any]:
    """The answer of generate_schedule; without ``seconds`` how long it took is not told."""
    from packhorse_scheduling.convert.rotations import churn_told, continuity_from, rotations_told
    from packhorse_scheduling.convert.weighing import weighed_told
    from packhorse_scheduling.convert.wishes import wishes_from
    from packhorse_scheduling.domain.insight.fairness import overall, utilization
    from packhorse_scheduling.domain.insight.outlook import coverage

    opened = generated.opened
    kernel, year = opened.kernel, opened.programme.year
    first, last = kernel.day_of(year.start), kernel.day_of(year.end)
    stages = generated.draft.stages if generated.draft else ()
    return {
        "schedule_id": opened.schedule.id,
        "status": "COMPLETED",
        "generated_at": instant(at),
        "statistics": {
            "total_assignments": len(opened.schedule.cells),
            "total_persons": kernel.P,
            "total_blocks": len(year.blocks),
            "utilization_rate": round(utilization(kernel, opened.grid), 4),
            "coverage_rate": round(coverage(kernel, opened.grid, first, last), 4),
            "fairness_score": round(overall(kernel, opened.grid), 4),
            "compliance_status": opened.schedule.compliance,
        },
        "validation_results": {
            "is_valid": not parted(kernel, generated.violations, at.date())[0],
            "violations": [finding_from(kernel, violation) for violation in generated.violations[:MOST_STAGES]],
        },
        "violation_count": len(generated.violations),
        **({} if seconds is None else {"generation_time_seconds": round(seconds, 2)}),
        **churn_told(generated),
        **weighed_told(generated),
        **wishes_from(opened, today=at.date()),
        "rotations": rotations_told(generated),
        "continuity": continuity_from(opened),
        "stages": [
            {
                "name": stage.name,
                "first": kernel.date_of(stage.first).isoformat(),
                "last": kernel.date_of(stage.last).isoformat(),
                "stage_gap": round(stage.gap, 5),
                "shortfall": stage.shortfall,
            }
            for stage in sorted(stages, key=lambda stage: (-stage.shortfall, -stage.gap))[:MOST_STAGES]
        ],
        "stage_count": len(stages),
        "shortfall": sum(stage.shortfall for stage in stages),
    }


def body_of(body: Mapping[str, Any]) -> str:
    """JSON text of an answer."""
    import json

    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))
