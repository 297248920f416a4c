"""What crosses the wire."""

from packhorse_circadian.models.clock import ClockQuestion, ClockStanding
from packhorse_circadian.models.journeys import (
    Compared,
    CompareQuestion,
    Comparison,
    RemainingPlan,
    Replanned,
    ReplanQuestion,
    WhatNow,
    WhatNowQuestion,
)
from packhorse_circadian.models.laboratory import LightProtocol, LightSegment, Phases, Sample
from packhorse_circadian.models.plan import (
    AdaptationPlan,
    Alertness,
    BriefDay,
    Item,
    ModelDays,
    Moment,
    PlanDay,
    PlanFiles,
    Summary,
)
from packhorse_circadian.models.question import Interventions, PlanQuestion, ReturnFlight, StopOver, WorkHours
from packhorse_circadian.models.shift import EstimatedDays, PhaseShift, PhaseShiftQuestion, PopulationDays
from packhorse_circadian.models.shifts import ShiftPlan, ShiftsQuestion

__all__ = [
    "AdaptationPlan",
    "Alertness",
    "BriefDay",
    "ClockQuestion",
    "ClockStanding",
    "CompareQuestion",
    "Compared",
    "Comparison",
    "EstimatedDays",
    "Interventions",
    "Item",
    "LightProtocol",
    "LightSegment",
    "ModelDays",
    "Moment",
    "PhaseShift",
    "PhaseShiftQuestion",
    "Phases",
    "PlanDay",
    "PlanFiles",
    "PlanQuestion",
    "PopulationDays",
    "RemainingPlan",
    "ReplanQuestion",
    "Replanned",
    "ReturnFlight",
    "Sample",
    "ShiftPlan",
    "ShiftsQuestion",
    "StopOver",
    "Summary",
    "WhatNow",
    "WhatNowQuestion",
    "WorkHours",
]
