"""Who is calling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Kind = Literal["local", "human", "agent", "system", "pack", "anonymous"]
"""``pack`` is a pack of this host that calls another's tool for itself (`Context.as_pack`): no credential gives it."""


AUTHENTICATED = "AUTHENTICATED"
"""The role that everybody holds who has shown who they are: for an offer to any of them."""


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller, as verified: never as claimed in an argument.

    ``roles`` of the ``local`` principal (the deployer's own machine, with no
    authentication configured) stand for every role. ``chain`` names the others
    in a delegation, nearest first. Of an agent that `Context.acting_as` made,
    it names the agents at work, the acting one first; subject, roles and scopes
    stay those of the caller who started it, kept as ``acts_for``, and ``run``
    says in which run it acts.
    """

    kind: Kind
    subject: str | None = None
    roles: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    claims: Mapping[str, Any] = field(default_factory=dict, hash=False)
    chain: tuple[str, ...] = ()
    acts_for: Principal | None = None
    run: str | None = None

    @property
    def holds_every_role(self) -> bool:
        """Whether this is the deployer's own machine, or an agent that was started from there."""
        return (self.acts_for or self).kind == "local"

    def agent(self, name: str, *, run: str) -> Principal:
        """The agent ``name`` at work for this caller: never with more than the caller's own rights."""
        above = self.chain if self.kind == "agent" else ()
        return replace(self, kind="agent", chain=(name, *above), acts_for=self.acts_for or self, run=run)

    def has_any(self, roles: frozenset[str]) -> bool:
        """Whether this caller holds one of ``roles``."""
        if self.holds_every_role or not roles.isdisjoint(self.roles):
            return True
        return AUTHENTICATED in roles and (self.acts_for or self).kind != "anonymous"


LOCAL = Principal("local")
ANONYMOUS = Principal("anonymous")
