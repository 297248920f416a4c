"""Where a number of a model comes from, and what is noted or missing while a model is built."""

import re

from attrs import define, field, frozen, validators

LONGEST_SAID = 120
"""Characters of an answer that a comment repeats; the whole answer stands in the interview."""

_BREAKS = re.compile(r"[\s\x00-\x1f\x7f\u2028\u2029]+")


def one_line(text: str, longest: int = LONGEST_SAID) -> str:
    """``text`` without line breaks or control characters, cut to ``longest`` characters."""
    flat = _BREAKS.sub(" ", text).strip()
    return flat if len(flat) <= longest else flat[: longest - 3].rstrip() + "..."


@frozen
class Source:
    """The question that gave a number, the words of its answer, and what had to be assumed.

    ``question`` is None for a number that nobody was asked for; then
    ``assumption`` says what stands behind it, or ``said`` where it was read.
    """

    question: str | None = None
    said: str = ""
    assumption: str = ""

    @property
    def words(self) -> str:
        """The source as one line, fit for a comment: never empty."""
        said = f'"{one_line(self.said)}"' if self.said else ""
        asked = f"question {one_line(self.question)}" if self.question else ""
        told = ": ".join(part for part in (asked, said) if part)
        assumed = f"assumed: {one_line(self.assumption, 2 * LONGEST_SAID)}" if self.assumption else ""
        return "; ".join(part for part in (told, assumed) if part) or "derived from the other answers"

    def with_assumption(self, *more: str) -> "Source":
        """The same source with further assumptions after the ones it has."""
        every = [part for part in (self.assumption, *more) if part]
        return Source(self.question, self.said, "; ".join(dict.fromkeys(every)))


@frozen
class Amount:
    """A whole number of a model (ticks, pieces, units of a resource) and its source."""

    value: int = field(validator=validators.instance_of(int))
    source: Source = field(factory=Source)


def assumed(value: int, assumption: str) -> Amount:
    """A number that nobody gave."""
    return Amount(value, Source(assumption=assumption))


@frozen
class Lack:
    """One missing value: what it is, in words, and where it belongs."""

    words: str
    eads_id: str = ""
    path: str = ""


class NotBuildableError(ValueError):
    """There is no model yet; ``lacks`` says why. The message has the first few."""

    def __init__(self, lacks: tuple[Lack, ...]) -> None:
        more = f" and {len(lacks) - 3} more" if len(lacks) > 3 else ""
        super().__init__("; ".join(each.words for each in lacks[:3]) + more)
        self.lacks = lacks


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
