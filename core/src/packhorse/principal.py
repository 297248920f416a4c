"""Who is calling."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["local", "human", "agent", "system", "anonymous"]


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller, as verified: never as claimed in an argument.

    ``roles`` of the ``local`` principal (the deployer's own machine, with no
    authentication configured) stand for every role. ``chain`` names the others
    in a delegation, nearest first.
    """

    kind: Kind
    subject: str | None = None
    roles: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    claims: Mapping[str, Any] = field(default_factory=dict, hash=False)
    chain: tuple[str, ...] = ()

    def has_any(self, roles: frozenset[str]) -> bool:
        """Whether this caller holds one of ``roles``."""
        return self.kind == "local" or not roles.isdisjoint(self.roles)


LOCAL = Principal("local")
ANONYMOUS = Principal("anonymous")
