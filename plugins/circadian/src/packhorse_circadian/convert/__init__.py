"""Questions from the wire to the domain, and answers back; those of the laboratory in a module of their own."""

from packhorse_circadian.convert.clock import clock_log_from, standing_from
from packhorse_circadian.convert.journeys import (
    comparison_from,
    doings_from,
    itineraries_from,
    moment_asked,
    replanned_from,
    what_now_from,
)
from packhorse_circadian.convert.pages import files_from, question_from, remaining_files_from
from packhorse_circadian.convert.plan import adaptation_plan_from, phase_shift_from
from packhorse_circadian.convert.shifts import rota_from, shift_plan_from, shift_text_from, shifts_question_from
from packhorse_circadian.convert.text import text_from
from packhorse_circadian.convert.trip import journey_from, trip_from
from packhorse_circadian.convert.trip_line import line_from, question_from_line

__all__ = [
    "adaptation_plan_from",
    "clock_log_from",
    "comparison_from",
    "doings_from",
    "files_from",
    "itineraries_from",
    "journey_from",
    "line_from",
    "moment_asked",
    "phase_shift_from",
    "question_from",
    "question_from_line",
    "remaining_files_from",
    "replanned_from",
    "rota_from",
    "shift_plan_from",
    "shift_text_from",
    "shifts_question_from",
    "standing_from",
    "text_from",
    "trip_from",
    "what_now_from",
]
