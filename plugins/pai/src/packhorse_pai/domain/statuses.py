"""How runs end, or stand."""

from typing import Literal

Status = Literal[
    "completed",
    "escalated",
    "failed",
    "denied",
    "spawn_violation",
    "awaiting_approval",
    "cancelled",
    "budget_exhausted",
    "open",
]
"""How a run ended, or stands."""
