"""What a call would change, in words and by a dry run of it, and on which version: for a person who approves it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from attrs import frozen

from packhorse import Context, Tool
from packhorse_scheduling.domain.insight.wording import counted
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.generating import Generator
from packhorse_scheduling.service.versions import version_of

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
        named = arguments.get("schedule_id")
        published = self.desk.published()
        if named is None or (published is not None and named == published.schedule.id):
            return version_of(published.schedule if published is not None else None)
        return version_of(self.desk.opened(named).schedule)

    def published_version(self, ctx: Context, arguments: Arguments) -> str:
        """The version that publishing replaces."""
        published = self.desk.published()
        return version_of(published.schedule if published is not None else None)

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
        """How much of what is in force changes."""
        draft, now = self.desk.opened(arguments["schedule_id"]), self.desk.published()
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

    def generate_schedule(self, ctx: Context, arguments: Arguments) -> str:
        """For which days a draft is made; what would be refused before a search is refused here."""
        from packhorse_scheduling import convert

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
        """Who is away when."""
        return self._named("Recorded as away", arguments)

    def change_assignment(self, ctx: Context, arguments: Arguments) -> str:
        """Who does what in which half-day then."""
        to = arguments.get("service") or "free"
        return self._named(f"Changed by hand to {to}", arguments)

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
