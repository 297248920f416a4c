"""The shell: opens the store, reads the clock, asks the domain, saves.

The services, and the domain below them, are imported when the first call
comes: a server that starts needs what is published.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packhorse_locator.service.locator import Locator


class OnLocator:
    """Asks the services of one host, which are made when they are first asked."""

    def __init__(self, services: "Callable[[], Locator]") -> None:
        self._services = services

    @property
    def locator(self) -> "Locator":
        """What tools and resources ask."""
        return self._services()
