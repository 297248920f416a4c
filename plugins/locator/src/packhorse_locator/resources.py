"""Pages about the registry itself; nothing about anybody."""

from typing import Any

from attrs import frozen

from packhorse_locator.service.health import freshness_of, health_of
from packhorse_locator.service.registry import Registry
from packhorse_locator.service.remote import RemoteSources
from packhorse_locator.service.telemetry import Telemetry


@frozen
class LocatorPages:
    """Health and freshness."""

    registry: Registry
    remote: RemoteSources
    telemetry: Telemetry

    def health(self) -> dict[str, Any]:
        """Whether the registry, its name index and its sources are in order, and how long the tools take.

        Counts and figures, and nothing about anybody.
        """
        return health_of(self.registry, self.remote, self.telemetry)

    def freshness(self) -> dict[str, Any]:
        """Every source of the registry: what day its data describe, when they were loaded, and whether that is old."""
        return {"sources": freshness_of(self.registry, self.registry.stamps())}
