"""The words of an answer with their places, and how far apart two places are in sense."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate

from attrs import frozen
from rapidfuzz.distance import OSA

_SAME = str.maketrans({
    "\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u2010": "-", "\u2011": "-", "\u2012": "-",
    "\u2013": "-", "\u2014": "-", "\u2212": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " ",
})  # fmt: skip
_TOKEN = re.compile(
    r"""\d{4}[-/]\d{2}[-/]\d{2} | \d{1,2}\.\d{1,2}\.\d{4} | \d{1,2}/\d{1,2}/\d{4}   # a date
    | \d{1,2}:\d{2}                  # a time
    | \d+(?:st|nd|rd|th)\b           # an ordinal
    | \d+[A-GI-KM-Z]\d*\b            # a code: 9A
    | \d{1,3}(?:,\d{3})+(?:\.\d+)?   # thousands
    | \d+(?:[.,]\d+)?                # a number
    | [^\W\d_]+-\d+[a-z]?\b          # a code: C-41
    | [^\W\d_]+(?:'[^\W\d_]+)?\d*    # a word
    | \n | [^\w\s]""",
    re.VERBOSE,
)
_LISTED = re.compile(r"[ \t]*(?:[-*\u2022|]|\(?\w{1,2}[.)])\s|[ \t]*\n|[ \t]*\|")
"""How the next line begins where it is an item, a row or a new paragraph."""

ELLIPSIS = re.compile(r"\.{3}|\u2026")
"""What joins the two ends of a quote."""


def any_of(*patterns: str) -> re.Pattern[str]:
    """A pattern for any of several, whatever their case."""
    return re.compile("|".join(patterns), re.IGNORECASE)


def spelled(words: str) -> frozenset[str]:
    """A set of words, written with spaces between them."""
    return frozenset(words.split())


_ABBREVIATED = spelled("mr mrs ms dr st approx ca min mins hr hrs sec no vs etc")
_SHORT_UNITS = spelled("min mins hr hrs sec h")
_CLAUSE_ENDS = frozenset({",", ";", ".", "\n", ":", "border", "(", ")"})
SHARES = spelled("each both same again everybody everyone every all alike likewise either")
NEGATORS = spelled(
    "no not never without none except skip skips nothing nobody neither nor don't doesn't didn't isn't aren't "
    "wasn't weren't can't cannot couldn't won't wouldn't shouldn't mustn't needn't haven't hasn't hadn't"
)
YES = spelled("yes yeah yep yup right correct sure always true")
NO = spelled("no nope nah never false")
"""How a short answer begins that says yes or no."""
_COMPARED = spelled("later earlier sooner more less fewer longer shorter over under")
_ONWARD = {",": 0.0, "but": 4.0, "and": 3.0, "plus": 3.0, ";": 8.0, ".": 12.0, "\n": 12.0}
"""What stands between a name and the number after it costs this much more than a word."""
_BACK = {",": 8.0, "but": 8.0, "and": 6.0, "plus": 6.0, ";": 14.0, ".": 40.0, "\n": 40.0, "before": 6.0}
"""The same for a number whose name comes after it."""
BORDER = 60.0
"""What the end of a row or an item costs, either way; no place counts as farther."""
EVERY = spelled("any all everyone everything everybody")
"""Names of no row of their own."""
EVERYONE = EVERY | spelled("we us")
"""What stands in an answer for all of them."""
GENERAL = spelled(
    "a an the of and or to in on at for with from by per our my we its is are step steps process line order "
    "orders job jobs machine task operation stage work item type kind unit all any dr mr mrs ms"
)
"""Words of a name that need not be said."""


@frozen
class Word:
    """A token: its text in lower case, and where it stands in the answer as written."""

    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it is a word or a number, and no mark."""
        return self.text[0].isalnum()


@frozen(eq=False)
class Words:
    """An answer as tokens."""

    text: str
    words: tuple[Word, ...]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The tokens alone."""
        return tuple(one.text for one in self.words)

    @cached_property
    def _spoken(self) -> tuple[list[int], list[str]]:
        """The tokens that are words or numbers: where they stand, and what they are."""
        places = [place for place, one in enumerate(self.words) if one.is_word]
        return places, [self.texts[place] for place in places]

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """What each token separates: ``,`` ``;`` ``.`` (the end of a sentence) a line or a border; else empty."""
        return tuple(self._mark(place) for place in range(len(self.words)))

    def _mark(self, place: int) -> str:
        text = self.texts[place]
        if text == "\n":
            return "border" if _LISTED.match(self.text, self.words[place].end) else "\n"
        if text in ".!?":
            if self._pauses(place):
                return ","
            before = self.texts[place - 1] if place else ""
            capital = self.text[self.words[place].end :].lstrip(" ")[:1].isupper()
            short = before in _ABBREVIATED or (len(before) == 1 and before.isalpha())
            half = self.texts[max(0, place - 3) : place] in (("a", ".", "m"), ("p", ".", "m"))
            short = short and not (capital and (before in _SHORT_UNITS or half))  # "50 min. For brackets"
            last = (
                place + 1 == len(self.texts) or self.text[self.words[place].end : self.words[place].end + 1].isspace()
            )
            return "." if last and not (short and not self._ends_line(place)) else ""
        return {",": ",", ";": ";", ":": ":", "(": "(", ")": ")"}.get(text, "")

    def _pauses(self, place: int) -> bool:
        """Whether it is the last point of an ellipsis within a sentence: "steel work... depends"."""
        after = self.text[self.words[place].end :].lstrip(" ")[:1]
        return self.texts[max(0, place - 2) : place + 1] == (".", ".", ".") and after.islower()

    def _ends_line(self, place: int) -> bool:
        return place + 1 == len(self.texts) or self.texts[place + 1] == "\n"

    @cached_property
    def _costs(self) -> tuple[Sequence[float], Sequence[float]]:
        """The price of coming past each token, summed from the start: reading onwards and reading back."""
        onward, back = [], []
        for place, text in enumerate(self.texts):
            mark = self.marks[place]
            if mark == "border":
                onward.append(BORDER)
                back.append(BORDER)
                continue
            key = mark if mark in _ONWARD else text if text in {"but", "and", "plus", "before"} else ""
            step = 0.0 if text == "-" else 1.0
            onward.append(step + _ONWARD.get(key, 0.0))
            back.append(step + _BACK.get(key, 0.0))
        return list(accumulate(onward, initial=0.0)), list(accumulate(back, initial=0.0))

    def distance(self, name: int, first: int, last: int) -> float:
        """How far the word at ``name`` is from what stands from ``first`` to ``last``, at most `BORDER`."""
        onward, back = self._costs
        if name < first:
            return min(BORDER, onward[first] - onward[name + 1] + 1.0)
        if name > last:
            return min(BORDER, back[name] - back[last + 1] + 1.0)
        return 0.0

    def places(self, word: str, start: int = 0, end: int | None = None) -> list[int]:
        """Where ``word`` stands, in one or many; where it does not, the words like it."""
        wanted = self.texts[start : len(self.texts) if end is None else end]
        own = [place for place, text in enumerate(wanted, start) if _singular(text) == _singular(word)]
        return own or [place for place, text in enumerate(wanted, start) if alike(word, text)]

    def inflected(self, word: str) -> list[int]:
        """Where ``word`` stands, "mixing" and "mixes" as well as "mix"."""
        return [place for place, text in enumerate(self.texts) if _base(text) == _base(word)]

    def forms(self, word: str) -> list[int]:
        """Where ``word`` stands in whatever form; where it does not, the words like it."""
        return self.inflected(word) or self.places(word)

    def clause(self, place: int) -> tuple[int, int]:
        """The first and last token of the clause around ``place``."""
        first = place
        while first and self.marks[first - 1] not in _CLAUSE_ENDS:
            first -= 1
        last = place
        while last + 1 < len(self.texts) and self.marks[last + 1] not in _CLAUSE_ENDS:
            last += 1
        return first, last

    def sentence(self, place: int) -> int:
        """The first token of the sentence around ``place``."""
        while place and self.marks[place - 1] not in {".", "border"}:
            place -= 1
        return place

    def denied(self, place: int, *, after: bool = False) -> bool:
        """Whether a negator stands within six words before ``place`` in its clause, with no "only" between.

        ``after`` counts what stands behind it too: "plums we don't sell", "plums, there are none of those".
        """
        if after:
            further = self.texts[place + 1 : place + 9]
            none_of = any(further[at : at + 2] == ("none", "of") for at in range(len(further)))
            beside = {*self.texts[place + 1 : min(place + 4, self.clause(place)[1]) + 1]}
            if none_of or "none" in further[:5] or NEGATORS & beside:
                return True
        first, last = self.clause(place)
        for at in range(place - 1, max(first, place - 7) - 1, -1):
            if self.texts[at] == "only":
                return False
            if self.texts[at] in NEGATORS and not self._limits(at):
                if {"before", "until"} & {*self.texts[place + 1 : min(last, place + 3) + 1]}:
                    return False  # "I can't begin the atlas before the 30th"
                return self.texts[at + 1 : at + 2] not in (("before",), ("until",), ("only",), ("just",))
        behind = self.texts[place + 1 : min(last, place + 3) + 1]
        due = {"until", "before"} & {*self.texts[place + 1 : min(last, place + 5) + 1]}  # "isn't due until the 15th"
        return not due and any(text in {"aren't", "isn't", "aint"} for text in behind[:2])

    def _limits(self, place: int) -> bool:
        """Whether a negator only sets a limit: "no later than"."""
        return "than" in self.texts[place + 1 : place + 4] and self.texts[place + 1] in _COMPARED

    def around(self, first: int, last: int, wide: int = 5) -> str:
        """The words around a place, as written."""
        start, end = max(0, first - wide), min(len(self.words) - 1, last + wide)
        return " ".join(self.text[self.words[start].start : self.words[end].end].split()) if self.words else ""

    def find(self, quote: str) -> tuple[int, int] | None:
        """The first and the last token of ``quote``, where " ... " joins two ends; None where it is not said."""
        parts = [[one.text for one in words_of(part).words if one.is_word] for part in ELLIPSIS.split(quote)]
        spoken, said = self._spoken
        at, first, last = 0, -1, -1
        for part in [one for one in parts if one]:
            found = next(
                (
                    start
                    for start in range(at, len(spoken) - len(part) + 1)
                    if said[start] == part[0] and said[start : start + len(part)] == part
                ),
                None,
            )
            if found is None:
                return None
            at = found + len(part)
            first, last = (spoken[found] if first < 0 else first), spoken[at - 1]
        return None if first < 0 else (first, last)


@lru_cache(maxsize=512)
def words_of(text: str) -> Words:
    """The tokens of ``text``."""
    flat = text.translate(_SAME).replace("\u00bd", ".5").replace("\u00bc", ".25").replace("\u00be", ".75")
    flat = re.sub(r"(?<!\d)(?=\.(?:5|25|75)\b)", "0", flat) if flat != text.translate(_SAME) else flat
    found = [Word(one.group().casefold(), one.start(), one.end()) for one in _TOKEN.finditer(flat)]
    return Words(flat, tuple(found))


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word without its ending, to compare by."""
    word = word.removesuffix("'s").removesuffix("'")
    word = f"{word[:-3]}y" if len(word) > 4 and word.endswith("ies") else word
    for ending in ("ings", "ations", "ation", "ing", "ers", "er", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if word.endswith(("y", "i")) and len(word) > 3:
        word = word[:-1]
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word


def _singular(word: str) -> str:
    return word.removesuffix("'s").removesuffix("s") if len(word) > 3 else word


@lru_cache(maxsize=4096)
def _base(word: str) -> str:
    """A word without the ending of its number or tense."""
    word = word.removesuffix("'s")
    ending = next(
        (one for one in ("ings", "ing", "ed", "es", "s") if word.endswith(one) and len(word) - len(one) >= 3), ""
    )
    word = word.removesuffix(ending)
    word = word[:-1] if word.endswith("e") and len(word) > 3 else word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


@lru_cache(maxsize=65536)
def alike(one: str, other: str) -> bool:
    """Whether two words are forms of one: equal stems, most letters shared, or one slip in a long word."""
    if one == other:
        return True
    if not (one[0].isalpha() and other[0].isalpha()):
        return False
    first, second = stem(one), stem(other)
    if first == second:
        return True
    shared = next((at for at, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), None)
    shared = min(len(first), len(second)) if shared is None else shared
    if shared >= 4 and shared >= 0.55 * max(len(first), len(second)) and shared >= min(len(first), len(second)) - 2:
        return True
    return min(len(one), len(other)) >= 6 and OSA.distance(one, other, score_cutoff=1) <= 1


def content(name: str) -> list[str]:
    """The words of a name that must be said: all but the general ones, or all of them where there are no others."""
    every = [one.text for one in words_of(name).words if one.is_word]
    return [one for one in every if one not in GENERAL] or every


def said(words: Iterable[str], answer: Words) -> bool:
    """Whether every one of ``words`` stands in ``answer``."""
    return all(answer.places(one) for one in words)
