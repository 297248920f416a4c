"""Solved rosters as the answers of command and tool, and as tables to read."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.engine import Outcome
    from packhorse_scheduling.domain.shifts.nurse_weeks import Weeks
    from packhorse_scheduling.domain.shifts.problem import Problem


def outcome_from(problem: "Problem", outcome: "Outcome") -> dict[str, Any]:
    """objective, bound, gap, seconds, cpu_seconds, status, roster."""
    return {**_figures(outcome), "roster": problem.named(outcome.roster)}


def weeks_from(weeks: "Weeks") -> dict[str, Any]:
    """As `outcome_from`, with three more.

    ``skills`` are those that the shifts are worked with, ``week_costs`` what each week costs, ``short`` by how many the
    least cover is missed.
    """
    people = list(weeks.plans[0])

    def part(index: int) -> dict[str, list[str]]:
        return {who: [duty[index] if duty else "" for plan in weeks.plans for duty in plan[who]] for who in people}

    return {
        **_figures(weeks),
        "roster": part(0),
        "skills": part(1),
        "week_costs": list(weeks.costs),
        "short": weeks.short,
    }


def _figures(solved: "Outcome | Weeks") -> dict[str, Any]:
    return {
        "objective": solved.objective,
        "bound": solved.bound,
        "gap": round(solved.gap, 6),
        "seconds": round(solved.seconds, 3),
        "cpu_seconds": round(solved.cpu_seconds, 3),
        "status": solved.status,
    }


def table_from(body: Mapping[str, Any]) -> str:
    """People by days, weeks parted by a bar, below a line with the figures."""
    roster: Mapping[str, Sequence[str]] = body["roster"]
    name = max(len(who) for who in roster)
    cell = max([1, *(len(shift) for row in roster.values() for shift in row)])
    lines = [summary_from(body), ""]
    for who, row in roster.items():
        weeks = [row[first : first + 7] for first in range(0, len(row), 7)]
        lines.append(
            f"{who:<{name}}  " + " | ".join(" ".join(f"{shift or '.':<{cell}}" for shift in week) for week in weeks)
        )
    return "\n".join(line.rstrip() for line in lines)


def summary_from(body: Mapping[str, Any]) -> str:
    """One sentence with the figures."""
    words = f"A roster that costs {body['objective']}; none costs less than {body['bound']}"
    words += " (proven optimal)." if body["status"] == "optimal" else f" (gap {100 * body['gap']:.2f} %)."
    if body.get("short"):
        words += f" It is {body['short']} below the least cover: these weeks may have no lawful plan."
    if "week_costs" in body:
        words += " By week: " + ", ".join(map(str, body["week_costs"])) + "."
    return words + f" {body['cpu_seconds']:.1f} processor seconds."
