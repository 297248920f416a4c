"""Pages kept for a while, in this process or in Redis.

A page is kept under the state of what is published: whatever changes that,
in this process or another, changes the key, so that nobody is given an old
page. The time to live only bounds what a page says of "now".
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Protocol

from attrs import define, field

from packhorse_scheduling.errors import unavailable

logger = logging.getLogger("packhorse_scheduling.pages")

MOST_PAGES = 64
_PREFIX = "packhorse:scheduling:page:"


class Shelf(Protocol):
    """Where pages lie."""

    def get(self, key: str) -> str | None: ...
    def put(self, key: str, text: str, seconds: int) -> None: ...


class NoShelf:
    """Keeps nothing."""

    def get(self, key: str) -> str | None:
        """Never anything."""
        return None

    def put(self, key: str, text: str, seconds: int) -> None:
        """Let it go."""


@define(slots=False, eq=False)
class MemoryShelf:
    """In this process; the least recently used page goes first. ``clock`` gives seconds that never go back."""

    clock: Callable[[], float] = time.monotonic
    _pages: "OrderedDict[str, tuple[float, str]]" = field(factory=OrderedDict, init=False)
    _lock: Lock = field(factory=Lock, init=False)

    def get(self, key: str) -> str | None:
        """The page, unless its time is up."""
        with self._lock:
            found = self._pages.get(key)
            if found is None:
                return None
            if self.clock() >= found[0]:
                del self._pages[key]
                return None
            self._pages.move_to_end(key)
            return found[1]

    def put(self, key: str, text: str, seconds: int) -> None:
        """Keep a page."""
        with self._lock:
            self._pages[key] = (self.clock() + seconds, text)
            while len(self._pages) > MOST_PAGES:
                self._pages.popitem(last=False)


class RedisShelf:
    """In Redis, for several processes. When it does not answer, pages are made anew and a warning is logged.

    Raises:
        UserError: packhorse-scheduling[redis] is not installed.
    """

    def __init__(self, url: str) -> None:
        try:
            import redis
        except ImportError as exc:
            raise unavailable("Pages in Redis need redis: pip install 'packhorse-scheduling[redis]'.") from exc
        self._failure = redis.RedisError
        self._redis = redis.Redis.from_url(url, socket_timeout=1, socket_connect_timeout=1, decode_responses=True)

    def get(self, key: str) -> str | None:
        """The page, where it is kept and Redis answers."""
        try:
            found = self._redis.get(_PREFIX + key)
        except self._failure as exc:
            logger.warning("a page could not be looked up in Redis: %s", type(exc).__name__)
            return None
        return found if isinstance(found, str) else None

    def put(self, key: str, text: str, seconds: int) -> None:
        """Keep a page, where Redis answers."""
        try:
            self._redis.set(_PREFIX + key, text, ex=seconds)
        except self._failure as exc:
            logger.warning("a page could not be kept in Redis: %s", type(exc).__name__)


@define(slots=False, eq=False)
class Pages:
    """Gives a page from the shelf, or makes it and keeps it. ``state`` says what it is made of at this moment."""

    shelf: Shelf
    state: Callable[[], str]
    seconds: Callable[[str], int]

    def page(self, uri: str, make: Callable[[], str]) -> str:
        """The text of a page. What ``make`` refuses is not kept."""
        if isinstance(self.shelf, NoShelf):
            return make()
        key = f"{uri}:{self.state()}"
        found = self.shelf.get(key)
        if found is None:
            found = make()
            self.shelf.put(key, found, self.seconds(uri))
        return found
