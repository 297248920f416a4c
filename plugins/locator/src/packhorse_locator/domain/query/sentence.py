"""A sentence with what every check asks of it: which words are of a name, and where each run of them ends."""

from collections.abc import Iterator, Sequence

from attrs import field, frozen

from packhorse_locator.domain.query.lexicon import Lexicon
from packhorse_locator.domain.query.numbers import Numbers
from packhorse_locator.domain.query.places import Gazetteer
from packhorse_locator.domain.query.tokens import Token

CAPITAL = 4.0
"""Worth, as a name word, of a capital letter inside a sentence that is not in capitals throughout."""


@frozen
class Run:
    """Words that follow one another and are all of a name; ``start`` and ``end`` count tokens, ``end`` exclusive."""

    tokens: tuple[Token, ...]
    start: int
    end: int


@frozen
class Sentence:
    """A sentence with what every check asks of it."""

    text: str
    tokens: Sequence[Token]
    numbers: Numbers
    gazetteer: Gazetteer
    lexicon: Lexicon
    mixed_case: bool = field(init=False)

    @mixed_case.default
    def _is_mixed(self) -> bool:
        small = any(token.text.islower() and len(token.text) > 1 for token in self.tokens)
        return small and any(token.is_capital for token in self.tokens[1:] if token.is_word)

    def is_name(self, place: int) -> bool:
        """Whether the word at a place is rather of a name."""
        token, lexicon = self.tokens[place], self.lexicon
        if not token.is_word or token.fold in lexicon.grammar:
            return False
        if lexicon.has("facility", token.fold) or self.country_at(place) is not None:
            return False
        worth = lexicon.worth_as_name(token.fold)
        if self.mixed_case and token.is_capital and place:
            worth = max(worth, -CAPITAL) + CAPITAL
        return worth > 0

    def country_at(self, place: int) -> tuple[str, int] | None:
        """A country or a nationality that begins at a place, and how many words it has; "China" after a name is one."""
        for count in (4, 3, 2, 1):
            words = self.tokens[place : place + count]
            if len(words) < count:
                continue
            phrase = " ".join(word.fold for word in words)
            country = self.lexicon.countries.get(phrase) or self.lexicon.nationals.get(phrase)
            if country is not None and not (count == 1 and self._is_rather_a_name(place)):
                return country, count
        return None

    def _is_rather_a_name(self, place: int) -> bool:
        """Whether a word that is a country or nation too stands where a name does: "Jordan Smith", "Israel Lopez"."""
        before = self.tokens[place - 1].fold if place else ""
        if before in {
            "from",
            "de",
            ",",
            ".",
            "of",
            "birth",
            "nacimiento",
            "origin",
            "origen",
            "in",
            "en",
        } or self.lexicon.has("kin", before):
            return False
        found = self.lexicon.name_counts(self.tokens[place].fold)
        return found is not None and max(found.given, found.family) > 7.0  # a thousand people

    def runs(self) -> Iterator[Run]:
        """Every maximal run of name words, with particles between two of them."""
        place = 0
        while place < len(self.tokens):
            country = self.country_at(place)
            if country is not None or not self.is_name(place):
                place += country[1] if country is not None else 1
                continue
            end = place + 1
            while end < len(self.tokens):
                if self.is_name(end):
                    end += 1
                    continue
                if self.is_initial(end):
                    end += 2
                    continue
                after = end
                while after < len(self.tokens) and self.lexicon.has("particles", self.tokens[after].fold):
                    after += 1
                if after == end or after >= len(self.tokens) or self.is_origin(end):
                    break
                if not (self.is_name(after) or self.lexicon.has("devotional", self.tokens[after].fold)):
                    break
                if self.tokens[end].fold in {"y", "e"} and not self.is_surname(after):
                    break
                end = after + 1
            yield Run(tuple(self.tokens[place:end]), place, end)
            place = end

    def is_initial(self, place: int) -> bool:
        """Whether a capital with a full stop stands at a place, and a name behind it."""
        letter = self.tokens[place]
        behind = self.tokens[place + 1 : place + 3]
        return (
            len(letter.text) == 1
            and letter.is_capital
            and len(behind) == 2
            and behind[0].text == "."
            and self.is_name(place + 2)
        )

    def is_surname(self, place: int) -> bool:
        """Whether the word at a place is rather a surname than a given name."""
        found = self.lexicon.name_counts(self.tokens[place].fold)
        return found is not None and found.odds < -1.0

    def is_origin(self, place: int) -> bool:
        """Whether a country, a region or a town begins behind a word such as "de" at a place."""
        if self.tokens[place].fold not in {"de", "del", "from"}:
            return False
        if place + 1 >= len(self.tokens) or self.country_at(place + 1) is not None:
            return True
        for count in (3, 2, 1):
            phrase = " ".join(token.fold for token in self.tokens[place + 1 : place + 1 + count])
            if phrase in self.lexicon.regions or any(phrase == town.casefold() for town, _ in self.gazetteer.towns):
                return True
        return False

    def before(self, place: int, count: int = 1) -> tuple[str, ...]:
        """The folded words before a place, the nearest last."""
        return tuple(token.fold for token in self.tokens[max(0, place - count) : place])

    def trimmed(self, run: Run) -> tuple[Run, bool]:
        """A run without small words at its edges where the rest has capitals, and whether there were any."""
        if not self.mixed_case or not any(token.is_capital for token in run.tokens):
            return run, False
        tokens = list(run.tokens)
        start = end = 0
        while not tokens[start].is_capital:
            start += 1
        while not tokens[len(tokens) - 1 - end].is_capital:
            end += 1
        return Run(tuple(tokens[start : len(tokens) - end]), run.start + start, run.end - end), bool(start or end)

    def is_surely_name(self, run: Run) -> bool:
        """Whether a single word is a name rather than a word that is only not known."""
        token = run.tokens[0]
        known = self.lexicon.name_counts(token.fold) is not None
        if token.fold in self.lexicon.states or token.fold in self.lexicon.regions:
            return False
        if any(token.fold == town.casefold() for town, _ in self.gazetteer.towns):
            return False
        return known and (token.is_capital if self.mixed_case else self.lexicon.zipf.get(token.fold) is None)

    def is_strange(self, token: Token) -> bool:
        """Whether a word beside a name is neither grammar nor an ordinary word, so that it may belong to the name."""
        lexicon = self.lexicon
        if token.fold in lexicon.grammar or lexicon.has("particles", token.fold) or lexicon.has("at", token.fold):
            return False
        if self.country_at(self.tokens.index(token)) is not None:
            return False
        if not self.mixed_case or token.is_capital:
            return True  # in small letters, or with a capital of its own, any word may go on with the name
        return lexicon.zipf.get(token.fold) is None
