"""Lines of a text file by section, and refusals that say which line of which section is at fault."""

from collections.abc import Iterator
from typing import NoReturn

from attrs import frozen

from packhorse import UserError
from packhorse_scheduling.errors import invalid

MOST_QUOTED = 36
"""Characters of a file that a refusal repeats."""


@frozen
class Line:
    """One line with something on it: its number from 1, its section, and its text without white space around it."""

    source: str
    section: str
    number: int
    text: str

    def refuse(self, words: str) -> NoReturn:
        """Refuse the file because of this line.

        Raises:
            UserError: always.
        """
        raise self.refusal(words)

    def refusal(self, words: str) -> UserError:
        """The refusal, for ``raise ... from``."""
        return invalid(
            self.source, f"{self.source}, line {self.number} ({self.section}): {words} The line is {quoted(self.text)}."
        )

    def whole(self, given: str, name: str, *, least: int = 0, most: int = 10_000_000) -> int:
        """A whole number of this line."""
        try:
            number = int(given)
        except ValueError as exc:
            raise self.refusal(f"{name} must be a whole number, not {quoted(given)}.") from exc
        if not least <= number <= most:
            self.refuse(f"{name} must be from {least} to {most}, and is {number}.")
        return number

    def fields(self, count: int, names: str) -> list[str]:
        """The fields between commas; there must be ``count``."""
        found = [part.strip() for part in self.text.split(",")]
        if len(found) != count:
            self.refuse(f"{count} fields are needed ({names}), and there are {len(found)}.")
        return found


def quoted(text: str) -> str:
    """The beginning of a file's text, as one may repeat it: short, and without characters that nobody sees."""
    return repr(text if len(text) <= MOST_QUOTED else text[: MOST_QUOTED - 3] + "...")


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """Lines that are neither empty nor a comment (#), with their numbers from 1."""
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare and not bare.startswith("#"):
            yield number, bare
