"""The words of the wire: zones, dates and times as text, and the examples that show them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

# What could be a date and a time; whether it exists, and its year is planned for, is asked in `convert`.
_DATE = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_ZONE = r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}"

CITIES = [
    "America/Los_Angeles",
    "America/New_York",
    "Europe/London",
    "Europe/Paris",
    "Asia/Dubai",
    "Asia/Kolkata",
    "Asia/Tokyo",
]
# With the flight times in the examples, each is a flight from the city at the same place of the list above.
ONWARD = [
    "Europe/London",
    "Europe/Paris",
    "America/New_York",
    "Asia/Dubai",
    "Asia/Tokyo",
    "Europe/London",
    "Asia/Dubai",
]
DAYS = ["2026-02-15", "2026-06-20", "2026-10-25", "2027-01-10", "2027-03-14"]

Zone = Annotated[str, Field(max_length=64, pattern=f"^{_ZONE}$")]
Day = Annotated[str, Field(max_length=10, pattern=f"^{_DATE}$", examples=DAYS)]
Minute = Annotated[str, Field(max_length=16, pattern=f"^{_DATE}T{_TIME}$")]
ClockTime = Annotated[str, Field(max_length=5, pattern=f"^{_TIME}$")]
Instant = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")]

RARE: dict[str, Any] = {"x-unlisted": True}
"""Of an argument that few need: the words of the tool or of the object beside it name it."""

Detail = Literal["brief", "full"]
Way = Literal["advance", "delay", "none"]


class Exact(BaseModel):
    """Takes nothing but its own fields."""

    # Built when first used: a deployment may exclude tools, and an import should be cheap.
    model_config = ConfigDict(extra="forbid", defer_build=True)
