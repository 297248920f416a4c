"""What drives an agent: the client's own model by acts, a playbook, sampling, or a provider's model.

A driver says the next move from what was asked and every outcome so far; the
engine makes it. A run that the client's model plays has no driver here: it is
open, and each act is one move.
"""

from typing import Protocol

from packhorse_pai.domain import conversation, playing
from packhorse_pai.domain.moves import AskModel, Fail, Move, Offer, Said
from packhorse_pai.service.library import Library
from packhorse_pai.service.running.provider import Provider
from packhorse_pai.service.running.runs import Run


class Driver(Protocol):
    """What drives a run."""

    def next(self, run: Run) -> Move:
        """The next move, from the mission and every outcome so far."""
        ...

    async def reply(self, run: Run, ask: AskModel) -> Said | None:
        """The model's turn; None where the client's model is meant, which only the tool that was called can ask."""
        ...


class PlaybookDriver:
    """Plays steps; no model."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def next(self, run: Run) -> Move:
        book = self._library.playbook(run.agent, run.task)
        if book is None:
            return Fail("UNKNOWN_TASK", f"{run.agent} no longer has a task {run.task!r}.")
        return playing.advance(book, run.mission, run.outcomes)

    async def reply(self, run: Run, ask: AskModel) -> Said | None:
        raise TypeError("a playbook asks no model")


class ModelDriver:
    """A model wishes; ``provider`` None is the client's own."""

    def __init__(self, provider: Provider | None = None) -> None:
        self._provider = provider

    def next(self, run: Run) -> Move:
        briefing = conversation.briefing(run.card, offers_of(run), children_of(run))
        return conversation.advance(briefing, run.mission, run.outcomes)

    async def reply(self, run: Run, ask: AskModel) -> Said | None:
        return None if self._provider is None else await self._provider.reply(run.card.model, ask)


def offers_of(run: Run) -> list[Offer]:
    """The tools that a run's agent holds here."""
    use = run.policy.use.get(run.agent, frozenset())
    tools = [run.policy.tools[name] for name in sorted(use & run.policy.tools.keys())]
    return [Offer(tool.name, tool.description, tool.input_schema) for tool in tools]


def children_of(run: Run) -> list[str]:
    """The agents that it may start."""
    return sorted(run.policy.spawn.get(run.agent, frozenset())) if run.spawning else []
