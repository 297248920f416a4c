"""One count for everything that is not named: "one of each", "two of everything else", "the rest are singles"."""

import re

from attrs import frozen

from packhorse_discovery.domain import counting

COUNT = rf"(?P<count>\d+|{counting.WORDS}|zero|no)"

EACH = re.compile(
    rf"(?:^|\b(?:have|got|is|are)\s+)(?:only\s+|just\s+)?(?P<count>\d+|{counting.WORDS})\s+(?:of\s+)?(?:each|everything)(?:\s+of)?\s*[:,]?\s+"
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
    rf"\b{COUNT}\s+(?:of\s+|per\s+|for\s+)(?P<all>{_REST}|{_ALL})\b(?!\s*(?:of\s+)?:)"
    rf"|(?P<whole>\b{_REST}|(?:^|[,;.]\s*)(?:{_ALL}|otherwise))(?:\s*[:,\u2013-]\s*|['\u2019]s\b|\s+)"
    rf"(?:(?:is|are|has|have|comes?|exists?|there|we|i|['\u2019]ve|got|just|only|it['\u2019]s|they['\u2019]re|as|a|there['\u2019]s)\s+)*"
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
    rf"s)\s+){COUNT}\s+(?:{GENERIC}|(?=in (?:all|total)|altogether))\s*(?=\s*(?:[,:;.\u2013-]|"
    rf"$|in (?:all|total|the [a-z]+)|altogether|and\b|with\b))",
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
    rf"(?:but|except|only|apart|save|bar|other|plus|and|(?:of\s+)?(?:the\s+)?(?:them|those|these|others?|rest|{GENERIC}))\b",
    re.IGNORECASE,
)

_OFTEN = {"once": "one", "twice": "two"}


@frozen
class Shares:
    """One count for every thing not named; ``total`` is how many there are in all, where it was said."""

    count: int
    total: int | None


def shares(text: str) -> tuple[Shares | None, str]:
    """The count that all things share, and ``text`` without it."""
    flat = re.sub(
        r"\b(once|twice)(?=\s*(?:[,.;]|$|but|except))", lambda m: _OFTEN[m[1].casefold()], text, flags=re.IGNORECASE
    )
    found = _SHARED.search(flat)
    if found is None or _lists_each(flat):
        return None, flat
    words = (found["count"] or found["many"] or found["every"]).casefold()
    words = {"no": "0", "zero": "0", "singles": "1", "double": "2", "doubles": "2"}.get(words, words)
    number = counting.count(words)
    rest = f"{flat[: found.start()]} . {flat[found.end() :]}"
    total = TOTAL.search(rest)
    if total is not None:
        rest = f"{rest[: total.start()]} . {rest[total.end() :]}"
    rest = ". ".join(
        _EXCEPT.sub("", piece.strip(" ,"))
        for piece in re.split(r"[.;!]\s+|\bbut\b|\bexcept\b", rest)
        if piece.strip(" ,.")
    )
    return Shares(number, counting.count(total["count"]) if total else None), rest


def _lists_each(text: str) -> bool:
    """Whether "one of each" is followed by the things themselves, and not by exceptions to it."""
    listed = EACH.search(text)
    return listed is not None and not _NO_LIST.match(listed["these"])
