"""A plan's own address: its question, written so that a URI can carry it. Nothing is stored."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from packhorse import UserError
from packhorse_circadian.convert.trip_line import line_from, question_from_line
from packhorse_circadian.domain import zones
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.models import PlanFiles, PlanQuestion, ReplanQuestion

_LONGEST = 8000
_ROOT = "circadian://plans"


def files_from(question: PlanQuestion, planned: Trip) -> PlanFiles:
    """Where calendar, pictures and page of this plan are read, with the preparation that was ``planned``."""
    line = line_from(question.model_copy(update={"prep_days": planned.prep_days}))
    return _files(line, full=question.detail == "full")


def remaining_files_from(question: ReplanQuestion, planned: Trip, now: datetime) -> PlanFiles:
    """The same of a plan made again at ``now``."""
    zone = ZoneInfo(question.now_timezone) if question.now_timezone else planned.destination
    told = question.now_datetime or f"{zones.shown(now, zone):%Y-%m-%dT%H:%M}"
    asked = question.model_copy(update={"now_datetime": told, "detail": "brief"})
    return _files(asked.model_dump_json(exclude_defaults=True), full=question.detail == "full")


def _files(asked: str, *, full: bool) -> PlanFiles:
    token = token_from(asked.encode())
    return PlanFiles(
        calendar=f"{_ROOT}/{token}/calendar.ics",
        picture=f"{_ROOT}/{token}/actogram-light.svg" if full else None,
        picture_dark=f"{_ROOT}/{token}/actogram-dark.svg" if full else None,
        page=f"{_ROOT}/{token}/page.html" if full else None,
    )


def token_from(asked: bytes) -> str:
    """Bytes as a URI can carry them."""
    return urlsafe_b64encode(asked).decode().rstrip("=")


def bytes_from(token: str) -> bytes:
    """What `token_from` made a token of, as far as an address goes."""
    return urlsafe_b64decode(token[:_LONGEST] + "=" * (-len(token[:_LONGEST]) % 4))


def question_from(token: str) -> PlanQuestion | ReplanQuestion:
    """The question in an address: a trip line, or that of a plan made again.

    Raises:
        UserError: for anything that is no such address.
    """
    try:
        text = bytes_from(token).decode()
        if text.startswith("{"):
            return ReplanQuestion.model_validate_json(text, strict=True)
        return question_from_line(text)
    except (ValueError, ValidationError, UserError):
        raise UserError(
            "This is not the address of a plan. Use an address from `files` in an answer of get_adaptation_plan.",
            code="INVALID_PLAN",
        ) from None
