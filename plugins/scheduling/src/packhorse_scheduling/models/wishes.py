"""The question of rank_wishes and its answer."""

from pydantic import Field

from packhorse_scheduling.domain.programme.wishes import MOST_WISHES
from packhorse_scheduling.models.shapes import ID, TEXT, WHOLE, Exact, Thing, Who, record, rows


class WishesQuestion(Exact):
    """Whose wishes, and what they are now."""

    person_id: Who
    wishes: list[Thing] | None = Field(
        default=None, max_length=MOST_WISHES, description="Dearest first: 2026-12-25, or work 2026-12-24 PM."
    )


WISHES = record("person_id person_name wishes", person_id=ID, person_name=TEXT, wishes=rows(TEXT), met=WHOLE, of=WHOLE)
