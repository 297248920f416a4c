"""The tokens of a sentence, to look around in."""

from collections.abc import Collection, Sequence

from attrs import frozen

from packhorse_discovery.domain.counted import Token

_PASSED_OVER = frozenset({"adverb", "other", "of", "article", "unit"})


@frozen
class Words:
    """The tokens of a sentence, to look around in: beyond its ends there is nothing."""

    text: str
    tokens: Sequence[Token]

    def kind(self, at: int) -> str:
        """The kind of the token at a place."""
        return self.tokens[at].kind if 0 <= at < len(self.tokens) else ""

    def word(self, at: int) -> str:
        """The token there as it is written, in lower case."""
        return self.tokens[at].text.casefold() if 0 <= at < len(self.tokens) else ""

    def name(self, at: int) -> str:
        """The known thing that is named there."""
        return self.tokens[at].name if 0 <= at < len(self.tokens) else ""

    def after(self, at: int) -> str:
        """The text after the token there."""
        return self.text[self.tokens[at].end :]

    def beyond(self, at: int, kinds: Collection[str], step: int = 1) -> int:
        """The first place from ``at`` on where none of ``kinds`` is; backwards where ``step`` is -1."""
        while self.kind(at) in kinds:
            at += step
        return at

    def noun(self, at: int) -> int | None:
        """The place of the noun that a number at ``at`` is of."""
        at += 1
        while self.kind(at) in _PASSED_OVER or (self.kind(at) == "number" and self.kind(at + 1) == "thing"):
            at += 1
        return at if self.kind(at) == "thing" else None

    def stands_alone(self, at: int) -> bool:
        """Whether a thing is all there is between two marks, or nearly."""
        before = {"", "mark", "and", "article", "have", "be", "adverb", "there"}
        return self.kind(at - 1) in before and self.kind(at + 1) in {"", "mark", "and", "preposition", "adverb"}

    def closes_list(self, at: int) -> bool:
        """Whether a thing is the last of a list: "... and the filling line"."""
        return self.kind(at - 1) == "article" and self.kind(at - 2) == "and" and self.kind(at + 1) == ""

    def is_apart(self, at: int) -> bool:
        """Whether a thing is set apart from others: "all but the filling line"."""
        return self.word(self.beyond(at - 1, {"article"}, -1)) in {"but", "only"}

    def goes_on(self, at: int) -> bool:
        """Whether a thing goes on a list: "... and the mill", "saws, the mill"."""
        joined = self.beyond(at - 1, {"article"}, -1)
        listed = self.beyond(at - 1, {"article", "adverb"}, -1)
        return (self.kind(joined) == "and" and self.word(joined) != "but") or (
            self.word(listed) == "," and self.kind(listed - 1) == "thing"
        )

    def is_predicate(self, at: int) -> bool:
        """Whether a noun says what something is: "the saw is a beauty"; "there is a saw" says that there is one."""
        verb = self.beyond(at - 1, {"article", "adverb"}, -1)
        return self.kind(verb) == "be" and self.kind(verb - 1) != "there"
