"""Given names and surnames of a name written in one line."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from attrs import frozen

from packhorse_locator.domain.names.families import COGNATE_TABLES, NICKNAME_TABLES, entries, heads
from packhorse_locator.domain.names.tables.arabic import COGNATES as ARABIC
from packhorse_locator.domain.query.bearers import PLAIN, UNCOUNTED, bearers_of, own_names
from packhorse_locator.domain.query.leanings import leaning
from packhorse_locator.domain.query.lexicon import DEVOTIONS, JOINING, PARTICLES, words
from packhorse_locator.domain.query.tokens import Token

Known = Mapping[str, tuple[int, int]]

SERVANTS = frozenset({"abdul", "abdel", "abd", "abdur", "abdal"})
"""First halves of Arabic names that mean nothing without the second."""


@frozen
class SplitName:
    """``sure`` says whether the words themselves, or only the usual order, tell where the surname begins."""

    first: str
    last: str
    sure: bool


def units(tokens: Sequence[Token]) -> list[list[Token]]:
    """The name's words, particles joined to the word after them and devotions to the one before."""
    made: list[list[Token]] = []
    waiting: list[Token] = []
    position = 0
    while position < len(tokens):
        devotion = _devotion(tokens, position) if made and not waiting else 0
        if devotion and len(made) == 1 and position + devotion < len(tokens):
            made[-1] += tokens[position : position + devotion]
            position += devotion
            continue
        token = tokens[position]
        position += 1
        waiting.append(token)
        if token.fold in SERVANTS and not made and position + 1 < len(tokens):
            continue
        if token.fold.rstrip(".") in PARTICLES and position < len(tokens) and (made or token.fold in JOINING):
            continue
        made.append(waiting)
        waiting = []
    if waiting:
        made.append(waiting)
    return made


def split(tokens: Sequence[Token], known: Known, *, spanish: bool = False) -> SplitName | None:
    """Where the surname begins; None for a single name. ``spanish`` says whether the sentence around it is.

    Two words are one and one. Of three and more the second decides by how many people bear it as a given name and as a
    surname, where Hispanic people do, if the name is one of theirs: they bear one given name and two surnames about as
    often as two and one, and others next to always two given names.
    """
    parts = units(tokens)
    if len(parts) < 2:
        return None
    cut, sure = _cut(parts, known, spanish=spanish)
    return SplitName(_text(parts[:cut]), _text(parts[cut:]), sure)


def is_turned(parts: Sequence[Sequence[Token]]) -> bool:
    """Whether a name of three words or more plainly begins with the surname: "Ivanov Dmitry Sergeevich"."""
    hispanic = _hispanic(parts, spanish=False) > 0
    first, second = (_odds(part, {}, hispanic=hispanic) for part in parts[:2])
    if first <= -PLAIN and second >= PLAIN:
        return True
    rest = [bearers_of(part[-1].fold) for part in parts[1:]]
    asian = all(one is None or (one.group == "a" and one.odds > -PLAIN) for one in rest)
    return parts[0][0].fold in _KOREAN and asian and any(one is not None for one in rest)


def is_korean(parts: Sequence[Sequence[Token]]) -> bool:
    """Whether a Korean surname stands before the two syllables of a Korean given name: "Park Ji Hoon"."""
    first = parts[0][0].fold
    syllables = [one for part in parts[1:] for token in part for one in token.fold.split("-")]
    if len(syllables) != _SYLLABLES or not set(syllables) <= _KOREAN_SYLLABLES:
        return False
    return first in _KOREAN or (first in _RARER_KOREAN and syllables[-1] not in _KOREAN)


_KOREAN = words("kim park lee choi jung kang cho yoon jang lim han shin seo kwon hwang ahn song oh")
"""Surnames that Koreans write first."""
_RARER_KOREAN = words(
    """pak yi rhee choe jeong chung yun chang im suh an bae paik baek moon ko koh ryu yoo yu noh roh ha heo huh nam jeon
    min son cha woo koo ku bang"""
)
_SYLLABLES = 2
_KOREAN_SYLLABLES = words(
    """ae ah bae beom bin bo bok bong bum byung chae chan chang cheol cho chul da dae do dong duk eun eui ga gi gil
    geun go goo gon gu guk gun gwang gyeong gyu ha hae hak han hee heon ho hong hoon hun hwa hwan hwi hye hyeok
    hyeon hyo hyuk hyun il in ja jae je ji jin jong joo joon joong ju jun jung jeong ki kook koo kwan kwang kwon
    kyeong kyo kyong kyu kyun kyung man mi min moo moon mu mun myeong myung na nam nan ok pil ra rae ram ran ri
    rim rin rok ryeong ryul sa sae san sang se seo seok seol seon seong seul seung shik shin si sik sim sol son
    soo sook suk su sub sun sung tae taek tak uk un ung wan weon won woo wook woong wu ye yeol yeon yeong yong yoo
    yoon young yu yul yun"""
)
"""Syllables of Korean given names as they are written in Latin letters. Own list, from general knowledge."""


def _cut(parts: Sequence[Sequence[Token]], known: Known, *, spanish: bool) -> tuple[int, bool]:
    hispanic = _hispanic(parts, spanish=spanish)
    odds = [_odds(part, known, hispanic=hispanic > 0) - (0.5 if spanish and hispanic > 0 else 0.0) for part in parts]
    if len(parts[0]) > 1 and len(parts) > 2:
        odds[1] -= AFTER_COMPOUND
    if len(parts) == 2:
        # Two given names lack the surname, two surnames the given name.
        return 1, not (max(odds) <= -OF_ONE_KIND or (hispanic > 0 and min(odds) >= OF_ONE_KIND))
    if (parts[0][-1].fold, parts[1][-1].fold) in _COMPOUND:
        return 2, True
    if len(parts) == 3:
        two_given, sure = _two_of_three(parts[1], odds[1], hispanic, spanish=spanish)
        return (2, sure and odds[2] < PLAIN) if two_given else (1, sure)
    if odds[1] > 0 and odds[2] >= PLAIN and odds[3] <= 0:
        return 3, True
    two = odds[1] + OF_FOUR
    return (2 if two > 0 else 1), abs(two) >= CLEAR_AMONG_HISPANIC


def _two_of_three(second: Sequence[Token], odds: float, hispanic: float, *, spanish: bool) -> tuple[bool, bool]:
    """Whether the first two of three are given names, and whether that is sure: however the name is taken."""
    if hispanic >= HISPANIC:
        common = odds < 0 and _is_common_as_both(second)
        return odds > 0, abs(odds) >= (CLEAR_AMONG_OTHERS if common else CLEAR_AMONG_HISPANIC)
    among_others = odds + OTHERS
    if hispanic <= -HISPANIC and not (spanish and odds < 0):
        return among_others > 0, abs(among_others) >= CLEAR_AMONG_OTHERS
    return odds + OTHERS / 2 > 0, odds >= CLEAR_AMONG_HISPANIC or among_others <= -CLEAR_AMONG_OTHERS


AFTER_COMPOUND = 2.0
"""What a first name of several words (Angel de Jesus) takes from the log-odds that another given name follows."""
OF_ONE_KIND = 3.0
"""Natural log-odds from which on, or below the negative of which, both of two words are names of one kind."""
OTHERS = 5.0
"""Natural log-odds that the second of three names of people who are not Hispanic is a given name."""
OF_FOUR = 3.5
"""Natural log-odds that the second of four names is a given name: so in 97 of 100 invented people."""
HISPANIC = 1.0
"""Evidence from which a name is taken as Hispanic."""
CLEAR_AMONG_HISPANIC = 1.0
CLEAR_AMONG_OTHERS = 2.0
"""Natural log-odds from which it is clear where the surname begins. Of 242 labelled names of three words none beyond
either was cut wrongly."""

COMMON = 9.0
"""Natural logarithm of the Hispanic people from whom on a use of a name is common: eight thousand."""


def _is_common_as_both(part: Sequence[Token]) -> bool:
    """Whether a word is a common given name and a common surname: of Jose Santos Reyes both may be meant."""
    found = bearers_of(part[-1].fold) if len(part) == 1 else None
    return found is not None and min(found.hispanic_given, found.hispanic_family) >= COMMON


_OF_FIRST = {"h": 1.0, "a": -1.0, "b": -1.0, "w": -0.5, UNCOUNTED: 0.0}
_OF_SECOND = {"h": 1.0, "a": -0.5, "b": -0.5, "w": 0.0, UNCOUNTED: 0.0}
_OF_LAST = {"h": 2.0, "a": -1.0, "b": -1.0, "w": -0.5, UNCOUNTED: 0.5}
"""What the first, the second and the last word say for a Hispanic name, by who mostly bears them."""
_UNCOUNTED_SURNAME = 0.5


def _hispanic(parts: Sequence[Sequence[Token]], *, spanish: bool) -> float:
    """How much speaks for a Hispanic name: its first two words and its last, and the language of the sentence."""
    first, second, last = (bearers_of(token.fold) for token in (parts[0][0], parts[1][-1], parts[-1][-1]))
    evidence = _OF_FIRST[first.group] if first is not None else 0.0
    evidence += _OF_SECOND[second.group] if second is not None else 0.0
    if parts[-1][0].fold in _ARABIC:
        evidence -= HISPANIC
    elif last is not None:
        evidence += _OF_LAST[last.group]
    elif evidence > 0:
        evidence += _UNCOUNTED_SURNAME
    among = any(one is not None and one.group == "h" for one in (first, second, last))
    return evidence + spanish * (1.0 if among else 0.5)


_ARABIC = frozenset({"al", "el", "abu", "bin", "ibn", "ben", "bint"})
"""Particles of Arabic surnames."""


_COMPOUND = frozenset(
    {("joao", "batista"), ("juan", "bautista"), ("jean", "baptiste"), ("john", "baptist"), ("blanca", "nieves")}
)
"""Given names of two words whose second is a surname as well."""


def _odds(part: Sequence[Token], known: Known, *, hispanic: bool) -> float:
    """Natural log-odds that a word is a given name: by its bearers, the registry or, where unknown, its letters."""
    if len(part) > 1:
        return -OTHERS if part[0].fold in PARTICLES else OTHERS
    word = part[0].fold
    if len(word) > _LONG and word.endswith(_PATRONYMICS):
        return OTHERS
    given, family = known.get(word, (0, 0))
    registered = float(given > 2 * family) - float(family > 2 * given)
    found = bearers_of(word)
    if found is not None:
        return (found.hispanic_odds if hispanic else found.odds) + registered / 2
    if registered or word in given_variants():
        return (registered or 1.0) * PLAIN
    if leaning(word) or not hispanic:
        return leaning(word) * UNKNOWN
    return 0.0 if _is_near_given(word) else RARE


_PATRONYMICS = ("ovich", "evich", "ovna", "evna")
"""How the second names of Russians and Ukrainians end."""
UNKNOWN = 1.5
"""Natural log-odds of a word that nobody is known to bear and whose letters decide."""
RARE = -0.75
"""The same where they do not: surnames are more, and rarer, than given names."""


@lru_cache(4096)
def _is_near_given(word: str) -> bool:
    """Whether a word is one slip off a given name of the own lists."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    if len(word) < _LONG:
        return False
    return process.extractOne(word, own_names()[0], scorer=OSA.distance, score_cutoff=1) is not None


_LONG = 6
"""Letters from which one slip leaves little doubt about the name that is meant."""


@cache
def given_variants() -> frozenset[str]:
    """Given names of the tables of nicknames and cognates, and their short forms."""
    found: set[str] = set()
    for table in NICKNAME_TABLES:
        for head, variants in heads(table):
            found.update((head, *variants))
    for table in (*COGNATE_TABLES, ARABIC):
        for entry in entries(table):
            found.update(entry.split())
    return frozenset(word for word in found if len(word) > 2)


def _devotion(tokens: Sequence[Token], position: int) -> int:
    for devotion in DEVOTIONS:
        if tuple(token.fold for token in tokens[position : position + len(devotion)]) == devotion:
            return len(devotion)
    return 0


def _text(parts: Sequence[Sequence[Token]]) -> str:
    return " ".join(token.text for part in parts for token in part)
