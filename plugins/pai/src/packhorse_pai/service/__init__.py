"""The shell around the policy: folders, the store, the clock, and calls through the host's door.

The services, and the domain below them, are imported when the first call
comes: a server that starts needs what is published.
"""

from typing import TYPE_CHECKING

from packhorse import Fault, Host, UserError

if TYPE_CHECKING:
    from packhorse_pai.service.agents import AgentService

ESCALATIONS = "pai://escalations"
"""The resource of what was escalated last."""

PAGE = "/pai/decide/{key}"
"""The page of a decision; the key is the link's secret."""


def agents_of(host: Host) -> "AgentService":
    """The one service of a host: the guard must know the runs that the tools started."""
    from packhorse_pai.service.agents import AgentService

    return host.own(AgentService)


def is_fenced(host: Host) -> bool:
    """Whether what changes something can be called by agents alone."""
    return bool(getattr(host.settings, "fenced", False))


def unreadable(host: Host) -> list[Fault]:
    """What keeps a deployer's own folders from being read. Without such folders nothing is imported or read."""
    settings = host.settings
    if not any(getattr(settings, folder, None) for folder in ("cards", "governance", "playbooks")):
        return []
    try:
        _ = agents_of(host).library
    except UserError as exc:
        return [Fault("agents", str(exc.__cause__), "Correct the file, or the folder under [packs.pai].")]
    return []


class OnAgents:
    """Asks the services of one host."""

    def __init__(self, host: Host) -> None:
        self.host = host

    @property
    def service(self) -> "AgentService":
        """Everything that tools, pages and the guard ask."""
        return agents_of(self.host)
