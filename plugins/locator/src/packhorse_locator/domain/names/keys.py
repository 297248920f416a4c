"""Keys under which words that sound alike meet: one family of keys for each way of spelling.

A key is what is left of a word when everything that strangers spell differently is merged or dropped. Ambiguous
letters give alternatives, so a word has a small set of keys, and two words meet when their sets do. The rules are
common knowledge of each orthography: Spanish, English, French and Portuguese readings of Latin letters; the
ISO 9, BGN/PCGN, French and German romanisations of Cyrillic; Arabic in English, French and Egyptian spelling;
Hunterian and popular spelling of Indic names.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from attrs import frozen

MOST_ALTERNATIVES = 8
"""A word's keys of one kind are cut here: beyond it the spelling decides nothing any more."""

Rules = Mapping[str, tuple[str, ...]]


@frozen
class Keys:
    """The kinds of keys of one word.

    Attributes:
        sound: Consonant skeletons of Latin spellings.
        slavic: Keys of romanised Cyrillic.
        arabic: Keys of romanised Arabic.
        indic: Keys of romanised Indic names.
        shape: What letters look like on paper, for scans and handwriting.
    """

    sound: frozenset[str]
    slavic: frozenset[str]
    arabic: frozenset[str]
    indic: frozenset[str]
    shape: frozenset[str]


def ruled(text: str) -> Rules:
    """Rules from text: ``spelling spelling:reading reading`` parted by ``|``; ``-`` reads as nothing.

    ``^`` binds a spelling to the beginning of a word and ``$`` to its end; ``ce`` is ``c`` before ``e``.
    """
    rules: dict[str, tuple[str, ...]] = {}
    for rule in text.replace("\n", "|").split("|"):
        spellings, _, readings = rule.partition(":")
        rules.update(dict.fromkeys(spellings.split(), tuple(readings.replace("-", "").split(" "))))
    return rules | {letter: (letter,) for letter in rules.pop("=", ("",))[0]}


SOUND = ruled(
    """
tsch sch tch sh ch zh dj:c|ph:f|th:t|qu q ck cc c k:k|ce ci cy sc z s ss sz:s|j:h c|ge gi:h|x:h s c
v b:b|w:b -|ll:- l|lh:l -|l:l|gua:- g|gue gui gh g:g|nh ny gn:n|mb:nb|mp:np|^h:- h|=:dfmnprt
""".strip()
)
SLAVIC = ruled(
    """
schtsch shch chtch stch tsch tch sch sh dzh zh tz ts cz sz s z c:s|ch:s h|j:- s|kh gh h g:h|ck k q:k|x:ks
w v ff$ f$:v|ph:f|th:t|=:bdflmnprt
""".strip()
)
ARABIC = ruled(
    """
sch sh ch:c|kh:h k|q k c ck:k|x:ks|dj g j:j|gh:g j|th:s t|dh:z d|z:z|s:s|p b:b|ph:f|v ^w:w|^y:y|^ou:w -
h$:-|h:h|=:dflmnrt
""".strip()
)
INDIC = ruled(
    """
chh ch:c|c ck kh k q:k|gh g:g|jh j z:j|th t:t|dh d:d|ph f:p f|p:p|bh b:b|sh s:s|ksh x:ks|w v:v|^y:y j
h$:-|h:h|mb:nb|mp:np|=:lmnr
""".strip()
)
# Letters and pairs that scanners and readers of handwriting take for one another.
SHAPE = ruled(
    """
rn nn m:m|ri n:n|cl d:d|vv w:w|l i j:i|c e:c|u v:u|b h:h|g q:q|=:tfoyakprsxz
""".strip()
)


def pattern_of(rules: Rules) -> re.Pattern[str]:
    """One expression that finds the longest spelling first; soft letters only look at the vowel after them."""
    parts = []
    for spelling in sorted(rules, key=lambda s: (-len(s.strip("^$")), s.isalpha())):
        soft = spelling in {"ce", "ci", "cy", "ge", "gi"}
        parts.append(f"{spelling[0]}(?={spelling[1]})" if soft else spelling)
    return re.compile("|".join(parts))


PATTERNS = {id(rules): pattern_of(rules) for rules in (SOUND, SLAVIC, ARABIC, INDIC, SHAPE)}
SOFT = {"c": "ce", "g": "ge"}
ARTICLE = re.compile("^(al|el|ul|ben|bin|ibn|bou|bu|abou|abu|aboul|abul)(?=[a-z]{3})")
SERVANT = re.compile("^abd(?:[aeiou]+(?:l|r(?=r)|s(?=s)|n(?=n)))?(?=[a-z]{3})")


def skeletons(word: str, rules: Rules) -> frozenset[str]:
    """Every reading of a word under some rules, double letters single, at most ``MOST_ALTERNATIVES``."""
    readings = [""]
    for found in PATTERNS[id(rules)].finditer(word):
        spelling = found.group()
        start, end = found.span()
        options = None
        if start == 0:
            options = rules.get("^" + spelling)
        if options is None and end == len(word):
            options = rules.get(spelling + "$")
        if options is None and spelling in SOFT and end < len(word) and spelling + word[end] in rules:
            options = rules[spelling + word[end]]
        if options is None:
            options = rules.get(spelling, ("",))
        if len(options) > 1 and len(readings) * len(options) > MOST_ALTERNATIVES:
            options = options[:1]
        readings = [
            read if option and read.endswith(option) else read + option for option in options for read in readings
        ]
    return frozenset(readings)


@lru_cache(maxsize=8_192)
def keys_of(word: str) -> Keys:
    """The keys of a folded word (letters a-z)."""
    servant = SERVANT.sub("abd", word)
    bare = {servant, ARTICLE.sub("", servant)}
    return Keys(
        skeletons(word, SOUND),
        skeletons(word, SLAVIC),
        frozenset(key for form in bare for key in skeletons(form, ARABIC)),
        skeletons(word, INDIC),
        skeletons(word, SHAPE),
    )
