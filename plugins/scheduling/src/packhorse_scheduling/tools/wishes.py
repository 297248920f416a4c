"""Wishes, as people rank them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from packhorse import Context, Reply, Text
from packhorse_scheduling.errors import not_allowed
from packhorse_scheduling.models.changes import WishesQuestion
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.tools.changes import check_person, is_planner

if TYPE_CHECKING:
    from packhorse_scheduling.domain.programme.people import Person


@frozen
class WishTools:
    """Ranking wishes and reading them back."""

    desk: RosterDesk

    def rank_wishes(self, question: WishesQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Keep a person's wishes for days off or to work in place of earlier ones; without wishes, list them."""
        from packhorse_scheduling.convert import wishes as convert
        from packhorse_scheduling.service.wishes import WishDesk

        _, programme = self.desk.programme()
        person = self._person(programme.people, question.person_id, ctx)
        if question.wishes is not None:
            check_person(ctx)
            rows = convert.wishes_of(programme, person.key, question.wishes, self.desk.today())
            WishDesk(self.desk).rank(person.key, rows, ctx.principal.subject)
        _, programme = self.desk.programme()
        body = convert.ranked_from(programme, person, WishDesk(self.desk).in_force())
        return Reply(body, (Text(convert.ranked_words(body)),), in_words=True)

    def _person(self, people: tuple[Person, ...], given: str, ctx: Context) -> Person:
        from packhorse_scheduling.convert.references import is_own, one_person

        if not is_planner(ctx) and not is_own(people, given, ctx.principal.subject):
            raise not_allowed("You may rank only your own wishes. Give your own name or id, or ask a coordinator.")
        return people[one_person(people, given)]
