"""How many of a bounded thing there are, and how many of them one caller may hold.

Calls at a time, sessions, streams and connections are all counted here, by
one rule, so that no caller can take what everybody needs.
"""

import logging
import threading
from collections.abc import Callable
from typing import Literal, NamedTuple, Self

from packhorse.contract.principal import Principal

logger = logging.getLogger("packhorse.dispatch")

RESERVE = 4
"""One in so many is kept for callers who have signed in."""

_WEIGHTS = {"anonymous": 1, "signed_in": 2}


class Holder(NamedTuple):
    """Who holds something: a verified subject, else an address. ``local`` is the deployer's own machine."""

    key: str
    rank: Literal["local", "signed_in", "anonymous"]


LOCAL = Holder("local", "local")


def holder_of(principal: Principal, address: str | None = None) -> Holder:
    """Whom something is counted for: the caller who signed in, else the address that a request came from."""
    person = principal.acts_for or principal
    if person.kind == "local":
        return LOCAL
    if person.kind != "anonymous" and person.subject is not None:
        return Holder(f"subject:{person.claims.get('iss')}|{person.subject}", "signed_in")
    return Holder(f"address:{address}", "anonymous")


class Shares:
    """Counts who holds how many of ``size`` things; safe to use from several threads.

    A caller may take one more while it holds no more than are still free. So
    one caller alone gets about half, two get a third each, and there is room
    for the next one (the dynamic threshold of Choudhury and Hahne, IEEE/ACM
    Transactions on Networking 6(2), 1998, with factor 1; for signed-in callers
    2). Of ``reserve`` things none goes to an anonymous caller. The local caller
    may take whatever is free.
    """

    def __init__(self, size: int, *, reserve: int = 0) -> None:
        self.size = size
        self.used = 0
        self._open = size - reserve
        self._anonymous = 0
        self._held: dict[str, int] = {}
        self._lock = threading.Lock()

    @classmethod
    def of(cls, size: int, *, signed_in: bool) -> Self:
        """With the usual reserve where callers can sign in."""
        return cls(size, reserve=size // RESERVE if signed_in else 0)

    def take(self, holder: Holder) -> bool:
        """Take one, if this caller may have one more."""
        with self._lock:
            free = self.free(holder)
            held = self._held.get(holder.key, 0)
            if free <= 0 or (holder.rank != "local" and held > free * _WEIGHTS[holder.rank]):
                return False
            self._count(holder, 1)
            return True

    def give(self, holder: Holder) -> None:
        with self._lock:
            self._count(holder, -1)

    def move(self, before: Holder, after: Holder) -> None:
        """What was held by one is held by another, whatever that one holds: a caller has shown who it is."""
        with self._lock:
            self._count(before, -1)
            self._count(after, 1)

    def free(self, holder: Holder) -> int:
        """How many there are for callers such as this one."""
        free = self.size - self.used
        return max(0, min(free, self._open - self._anonymous) if holder.rank == "anonymous" else free)

    def held(self, holder: Holder) -> int:
        return self._held.get(holder.key, 0)

    def _count(self, holder: Holder, by: int) -> None:
        self.used += by
        if holder.rank == "anonymous":
            self._anonymous += by
        left = self._held.get(holder.key, 0) + by
        if left:
            self._held[holder.key] = left
        else:
            del self._held[holder.key]


class Overdue:
    """Counts the threads that outlived the time of their call, by pack; with ``limit`` of them a pack is unwell.

    A thread cannot be ended. Those of one pack, which may wait for ever on a
    source that is down, are that pack's trouble and take no call from others.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._threads: dict[str, int] = {}
        self._lock = threading.Lock()

    def begin(self, pack: str) -> None:
        self._count(pack, 1)

    def end(self, pack: str) -> None:
        """One of them has ended; from any thread."""
        self._count(pack, -1)

    def of(self, pack: str) -> int:
        return self._threads.get(pack, 0)

    @property
    def unwell(self) -> list[str]:
        with self._lock:
            return sorted(pack for pack, threads in self._threads.items() if threads >= self.limit)

    def is_unwell(self, pack: str) -> bool:
        return self._threads.get(pack, 0) >= self.limit

    def counts(self) -> dict[str, int]:
        """How many there are, by pack; packs without any left out."""
        with self._lock:
            return {pack: threads for pack, threads in self._threads.items() if threads}

    def _count(self, pack: str, by: int) -> None:
        with self._lock:
            before = self._threads.get(pack, 0)
            now = self._threads[pack] = before + by
        if before < self.limit <= now:
            logger.error("pack %s is unwell: %d of its threads outlived their calls; no more are started", pack, now)
        elif now < self.limit <= before:
            logger.info("pack %s is well again", pack)


class Place:
    """What one call holds: one of the host's ``calls``, and one of its tool's ``own`` where that is bounded too.

    A block holds them to its end, unless a thread took them over with
    `hand_over`: then to the thread's end. A thread that outlives the time of
    its call gives back what others need (`outlived`) and counts against its
    pack; its tool's own stays taken, since that tool says how many it can run.
    """

    __slots__ = ("_calls", "_handed_over", "_holder", "_lock", "_overdue", "_own", "_pack", "_state")

    def __init__(self, holder: Holder, pack: str, overdue: Overdue, calls: Shares, own: Shares | None = None) -> None:
        self._holder = holder
        self._pack = pack
        self._overdue = overdue
        self._calls = calls
        self._own = own
        self._lock = threading.Lock()
        self._handed_over = False
        self._state: Literal["held", "outlived", "given"] = "held"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._handed_over:
            self._give()

    def hand_over(self) -> Callable[[], None]:
        """Leave it to a thread, which calls what this gives when it ends."""
        self._handed_over = True
        return self._give

    def outlived(self) -> None:
        """The time of the call is over, and its thread may still run."""
        with self._lock:
            if self._state != "held":
                return
            self._state = "outlived"
        self._calls.give(self._holder)
        self._overdue.begin(self._pack)

    def _give(self) -> None:
        # A thread that was queued when its call was given up may still run: only the first of the two counts.
        with self._lock:
            before, self._state = self._state, "given"
        if before == "given":
            return
        if before == "outlived":
            self._overdue.end(self._pack)
        else:
            self._calls.give(self._holder)
        if self._own is not None:
            self._own.give(self._holder)
