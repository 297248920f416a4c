"""The question about a calendar's address, and its answer."""

from typing import Literal

from pydantic import Field

from packhorse_scheduling.models.shapes import Exact, Who


class CalendarQuestion(Exact):
    """Whose calendar, and what happens to its address."""

    person_id: Who | None = Field(default=None, description="The caller by default.")
    action: Literal["make", "renew", "end"] = "make"
