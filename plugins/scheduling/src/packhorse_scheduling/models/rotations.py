"""The question and the answer about one person's place in the rotation plan."""

from pydantic import Field

from packhorse_scheduling.models.shapes import DAY, ID, TEXT, WHOLE, YES, Day, Exact, Who, record, rows


class RotationQuestion(Exact):
    """Whose block, and what it becomes: another rotation, or somebody else's block for it; nothing: why it is so."""

    person_id: Who
    date: Day = Field(description="In the block.")
    until: Day | None = Field(default=None, description="In the last block.")
    rotation: str | None = Field(default=None, max_length=200, description="Code.")
    with_person_id: Who | None = Field(default=None, description="Exchange with.")
    reason: str | None = Field(default=None, max_length=200, description="No diagnosis.")
    confirm: bool = False


ROTATION = record(
    "person_id first last rotation done",
    person_id=ID,
    first=DAY,
    last=DAY,
    rotation=TEXT,
    done=YES,
    reasons=rows(TEXT),
    could_exchange=rows(TEXT),
    changed_half_days=WHOLE,
    changed=rows(record(person_name=TEXT, half_days=WHOLE)),
    burdens=rows(TEXT),
    proven_minimal=YES,
    shortfall=WHOLE,
    new_violations=rows(TEXT),
    new_warnings=rows(TEXT),
    warning_count=WHOLE,
    schedule_id=ID,
)
