"""What the reader knows of words: how many people have them as names, how common they are, countries, states, cues.

Everything comes from data files of the pack, read once by its service; ``data/SOURCES.md`` says where they are from.
"""

import json
from collections.abc import Mapping
from math import inf

from attrs import frozen

from packhorse_locator.domain.facilities import STATES
from packhorse_locator.domain.query.tokens import fold

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""A digit of ``names.txt``: twice the natural logarithm of how many people there are."""
UNCOUNTED = 4.0
"""Natural logarithm of the people taken for a use of a name of which none is counted: tables leave out rare ones."""
WORD_WEIGHT = 2.2
"""A word is a name where ln(people) - 2.2 * zipf > 0, zipf being log10 of its uses in a thousand million words:
chosen on 750 sentences so that none of them was read wrongly."""
MOST_ODDS = 5.0
"""Log-odds beyond which a name is no surer a given name or a surname."""


@frozen
class NameCounts:
    """How many people have a word as given name and as surname, as natural logarithms; ``group`` mostly has it."""

    given: float
    family: float
    group: str

    @property
    def odds(self) -> float:
        """Natural log-odds that it is a given name, within ``MOST_ODDS``."""
        odds = max(self.given, UNCOUNTED) - max(self.family, UNCOUNTED)
        return max(-MOST_ODDS, min(MOST_ODDS, odds))


@frozen(eq=False)
class Lexicon:
    """The tables, by folded words."""

    heads: Mapping[str, str]
    zipf: Mapping[str, float]
    countries: Mapping[str, str]
    nationals: Mapping[str, str]
    regions: frozenset[str]
    languages_too: frozenset[str]
    states: Mapping[str, str]
    cues: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, *, names: str, words: str, geography: str, cues: str) -> "Lexicon":
        """From the texts of the data files."""
        heads: dict[str, str] = {}
        for line in names.splitlines():
            head, *listed = line.split(" ")
            heads.update(dict.fromkeys(listed, head))
        zipf: dict[str, float] = {}
        for line in words.splitlines():
            tenths, *listed = line.split(" ")
            zipf.update(dict.fromkeys(listed, int(tenths) / 10))
        world = json.loads(geography)
        countries: dict[str, str] = {}
        nationals: dict[str, str] = {}
        for country, called in world["countries"].items():
            countries.update(dict.fromkeys(filter(None, called["names"].split("|")), country))
            nationals.update(dict.fromkeys(filter(None, called["people"].split("|")), country))
        states = {fold(name): code for code, name in STATES.items()} | {code.casefold(): code for code in STATES}
        return cls(
            heads,
            zipf,
            countries,
            nationals,
            frozenset(world["regions"].split("|")),
            frozenset(world["languages_too"].split("|")),
            states | world["spanish_states"],
            {group: frozenset(listed.split()) for group, listed in json.loads(cues).items()},
        )

    def name_counts(self, word: str) -> NameCounts | None:
        """How many people have a folded word as a name; None for an unknown word.

        Of a hyphenated one, its first known part counts.
        """
        head = self.heads.get(word) or next((self.heads[one] for one in word.split("-") if one in self.heads), None)
        if head is None:
            return None
        given, family, hispanic_given, hispanic_family = (DIGITS.index(digit) / 2 for digit in head[:4])
        if head[4] == "h" and max(hispanic_given, hispanic_family) > UNCOUNTED:
            return NameCounts(hispanic_given, hispanic_family, "h")
        return NameCounts(given, family, head[4])

    def worth_as_name(self, word: str) -> float:
        """Above 0 where a folded word is rather a name than an ordinary word; infinite where neither knows it."""
        counts, zipf = self.name_counts(word), self.zipf.get(word)
        if counts is None:
            return inf if zipf is None else -inf
        return max(counts.given, counts.family) - WORD_WEIGHT * (zipf or 0.0)

    def has(self, group: str, word: str) -> bool:
        """Whether a folded word is one of the cues of a group."""
        return word in self.cues[group]

    @property
    def grammar(self) -> frozenset[str]:
        """Words that are no part of a name in any sentence that is read, whatever the tables say."""
        return frozenset().union(
            *(
                self.cues[group]
                for group in ("seek", "kin", "other", "self", "titles", "language", "negations", "choices")
            )
        )
