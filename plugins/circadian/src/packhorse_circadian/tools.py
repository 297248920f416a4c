"""The tools."""

from attrs import frozen

from packhorse_circadian import convert
from packhorse_circadian.models import (
    AdaptationPlan,
    CompareQuestion,
    Comparison,
    LightProtocol,
    Phases,
    PhaseShift,
    PhaseShiftQuestion,
    PlanQuestion,
    Replanned,
    ReplanQuestion,
    WhatNow,
    WhatNowQuestion,
)
from packhorse_circadian.service import JetLagDesk


@frozen
class CircadianTools:
    """Convert in, ask the desk, convert out. Async where it takes too little time to be worth a thread."""

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

        Choose it when departure and arrival times are known; lead with summary.key_advice, give model_days as the
        range low to high, and pass on the caution. The plan is searched for by running a published model of the body
        clock on the traveller's own light and sleep; it is general information, not medical advice. It refuses wall
        times that clocks skip, flights under 15 minutes or over 24 hours and nights outside 4 to 12 hours.
        """
        plan = self.desk.plan(convert.trip_from(question))
        answer = convert.adaptation_plan_from(plan, asked_prep_days=question.prep_days)
        return answer.model_copy(update={"files": convert.files_from(question, plan.trip)})

    def compare_itineraries(self, question: CompareQuestion) -> Comparison:
        """Say which of two to four routings is easiest on the body, and why: days to adapt, sleep, nights lost.

        Choose it for "which of these flights?"; each itinerary takes the arguments of get_adaptation_plan and a
        label. For a first idea without flight times use calculate_phase_shift instead.
        """
        return convert.comparison_from(
            [(label, self.desk.plan(trip)) for label, trip in convert.itineraries_from(question)]
        )

    async def what_now(self, question: WhatNowQuestion) -> WhatNow:
        """Say what a trip's plan has for this moment and the next hours, by the clock where the traveller is.

        Choose it for "I just landed, what do I do?"; give the arguments of the plan again, and now_datetime with
        now_timezone where the moment is not the present. It plans afresh from those arguments and stores nothing.
        """
        trip = convert.trip_from(question)
        now = self.desk.now(convert.moment_asked(question))
        return convert.what_now_from(self.desk.plan_as_asked(trip), now, question.hours)

    def replan(self, question: ReplanQuestion) -> Replanned:
        """Plan again after days that went otherwise: runs what was really done and plans from there.

        Choose it when part of a plan was missed. Give the arguments of the plan, until when it was followed, and
        sleeps and bright light since then where known. Where the old plan is still as good, it says so and keeps it.
        """
        trip = convert.trip_from(question)
        now = self.desk.now(convert.moment_asked(question))
        found = self.desk.replan(trip, convert.doings_from(question, trip, now))
        files = convert.remaining_files_from(question, trip, now)
        return convert.replanned_from(found, now, asked_prep_days=question.prep_days, files=files)

    def simulate_light_schedule(self, protocol: LightProtocol) -> Phases:
        """Run a published model of the human body clock under a schedule of light: its lows and onsets.

        Choose it for questions about light itself ("what would 10 days of nights under 1000 lux do?"), not for a
        trip. Lights are given as days of the same hours, with jumps between time zones; the answer has each low of
        body temperature (CBTmin), each onset of melatonin (DLMO) and the model's state hour by hour. The clock
        starts long entrained unless initial_state says otherwise; more than 100 days in all are refused.
        """
        # The other models are read when somebody asks for them: plans need one.
        from packhorse_circadian.convert import laboratory

        found = laboratory.protocol_from(protocol)
        return laboratory.phases_from(self.desk.simulate(found), protocol)
