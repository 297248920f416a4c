"""Remote sources: tools of other packs that are asked for records beside the registry's own.

A pack becomes a source by offering a tool, and a deployer names it under
``sources``. The tool takes what is known of the person (``first_name`` and
``last_name``, or ``alien_number``; perhaps ``country_of_birth`` and
``birth_year``; all but the first three may be null) and returns
``{"as_of": "2026-11-01", "records": [...]}``, each record with the columns of
``packhorse locator import``. It is called through the host's door as this pack,
and hidden from everybody else (``Pack.reserves``): what it returns reaches
callers only through the registry, masked, suppressed and without those who may
be under 18. What it returns is kept in the registry under the
tool's name: searched like all else, and still there when the tool does not
answer. It is asked up to three times; after five failures it is left alone for
half a minute (`packhorse_locator.service.sources`). While it fails it is asked fewer questions
at a time, down to one; the others are answered from what it gave before.
"""

from __future__ import annotations

import hmac
import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from packhorse import Context, RequestError, UserError
from packhorse_locator.domain.answers import SourceState
from packhorse_locator.domain.person_rows import COLUMNS
from packhorse_locator.service.files import Line
from packhorse_locator.service.pace import Pace

if TYPE_CHECKING:
    from packhorse_locator.service.registry import Registry
    from packhorse_locator.service.sources import Breaker, Retry, Source

logger = logging.getLogger("packhorse.locator")

MOST_RECORDS = 50
"""Records taken from one answer of a source."""

KEPT_DAYS = 7
"""How long records that a source gave stay in the registry when it is not asked for them again."""

MOST_REMEMBERED = 10_000
"""Questions remembered as asked; the oldest goes first."""

_PASSING = frozenset({"TIMEOUT", "INTERNAL_ERROR", "BUSY", "SOURCE_DOWN"})
"""Refusals that say nothing of the question: the source may answer it later."""

Question = Mapping[str, str | int | None]


@frozen
class SourceAnswer:
    """What a source knows: the day its data describe, and rows under the pack's column names."""

    as_of: date
    rows: Sequence[Mapping[str, object]]


class RecordSource(Protocol):
    """Whatever can be asked for records of a person."""

    @property
    def name(self) -> str:
        """The source's name, under which its records are kept."""
        ...

    async def find(self, question: Question, ctx: Context) -> SourceAnswer:
        """The records that fit.

        Raises:
            Transient: it did not answer, and may later.
            ValueError: its answer is not of the agreed shape.
        """
        ...


@frozen
class ToolSource:
    """A tool of another pack, asked through the host."""

    name: str
    attempt_seconds: float

    async def find(self, question: Question, ctx: Context) -> SourceAnswer:
        """As `RecordSource.find`."""
        import anyio

        from packhorse_locator.service.sources import Transient

        reply = None
        with anyio.move_on_after(self.attempt_seconds):
            try:
                reply = await ctx.as_pack().call(self.name, dict(question))
            except UserError as exc:
                if exc.code in _PASSING:
                    raise Transient(exc.code) from exc
                raise
        if reply is None:
            raise Transient("no answer in time")
        return _answer_from(reply.structured)


class RemoteSources:
    """All remote sources of a deployment."""

    def __init__(
        self,
        registry: Registry,
        sources: Sequence[RecordSource],
        *,
        keep: timedelta,
        retry: Retry | None = None,
        breaker: Breaker | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.registry = registry
        self._sources = {source.name: source for source in sources}
        self._keep = keep
        self._retry = retry
        self._breaker = breaker
        self._monotonic = monotonic
        self._doors: dict[str, Source] = {}
        self._paces = {source.name: Pace() for source in sources}
        self._remembered_hits = self._remembered_misses = 0
        self._asked: dict[tuple[str, str], tuple[datetime, date]] = {}
        self._salt = registry.host.new_id().encode()

    def __bool__(self) -> bool:
        return bool(self._sources)

    async def ask(self, question: Question, ctx: Context) -> tuple[SourceState, ...]:
        """Ask every source at once, bring what they know into the registry, and say how each fared."""
        import anyio

        states: dict[str, SourceState] = {}

        async def one(source: RecordSource) -> None:
            states[source.name] = await self._one(source, question, ctx)

        async with anyio.create_task_group() as group:
            for source in self._sources.values():
                group.start_soon(one, source)
        return tuple(states[name] for name in self._sources)

    def states(self) -> dict[str, str]:
        """How each source is: ``up``, ``down`` (left alone) or ``trying``."""
        return {name: self._doors[name].state if name in self._doors else "up" for name in self._sources}

    def memory(self) -> dict[str, int | float]:
        """How often a question had been asked within the time that an answer is kept, and how often not."""
        hits, misses = self._remembered_hits, self._remembered_misses
        return {"hits": hits, "misses": misses, "hit_ratio": round(hits / (hits + misses), 3) if hits + misses else 0.0}

    def widths(self) -> dict[str, int]:
        """How many questions at a time each source is asked now."""
        return {name: pace.width for name, pace in self._paces.items()}

    async def _one(self, source: RecordSource, question: Question, ctx: Context) -> SourceState:
        import anyio.to_thread

        from packhorse_locator.service.sources import SourceDown

        now = self.registry.host.clock()
        key = (source.name, self._digest(question))
        before = self._asked.get(key)
        if before is not None and now - before[0] < self._keep:
            self._remembered_hits += 1
            return SourceState(source.name, "answered", before[1])
        self._remembered_misses += 1
        pace, answered = self._paces[source.name], False
        # Of a question that it never answered there is nothing to stand in, whatever else it gave.
        without = SourceState(source.name, "kept" if before else "missing", before[1] if before else None)
        if not pace.begin():
            return without
        try:
            answer = await self._door(source.name).call_async(lambda: source.find(question, ctx), idempotent=True)
            await anyio.to_thread.run_sync(self._take, source.name, answer)
        except (SourceDown, UserError, RequestError, ValueError) as exc:
            logger.warning("the source %s gave no records (%s)", source.name, type(exc).__name__)
            return without
        else:
            answered = True
        finally:
            pace.end(answered=answered)
        self._remember(key, (now, answer.as_of))
        return SourceState(source.name, "answered", answer.as_of)

    def _door(self, name: str) -> Source:
        if name not in self._doors:
            from packhorse_locator.service.sources import Source

            host = self.registry.host
            self._doors[name] = Source(
                name, retry=self._retry, breaker=self._breaker, clock=host.clock, monotonic=self._monotonic
            )
        return self._doors[name]

    def _take(self, name: str, answer: SourceAnswer) -> None:
        from packhorse_locator.service.loading import Loader
        from packhorse_locator.store import people

        if not answer.rows:
            return
        lines = [
            Line(number, {column: row.get(column) for column in COLUMNS})
            for number, row in enumerate(answer.rows[:MOST_RECORDS], start=1)
        ]
        listed = self.registry.suppression.listed()
        with self.registry.opened() as store:
            loader = Loader(store, self.registry.host.clock(), listed)
            loader.people_from(lines, name, answer.as_of, remote=True)
            people.remove_older(store, name, answer.as_of - timedelta(days=KEPT_DAYS))

    def _remember(self, key: tuple[str, str], answered: tuple[datetime, date]) -> None:
        self._asked.pop(key, None)
        self._asked[key] = answered
        while len(self._asked) > MOST_REMEMBERED:
            del self._asked[next(iter(self._asked))]

    def _digest(self, question: Question) -> str:
        text = json.dumps(dict(question), sort_keys=True, ensure_ascii=False).casefold()
        return hmac.digest(self._salt, text.encode(), "sha256").hex()


def _answer_from(value: Any) -> SourceAnswer:
    if not isinstance(value, Mapping) or not isinstance(value.get("records"), list):
        raise ValueError("a source must return an object with as_of and records")  # noqa: TRY004 - it is data
    # A record that is no object is one bad row, as in a file: the others are taken.
    rows = [row if isinstance(row, Mapping) else {} for row in value["records"]]
    return SourceAnswer(date.fromisoformat(str(value.get("as_of"))), rows)
