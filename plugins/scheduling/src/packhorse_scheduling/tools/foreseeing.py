"""What a call would change, in words and by a dry run of it, and on which version: for a person who approves it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from attrs import frozen

from packhorse import Context, Reply, Text, Tool
from packhorse_scheduling.domain.insight.wording import counted
from packhorse_scheduling.domain.programme.kinds import LEAVE_KINDS
from packhorse_scheduling.models.changes import RotationQuestion
from packhorse_scheduling.models.inbox import AnswerQuestion, AssignQuestion
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.tools.changes import check_acts_for, is_planner
from packhorse_scheduling.tools.inbox import InboxTools
from packhorse_scheduling.tools.rotations import RotationTools

Arguments = Mapping[str, Any]
Preview = Callable[[Context, Arguments], str]


def foreseen(desk: RosterDesk, tools: list[Tool]) -> list[Tool]:
    """The tools; those that change something say beforehand what, and all of them on which version they act."""
    ahead = Foreseeing(desk)
    of = {"publish_schedule": ahead.published_version}
    return [
        replace(
            tool,
            version=of.get(getattr(tool.fn, "__name__", ""), ahead.version),
            preview=None if tool.read_only else ahead.preview_of(tool),
        )
        for tool in tools
    ]


@frozen
class Foreseeing:
    """Looks, and writes nothing."""

    desk: RosterDesk

    def version(self, ctx: Context, arguments: Arguments) -> str:
        """The version of the schedule that a call names; of the published one where it names none."""
        from packhorse_scheduling.service.versions import version_of

        named = arguments.get("schedule_id")
        published = self.desk.published()
        if named is None or (published is not None and named == published.schedule.id):
            return version_of(published.schedule if published is not None else None)
        return version_of(self.desk.opened(named).schedule)

    def published_version(self, ctx: Context, arguments: Arguments) -> str:
        """The version that publishing replaces."""
        from packhorse_scheduling.service.versions import replaced

        with self.desk.rosters() as rosters:
            return replaced(rosters)

    def preview_of(self, tool: Tool) -> Preview:
        """A tool's own dry run; its title and whom it is about where nothing of the roster changes."""
        made: Preview | None = getattr(self, getattr(tool.fn, "__name__", ""), None)
        return made or (lambda ctx, arguments: self._named(tool.title or "", arguments))

    def execute_swap(self, ctx: Context, arguments: Arguments) -> str:
        """Who works what on which day then."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.inbox import effect_words, swap_effect_from
        from packhorse_scheduling.domain.insight.wording import violation_words, warned
        from packhorse_scheduling.service.swapping import SwapDesk

        swaps, opened = SwapDesk(self.desk), self.desk.current()
        swap = swaps.swap(arguments["swap_id"])
        number = opened.schedule.version
        if arguments.get("take_back"):
            names = {person.key: person.name for person in opened.programme.people}
            days = ", ".join(dict.fromkeys(undo.day for undo in swap.changes))
            who = " and ".join(names.get(key, key) for key in swap.parties)
            return f"The swap of {who} is taken back: {days} are as before in a new version after {number}."
        swaps.check_agreed(swap)
        verdict = swaps.verdict(opened, swap, convert.slots_from(opened.kernel, swap.blocks))
        told = [violation_words(opened.kernel, one) for one in verdict.violations]
        words = effect_words(swap_effect_from(opened, verdict.cells))
        return f"{words} Version {number} becomes a new one.{warned(told)}"

    def publish_schedule(self, ctx: Context, arguments: Arguments) -> str:
        """How much of what is in force changes; what could not be published is refused here."""
        draft, now = self.desk.opened(arguments["schedule_id"]), self.desk.published()
        self.desk.publishable(draft.schedule.id, now)
        said = f"Draft version {draft.schedule.version} is put in force, {draft.schedule.compliance.lower()}"
        if now is None:
            return f"{said}: the first, with {counted(len(draft.schedule.cells), 'half-day')} of duty."
        differ = frozenset(now.schedule.cells) ^ frozenset(draft.schedule.cells)
        people = {person.key: person.name for person in draft.programme.people}
        names = sorted({people.get(cell[0], cell[0]) for cell in differ})
        about = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
        return (
            f"{said}, in place of version {now.schedule.version}. It differs for"
            f" {counted(len(names), 'person', 'people')}{': ' + about if names else ''}."
        )

    def snapshot_schedule(self, ctx: Context, arguments: Arguments) -> str:
        """Of which version a copy is kept, and under which label."""
        version = self.desk.opened(arguments.get("schedule_id")).schedule.version
        return f"A copy of version {version} is kept as «{arguments['label']}». What is in force stays."

    def generate_schedule(self, ctx: Context, arguments: Arguments) -> str:
        """For which days a draft is made; what would be refused before a search is refused here."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.service.generating import Generator

        start, end = (convert.day_from(key, arguments[key]) for key in ("start_date", "end_date"))
        year, mode = arguments["academic_year"], arguments["generation_mode"]
        enforce = arguments["constraints"]["enforce_acgme_compliance"]
        begun = Generator(self.desk).start(year, start, end, mode, enforce=enforce)
        return (
            f"A draft is made for {start} to {end}, {(end - start).days + 1} days, {mode}, for"
            f" {counted(len(begun.kernel.programme.people), 'person', 'people')}. What is in force stays until it is"
            " published."
        )

    def record_leave(self, ctx: Context, arguments: Arguments) -> str:
        """Who is away when, and with what of the roster that collides."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.inbox import effect_words, leave_effect_from
        from packhorse_scheduling.convert.references import chosen
        from packhorse_scheduling.domain.change.notices import new_violations
        from packhorse_scheduling.service.absences import AbsenceDesk

        check_acts_for(self.desk, ctx, arguments["person_id"])
        opened, desk, binds = self.desk.current(), AbsenceDesk(self.desk), is_planner(ctx)
        person = opened.programme.people[convert.person_from(opened.kernel, arguments["person_id"])]
        start, end = (convert.day_from(key, arguments[key]) for key in ("start_date", "end_date"))
        kind = chosen("kind", arguments["kind"], LEAVE_KINDS)
        record, was, over = desk.leave_asked(opened, person.key, start, end, kind, approved=binds, by=None)
        about = f"{person.name}, {record.kind} from {record.start} to {record.end}"
        if not binds:
            return f"Leave is asked for, which a coordinator answers: {about}."
        after = desk.under(opened, record, was, over)
        effect = leave_effect_from(after, record, new_violations(opened, after)[0])
        return f"Leave is recorded and binds at once: {about}. {effect_words(effect)}"

    def repair_schedule(self, ctx: Context, arguments: Arguments) -> str:
        """What a draft is sought for; whose absences are recorded, which binds at once."""
        from packhorse_scheduling import convert

        base = self.desk.newest(self.desk.opened(arguments.get("schedule_id")))
        told = [
            f"{base.programme.people[convert.person_from(base.kernel, one['person_id'])].name}, {one['kind']} from"
            f" {one['start_date']} to {one['end_date']}"
            for one in arguments.get("absences") or ()
        ]
        leave = f" Recorded as approved leave at once: {'; '.join(told)}." if told else ""
        version = base.schedule.version
        return f"A draft is kept that mends version {version} from today on with the fewest changes.{leave}"

    def request_swap(self, ctx: Context, arguments: Arguments) -> str:
        """Who is asked, and what would change once both have accepted."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.inbox import effect_words, swap_effect_from
        from packhorse_scheduling.service.swapping import SwapDesk

        check_acts_for(self.desk, ctx, arguments["requester_id"])
        opened = self.desk.current()
        one, other = (
            convert.person_from(opened.kernel, arguments[key]) for key in ("requester_id", "target_person_id")
        )
        slots = convert.slots_from(opened.kernel, arguments["block_ids"], (opened, one))
        verdict = SwapDesk(self.desk).judged(opened, arguments["swap_type"], one, other, slots)
        names = " and ".join(opened.programme.people[p].name for p in (one, other))
        effect = effect_words(swap_effect_from(opened, verdict.cells))
        return f"A swap is asked for, which {names} must accept. Carried out: {effect}"

    def respond_swap(self, ctx: Context, arguments: Arguments) -> str:
        """Which swap is answered, and how."""
        words = "accepted" if arguments["accept"] else "declined"
        return f"The swap is {words} for one of its people: {self._request(arguments['swap_id'])}"

    def withdraw_request(self, ctx: Context, arguments: Arguments) -> str:
        """Which request is taken back, or which leave ends when."""
        since = arguments.get("from_date")
        return f"Taken back{f' from {since} on' if since else ''}: {self._request(arguments['request_id'])}"

    def answer_request(self, ctx: Context, arguments: Arguments) -> str:
        """What the answer would change: the tool's own words where nothing is confirmed."""
        question = AnswerQuestion.model_validate({**arguments, "confirm": False})
        said = self._said(InboxTools(self.desk).answer_request(question, ctx))
        return f"{self._request(arguments['request_id'])}: {arguments['decision']}. {said}"

    def change_assignment(self, ctx: Context, arguments: Arguments) -> str:
        """Who does what in which half-day then, and which rules that breaks."""
        question = AssignQuestion.model_validate({**arguments, "confirm": False})
        return self._said(InboxTools(self.desk).change_assignment(question, ctx))

    def change_rotation(self, ctx: Context, arguments: Arguments) -> str:
        """Which half-days of whom another rotation would change."""
        question = RotationQuestion.model_validate({**arguments, "confirm": False})
        return self._said(RotationTools(self.desk).change_rotation(question, ctx))

    def rank_wishes(self, ctx: Context, arguments: Arguments) -> str:
        """Whose wishes are kept in place of which."""
        from packhorse_scheduling.convert import wishes as convert
        from packhorse_scheduling.convert.references import one_person

        _, programme = self.desk.programme()
        person = programme.people[one_person(programme.people, arguments["person_id"])]
        before = convert.ranked_words(convert.ranked_from(programme, person, None))
        if arguments.get("wishes") is None:
            return before
        convert.wishes_of(programme, person.key, arguments["wishes"], self.desk.today())
        return f"{person.name} wishes then: {', '.join(arguments['wishes']) or 'nothing'}. Until now: {before}"

    def _request(self, key: str) -> str:
        """A request in words: whose, what and when."""
        from packhorse_scheduling.convert.inbox import request_from, request_words
        from packhorse_scheduling.service.inbox import InboxDesk

        return request_words(request_from(self.desk.current(), InboxDesk(self.desk).request(key)))

    def _said(self, reply: Reply[dict[str, Any]]) -> str:
        """What a tool says that was called without confirm, without its own last sentence about that."""
        (text,) = (one.text for one in reply.content if isinstance(one, Text))
        return text.split(" Nothing is ", 1)[0]

    def _named(self, what: str, arguments: Arguments) -> str:
        """What is done, with people by their names and the rest as it was given."""
        from packhorse_scheduling.convert.references import people_named

        published = self.desk.published()
        people = published.programme.people if published is not None else ()
        said = []
        for key, value in arguments.items():
            shown = value
            if key.endswith("person_id") and isinstance(value, str):
                found = people_named(people, value)
                shown = people[found[0]].name if len(found) == 1 else value
            if shown not in (None, "", [], False):
                said.append(f"{key.removesuffix('_id').replace('_', ' ')} {shown}")
        return f"{what.rstrip('?.')}: {', '.join(said) or 'the schedule in force'}."
