"""The names of the rules."""

from typing import Literal, get_args

ROTATION, CURRICULUM = "ROTATION_RULE", "CURRICULUM_RULE"

SPECIFIED = ("80_HOUR_RULE", "1_IN_7_RULE", "SUPERVISION_RATIO", "MINIMUM_STAFFING", "CREDENTIAL_REQUIREMENTS")
"""Rule names of the specification; all others are this pack's own."""

CODES = (
    *SPECIFIED,
    "MAXIMUM_STAFFING",
    "24_PLUS_4_RULE",
    "14_HOUR_REST_RULE",
    "8_HOUR_REST_RULE",
    "CALL_FREQUENCY_RULE",
    "NIGHT_FLOAT_RULE",
    "CONSECUTIVE_DAYS_RULE",
    "WHOLE_NIGHT_RULE",
    "LEAVE_RULE",
    "LOCK_RULE",
    "LOCKED_ASSIGNMENT",
    ROTATION,
    CURRICULUM,
)


Clash = Literal[
    "double_booking",
    "work_hour_violation",
    "rest_period_violation",
    "supervision_gap",
    "leave_overlap",
    "credential_mismatch",
    "staffing",
]
CLASHES: tuple[Clash, ...] = get_args(Clash)

CLASH_OF: dict[str, Clash] = {
    "80_HOUR_RULE": "work_hour_violation",
    "24_PLUS_4_RULE": "work_hour_violation",
    "CALL_FREQUENCY_RULE": "work_hour_violation",
    "NIGHT_FLOAT_RULE": "work_hour_violation",
    "1_IN_7_RULE": "rest_period_violation",
    "CONSECUTIVE_DAYS_RULE": "rest_period_violation",
    "14_HOUR_REST_RULE": "rest_period_violation",
    "8_HOUR_REST_RULE": "rest_period_violation",
    "WHOLE_NIGHT_RULE": "staffing",
    "SUPERVISION_RATIO": "supervision_gap",
    "LEAVE_RULE": "leave_overlap",
    "CREDENTIAL_REQUIREMENTS": "credential_mismatch",
    "MINIMUM_STAFFING": "staffing",
    "MAXIMUM_STAFFING": "staffing",
    "LOCK_RULE": "staffing",
    "LOCKED_ASSIGNMENT": "staffing",
    "ROTATION_RULE": "staffing",
    "CURRICULUM_RULE": "staffing",
}
"""Nothing is a double booking: a half-day of a person holds one service, so that two cannot be stored."""
