"""Tools that are served and that no caller can use, and what their deployer does about it."""

from collections import Counter
from collections.abc import Mapping

from packhorse.compose.deployment import Deployment
from packhorse.contract.principal import ANONYMOUS
from packhorse.door.catalogue import HOST

CURE = (
    "Set `secret` under [auth], made with openssl rand -hex 32 (then 'packhorse token' makes tokens for testing),"
    " or add [[auth.issuers]]; or serve over stdio, where the caller has every role"
)


def unreachable(deployment: Deployment, transport: str | None = None) -> Mapping[str, int]:
    """How many tools of each pack nobody can call over ``transport``, that of the settings when None.

    Over HTTP without authentication these are the tools that ask
    for a role. Over standard input and output there are none, and neither
    where somebody verifies callers: any role may stand in a token.
    """
    dispatcher = deployment.dispatcher
    if (transport or deployment.settings.server.transport) == "stdio" or dispatcher.authenticated:
        return {}
    return Counter(
        tool.pack
        for tool in deployment.catalogue.tools.values()
        if tool.pack != HOST and not dispatcher.visible(ANONYMOUS, tool.offer)
    )


def described(counts: Mapping[str, int]) -> str:
    """That in a sentence: Nobody can call 33 tools of scheduling and 9 of pai: ..."""
    (first, count), *others = counts.items()
    parts = [f"{count} tool{'' if count == 1 else 's'} of {first}", *(f"{number} of {pack}" for pack, number in others)]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"Nobody can call {listed} over HTTP: they need a role, and nobody can sign in"
