"""Parts against their sum, and one order's day told twice."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from attrs import frozen

from packhorse_discovery.domain import counting
from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.claims import ANOTHER, ELSEWHERE
from packhorse_discovery.domain.markers import CORRECTS, OTHERS

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_NUMBER = rf"(?P<number>\d+|{counting.CARDINAL})"
_SO_MANY = re.compile(
    rf"(?<![\w.:-]){_NUMBER}\s+(?P<what>(?:(?!(?:for|of|and|to|in|on|at|by)\b)[a-z][\w-]*\s+){{0,2}}(?!(?:for|of|"
    rf"and|to|in|on|at|by)\b)[a-z][\w-]*)",
    re.IGNORECASE,
)
_FOR = re.compile(
    rf"(?<![\w.:-]){_NUMBER}\s+(?:(?!for\b)[a-z][\w-]*\s+)?(?:for|to)\s+(?:the|our|my|[A-Z])", re.IGNORECASE
)
_TOTAL = re.compile(
    rf"(?<![\w.:-]){_NUMBER}\s+(?P<what>[a-z][\w-]*)\s+(?:on (?:order|the (?:board|books?|list))|ordered|"
    rf"to (?:repair|make|do|deliver|build|mend)|"
    r"in (?:all|total)|altogether|all told)\b",
    re.IGNORECASE,
)
_IN_ALL = re.compile(
    r"\b(?:all in all|in (?:all|total)|altogether|all told|all together|the (?:total|sum) is|that makes|"
    r"makes a total)\b",
    re.IGNORECASE,
)
_LOTS = re.compile(
    rf"(?<![\w.:-]){_NUMBER}\s+(?P<what>(?!(?:for|of|and|to|in|on|at|by|minutes?|hours?|days?|weeks?|orders?|"
    rf"customers?|kinds?|machines?)\b)[a-z][\w-]*)",
    re.IGNORECASE,
)
COMPLETE = re.compile(
    r"\b(?:complete|(?:nobody|no one|no-one) else|no others?|not one more|nothing (?:more|else)|"
    r"apart from th(?:ese|ose|at)|but th(?:ese|ose)|that['\u2019]s (?:all|every\w*|the (?:lot|whole))|every "
    r"(?:single )?one|nothing else|"
    r"in (?:all|total)|altogether|"
    r"all told|the (?:whole|full|entire) (?:order|lot|list)|and that['\u2019]s it)\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:of (?:the|them|those|these|his|her|their|its)|already|done|finished|so far|left|still|more|per|each|"
    r"every|at a time|a day|an hour|"
    r"today|yesterday|minutes?|hours?|days?)\b",
    re.IGNORECASE,
)
"""What makes a number one of a part, or of something else than an order."""
_WITHIN = re.compile(
    rf"\b(?:(?:due|in|within|by|after)\s+)+(?:\d+|{counting.CARDINAL})\s+(?:minutes?|hours?|days?|weeks?|months?)\b",
    re.IGNORECASE,
)
"""When a part is due, which is no part."""
_DAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE)
_BARE = re.compile(
    r"^(?:the|our|my|his|her|their|its|an?|all|and|for|of|to|in|on|at|by|is|are|be|must|has|have|will|gets?|due|ready|"
    r"wanted|wants|needed|needs|mrs|mr|so|that|one|it|s)$"
)
"""Words that set nothing apart."""
_DUE = re.compile(
    r"\b(?:due|ready|promis\w+|gets?|gone|deliver\w*|wants?|wanted|needs?|needed|collect\w*|shook hands|agreed|"
    r"must|by|deadline|fetch\w*)\b",
    re.IGNORECASE,
)
_SMALL = re.compile(
    r"^(?:that|this|what|then|with|have|must|from|they|their|them|there|will|want|need|read|shook|hand|promi\w*|"
    r"deliver|gone)$"
)


@frozen
class Clash:
    """Two statements that do not agree, the earlier first, with the place of the earlier in the answers."""

    before: int
    earlier: str
    now: str


def sums(text: str, earlier: Sequence[str]) -> Iterator[Clash]:
    """A complete list of who gets how many in ``text``, against a total told before."""
    numbers = [counting.count(match["number"]) for sentence in _told(text) for match in _FOR.finditer(sentence)]
    if len(numbers) < 2 or not COMPLETE.search(text):
        return
    for place, before in enumerate(earlier):
        for sentence in _told(before):
            total = _TOTAL.search(sentence)
            if total is not None and counting.count(total["number"]) != sum(numbers):
                yield Clash(place, sentence, text)


def lots(text: str, earlier: Sequence[str]) -> Iterator[Clash]:
    """A complete list of parts against a total in the same unit, told in whichever order: "20 lots in all"."""
    mine, parts = _whole(text), _parts(text)
    if mine is None and not parts:
        return
    for place, before in enumerate(earlier):
        whole, its = _whole(before), _parts(before)
        if not (whole is not None and parts) and not (mine is not None and its):
            continue
        others = {stems(match["what"]) for one in earlier if one is not before for match in _LOTS.finditer(one)}
        if whole is not None and whole[0] not in others and COMPLETE.search(text) and _short(whole, parts):
            yield Clash(place, whole[2], text)
        if mine is not None and mine[0] not in others and _short(mine, its):
            yield Clash(place, before, mine[2])


@lru_cache(maxsize=4096)
def _whole(text: str) -> tuple[str, int, str] | None:
    """The unit and number of the one total that is told, and its sentence."""
    for sentence in _told(text):
        found = [match for match in _LOTS.finditer(sentence) if match["number"].casefold() != "one"]
        if _IN_ALL.search(sentence) and len(found) == 1 and not _PART.search(sentence[: found[0].end()]):
            return stems(found[0]["what"]), counting.count(found[0]["number"]), sentence
    return None


@lru_cache(maxsize=4096)
def _parts(text: str) -> list[tuple[str, int]]:
    """The unit and number of each part in a list of several."""
    found: list[tuple[str, int]] = []
    for sentence in [] if CORRECTS.search(text) else _SENTENCE.split(_WITHIN.sub(" ", text)):
        own = [(stems(match["what"]), counting.count(match["number"])) for match in _LOTS.finditer(sentence)]
        if own and (ELSEWHERE.search(sentence) or _PART.search(_LOTS.sub(" ", sentence))):
            return []
        found += [] if _IN_ALL.search(sentence) else own
    return found if len(found) >= 2 else []


def _short(whole: tuple[str, int, str], parts: Sequence[tuple[str, int]]) -> bool:
    """Whether the parts, all in the unit of the whole, make up another number."""
    return len(parts) >= 2 and {unit for unit, _ in parts} == {whole[0]} and sum(one for _, one in parts) != whole[1]


def days(text: str, earlier: Sequence[str]) -> Iterator[Clash]:
    """Another weekday for what was promised for one before."""
    mine = list(_promised(text))
    for place, before in enumerate(earlier):
        for words, day, sentence in _promised(before):
            for others, other, said in mine:
                if day != other and len(words & others) >= 2 and not _apart(sentence, said):
                    yield Clash(place, sentence, said)


def _apart(one: str, other: str) -> bool:
    """Whether two sentences tell one word of different things: "blue curtains" and "white curtains"."""
    mine, its = _preceding(one), _preceding(other)
    words, others = set(stems(one).split()), set(stems(other).split())
    return any(
        before not in others and after not in words
        for word in mine.keys() & its.keys()
        for before, after in [(mine[word], its[word])]
    )


def _preceding(sentence: str) -> dict[str, str]:
    """The content word right before each content word, and before the first "for", as stems."""
    words = re.findall(r"[^\W\d][\w-]*", sentence.casefold())
    found: dict[str, str] = {}
    for before, word in pairwise(words):
        if not _BARE.match(before) and (word == "for" or not _BARE.match(word)):
            found.setdefault(stems(word) or word, stems(before))
    return found


def _promised(text: str) -> Iterator[tuple[frozenset[str], str, str]]:
    """The words, the weekday and the clause of each thing that is promised for one weekday."""
    for sentence in _SENTENCE.split("" if CORRECTS.search(text) else OTHERS.sub(" ", text)):
        if not _DUE.search(sentence) or ANOTHER.search(sentence):
            continue
        for clause in _dated(sentence):
            found = {match[0].casefold() for match in _DAY.finditer(clause)}
            if len(found) == 1:
                words = {one for one in stems(_DAY.sub(" ", clause)).split() if len(one) > 3 and not _SMALL.match(one)}
                yield frozenset(words), found.pop(), clause.strip()


def _dated(sentence: str) -> list[str]:
    """A sentence cut so that each part has its weekday: "the flags are due on Tuesday, the pennants on Thursday"."""
    parts: list[str] = []
    for piece in re.split(r"(?<=[,;])\s*(?:and\s+|but\s+)?|\s+and\s+(?=the\b)", sentence):
        if parts and not (_DAY.search(parts[-1]) and _DAY.search(piece)):
            parts[-1] = f"{parts[-1]} {piece}"
        else:
            parts.append(piece)
    return parts


def _told(text: str) -> list[str]:
    if CORRECTS.search(text):
        return []
    return [one for one in _SENTENCE.split(text) if one.strip() and not ELSEWHERE.search(one)]
