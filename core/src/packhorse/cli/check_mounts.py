"""What ``packhorse check`` says of mounted servers: each is asked, and compared with what was accepted."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import anyio

from packhorse.cli.check_around import Finding

if TYPE_CHECKING:
    from packhorse.compose.deployment import Deployment
    from packhorse.mounts.served import Mounts, MountState


def mounts(deployment: "Deployment") -> Iterator[Finding]:
    """A finding of each mount, and of what of it is not served."""
    if not deployment.settings.has_mounts or not deployment.catalogue.has("mounts"):
        return
    from packhorse.mounts.served import mounts_of

    mounted = mounts_of(deployment.host)
    for state in anyio.run(_asked, mounted):
        if state.name in mounted.links:  # of the others the deployment says that they are broken
            yield _fares(state, per_caller=mounted.links[state.name].mount.per_caller)
            for what, reason in state.set_aside:
                yield Finding(f"mount {state.name}", f"{what} is not served: {reason}", look=True)


async def _asked(mounted: "Mounts") -> "list[MountState]":
    try:
        await mounted.reach()
        return mounted.states()
    finally:
        await mounted.close()


def _fares(state: "MountState", *, per_caller: bool) -> Finding:
    subject = f"mount {state.name}"
    if state.state == "down":
        cure = f"Try the server by itself: {state.reached_by}. Its tools are refused with UPSTREAM_DOWN meanwhile."
        return Finding(subject, f"its server cannot be reached: {state.error}", cure)
    if state.drift:
        differs = ", ".join(f"{one.kind} {one.name} ({one.change})" for one in state.drift)
        cure = f"'packhorse mount diff {state.name}' shows it, and 'packhorse mount accept {state.name}' takes it."
        return Finding(subject, ascii(f"{state.server} is not as it was accepted: {differs}")[1:-1], cure)
    if per_caller:
        return Finding(subject, f"{state.server}, with a credential of each caller's own; it was not asked")
    return Finding(subject, f"{state.server}, as it was accepted")
