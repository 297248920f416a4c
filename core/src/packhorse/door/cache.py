"""Results that are kept for a while, so that the same question is not worked out twice.

Only for offers that change nothing and declare a ttl. A result is found again
by the same arguments, over the same data, for callers who may see the same.
"""

import hashlib
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from packhorse.contract.content import Reply, size_of
from packhorse.contract.offers import Resource, Tool
from packhorse.contract.principal import Principal
from packhorse.contract.questions import InputRequired, Suspended
from packhorse.errors import PackError

if TYPE_CHECKING:
    import anyio

V = TypeVar("V")
Key = bytes

_PLAIN = frozenset({str, int, float, bool, type(None)})  # looked at before the call that would return them


def cacheable(offer: Tool | Resource, *, asks: bool = False) -> bool:
    """Whether results of ``offer`` may be kept; ``asks`` says that it puts questions to its caller.

    A subscribable resource is not: a client that hears of a change reads it at once.

    Raises:
        PackError: it declares a ttl, and must not: it may change something,
            its answer is part of a conversation, or the ttl is negative.
    """
    ttl = offer.ttl
    name = offer.uri if isinstance(offer, Resource) else offer.name or getattr(offer.fn, "__name__", "?")
    if ttl == 0:
        return False
    if ttl < 0:
        raise PackError(f"{name!r}: ttl is {ttl:g} seconds; it must be 0 (never cached) or more")
    if isinstance(offer, Tool) and (offer.destructive or not offer.read_only):
        raise PackError(
            f"tool {name!r}: results are cached (ttl={ttl:g}) only if the tool changes nothing. Set"
            " read_only=True, or remove the ttl"
        )
    if asks:
        raise PackError(
            f"{name!r}: its result cannot be cached, because it depends on the caller's answers. Remove the ttl"
        )
    return not (isinstance(offer, Resource) and offer.subscribable)


def visibility_class(principal: Principal, offer: Tool | Resource) -> tuple[str, ...] | None:
    """What of a caller may change an answer: its kind, roles and scopes, and no more.

    With ``per_caller`` also who it is and for whom it acts; then None, which
    means that nothing may be kept, where nobody can say who it is. An answer
    that depends on a caller's claims needs ``per_caller``.
    """
    seen: tuple[str, ...] = (
        principal.kind,
        (principal.acts_for or principal).kind,
        json.dumps(sorted(principal.roles)),
        json.dumps(sorted(principal.scopes)),
    )
    if not offer.per_caller:
        return seen
    if principal.subject is None:
        # The local principal is the person at the machine; any other without a subject may be anybody.
        return seen if principal.kind == "local" else None
    issuer = principal.claims.get("iss")
    return (*seen, json.dumps([principal.subject, issuer if isinstance(issuer, str) else None, *principal.chain]))


def key_of(name: str, arguments: Mapping[str, Any], data_version: str, seen: Sequence[str]) -> Key:
    """Where a result is kept; a digest, so that no argument stays in memory for it.

    ``arguments`` are the validated ones, with their defaults. They are written
    with sorted names and no spaces, as RFC 8785 has it; numbers as Python
    writes them, since nobody else reads this.
    """
    text = json.dumps(
        [name, data_version, list(seen), arguments],
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
        default=dict,  # frozen mappings
    )
    return hashlib.sha256(text.encode("ascii")).digest()


def copy_of(value: Any) -> Any:
    """A copy whose lists and mappings are its own, so that nobody changes what another will get.

    Everything else in an answer is frozen.
    """
    if isinstance(value, dict):
        return {key: item if type(item) in _PLAIN else copy_of(item) for key, item in value.items()}
    if isinstance(value, list):
        return [item if type(item) in _PLAIN else copy_of(item) for item in value]
    if isinstance(value, tuple):
        return tuple(copy_of(item) for item in value)
    if isinstance(value, Reply):
        return replace(
            value, structured=copy_of(value.structured), content=list(value.content), meta=copy_of(dict(value.meta))
        )
    return value


@dataclass(frozen=True, slots=True)
class _Kept(Generic[V]):
    value: V
    size: int
    ttl: float

    def own(self) -> V:
        value: V = copy_of(self.value)
        return value


class _Flight(Generic[V]):
    """One computation under way, and what came of it. Without either, its caller went away."""

    __slots__ = ("failure", "kept", "landed")

    def __init__(self) -> None:
        self.landed: anyio.Event | None = None
        self.kept: _Kept[V] | None = None
        self.failure: Exception | None = None


class ResultCache:
    """Keeps results until their time is up or the room is needed, the least recently used going first.

    Equal questions asked at the same time are worked out once. For one event
    loop; ``clock`` gives seconds that never go back.
    """

    def __init__(self, max_entries: int, max_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        import cachetools

        self._max_entries = max_entries
        self._kept: cachetools.TLRUCache[Key, _Kept[Any], float] = cachetools.TLRUCache(
            max_bytes, lambda key, kept, now: now + kept.ttl, clock, getsizeof=lambda kept: kept.size
        )
        self._flights: dict[Key, _Flight[Any]] = {}

    async def result(self, key: Key, ttl: float, compute: Callable[[], Awaitable[V]]) -> V:
        """The result kept under ``key``, else what ``compute`` gives, kept for ``ttl`` seconds from then.

        Who asks while it is being computed waits and gets the same. A failure
        reaches all of them and is not kept. When the computing caller is
        cancelled, the next of those who wait computes. A question to the
        caller (`InputRequired`) is given to nobody else.
        """
        while True:
            found: _Kept[V] | None = self._kept.get(key)
            if found is not None:
                return found.own()
            flight: _Flight[V] | None = self._flights.get(key)
            if flight is None:
                return await self._compute(key, ttl, compute)
            await self._landing(flight)
            if flight.failure is not None:
                raise flight.failure
            if flight.kept is not None:
                return flight.kept.own()

    async def _compute(self, key: Key, ttl: float, compute: Callable[[], Awaitable[V]]) -> V:
        flight: _Flight[V] = _Flight()
        self._flights[key] = flight
        try:
            value = await compute()
        except Exception as exc:
            flight.failure = exc
            raise
        else:
            if not isinstance(value, InputRequired | Suspended):
                flight.kept = self._keep(key, value, ttl)
            return value
        finally:
            del self._flights[key]
            if flight.landed is not None:
                flight.landed.set()

    async def _landing(self, flight: _Flight[Any]) -> None:
        if flight.landed is None:
            import anyio

            flight.landed = anyio.Event()
        await flight.landed.wait()

    def _keep(self, key: Key, value: V, ttl: float) -> _Kept[V]:
        kept = _Kept(copy_of(value), size_of(value), ttl)
        if kept.size <= self._kept.maxsize:
            while len(self._kept) >= self._max_entries:
                self._kept.popitem()
            self._kept[key] = kept
        return kept
