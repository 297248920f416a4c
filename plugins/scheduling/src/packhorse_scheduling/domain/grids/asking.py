"""Questions that a grid leaves open, and their answers."""

from collections.abc import Mapping, Sequence

from attrs import define, field, frozen

MOST_QUESTIONS = 10


@frozen
class Question:
    """One question. ``weight`` orders them: dates and people before cells, many cells before few."""

    id: str
    words: str
    choices: tuple[str, ...]
    weight: float


@define
class Asker:
    """Gives the answer to a question where there is one, and keeps the question where there is none."""

    answers: Mapping[str, str]
    known: Mapping[frozenset[str], int] = field(factory=dict)
    """Years of training that other sheets list, by the words of a name."""
    open: dict[str, Question] = field(factory=dict)
    used: set[str] = field(factory=set)

    def ask(self, key: str, words: str, choices: Sequence[str] = (), *, weight: float) -> str | None:
        """The answer; None where the question is open."""
        key = key.replace("=", "").strip()
        if key in self.answers:
            self.used.add(key)
            return self.answers[key].strip()
        self.open[key] = Question(key, words, tuple(choices), weight)
        return None

    def trial(self) -> "Asker":
        """One with the same answers, whose questions count only once they are taken over."""
        return Asker(self.answers, self.known)

    def take(self, other: "Asker") -> None:
        """Take the questions of a trial over."""
        self.open.update(other.open)
        self.used.update(other.used)

    @property
    def questions(self) -> list[Question]:
        """The weightiest, `MOST_QUESTIONS` at most."""
        return sorted(self.open.values(), key=lambda one: -one.weight)[:MOST_QUESTIONS]

    @property
    def beyond(self) -> list[Question]:
        """Those that are not asked yet, because there are weightier ones."""
        return sorted(self.open.values(), key=lambda one: -one.weight)[MOST_QUESTIONS:]
