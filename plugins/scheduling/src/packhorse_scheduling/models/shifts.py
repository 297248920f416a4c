"""The question and the answer of solve_roster."""

from typing import Annotated, Any

from pydantic import Field

from packhorse_scheduling.models.shapes import COUNT, REAL, TEXT, WHOLE, YES, Exact, choice, record, rows

MOST_TEXT = 1_000_000
"""Characters of an instance: four times the largest that we know."""

Text = Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]


class SolveRosterQuestion(Exact):
    """A ward's question, or an instance in a public text format, and how long to search."""

    ward: dict[str, Any] | None = Field(
        default=None,
        description="The question: name, start, days, shifts, contracts, people, demand, sequences, fair, used,"
        " requests, fixed, before, carried. Its JSON Schema: packhorse scheduling roster schema.",
    )
    instance: Text | None = Field(
        default=None, description="Instead: text of a Curtois instance, or of an INRC-II scenario (Sc-)."
    )
    history: Text | None = Field(default=None, description="INRC-II: text of the history (H0-).")
    weeks: list[Text] = Field(
        default=[],
        max_length=8,
        description="INRC-II: texts of the weeks (WD-), in order.",
    )
    cpu_seconds: float = Field(default=60, ge=1, le=600)
    seed: int = Field(default=1, ge=0, le=2**31 - 1)


_BY_PERSON = {"type": "object", "additionalProperties": rows(TEXT)}
ROSTER = record(
    "objective bound gap seconds cpu_seconds status proven fewest roster people short costs broken broken_count",
    objective=WHOLE | {"description": "What the roster costs in soft rules."},
    bound={
        "type": ["integer", "null"],
        "description": "No lawful roster costs less; null if this one is not lawful.",
    },
    gap={"type": ["number", "null"], "description": "(objective - bound) / objective; 0 is proven optimal."},
    seconds=REAL,
    cpu_seconds=REAL,
    status=choice("optimal", "feasible", "short", "broken") | {"description": "The first two are lawful."},
    proven=YES | {"description": "No lawful roster costs less."},
    fewest=YES | {"description": "Proven: no roster is less short or breaks less."},
    roster=_BY_PERSON,
    skills=_BY_PERSON,
    people=rows(
        record(
            "person name hours shifts nights weekends wishes wishes_met cost",
            person=TEXT,
            name=TEXT,
            hours=REAL,
            shifts=COUNT,
            nights=COUNT,
            weekends=COUNT,
            wishes=COUNT,
            wishes_met=COUNT,
            cost=WHOLE,
        )
    ),
    short=COUNT | {"description": "By how many the least that is needed is missed; 0 is lawful."},
    costs={"type": "object", "additionalProperties": WHOLE},
    broken=rows(TEXT),
    broken_count=COUNT,
)
"""The roster: for each person the shift's key, or "" for rest, for each day."""
