"""What exactly a person approves: one digest over everything that would make it another call."""

from collections.abc import Mapping
from typing import Any

from packhorse_pai.domain.digests import digest


def action_digest(
    *,
    tool: str,
    tool_digest: str,
    arguments: Mapping[str, Any],
    chain: tuple[str, ...],
    owner: str,
    policy: str,
    version: str = "",
) -> str:
    """SHA-256 over the tool as offered, its arguments in full, the data's version, who acts for whom, and the policy.

    Raises:
        ValueError: arguments that JSON cannot say.
    """
    return digest(
        {
            "tool": tool,
            "tool_digest": tool_digest,
            "arguments": arguments,
            "chain": list(chain),
            "owner": owner,
            "policy": policy,
            **({"version": version} if version else {}),
        }
    )
