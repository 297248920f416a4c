"""Searches for a facility."""

import logging

from packhorse import Context, Reply
from packhorse_locator.models.answers import FacilityAnswer, PlaceAnswer
from packhorse_locator.models.questions import FacilityQuestion, FacilitySearch
from packhorse_locator.service import OnLocator
from packhorse_locator.tools.people import reader_of

logger = logging.getLogger("packhorse.locator")


class FacilityTools(OnLocator):
    """Plain functions: each call has a thread, a store and a seat of its own."""

    def search_by_facility(self, question: FacilitySearch, ctx: Context) -> Reply[PlaceAnswer]:
        """Find detention facilities by name, by city and state or by ZIP code, and how many people are recorded there.

        Choose it for "who is at ...?" and "what is near ...?". Advocates and administrators also get the 25 newest
        people there; everybody else gets facilities and counts, with the reason. When several facilities could be
        meant by a name, it refuses and names them. For one facility's address and figures use get_facility_info.
        """
        from packhorse_locator.convert import facilities as convert
        from packhorse_locator.convert.frames import Frame
        from packhorse_locator.service.places import PlaceQuestion

        clock = self.locator.registry.host.clock
        began = clock()
        convert.check_state(question)
        asked = PlaceQuestion(
            name=question.facility_name,
            city=question.city,
            state=question.state,
            zip_code=question.zip_code,
            wire_type=question.facility_type,
            active_only=question.active_only,
        )
        reader = reader_of(ctx.principal)
        with self.locator.telemetry.timed("search_by_facility"), self.locator.seats.taken(ctx.principal):
            answer = self.locator.places.search(asked, ctx, reader)
        if answer.people is not None:
            logger.info(
                "people at %s were listed",
                ", ".join(one.key for one in answer.facilities),
                extra={"request_id": ctx.request_id, "subject": ctx.subject_hash, "people": len(answer.people)},
            )
        return convert.place_reply(question, answer, Frame("facility", began, clock()), reader)

    def get_facility_info(self, question: FacilityQuestion, ctx: Context) -> Reply[FacilityAnswer]:
        """Say what is known of one detention facility: address, telephone, operator, capacity and population.

        Choose it when the facility is known by its name or official code (facility_id). Every figure has its date
        beside it; what this list does not have (services, visiting hours) is named under not_known and never guessed.
        """
        from packhorse_locator.convert import facilities as convert
        from packhorse_locator.convert.frames import Frame

        clock = self.locator.registry.host.clock
        began = clock()
        with self.locator.telemetry.timed("get_facility_info"), self.locator.seats.taken(ctx.principal):
            found, state = self.locator.places.one(name=question.facility_name, official_id=question.facility_id)
        return convert.facility_reply(question, found, state, Frame("facility_info", began, clock()))
