"""The services, imported when they are first asked."""

from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING

from packhorse import Host

if TYPE_CHECKING:
    from packhorse_discovery.service.services import Services


class OnProjects:
    """Works on one host's projects.

    The services, and the domain below them, are imported when the first call comes: they take an eighth of the time in
    which a host with all packs starts.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        self.jobs = find_spec("dbos") is not None  # packhorse[jobs]; without it a schedule is computed within the call

    @cached_property
    def services(self) -> "Services":
        """What the tools ask."""
        from packhorse_discovery.service.services import Services

        return Services.on(self.host)
