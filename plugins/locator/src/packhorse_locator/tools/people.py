"""Searches for a person."""

from typing import TYPE_CHECKING

from packhorse import Context, Principal, Reply
from packhorse_locator.models.answers import NameAnswer, NumberAnswer
from packhorse_locator.models.questions import NameSearch, NumberSearch
from packhorse_locator.service import OnLocator

if TYPE_CHECKING:
    from packhorse_locator.domain.answers import SourceState
    from packhorse_locator.domain.disclosure import Reader
    from packhorse_locator.service.remote import Question

ADVOCATES = frozenset({"ADVOCATE", "ADMIN"})
"""Roles that see record ids, people at a facility, watches and search records."""


def reader_of(principal: Principal) -> "Reader":
    """What a caller may see."""
    from packhorse_locator.domain.disclosure import Reader

    return Reader(is_trusted=principal.has_any(ADVOCATES))


class PeopleTools(OnLocator):
    """Plain functions: each call has a thread, a store and a seat of its own."""

    def search_by_name(self, question: NameSearch, ctx: Context) -> Reply[NameAnswer]:
        """Find a person in the detention registry whose name may have been written down wrongly or differently.

        Choose it when a first and a last name are known, in any spelling, script or order; write FNU or LNU for a
        part that is missing. When several fit equally, ask for the country and the year of birth and search again
        with them. Pass on what the summary says: not found does not mean not detained.
        """
        from packhorse_locator.convert import people as convert
        from packhorse_locator.convert.frames import Frame
        from packhorse_locator.service.people import NameQuestion

        clock = self.locator.registry.host.clock
        began, reader = clock(), reader_of(ctx.principal)
        parts = convert.check_names(
            first_name=question.first_name, last_name=question.last_name, middle_name=question.middle_name
        )
        asked = NameQuestion(
            first=parts["first_name"],
            last=parts["last_name"],
            middle=parts["middle_name"],
            fuzzy=question.fuzzy_match,
            phonetic=question.phonetic_matching,
            variants=question.cultural_variants,
            threshold=question.confidence_threshold,
            country=convert.check_country(question.country_of_birth),
            birth_year=question.birth_year,
        )
        with self.locator.telemetry.timed("search_by_name"), self.locator.seats.taken(ctx.principal):
            sources = self._ask(
                ctx,
                {
                    "first_name": asked.first,
                    "last_name": asked.last,
                    "alien_number": None,
                    "country_of_birth": asked.country,
                    "birth_year": asked.birth_year,
                },
            )
            answer = self.locator.people.by_name(asked, ctx, reader)
        sources = tuple(one.beside([found.person for found in answer.found]) for one in sources)
        return convert.name_reply(question, answer, Frame("name", began, clock(), sources), reader)

    def search_by_alien_number(self, question: NumberSearch, ctx: Context) -> Reply[NumberAnswer]:
        """Find a person in the detention registry by the A-number on their immigration papers.

        Choose it whenever the number is known: it is the surest way. It takes 8 or 9 digits with or without an A, and
        with include_history returns the facilities where the person was. It refuses a number that was never issued
        (unless validate_format is false) and says so when no record has it, which does not mean not detained.
        """
        from packhorse_locator.convert import people as convert
        from packhorse_locator.convert.frames import Frame

        clock = self.locator.registry.host.clock
        began, reader = clock(), reader_of(ctx.principal)
        number = convert.number_from(question)
        with self.locator.telemetry.timed("search_by_alien_number"), self.locator.seats.taken(ctx.principal):
            sources = self._ask(
                ctx,
                {
                    "first_name": None,
                    "last_name": None,
                    "alien_number": number,
                    "country_of_birth": None,
                    "birth_year": None,
                },
            )
            answer = self.locator.people.by_number(number, ctx, reader, history=question.include_history)
        sources = tuple(one.beside([found.person for found in answer.located]) for one in sources)
        frame = Frame("alien_number", began, clock(), sources)
        return convert.number_reply(answer, frame, reader, history=question.include_history)

    def _ask(self, ctx: Context, question: "Question") -> "tuple[SourceState, ...]":
        if not self.locator.remote:
            return ()
        states: tuple[SourceState, ...] = ctx.wait(self.locator.remote.ask, question, ctx)
        return states
