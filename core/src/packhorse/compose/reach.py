"""Tools that no caller over HTTP can use, those that anybody can, and what their deployer does about both."""

from collections import Counter
from collections.abc import Iterator, Mapping

from packhorse.compose.deployment import Deployment
from packhorse.contract.principal import ANONYMOUS
from packhorse.door.catalogue import HOST, ToolEntry

CURE = (
    "Set `secret` under [auth], made with openssl rand -hex 32 (then 'packhorse token' makes tokens for testing),"
    " or add [[auth.issuers]]; or serve over stdio, where the caller has every role"
)


def unreachable(deployment: Deployment, transport: str | None = None) -> Mapping[str, int]:
    """How many tools of each pack nobody can call over ``transport``, that of the settings when None.

    They ask for a role. There are none over standard input and output, and none where somebody
    verifies callers: any role may stand in a token.
    """
    seen = deployment.dispatcher.visible
    tools = _of_strangers(deployment, transport)
    return Counter(tool.pack for tool in tools if not seen(ANONYMOUS, tool.offer))


def ungated(deployment: Deployment, transport: str | None = None) -> Mapping[str, int]:
    """How many tools of each pack and mount may change something for anybody who reaches ``transport``.

    These are the tools of which nobody said who may use them. Where callers
    sign in there are none: there such a tool stops the start.
    """
    door = deployment.dispatcher
    return Counter(
        tool.pack
        for tool in _of_strangers(deployment, transport)
        if not tool.offer.read_only and not tool.offer.public
        if door.visible(ANONYMOUS, tool.offer) and not door.hidden(ANONYMOUS, tool)
    )


def _of_strangers(deployment: Deployment, transport: str | None) -> Iterator[ToolEntry]:
    """The tools, but for the host's own, where nobody knows who calls them."""
    if (transport or deployment.settings.server.transport) != "stdio" and not deployment.dispatcher.authenticated:
        yield from (tool for tool in deployment.catalogue.tools.values() if tool.pack != HOST)


def described(counts: Mapping[str, int]) -> str:
    """Those that nobody reaches, in a sentence: Nobody can call 33 tools of scheduling and 9 of pai ..."""
    return f"Nobody can call {_counted(counts)} over HTTP: they need a role, and nobody can sign in"


def described_ungated(counts: Mapping[str, int]) -> str:
    """Those that anybody reaches, in a sentence."""
    return (
        f"Any program that reaches this server over HTTP can call {_counted(counts)} that may change something: they"
        " need no role, and nobody signs in"
    )


def _counted(counts: Mapping[str, int]) -> str:
    """33 tools of scheduling, 9 of pai and 7 of mount files."""
    (first, count), *others = counts.items()
    parts = [f"{count} tool{'' if count == 1 else 's'} of {first}", *(f"{number} of {pack}" for pack, number in others)]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
