"""Answers of the tools that look further."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from packhorse_scheduling.convert import instant
from packhorse_scheduling.domain import balance, cover, outlook
from packhorse_scheduling.domain.calendar import SESSIONS, block_id
from packhorse_scheduling.domain.people import ROLES
from packhorse_scheduling.domain.wording import counted, percent

if TYPE_CHECKING:
    from packhorse_scheduling.domain.kernel import Kernel
    from packhorse_scheduling.domain.opened import Opened

MOST_GAPS = 300


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
    beyond = counted(len(body["days_beyond_help"]), "day")
    words = f"{counted(bare['violations'], 'violation')} if nothing is done; {percent(bare['coverage_rate'], 1)} of the"
    words += f" places would be filled; {beyond} beyond help."
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
        "moves": [
            {
                "from_person_id": people[move.giver].id,
                "from_person_name": people[move.giver].name,
                "to_person_id": people[move.taker].id,
                "to_person_name": people[move.taker].name,
                "rotation_name": services[move.service].name,
                **cell_words(kernel, move.day, move.session),
                "swap_type": "ONE_TO_ONE" if move.exchanged else "ABSORB",
            }
            for move in found.moves
        ],
        "method": "Greedy: the move between who is farthest above and below the expected share of a service, kept only"
        " where it breaks no rule and lowers the imbalance. It is no claim of the best possible balance.",
    }


def pool_from(
    opened: "Opened", found: Sequence[tuple[int, int, Sequence["cover.Reserve"]]], *, at: datetime
) -> dict[str, Any]:
    """The answer of get_backup_call_pool."""
    kernel, people, services = opened.kernel, opened.programme.people, opened.programme.services
    return {
        "checked_at": instant(at),
        "half_days": [
            {
                **cell_words(kernel, day, session),
                "reserve": [
                    {
                        "person_id": people[one.person].id,
                        "person_name": people[one.person].name,
                        "role": people[one.person].role,
                        "hours_this_week": one.week_hours,
                        "could_take": [services[s].name for s in one.services],
                    }
                    for one in reserve
                ],
            }
            for day, session, reserve in found
        ],
        "method": "Free then, not on leave, able, and coming in would break no rule; the one with the fewest hours"
        " that week comes first. Nobody in the pool has agreed to be called.",
    }
