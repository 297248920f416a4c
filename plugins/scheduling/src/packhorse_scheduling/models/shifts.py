"""The question and the answer of solve_roster."""

from typing import Annotated

from pydantic import Field

from packhorse_scheduling.models.shapes import REAL, TEXT, WHOLE, Exact, choice, record, rows

MOST_TEXT = 1_000_000
"""Characters of an instance: four times the largest that we know."""

Text = Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]


class SolveRosterQuestion(Exact):
    """An instance in a public text format, and how long to search."""

    instance: Text = Field(description="Text of a Curtois instance, or of an INRC-II scenario (Sc-).")
    history: Text | None = Field(default=None, description="INRC-II: text of the history (H0-).")
    weeks: list[Text] = Field(
        default=[],
        max_length=8,
        description="INRC-II: texts of the weeks (WD-), in order.",
    )
    cpu_seconds: float = Field(default=60, ge=1, le=600)
    seed: int = Field(default=1, ge=0, le=2**31 - 1)


ROSTER = record(
    "objective bound gap seconds cpu_seconds status roster",
    objective=WHOLE | {"description": "What the roster costs: penalties of requests and cover."},
    bound=WHOLE | {"description": "No roster costs less."},
    gap=REAL | {"description": "(objective - bound) / objective; 0 is proven optimal."},
    seconds=REAL,
    cpu_seconds=REAL,
    status=choice("optimal", "feasible", "short"),
    roster={"type": "object", "additionalProperties": rows(TEXT)},
    skills={"type": "object", "additionalProperties": rows(TEXT)},
    week_costs=rows(WHOLE),
    short=WHOLE | {"description": "INRC-II: by how many the least cover is missed; 0 is lawful."},
)
"""The roster: for each person the shift's id, or "" for rest, for each day."""
