"""Cards to read, and what was escalated."""

from typing import Any

from packhorse import Text, UserError
from packhorse_pai.service import OnAgents


class CardPages(OnAgents):
    """The identity cards that this host uses, as text."""

    def card(self, name: str) -> Text:
        """An agent's identity card: role, chain of command, orders, escalation triggers, constraints."""
        from packhorse_pai.domain.rendering import render

        card = self.service.library.card(name)
        if card is None:
            raise UserError(
                "There is no agent with this name and a valid card. list_agents lists the agents.", code="UNKNOWN_AGENT"
            )
        return Text(render(card))

    def escalations(self) -> list[dict[str, Any]]:
        """What agents passed on to somebody else last, newest first. Subscribe to hear of each at once."""
        return self.service.escalations()

    def names(self, begun: str) -> list[str]:
        """Names that begin so."""
        return sorted(name for name in self.service.library.readings if name.startswith(begun.upper()))
