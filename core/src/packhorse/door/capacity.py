"""How many calls run at a time: of the host, of one tool, and of one caller among them."""

from packhorse.door.catalogue import Catalogue, Entry, ToolEntry
from packhorse.door.execution import Requester
from packhorse.door.shares import Overdue, Place, Shares, holder_of
from packhorse.errors import INTERNAL, UserError
from packhorse.settings import ServerSettings


class Capacity:
    """Gives each call its place: ``calls`` are the host's, ``of_tools`` those of tools with a number of their own."""

    def __init__(self, catalogue: Catalogue, settings: ServerSettings, *, signed_in: bool) -> None:
        self.calls = Shares.of(settings.concurrency, signed_in=signed_in)
        self.overdue = Overdue(settings.overdue_threads)
        self.of_tools = {
            name: Shares.of(entry.offer.concurrency, signed_in=signed_in)
            for name, entry in catalogue.tools.items()
            if entry.offer.concurrency is not None
        }

    def place(self, request: Requester, entry: Entry) -> Place:
        """One of the host's calls at a time and one of the tool's, within this caller's share.

        Raises:
            UserError: there is none for this caller now, or the pack does not end its calls.
        """
        if self.overdue.is_unwell(entry.pack):
            raise _unwell(entry.pack, self.overdue.of(entry.pack))
        holder = holder_of(request.principal, request.address)
        own = self.of_tools.get(entry.name) if isinstance(entry, ToolEntry) else None
        if not self.calls.take(holder):
            raise _busy("This server", self.calls, self.calls.held(holder))
        if own is not None and not own.take(holder):
            self.calls.give(holder)
            raise _busy("This tool", own, own.held(holder))
        return Place(holder, entry.pack, self.overdue, self.calls, own)


def _busy(what: str, shares: Shares, held: int) -> UserError:
    """``held`` is how many this caller has running itself. The limit in the details is the one that the words name."""
    if shares.used >= shares.size or not held:
        limit, whose = shares.used, "" if shares.used >= shares.size else " for callers who have not signed in"
        running, advice = f"{_calls(limit)}, the maximum{whose}", "Try again in a moment."
    else:
        limit = held
        running, advice = (
            f"{_calls(limit)} of yours, the maximum for one caller at present",
            "Wait for one of them.",
        )
    message = f"{what} is already running {running}. {advice}"
    return UserError(message, code="BUSY", jsonrpc_code=INTERNAL, details={"limit": limit})


def _calls(count: int) -> str:
    return f"{count} call{'s' if count != 1 else ''}"


def _unwell(pack: str, threads: int) -> UserError:
    return UserError(
        f"{_calls(threads)} of the pack {pack} are still running after their time limit, so the pack accepts no"
        " new calls for now. The other packs still work. Try again later; if that does not help, the operator must"
        " check the pack.",
        code="PACK_UNWELL",
        jsonrpc_code=INTERNAL,
        details={"pack": pack, "overdue_threads": threads},
    )
