"""What crosses the wire."""

from packhorse_circadian.models.journeys import (
    Compared,
    CompareQuestion,
    Comparison,
    Itinerary,
    RemainingPlan,
    Replanned,
    ReplanQuestion,
    Stretch,
    WhatNow,
    WhatNowQuestion,
)
from packhorse_circadian.models.laboratory import LightProtocol, LightSegment, Phases, Sample
from packhorse_circadian.models.plan import (
    AdaptationPlan,
    Alertness,
    Item,
    ModelDays,
    Moment,
    PlanDay,
    PlanFiles,
    Summary,
)
from packhorse_circadian.models.question import Interventions, PlanQuestion, ReturnFlight, StopOver, WorkHours
from packhorse_circadian.models.shift import EstimatedDays, PhaseShift, PhaseShiftQuestion

__all__ = [
    "AdaptationPlan",
    "Alertness",
    "CompareQuestion",
    "Compared",
    "Comparison",
    "EstimatedDays",
    "Interventions",
    "Item",
    "Itinerary",
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
    "RemainingPlan",
    "ReplanQuestion",
    "Replanned",
    "ReturnFlight",
    "Sample",
    "StopOver",
    "Stretch",
    "Summary",
    "WhatNow",
    "WhatNowQuestion",
    "WorkHours",
]
