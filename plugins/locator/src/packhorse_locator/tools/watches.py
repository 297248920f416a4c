"""What advocates need beside a search: watches, and a dated record of a search."""

from packhorse import Context, Principal, Reply
from packhorse_locator.models.answers import SearchRecord, WatchAnswer, WatchEnded, WatchList
from packhorse_locator.models.questions import RecordRequest, WatchEnd, WatchRequest
from packhorse_locator.service import OnLocator
from packhorse_locator.tools.people import reader_of


class AdvocateTools(OnLocator):
    """For advocates, administrators and the local principal."""

    def watch_person(self, request: WatchRequest, ctx: Context) -> Reply[WatchAnswer]:
        """Keep a watch on one record, so that review_watches tells when the person is moved or the status changes.

        Choose it after a search has found the right record; take its record_id. Watching twice changes nothing. It
        refuses an id that the registry does not have, and more than 100 watches.
        """
        from packhorse_locator.convert import watches as convert

        watch, person, place = self.locator.watches.start(_owner(ctx.principal), request.record_id)
        return convert.watch_reply(watch, person, place)

    def review_watches(self, ctx: Context) -> Reply[WatchList]:
        """Say for each of your watches what has changed since you last asked, and where the person is now.

        Choose it after the registry has been updated. What is reported counts as known from then on. A person who is no
        longer in the registry is reported as gone, which can mean released, removed or merely dropped by the source.
        """
        from packhorse_locator.convert import watches as convert
        from packhorse_locator.convert.frames import Frame

        clock = self.locator.registry.host.clock
        began = clock()
        reports, state = self.locator.watches.review(_owner(ctx.principal))
        return convert.review_reply(reports, state, Frame("watches", began, clock()))

    def stop_watching(self, request: WatchEnd, ctx: Context) -> WatchEnded:
        """End one of your watches, by the watch_id that review_watches gives.

        Choose it when a case is closed. It answers ended false where you keep no watch of that id.
        """
        return {
            "watch_id": request.watch_id,
            "ended": self.locator.watches.stop(_owner(ctx.principal), request.watch_id),
        }

    def print_search_record(self, request: RecordRequest, ctx: Context) -> Reply[SearchRecord]:
        """Search by name and make a dated page to print or file: what was asked, of which data, and what was found.

        Choose it for a case file or a court. The page is Markdown in English or Spanish; it shows no birth dates and
        no whole A-numbers, and says that a match is of the name and not of the person. It refuses what search_by_name
        refuses.
        """
        from packhorse_locator.convert import people as convert_people
        from packhorse_locator.convert import watches as convert
        from packhorse_locator.convert.frames import Frame
        from packhorse_locator.service.people import NameQuestion

        clock = self.locator.registry.host.clock
        began = clock()
        parts = convert_people.check_names(
            first_name=request.first_name, last_name=request.last_name, middle_name=request.middle_name
        )
        asked = NameQuestion(
            first=parts["first_name"],
            last=parts["last_name"],
            middle=parts["middle_name"],
            threshold=request.confidence_threshold,
            country=convert_people.check_country(request.country_of_birth),
            birth_year=request.birth_year,
        )
        answer = self.locator.people.by_name(asked, ctx, reader_of(ctx.principal))
        stamps = self.locator.registry.stamps()
        frame = Frame("name", began, clock())
        return convert.record_reply(request, answer, stamps, frame, reader_of(ctx.principal))


def _owner(principal: Principal) -> str:
    """Whose watches they are; the local principal is the user of the machine."""
    return f"{principal.claims.get('iss', '')}|{principal.subject}" if principal.subject else principal.kind
