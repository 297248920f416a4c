"""What is noted while a model is built: assumptions about the whole, and what is missing."""

from attrs import define, field

from packhorse_discovery.domain.models.lack import Lack, NotBuildableError


@define
class Book:
    """Notes go into the model; lacks keep it from being built."""

    notes: list[str] = field(factory=list)
    lacks: list[Lack] = field(factory=list)

    def note(self, words: str) -> None:
        """Write down an assumption, once."""
        if words not in self.notes:
            self.notes.append(words)

    def lack(self, words: str, eads_id: str = "", path: str = "") -> None:
        """Write down something missing, once."""
        missing = Lack(words, eads_id, path)
        if missing not in self.lacks:
            self.lacks.append(missing)

    def settle(self) -> None:
        """Raise `NotBuildableError` if anything is missing."""
        if self.lacks:
            raise NotBuildableError(tuple(self.lacks))
