"""One count for everything that is not named: "one of each", "two of everything else", "the rest are singles"."""

import re

from attrs import frozen

from packhorse_discovery.domain import counting

COUNT = rf"(?P<count>\d+|{counting.WORDS}|zero|no)"

EACH = re.compile(
    rf"(?:^|\b(?:have|got|is|are|and|but)\s+|[,;:.]\s*)(?:only\s+|just\s+)?(?P<count>\d+|"
    rf"{counting.WORDS})\s+(?:of\s+)?(?:each|everything)(?:\s+of)?\s*[:,]?\s+"
    r"(?:the\s+)?(?P<these>.+)$",
    re.IGNORECASE,
)
"""``one each of``: the number of everything that follows without one."""

GENERIC = (
    r"(?:machines?|stations?|work\s?stations?|resources?|work\s?places?|pieces? of (?:equipment|"
    r"kit|machinery)|kinds?(?: of machines?)?|types?)"
)

_REST = (
    r"(?:(?:everything|anything|all) else|(?:all\s+)?(?:of\s+)?the (?:rest|others|"
    r"other ones|remaining ones)|all (?:the )?others|"
    rf"(?:all\s+)?(?:the\s+)?(?:other|remaining)\s+{GENERIC})"
)

_ALL = (
    rf"(?:each|every(?:thing|\s?one)|(?:each|every)\s+(?:of\s+(?:them|those|these)|"
    rf"one|single one|kind|type|sort|thing|step|{GENERIC})|(?:all of )?(?:them|"
    rf"those) all|the lot)"
)

_SHARED = re.compile(
    rf"\b{COUNT}\s+(?:{GENERIC}\s+)?(?:of\s+|per\s+|for\s+)(?P<all>{_REST}|{_ALL})\b(?!\s*(?:of\s+)?:)"
    rf"|(?P<whole>\b{_REST}|(?:^|[,;.]\s*)(?:{_ALL}|otherwise|all(?=\s+(?:one|1)\b)))(?:\s*[:,\u2013-]\s*|"
    rf"['\u2019]s\b|\s+)"
    rf"(?:(?:is|are|has|have|comes?|exists?|there|we|i|['\u2019]ve|got|just|only|it['\u2019]s|they['\u2019]re|as|"
    rf"a|there['\u2019]s)\s+)*"
    rf"(?P<many>\d+|{counting.WORDS}|singles?|doubles?)\b(?:\s+(?:of\s+(?:each|"
    rf"them|everything|those)|each|apiece))?(?!\s+[a-z]*\s*(?:at a time|load|"
    rf"job|batch|lot|piece))"
    rf"|(?P<bare>(?:^|[,;:.]\s*|\b(?:have|has|got)\s+)(?:just\s+|only\s+)?(?P<every>\d+|"
    rf"{counting.WORDS})\s+(?:each|apiece|a piece))(?=\s*(?:[.,;]|$|but|except))",
    re.IGNORECASE,
)
"""One number for all that is not named: "one of each", "two of everything else", "the rest are singles"."""

TOTAL = re.compile(
    rf"(?:^|\b(?:have|has|got|are|is|own|run|exactly|only|just)\s+|['\u2019](?:ve|"
    rf"s)\s+){COUNT}\s+(?:{GENERIC}|(?=in (?:all|total)|all told|altogether))\s*(?=\s*(?:[,:;.\u2013-]|"
    rf"$|in (?:all|total|the [a-z]+)|all told|altogether|and\b|with\b))",
    re.IGNORECASE,
)

_EXCEPT = re.compile(
    r"^\W*(?:(?:but|and|only|except|save|bar|barring|apart|other|besides|unless|"
    r"otherwise|with the exception of|not counting|plus)\b\s*(?:for|from|than|"
    r"that)?\s*)+"
    r"(?=(?:the|our|just|only|there|we|\w+))",
    re.IGNORECASE,
)

_NO_LIST = re.compile(
    rf"(?:else|but|except|only|apart|save|bar|other|plus|and|(?:of\s+)?(?:the\s+)?(?:them|those|these|others?|"
    rf"rest|{GENERIC}))\b",
    re.IGNORECASE,
)

_OFTEN = {"once": "one", "twice": "two", "thrice": "three"}
_COPIES = re.compile(
    r"\b(?:once|twice|thrice)\b(?:\s+only)?(?=\s*(?:[,.;]|$|but|except))|\b(?:one-offs?|single units?|"
    r"singles?)(?=\s*(?:[,.;]|$|but|except|bar|apart|throughout))",
    re.IGNORECASE,
)
_TIMES = re.compile(rf"\b(?P<count>\d+|{counting.CARDINAL})\s+(?:times|in number)(?=\s*(?:[,.;]|$))", re.IGNORECASE)
_EXISTS = re.compile(
    r"\s+(?:exists?|we have|we['\u2019]ve got|i have)\s+(?=(?:only\s+|just\s+)?(?:one|two|three)\s*(?:[,.;]|$))",
    re.IGNORECASE,
)
"""``the saw exists twice``, ``everything we have once``: a number after the thing."""
_SINGLES = re.compile(r"(?:^|(?<=[.;\n]))\s*(?:singles?|one(?:s)?|one each)\s*:\s*", re.IGNORECASE)
_OF_EVERYTHING = re.compile(
    r"(?:^|(?<=[.;,\n]))\s*of (?:everything|each(?: of them| thing| kind| type)?|all (?:of them|the others|"
    r"the rest)|(?:all )?the (?:others|rest))"
    r"(?:,|\s+(?:there(?:['\u2019]s|\s+is|\s+are)|we(?:['\u2019]ve|\s+have)(?:\s+got)?|i(?:['\u2019]ve|"
    r"\s+have)(?:\s+got)?))\s*(?:only\s+|just\s+)?(?:the\s+)?(?=one\b|two\b|three\b)",
    re.IGNORECASE,
)


@frozen
class Shares:
    """One count for every thing not named; ``total`` is how many there are in all, where it was said."""

    count: int
    total: int | None


_NAME = rf"(?:(?!\b(?:{counting.CARDINAL}|but|only|of|is|are|have|there|and)\b)[\w -])+?"
_NAMES = rf"{_NAME}(?:,\s*(?:the\s+)?{_NAME})*?,?\s+and\s+(?:the\s+)?{_NAME}"
_OTHERS = re.compile(
    rf"\b(?P<count>{counting.CARDINAL}|\d+)\s+(?:of\s+)?each(?:\s+of)?\s+(?:the\s+|all\s+the\s+)?(?:other|"
    rf"remaining|following)\s*"
    rf"(?:{counting.CARDINAL}|\d+)?\s*(?:{GENERIC})?\s*(?::|,|\()\s*(?P<these>[^()]+?)\)?(?=\s*(?:$|[.;\n]))",
    re.IGNORECASE,
)
"""``one each of the other six (lathe, rig, booth)``."""
_EACH_LAST = re.compile(
    rf"(?P<count>\b(?:{counting.CARDINAL}|\d+))\s+(?P<these>{_NAMES})\s+(?:each|apiece)(?=\s*(?:$|[.;\n]))",
    re.IGNORECASE,
)
"""``one lathe, rig and booth each``."""
_OF_THE = re.compile(
    rf"(?P<count>\b(?:{counting.CARDINAL}|\d+))\s+of\s+(?:the|our)\s+(?!(?:other|rest|remaining|"
    rf"following)\b)(?P<these>{_NAMES})(?=\s*(?:$|[.;\n]))",
    re.IGNORECASE,
)
"""``one of the lathe, the rig and the booth``."""
_OF_ONE = re.compile(
    rf"(?P<count>\b(?:{counting.CARDINAL}|\d+))\s+of\s+(?:the|our)\s+(?!(?:other|rest|remaining|following|same|"
    rf"best|old|new)\b)(?=[a-z][\w -]*(?:$|[,.;]|\bbut\b|\band\b))",
    re.IGNORECASE,
)
_REST_NAMED = re.compile(
    rf"\b(?:the\s+)?(?P<count>\d+|{counting.CARDINAL})\s+of\s+(?:{_REST}|{_ALL})\s*(?::|[\u2013-]\s)\s*"
    r"(?P<these>[^.;:\n]+)",
    re.IGNORECASE,
)
"""``just the one of all the rest: bridge saw, polisher``."""
_QTY = re.compile(r"\b(?:qty|quantity|no)\.?:?\s+(?=\d)", re.IGNORECASE)
_THROUGHOUT = re.compile(
    r"\b(?:singles?|single (?:units?|machines?|stations?)|one-offs?|one)\s+"
    r"(?:throughout|across the board|everywhere)\b",
    re.IGNORECASE,
)
_DOUBLED = re.compile(r"\b(?:is\s+|are\s+)?(?:duplicated|doubled(?: up)?|in duplicate|twofold)\b", re.IGNORECASE)


def spelt(text: str) -> str:
    """``text`` with the things that "one of all the rest" names after a colon counted each, as well as the rest."""

    def each(match: re.Match[str]) -> str:
        names = re.split(r",\s*(?:and\s+)?|\s+and\s+", match["these"])
        own = "; ".join(f"{match['count']} {re.sub(r'^(?:the|our) ', '', one.strip())}" for one in names if one.strip())
        return f"{match['count']} of everything else; {own}"

    return text if _lists_each(text) else _REST_NAMED.sub(each, text)


def evened(text: str) -> str:
    """``text`` with what has one number for several things as "one each of ..."."""

    def each(match: re.Match[str]) -> str:
        return f"{match['count']} each of {re.sub(r'(?<=, )the |(?<=and )the |^the ', '', match['these'])}"

    text = _THROUGHOUT.sub("one of each", text)
    text = _DOUBLED.sub("two", _QTY.sub("", text))
    for pattern in (_OTHERS, _EACH_LAST, _OF_THE):
        text = pattern.sub(each, text)
    text = _COPIES.sub(lambda m: _OFTEN.get(m[0].casefold().split()[0], "one"), _OF_ONE.sub(r"\g<count> ", text))
    text = _TIMES.sub(lambda m: m["count"], text)
    return _OF_EVERYTHING.sub("everything: ", _EXISTS.sub(" ", _SINGLES.sub(" one each of ", text)))


def shares(text: str) -> tuple[Shares | None, str]:
    """The count that all things share, and ``text`` without it."""
    flat = evened(text)
    found = _SHARED.search(flat)
    if found is None or _lists_each(flat):
        return None, flat
    words = (found["count"] or found["many"] or found["every"]).casefold()
    words = {"no": "0", "zero": "0", "singles": "1", "double": "2", "doubles": "2"}.get(words, words)
    number = counting.count(words)
    rest = f"{flat[: found.start()]} . {flat[found.end() :]}"
    total = TOTAL.search(rest)
    if total is not None and re.search(r"\b(?:kinds?|types?)\b", total[0], re.IGNORECASE):
        rest, total = f"{rest[: total.start()]} . {rest[total.end() :]}", None
    if total is not None:
        rest = f"{rest[: total.start()]} . {rest[total.end() :]}"
    rest = ". ".join(
        _EXCEPT.sub("", re.sub(r"^(?:that|for|from)\s+", "", piece.strip(" ,"), flags=re.IGNORECASE))
        for piece in re.split(r"[.;!]\s+|\bbut\b|\bexcept\b", rest)
        if piece.strip(" ,.")
    )
    return Shares(number, counting.count(total["count"]) if total else None), rest


def _lists_each(text: str) -> bool:
    """Whether "one of each" is followed by the things themselves, and not by exceptions to it."""
    listed = EACH.search(text)
    return listed is not None and not _NO_LIST.match(listed["these"])
