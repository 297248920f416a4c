"""What drives an agent: a playbook, the client's model, or a provider's. Behind one port, and each moves the same way.

A mind says the next move from what was asked and every outcome so far; the
engine makes it. Only where that move is to ask a model do they differ: the
client's is asked by the tool that was called, a provider's here.
"""

from typing import Protocol

from packhorse_pai.domain import conversation, playbooks, playing
from packhorse_pai.domain.moves import AskModel, Fail, Move, Offer, Said
from packhorse_pai.service.library import Library
from packhorse_pai.service.provider import Provider
from packhorse_pai.service.runs import Run

PLAYBOOK, SAMPLING, MODEL = "playbook", "sampling", "model"


class Mind(Protocol):
    """What drives a run."""

    def next(self, run: Run) -> Move:
        """The next move, from the mission and every outcome so far."""
        ...

    async def reply(self, run: Run, ask: AskModel) -> Said | None:
        """The model's turn; None where the client's model is meant, which only the tool that was called can ask."""
        ...


class ByPlaybook:
    """Plays steps; no model."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def book(self, run: Run) -> playbooks.Playbook | None:
        """The playbook that takes the run's mission."""
        return playbooks.select(self._library.usable(run.policy), run.agent, run.mission)

    def verbs(self, run: Run) -> list[str]:
        """First words of missions that the agent's playbooks take."""
        usable = self._library.usable(run.policy)
        return sorted({verb for book in usable if book.agent == run.agent for verb in book.missions})

    def next(self, run: Run) -> Move:
        book = self.book(run)
        if book is None:
            return Fail("NO_PLAYBOOK", "The playbook of this run no longer exists.")
        return playing.advance(book, run.mission, run.outcomes)

    async def reply(self, run: Run, ask: AskModel) -> Said | None:
        raise TypeError("a playbook asks no model")


class ByModel:
    """A model wishes; ``provider`` None is the client's own."""

    def __init__(self, provider: Provider | None = None) -> None:
        self._provider = provider

    def next(self, run: Run) -> Move:
        offers = [
            Offer(tool.name, tool.description, tool.input_schema)
            for name, tool in sorted(run.policy.tools.items())
            if name in run.policy.use.get(run.agent, frozenset())
        ]
        children = sorted(run.policy.spawn.get(run.agent, frozenset())) if run.spawning else []
        return conversation.advance(conversation.briefing(run.card, offers, children), run.mission, run.outcomes)

    async def reply(self, run: Run, ask: AskModel) -> Said | None:
        return None if self._provider is None else await self._provider.reply(run.card.model, ask)
