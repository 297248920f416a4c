"""Counted noun phrases: a text as numbers, the things that nouns name, and the words between them.

The grammar that this serves is small: a number with a noun ("two kilns"), a
noun with a number after it ("kilns, of which there are two"), a number for
several nouns ("one each of ..."). So a word is either of a closed class or
taken to be of a noun.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from attrs import evolve, frozen

from packhorse_discovery.domain import counting
from packhorse_discovery.domain.binding import stems

Kind = Literal[
    "number", "thing", "mark", "article", "one", "ordinal", "each", "and", "or", "of", "preposition", "of them",
    "be", "have", "subject", "it", "there", "relative", "modal", "past", "not", "adverb", "vague", "unit", "same",
    "other", "verb",
]  # fmt: skip

_CLASSES: dict[Kind, str] = {
    "article": "the our my your his her its their this that these those",
    "ordinal": "first second third fourth fifth sixth seventh eighth ninth tenth last",
    "each": "each apiece every everything",
    "and": "and plus & but n",
    "or": "or nor",
    "of": "of",
    "preposition": (
        "in on at by for from with to into onto under behind near beside beneath above below next over through along "
        "against between beyond without per upstairs downstairs outside inside like than until till about during "
        "after before off out up down across around round besides via towards toward among throughout"
    ),
    "be": "is are be been being am makes make gives",
    "have": "have has got own owns having exist exists number",
    "subject": "we i they you",
    "it": "it he she everybody everyone nobody somebody anybody nothing something anything me him us them someone",
    "there": "there here",
    "relative": "which who whom whose where when while because since so if though although unless whereas as "
    "whenever counting",
    "modal": (
        "would could might should can may must will shall do does did cannot need needs want wants wish let lets "
        "thinking"
    ),
    "past": "was were had used broke died failed cracked leaked burnt blew",
    "not": "not never nor neither",
    "adverb": (
        "only just also too again now then still always currently exactly precisely all both even really ever "
        "already "
        "altogether together well yes sure too though course ok okay simply merely actually basically naturally "
        "obviously finally lastly today exact strictly oh ah hm um sorry wait thankfully luckily sadly "
        "unfortunately usually besides moreover likewise similarly it's alone except right ourselves myself "
        "themselves rather correction"
    ),
    "vague": "several some many few numerous various multiple maybe perhaps probably approximately roughly nearly "
    "almost least most",
    "unit": "piece pieces unit units pcs pc off ea nos copies copy installed available",
    "same": "same ditto likewise",
    "other": "other others else rest",
}
GENERIC = (
    r"(?:machines?|stations?|work\s?stations?|resources?|work\s?places?|pieces? of (?:equipment|"
    r"kit|machinery)|kinds?(?: of machines?)?|types?)"
)
"""Nouns for whatever steps are done on."""
ALL = "*"
"""The name of "everything else", which is counted as a thing is."""
_ALL = (
    r"(?:(?:everything|anything|all)\s+else|(?:all\s+)?(?:of\s+)?(?:the\s+|our\s+)?(?:rest|others|other ones|"
    r"remaining ones)|"
    r"(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:other|remaining)\s+"
    rf"(?:(?:{counting.CARDINAL}|\d+)(?:\s+{GENERIC}|ones)?|{GENERIC}|things?|stuff|ones|items?|pieces?|equipment)|"
    rf"all\s+(?:the\s+)?other|everything|every\s?one|(?:each|every)\s+(?:(?:single\s+)?one|kind|type|sort|"
    rf"(?:other\s+)?thing|"
    rf"step|job|task|{GENERIC})(?:\s+of\s+(?:them|those))?|"
    rf"(?:each|every one|all)\s+of\s+(?:the|our|my|these)\s+{GENERIC}|each\s+of\s+(?:them|those|these)|"
    rf"all\s+(?:the\s+|our\s+)?{GENERIC}|all\s+of\s+(?:them|those|these|it)|(?:them|those)\s+all|the\s+lot|otherwise|"
    rf"all(?=\s+(?:one|1|singles?)\b))"
)
_OF_CLASS: dict[str, Kind] = {word: kind for kind, words in _CLASSES.items() for word in words.split()}
_ENDS_WITH_ALL = re.compile(rf"\b{_ALL}\s*$", re.IGNORECASE)
_REPEATS = {
    "once": 1, "singles": 1, "one-off": 1, "one-offs": 1, "single unit": 1, "single units": 1,
    "twice": 2, "doubles": 2, "double": 2, "doubled up": 2, "doubled": 2, "duplicated": 2, "in duplicate": 2,
    "twofold": 2, "a set of two": 2, "thrice": 3, "a trio": 3,
}  # fmt: skip
_TIMES = "|".join(sorted(_REPEATS, key=len, reverse=True))
_NUMBER = rf"(?:zero|none|no|(?:{_TIMES})(?!\s+(?:an?|per|every|the|as)\b)|{counting.WORDS})"
_TOKEN = re.compile(
    rf"(?P<all>\b{_ALL}\b)|"
    rf"(?P<figure>(?<![\w.,])(?:[x\u00d7]\s*)?\d{{1,4}}(?:\s*[x\u00d7](?![a-z]))?(?![\w%\u00b0]|[.,]\d|-[a-z]))"
    rf"|(?P<number>\b{_NUMBER}\b(?!['\u2019-]\w))"
    r"|(?P<word>[^\W_][\w'&/-]*(?:\.\d+)?)|(?P<mark>[,:;()?!=\u2013\u2014+|-]|\.(?=\s|$))",
    re.IGNORECASE,
)
_CONTRACTIONS = {
    r"\b(there|that)s\b": r"\1 is",
    r"\b(we|i|they)ve\b": r"\1 have",
    r"\b(?:won|can|shan)'?t\b": "not",
    r"n't\b": " not",
    r"\b(there|that|it|he|she|who|what|here|where|one|which|everything)'s\b": r"\1 is",
    r"'ve\b": " have",
    r"'re\b": " are",
    r"'m\b": " am",
    r"'(?:d|ll)\b": " would",
}
_PHRASES = {
    r"\b(?:and )?that is (?:all|it|everything|the (?:whole )?lot)\b(?! of\b| we need)": " ",
    r"\b(?:singles?|single (?:units?|machines?|stations?)|one-offs?|one)\s+(?:throughout|across the board|"
    r"everywhere)\b": "one of everything",
    r"\b(?:per|for (?:each|every))\s+(?:step|operation|stage|process)\b": "of each",
    r"\.{2,}|\u2026|->|\u2192|=>": " : ",
    r"\b(?:as (?:for|to|regards)|when it comes to|regarding|concerning)\b": "of",
    r"\b(?:a|in|the) (?:grand )?total of\b": " ",
    r"\byou (?:would |will |can )?(?:find|see|count)\b": "there are",
    r"\b(that|this|it) would (?:be|make)\b(?=\s+(?:\d|just|only|the|an?\b|[a-z]+\b))": r"\1 is",
    r"\bI (?:would |should )?(?:believe|think|guess|reckon|suppose|say|put it at|call it|make it)\b": " ",
    r"(?<!a )\b(?:no\.?|number|amount|count) of (?=[a-z])": " ",
    r"\b(have|has) ((?:only |ever |always |just |never )*)had\b": r"\1 \2",
    r"\b(?:pairs|sets?|pieces|units) of (?=[a-z])(?!equipment|kit|machinery)": "",
    r"\bin (?=[a-z]+ cop(?:y|ies)\b)": "",
    r"\b(?<=one )of (?:a|its) kind\b": " ",
    r"\b(?:no,? wait|hold on|hang on|I mean(?:t)?|make that|scratch that|what am I saying|let me think)\b": "sorry",
    r"\bso (is|are) (?=the\b|our\b|my\b)": "same with ",
    r"\b(?:qty|quantity|no)\.?:?\s+(?=\d)": "",
    r"\b(?:at (?:the moment|present|the minute|most times)|right now|for now|these days|nowadays|of course|"
    r"as well|in fact|you know|you see|let me see|let's see|mind you|as i said|"
    r"like i said|as mentioned|in total|in all|all told|in number|all in all|on the other hand|"
    r"at your disposal|for that matter)\b": " ",
    r"\bnothing (?:but|except)\b|\bno more (?:and no less )?than\b|\bnone but\b|\bno fewer than\b": "only",
    r"\bnot counting\b|\bexcept(?:ing)?(?: for)?\b|\bwith the (?:\w+ )?exception of\b|\b(?:apart|aside) from\b|"
    r"\bother than\b|\bsave(?: for)?\b|\bbar(?:ring)?(?= the\b)": "but",
}
"""Wordings that come to the same as a plainer one, or to nothing, in the order in which they are replaced."""
_ALSO_NOUNS = frozenset({"still"})
"""What is a noun after a number: "two stills" has a singular."""
_BEFORE_VERBS = frozenset({"subject", "it", "relative", "modal"})
_NEXT_WORDS = re.compile(r"(?:\s+[^\W\d_][\w'-]*){1,4}")
_NO_NOUN = frozenset({"bless", "god", "thanks", "please"})


@frozen
class Token:
    """A word, mark, number or thing of a sentence.

    ``value`` is a number's; ``article`` says that it was only "a" or "an".
    ``name`` is the known thing that a thing is, ``before`` the words that
    qualify it, ``plural`` whether it reads as several, ``end`` where it ends
    in the sentence.
    """

    kind: Kind
    text: str
    value: int = 0
    article: bool = False
    name: str = ""
    before: tuple[str, ...] = ()
    plural: bool = False
    end: int = 0


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word without its ending; empty for a small word."""
    return stems(word)


def plain(text: str) -> str:
    """``text`` with contractions written out and without what is said by the way."""
    text = text.replace("\u2019", "'")
    for pattern, words in (_CONTRACTIONS | _PHRASES).items():
        text = re.sub(pattern, words, text, flags=re.IGNORECASE)
    return text


def ends_with_all(text: str) -> bool:
    """Whether ``text`` ends with what stands for everything else: "one each of the other six"."""
    return _ENDS_WITH_ALL.search(text) is not None


def tokens(sentence: str, known: Iterable[str] = ()) -> list[Token]:
    """The tokens of a sentence that is `plain`; nouns that follow one another are one thing.

    A thing of ``known`` ends where its name does, so that a verb after it is
    no part of it.
    """
    names = {key: name for name in reversed(list(known)) if (key := tuple(stems(name).split()))}
    found: list[Token] = []
    run: list[str] = []
    for match in _TOKEN.finditer(sentence):
        one = _token(match)
        if one is not None and one.text.casefold() in _ALSO_NOUNS and not run and found and found[-1].kind == "number":
            one = None
        if one is None:
            run.append(match[0])
            continue
        if run and one.kind in {"and", "of", "preposition", "article"} and _inside(run, sentence, match, names):
            run.append(match[0])
            continue
        found += _things(run, names, found)
        run = []
        found.append(one)
    return [*found, *_things(run, names, found)]


def _token(match: re.Match[str]) -> Token | None:
    """A number, a mark or a word of a closed class; None for a word of a noun."""
    words = match[0]
    if match["all"]:
        return Token("thing", words, name=ALL, end=match.end())
    if match["figure"]:
        return Token("number", words, value=int(re.sub(r"\D", "", words)), end=match.end())
    if match["number"]:
        said = " ".join(words.casefold().split())
        if said in {"no", "none", "zero"}:
            return Token("number", words, end=match.end())
        if said in _REPEATS:
            return Token("number", words, value=_REPEATS[said], end=match.end())
        return Token("number", words, value=counting.count(words), article=said in {"a", "an"}, end=match.end())
    if match["mark"]:
        return Token("and" if words == "+" else "mark", words, end=match.end())
    kind = _OF_CLASS.get(words.casefold())
    return Token(kind, words, end=match.end()) if kind is not None else None


def _inside(run: Sequence[str], sentence: str, match: re.Match[str], names: dict[tuple[str, ...], str]) -> bool:
    """Whether a small word stands inside the name of a known thing: "table by the window"."""
    head = tuple(part for word in run for part in stem(word).split())
    after = _NEXT_WORDS.match(sentence, match.end())
    if after is None:
        return False
    tail = after[0].split()
    for size in range(1, len(tail) + 1):
        rest = tuple(part for word in (match[0], *tail[:size]) for part in stem(word).split())
        if any(
            (*head[start:], *rest) in names and match[0].casefold() in names[(*head[start:], *rest)].casefold().split()
            for start in range(len(head))
        ):
            return True
    return False


def _things(run: Sequence[str], names: dict[tuple[str, ...], str], before: Sequence[Token]) -> list[Token]:
    """The things in words that follow one another, and the verbs beside them."""
    if not run:
        return []
    if before and len(run) == 1 and (before[-1].kind in _BEFORE_VERBS or before[-1].text.casefold() == "there"):
        return [Token("verb", run[0])]
    if run[0].casefold() in _NO_NOUN:
        return [Token("verb", " ".join(run))]
    for size in range(min(len(run), max((len(name.split()) for name in names.values()), default=0)), 0, -1):
        for start in range(len(run) - size + 1):
            words = run[start : start + size]
            key = tuple(part for word in words for part in stem(word).split())
            if key in names and stem(words[0]) and stem(words[-1]):
                thing = Token(
                    "thing", " ".join(words), name=names[key], before=tuple(run[:start]), plural=_plural(words[-1])
                )
                rest = run[start + size :]
                if rest and not thing.plural and words[0].islower() and not re.search(r"(?:s|ed)$", rest[0]):
                    return [Token("thing", " ".join(run), plural=_plural(run[-1]))]  # "the press room"
                return [thing, *([Token("verb", " ".join(rest))] if rest else [])]
    verb: list[Token] = []
    words = list(run)
    if before and before[-1].kind in _BEFORE_VERBS:
        verb, words = [Token("verb", words[0])], words[1:]
    return [*verb, Token("thing", " ".join(words), plural=_plural(words[-1]))]


def cut(thing: Token, many: int) -> Token:
    """``thing`` as so many of it are called: "two kilns stand" are kilns, "one kiln stands" is a kiln."""
    words = thing.text.split()
    if thing.name or len(words) < 2:
        return thing
    ends = [place for place, word in enumerate(words) if _plural(word)]
    if many > 1 and ends:
        words = words[: ends[-1] + 1]
    elif many == 1 and ends and ends[-1] == len(words) - 1:
        words = words[:-1]
    return evolve(thing, text=" ".join(words), plural=_plural(words[-1]))


def _plural(word: str) -> bool:
    return bool(re.fullmatch(r"[a-z].*[^\Wsu]s|.*(?:ss|sh|ch|x)es", word, re.IGNORECASE)) and not word.endswith("is")


def named(thing: Token | None, name: str) -> Token:
    """``thing``, or one that was not told, as the known thing of that name."""
    return evolve(thing, name=name) if thing is not None else Token("thing", name, name=name)
