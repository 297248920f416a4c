"""The two tools."""

from attrs import frozen

from packhorse_circadian import convert
from packhorse_circadian.models import AdaptationPlan, PhaseShift, PhaseShiftQuestion, PlanQuestion
from packhorse_circadian.service import JetLagDesk


@frozen
class CircadianTools:
    """Convert in, ask the desk, convert out. Async, because each takes too little time to be worth a thread."""

    desk: JetLagDesk

    async def calculate_phase_shift(self, question: PhaseShiftQuestion) -> PhaseShift:
        """Say how far a journey shifts the body clock, which way, how hard that is and how many days it takes.

        Choose it for a quick answer ("how bad will the jet lag be?", "which routing is easier?") without flight
        times; give travel_date, since clock changes matter. A shift over 12 hours is answered the shorter way
        round, with the raw one beside it; days are whole days of work plus one (7 hours: 5 with measures, 8
        without). Unknown zones, abbreviations and dates outside 1970 to 2037 are refused.
        """
        return convert.phase_shift_from(self.desk.shift(*convert.journey_from(question)))

    async def get_adaptation_plan(self, question: PlanQuestion) -> AdaptationPlan:
        """Make a day-by-day jet-lag schedule for one flight: sleep, light, melatonin, caffeine and naps, to the minute.

        Choose it when departure and arrival times are known; lead with summary.key_advice and pass on the caution.
        Plans follow published rules (1 hour of shift a day) and are general information, not medical advice. It
        refuses wall times that clocks skip, flights under 15 minutes or over 24 hours and nights outside 4 to 12
        hours, and takes one flight at a time.
        """
        plan = self.desk.plan(convert.trip_from(question))
        return convert.adaptation_plan_from(plan, asked_prep_days=question.prep_days)
