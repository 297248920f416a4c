"""A plan's own address: its question, written so that a URI can carry it. Nothing is stored."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from packhorse import UserError
from packhorse_circadian.domain import zones
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.models import PlanFiles, PlanQuestion, ReplanQuestion

_LONGEST = 8000
_ROOT = "circadian://plans"
_KINDS = (PlanQuestion, ReplanQuestion)


def files_from(question: PlanQuestion, planned: Trip) -> PlanFiles:
    """Where calendar, pictures and page of this plan are read, with the preparation that was ``planned``."""
    asked = {name: value for name, value in question if name in PlanQuestion.model_fields}
    return _files(PlanQuestion(**{**asked, "prep_days": planned.prep_days}))


def remaining_files_from(question: ReplanQuestion, planned: Trip, now: datetime) -> PlanFiles:
    """The same of a plan made again at ``now``."""
    zone = ZoneInfo(question.now_timezone or question.destination_timezone)
    told = question.now_datetime or f"{zones.shown(now, zone):%Y-%m-%dT%H:%M}"
    return _files(question.model_copy(update={"prep_days": planned.prep_days, "now_datetime": told}))


def _files(question: PlanQuestion) -> PlanFiles:
    token = urlsafe_b64encode(question.model_dump_json(exclude_defaults=True).encode()).decode().rstrip("=")
    return PlanFiles(
        calendar=f"{_ROOT}/{token}/calendar.ics",
        picture=f"{_ROOT}/{token}/actogram-light.svg",
        picture_dark=f"{_ROOT}/{token}/actogram-dark.svg",
        page=f"{_ROOT}/{token}/page.html",
    )


def question_from(token: str) -> PlanQuestion | ReplanQuestion:
    """The question in an address.

    Raises:
        UserError: for anything that is no such address.
    """
    for kind in _KINDS:
        try:
            text = urlsafe_b64decode(token[:_LONGEST] + "=" * (-len(token[:_LONGEST]) % 4))
            return kind.model_validate_json(text, strict=True)
        except (ValueError, ValidationError):
            continue
    raise UserError(
        "That is not the address of a plan: use an address under `files` in an answer of get_adaptation_plan.",
        code="INVALID_PLAN",
    )
