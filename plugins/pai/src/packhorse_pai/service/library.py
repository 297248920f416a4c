"""What is at hand: cards, governance sources and playbooks, ours and the deployer's; and the policy they give."""

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from attrs import frozen

from packhorse_pai.domain.cards import Card, Reading
from packhorse_pai.domain.compiling import Compiled, compile_policy
from packhorse_pai.domain.findings import Finding
from packhorse_pai.domain.playbooks import Playbook, PlaybookError, checked, playbook_from
from packhorse_pai.domain.policy import HostTool, Policy
from packhorse_pai.domain.sources import Source
from packhorse_pai.errors import GovernanceError
from packhorse_pai.service.folders import cards_in, shipped_cards, shipped_matrix, sources_in


@frozen(eq=False)
class Library:
    """Cards, sources and playbooks as read once at the start. A card that changes later changes nothing here."""

    readings: Mapping[str, Reading]
    sources: tuple[Source, ...]
    playbooks: tuple[Playbook, ...]

    @classmethod
    def opened(
        cls, cards: Path | None = None, governance: Path | None = None, playbooks: Path | None = None
    ) -> "Library":
        """Ours, and over them a deployer's folders: a card or playbook of the same name replaces ours.

        Raises:
            GovernanceError: a folder or file of the deployer's that cannot be read.
        """
        readings = {**shipped_cards(), **(cards_in(cards) if cards else {})}
        sources = [shipped_matrix(), *(sources_in(governance) if governance else [])]
        books = _by_name(shipped_playbooks())
        if playbooks is not None and not playbooks.is_dir():
            raise GovernanceError(f"there is no folder of playbooks {playbooks}")
        for folder in (cards, playbooks):  # an own agent's tasks may stand beside its card
            books |= _by_name(playbooks_in(folder)) if folder else {}
        return cls(readings, tuple(sources), tuple(books.values()))

    def compiled(self, tools: Mapping[str, HostTool]) -> Compiled:
        """The policy on a host that offers ``tools``."""
        return compile_policy(self.readings, self.sources, tools)

    def card(self, agent: str) -> Card | None:
        """An agent's card, where it is usable."""
        reading = self.readings.get(agent)
        return None if reading is None or reading.grave else reading.card

    def playbook(self, agent: str, name: str | None) -> Playbook | None:
        """A playbook of an agent, by its name."""
        return next((book for book in self.playbooks if (book.agent, book.name) == (agent, name)), None)

    def tasks(self, agent: str, policy: Policy) -> list[str]:
        """The names of playbooks that an agent may play."""
        return [book.name for book in self.usable(policy) if book.agent == agent]

    def usable(self, policy: Policy) -> Sequence[Playbook]:
        """Playbooks that ask for nothing their agent does not have."""
        return [book for book in self.playbooks if not checked(book, policy)]


def _by_name(books: Sequence[Playbook]) -> dict[tuple[str, str], Playbook]:
    return {(book.agent, book.name): book for book in books}


def shipped_playbooks() -> list[Playbook]:
    """The pack's own tasks."""
    return playbooks_in(files("packhorse_pai") / "data" / "playbooks")


def playbooks_in(folder: Traversable) -> list[Playbook]:
    """The tasks of a folder.

    Raises:
        GovernanceError: a file that cannot be read as one.
    """
    found, faults = tasks_and_faults(folder)
    if faults:
        raise GovernanceError(f"{faults[0].subject}: {faults[0].text}")
    return found


def tasks_and_faults(folder: Traversable) -> tuple[list[Playbook], list[Finding]]:
    """The tasks of a folder, and what keeps each other file from being read as one."""
    found, faults = [], []
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.endswith(".toml") and path.is_file():
            try:
                found.append(playbook_from(tomllib.loads(path.read_text("utf-8"))))
            except PlaybookError as exc:
                faults.append(Finding("unreadable", path.name, exc.reason, task=exc.name, step=exc.step))
            except ValueError as exc:  # no TOML, or no text
                faults.append(Finding("unreadable", path.name, str(exc)))
    return found, faults
