"""Kinds of leave, and how many wishes a person may have."""

from typing import Literal, get_args

LeaveKind = Literal[
    "vacation",
    "conference",
    "sick",
    "medical",
    "deployment",
    "tdy",
    "family_emergency",
    "bereavement",
    "emergency_leave",
    "convalescent",
    "maternity_paternity",
    "departure",
]
DEPARTURE: LeaveKind = "departure"
"""Of somebody who goes for good: it lasts to the programme's end."""
LEAVE_KINDS: tuple[LeaveKind, ...] = get_args(LeaveKind)

MOST_WISHES = 20
"""Of one person, in one year."""
