"""The tools."""

from attrs import frozen

from packhorse import Context, Reply, Text
from packhorse_circadian.models import (
    AdaptationPlan,
    ClockQuestion,
    ClockStanding,
    CompareQuestion,
    Comparison,
    LightProtocol,
    Phases,
    PhaseShift,
    PhaseShiftQuestion,
    PlanQuestion,
    Replanned,
    ReplanQuestion,
    ShiftPlan,
    ShiftsQuestion,
    WhatNow,
    WhatNowQuestion,
)
from packhorse_circadian.service import JetLagDesk


@frozen
class CircadianTools:
    """Convert in, ask the desk, convert out. Async where it takes too little time to be worth a thread.

    What converts and plans is read by the first call: a server that starts needs the questions only.
    """

    desk: JetLagDesk

    async def calculate_phase_shift(self, question: PhaseShiftQuestion) -> PhaseShift:
        """Say how far a journey shifts the body clock, which way, how hard and how many days.

        For a quick answer without flight times. Over 12 hours it is answered the shorter way round.
        """
        from packhorse_circadian import convert

        return convert.phase_shift_from(self.desk.shift(*convert.journey_from(question)))

    async def get_adaptation_plan(self, question: PlanQuestion) -> Reply[AdaptationPlan]:
        """Make a day-by-day jet-lag plan, there and back: sleep, light, melatonin, caffeine, naps.

        Lead with key_advice, pass on the caution; later calls take its trip line. Also takes short_stay (home, half,
        local), bright_light_lux, destination_sleep_time, destination_wake_time. General information, not medical
        advice.
        """
        from packhorse_circadian import convert
        from packhorse_circadian.domain.evenings import lands_at_night

        plan = self.desk.plan(convert.trip_from(question))
        answer = convert.adaptation_plan_from(
            plan, asked_prep_days=question.prep_days, detail=question.detail, now=self.desk.now(None)
        )
        asked = question.model_copy(update={"prep_days": plan.trip.prep_days})
        kept = {"files": convert.files_from(question, plan.trip), "trip": convert.line_from(asked)}
        answer = answer.model_copy(update=kept)
        text = convert.text_from(answer, night_landing=lands_at_night(plan))
        return Reply(answer, [Text(text)], in_words=question.detail == "brief")

    def compare_itineraries(self, question: CompareQuestion) -> Comparison:
        """Say which of two to four routings is easiest on the body, and why."""
        from packhorse_circadian import convert

        return convert.comparison_from(
            [(label, self.desk.plan(trip)) for label, trip in convert.itineraries_from(question)]
        )

    async def what_now(self, question: WhatNowQuestion) -> WhatNow:
        """Say what a trip's plan has for this moment and the next hours ("I just landed, what do I do?")."""
        from packhorse_circadian import convert

        trip = convert.trip_from(convert.question_from_line(question.trip))
        now = self.desk.now(convert.moment_asked(question, trip))
        return convert.what_now_from(self.desk.plan_as_asked(trip), now, question.hours)

    def replan(self, question: ReplanQuestion) -> Reply[Replanned]:
        """Plan again after days that went otherwise, or when somebody felt worst at other hours than planned for."""
        from packhorse_circadian import convert
        from packhorse_circadian.domain.evenings import lands_at_night

        trip = convert.trip_from(convert.question_from_line(question.trip))
        now = self.desk.now(convert.moment_asked(question, trip))
        found = self.desk.replan(trip, convert.doings_from(question, trip, now))
        files = convert.remaining_files_from(question, trip, now)
        answer = convert.replanned_from(found, now, question, asked_prep_days=trip.prep_days, files=files)
        text = convert.text_from(answer.plan, answer.explanation, night_landing=lands_at_night(found.plan, now))
        return Reply(answer, [Text(text)], in_words=question.detail == "brief")

    def plan_for_shifts(self, question: ShiftsQuestion, ctx: Context) -> Reply[ShiftPlan]:
        """Plan sleep, light, naps and caffeine around night or changing shifts."""
        from packhorse_circadian import convert

        rota = convert.rota_from(question)

        def report(done: int, total: int) -> None:
            ctx.wait(ctx.report_progress, done, total, "searching for hours of light")

        course = self.desk.shifts(rota, report, lambda: ctx.cancelled)
        answer = convert.shift_plan_from(course, question)
        return Reply(answer, [Text(convert.shift_text_from(answer))], in_words=question.detail == "brief")

    def where_is_my_clock(self, question: ClockQuestion) -> ClockStanding:
        """Say from a log where a body clock stands, with a 90 % band."""
        from packhorse_circadian import convert

        log = convert.clock_log_from(question)
        return convert.standing_from(self.desk.standing(log), log)

    def simulate_light_schedule(self, protocol: LightProtocol) -> Phases:
        """Run a published model of the human body clock under a schedule of light: its lows and onsets.

        For questions about light itself, not for a trip. Gives each low of body temperature (CBTmin), each onset of
        melatonin (DLMO) and the state hour by hour. The clock starts long entrained unless initial_state (three to
        five numbers) says otherwise. Also takes id and total_days.
        """
        # The other models are read when somebody asks for them: plans need one.
        from packhorse_circadian.convert import laboratory

        found = laboratory.protocol_from(protocol)
        return laboratory.phases_from(self.desk.simulate(found), protocol)
