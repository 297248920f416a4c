"""Conversation starters: a review, a swap, a vulnerability assessment.

The steps are the specification's, begun with small pages: schedule://current
of a year of sixty people has millions of tokens.
"""

import json

from packhorse_scheduling.errors import invalid

AREAS = ("compliance", "fairness", "resilience", "workload")


def review_schedule(schedule_id: str = "current", focus_areas: str = ", ".join(AREAS)) -> str:
    """Review a schedule: its health, violations, fairness and weak points, with what to do next."""
    wanted = _areas(focus_areas)
    unknown = [area for area in wanted if area not in AREAS]
    if unknown or not wanted:
        raise invalid("focus_areas", f"`focus_areas` must be a list, with commas, of: {', '.join(AREAS)}.")
    return (
        f"Review the schedule {schedule_id}, looking above all at {', '.join(wanted)}.\n\n"
        "1. Read schedule://people (who is who) and call show_roster for the coming week.\n"
        "2. Call validate_schedule.\n"
        "3. Read resilience://health.\n"
        "4. Read analytics://fairness.\n"
        "5. Pick out what is critical and what breaks a rule.\n"
        "6. Where something must change, call suggest_resolution.\n\n"
        "Then tell, in this order: how healthy the schedule is on the whole; critical violations, if any; how fair it"
        " is; where it is vulnerable; what you recommend. If one of these pages or tools is not offered here, say so"
        " instead of guessing."
    )


def _areas(given: str) -> list[str]:
    """The areas of a JSON array (the specification's form; a prompt's arguments are text), or of a list with commas."""
    if given.lstrip().startswith("["):
        try:
            found = json.loads(given)
        except ValueError:
            return []
        return [str(area) for area in found]
    return [area.strip() for area in given.split(",") if area.strip()]


def plan_swap(requester_id: str, reason: str) -> str:
    """Guide somebody through a swap, from the wish to a request that keeps every rule."""
    return (
        f"Help the person {requester_id} plan a swap. Their reason: {reason}\n\n"
        f'1. Call show_roster with people ["{requester_id}"]: a word a day.\n'
        "2. Ask which half-days they want to swap: a date, with AM or PM where it is one half.\n"
        "3. Call check_swap_feasibility for what they propose.\n"
        "4. If it cannot be, go through the suggested partners.\n"
        "5. Lay out the options with what speaks for and against each.\n"
        "6. Once they confirm, guide them through the request.\n\n"
        "Keep it a friendly conversation, one question at a time."
    )


def assess_vulnerability() -> str:
    """Assess where the current schedule could fail, as a summary for leadership."""
    return (
        "Assess how vulnerable the current schedule is.\n\n"
        "1. Read resilience://health.\n"
        "2. Call analyze_contingency for one and for two losses.\n"
        "3. Read analytics://burnout-risk, the people with the most strain by planned duty.\n"
        "4. Name those at or above 55 hours a week, and what their score is made of.\n"
        "5. Judge critical positions and single points of failure.\n\n"
        "Answer as an executive summary for leadership: overall risk, critical vulnerabilities, mitigations of high"
        " priority, recommendations for the long term. If one of these pages is not offered here, say so instead of"
        " guessing."
    )
