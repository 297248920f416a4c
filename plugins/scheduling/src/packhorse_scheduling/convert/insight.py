"""Answers of the tools that look further."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from packhorse_scheduling.convert import instant
from packhorse_scheduling.convert.briefly import page_words
from packhorse_scheduling.domain.change import balance
from packhorse_scheduling.domain.insight import cover, hubs, outlook
from packhorse_scheduling.domain.insight.wording import counted, percent, warned
from packhorse_scheduling.domain.programme.calendar import SESSIONS, block_id
from packhorse_scheduling.domain.programme.people import ROLES
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened

MOST_GAPS = 6
MOST_MOVES = 10


def cell_words(kernel: "Kernel", day: int, session: int) -> dict[str, str]:
    """A half-day: its date, session and block id."""
    date = kernel.date_of(day)
    return {"date": date.isoformat(), "session": SESSIONS[session], "block_id": block_id(date, SESSIONS[session])}


def coverage_from(opened: "Opened", first: int, last: int, *, at: datetime) -> dict[str, Any]:
    """The answer of generate_coverage_report."""
    kernel, services = opened.kernel, opened.programme.services
    found, gaps = cover.lines(kernel, opened.grid, first, last), cover.gaps(kernel, opened.grid, first, last)
    return {
        "generated_at": instant(at),
        "schedule_id": opened.schedule.id,
        "start_date": kernel.date_of(first).isoformat(),
        "end_date": kernel.date_of(last).isoformat(),
        "coverage_rate": round(outlook.coverage(kernel, opened.grid, first, last), 4),
        "services": [
            {
                "rotation_id": services[line.service].id,
                "rotation_name": services[line.service].name,
                "role": ROLES[line.role],
                "required": line.asked,
                "filled": line.filled,
                "present": line.there,
                "coverage_rate": round(line.rate, 4),
                "short_half_days": line.short_half_days,
                "overstaffed_half_days": line.over_half_days,
            }
            for line in found
        ],
        "total_gaps": len(gaps),
        "gaps": [
            {
                "rotation_name": services[gap.service].name,
                "role": ROLES[gap.role],
                **cell_words(kernel, gap.day, gap.session),
                "present": gap.there,
                "minimum": gap.least,
            }
            for gap in gaps[:MOST_GAPS]
        ],
    }


def scenario_words(body: Mapping[str, Any]) -> str:
    """A scenario in sentences: as it would stand untouched, and repaired."""
    bare = body["without_action"]
    beyond = counted(body["days_beyond_help_count"], "day")
    words = f"{counted(bare['violations'], 'violation')} if nothing is done; {percent(bare['coverage_rate'], 1)} of the"
    words += f" places would be filled; {beyond} beyond help."
    if body["as_validated"] != bare["violations"]:
        words += f" That counts {body['start_date']} to {body['end_date']} with the half-days of the absent left empty;"
        words += f" validate_schedule counts {body['as_validated']} in the whole roster while they still hold them."
    mended = body.get("mended")
    if mended is not None:
        changed, left = mended["changed_half_days"], mended["violations"]
        words += f" Repaired by {counted(changed, 'further change')}: {counted(left, 'violation')}."
    return words


def coverage_csv(body: Mapping[str, Any]) -> str:
    """The services of a coverage report as CSV (RFC 4180)."""
    from packhorse_scheduling.convert.files.csvs import csv_text

    columns = list(body["services"][0]) if body["services"] else ["rotation_id", "rotation_name", "role"]
    return csv_text(columns, [[str(row[name]) for name in columns] for row in body["services"]])


def balance_from(opened: "Opened", found: "balance.Balanced", role: str, *, at: datetime) -> dict[str, Any]:
    """The answer of optimize_rotation_balance."""
    kernel, people, services = opened.kernel, opened.programme.people, opened.programme.services
    return {
        "optimized_at": instant(at),
        "role": role,
        "imbalance_before": round(found.before, 2),
        "imbalance_after": round(found.after, 2),
        "imbalance_unit": "half-days squared: distances from an even share, summed over people and services",
        "moves": [
            {
                "from_person_key": people[move.giver].key,
                "from_person_name": people[move.giver].name,
                "to_person_key": people[move.taker].key,
                "to_person_name": people[move.taker].name,
                "rotation_name": services[move.service].name,
                "date": kernel.date_of(move.day).isoformat(),
                "session": SESSIONS[move.session],
                "swap_type": "ONE_TO_ONE" if move.exchanged else "ABSORB",
            }
            for move in found.moves[:MOST_MOVES]
        ],
        "move_count": len(found.moves),
        "method": "Greedy: the move between who is farthest above and below the expected share of a service, kept only"
        " where it breaks no rule and lowers the imbalance. It is no claim of the best possible balance.",
    }


def balance_words(body: Mapping[str, Any]) -> str:
    """The moves in lines."""
    lines = [
        f"{row['date']} {row['session']}, {row['rotation_name']}: {row['from_person_name']} to {row['to_person_name']}"
        f" ({row['swap_type']})"
        for row in body["moves"]
    ]
    kept = f" Kept as the draft {body['schedule_id']}." if "schedule_id" in body else ""
    head = f"{counted(body['move_count'], 'move')}; imbalance {body['imbalance_before']:g} before,"
    return "\n".join([f"{head} {body['imbalance_after']:g} after ({body['imbalance_unit']}).{kept}", *lines])


def swaps_words(body: Mapping[str, Any]) -> str:
    """Several swap checks, a line each."""
    lines = [f"{body['feasible_count']} of {body['total_swaps']} are feasible. {page_words(body)}".strip()]
    for row in body["results"]:
        why = row["error"]["message"] if "error" in row else " ".join(row["blocking_reasons"])
        near = row.get("suggestions")
        best = f" Best candidate: {near[0]['candidate_name']}." if near else ""
        lines.append(f"{row['index']}: {_feasible_words(row) if row['is_feasible'] else why}{best}")
    return "\n".join(lines)


def _feasible_words(row: Mapping[str, Any]) -> str:
    return "feasible." + warned([one["message"] for one in row["compliance_check"]["violations"]], 1)


def hubs_from(opened: "Opened", found: "Sequence[hubs.Hub]", *, at: datetime) -> dict[str, Any]:
    """The answer of analyze_hub_centrality: counts of half-days, and a score without a level."""
    people, services = opened.programme.people, opened.programme.services
    return {
        "analyzed_at": instant(at),
        "weights": dict(hubs.WEIGHTS),
        "method": "half_days_uncovered are counted: those that nobody in reserve could fill if this person were lost."
        " composite_score (no unit) ranks people within this roster alone: each factor is divided by its largest value"
        " among them, so that somebody always stands at the top.",
        "hubs": [
            {
                "person_id": people[hub.person].id,
                "person_name": people[hub.person].name,
                "half_days_assigned": hub.loss.assigned,
                "half_days_uncovered": hub.loss.uncovered,
                "composite_score": round(hub.score, 4),
                "factors": {name: round(value, 4) for name, value in hub.parts.items()},
                "unique_services": [services[s].name for s in hub.sole],
            }
            for hub in found
        ],
    }


def hub_words(row: Mapping[str, Any]) -> str:
    """One of them in a line."""
    alone = f"; alone for {', '.join(row['unique_services'])}" if row["unique_services"] else ""
    return (
        f"{row['person_name']}: {row['half_days_uncovered']} of {row['half_days_assigned']} half-days uncovered without"
        f" them, score {row['composite_score']:.2f}{alone}"
    )


def pool_from(
    opened: "Opened", found: Sequence[tuple[int, int, Sequence["cover.Reserve"]]], most: int, *, at: datetime
) -> dict[str, Any]:
    """The answer of get_backup_call_pool, with ``most`` people a half-day and the count of all."""
    kernel, people, services = opened.kernel, opened.programme.people, opened.programme.services
    return {
        "checked_at": instant(at),
        "half_days": [
            {
                "date": kernel.date_of(day).isoformat(),
                "session": SESSIONS[session],
                "reserve": [
                    {
                        "person_key": people[one.person].key,
                        "person_name": people[one.person].name,
                        "role": people[one.person].role,
                        "hours_this_week": one.week_hours,
                        "could_take": [services[s].name for s in one.services],
                    }
                    for one in reserve[:most]
                ],
                "could_come_in": len(reserve),
            }
            for day, session, reserve in found
        ],
        "method": "Free then, not on leave, able, and coming in would break no rule; the one with the fewest hours"
        " that week comes first. Nobody in the pool has agreed to be called.",
    }


def pool_words(body: Mapping[str, Any]) -> str:
    """The pool in lines, a half-day each."""
    lines = []
    for row in body["half_days"]:
        named = ", ".join(f"{one['person_name']} ({one['hours_this_week']:g} h)" for one in row["reserve"])
        more = row["could_come_in"] - len(row["reserve"])
        lines.append(f"{row['date']} {row['session']}: {named or 'nobody'}{f', and {more} more' if more else ''}")
    return "\n".join([*lines, body["method"]])
