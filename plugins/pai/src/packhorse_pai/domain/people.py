"""Who starts runs and decides, as one text: kind, issuer and subject, as rows have it, and as a reader has it."""

from attrs import frozen

TERMINAL, LOCAL, HUMAN = "terminal", "local", "human"
LINK = f"{LOCAL}::page"
"""Whoever opens the link of a decision page: the browser of this machine has no account."""


@frozen
class Person:
    """A caller, or who sits at the machine."""

    kind: str
    issuer: str = ""
    subject: str = ""

    @classmethod
    def read(cls, text: str) -> "Person":
        """The person of a text."""
        kind, _, rest = text.partition(":")
        issuer, _, subject = rest.rpartition(":")
        return cls(kind, issuer, subject)

    def __str__(self) -> str:
        return f"{self.kind}:{self.issuer}:{self.subject}"

    @property
    def words(self) -> str:
        """For a reader."""
        if str(self) == LINK:
            return "the person at this machine by the link of the page"
        if self.kind == LOCAL:
            return "the person at this machine"
        if self.kind == "anonymous":
            return "somebody who has not signed in"
        if self.kind == TERMINAL:
            return f"{self.subject} at the terminal"
        return f"{self.subject} ({self.issuer})" if self.issuer else self.subject or self.kind or "an unknown caller"
