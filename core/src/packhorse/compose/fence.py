"""The fence: clients change things only through agents, where a pack with a setting `fenced` judges those."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from packhorse.contract.host import Host
from packhorse.door.catalogue import HOST
from packhorse.errors import PackError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from packhorse.compose.deployment import Deployment
    from packhorse.settings import Settings

FLAG = "fenced"


def with_fence(own: Mapping[str, Any], model: "type[BaseModel]", settings: "Settings") -> Mapping[str, Any]:
    """A pack's own settings, with its fence up where the server's is."""
    return {**own, FLAG: True} if settings.server.fenced and FLAG in model.model_fields else own


def check_fence(settings: "Settings", hosts: Mapping[str, Host]) -> None:
    """Check that some pack keeps the fence that the server asks for.

    Raises:
        PackError: none does.
    """
    if settings.server.fenced and not any(getattr(host.settings, FLAG, False) for host in hosts.values()):
        raise PackError(
            "--fenced needs the pack pai, because only its agents may then change data. Serve pai too, for example with"
            " 'packhorse serve NAME pai --fenced', or leave out --fenced"
        )


def unfenced(deployment: "Deployment") -> int:
    """How many tools that change something a client can call without an agent; 0 without a pack that judges agents."""
    judging = {name for name, host in deployment.hosts.items() if getattr(host.settings, FLAG, None) is False}
    return sum(
        not tool.offer.read_only and tool.offer.reserved_for is None and tool.pack not in {HOST, *judging}
        for tool in deployment.catalogue.tools.values()
        if judging
    )
