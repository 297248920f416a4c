"""How long a text can be that a regular expression matches whole. Unknown where it has more than plain parts."""

import re
from collections.abc import Iterator
from itertools import accumulate

_PART = re.compile(
    r"(?P<open>\((?:\?:)?)(?!\?)|(?P<close>\))|(?P<or>\|)|(?P<times>[*+?]|\{(?P<least>\d*)(?P<upto>,?)(?P<most>\d*)\})\??"
    r"|(?P<one>\\[dDwWsS.\-+*?()\[\]{}|/\\^$:@]|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\()\[\]|*+?{}^$])",
    re.ASCII,
)
_MOST = 4096
"""A longer text counts as one without end."""

Width = tuple[int, int | None]


def width(pattern: str) -> Width | None:
    """The fewest and the most letters (None: no end) of what ``^...$`` matches; None for another pattern."""
    parts = _parts(pattern)
    if parts is None:
        return None
    ways, rest = _ways(iter(parts))
    if rest is not None:  # a bracket too many
        return None
    least, most = ways[0]
    return least, None if most is not None and most > _MOST else most


def has_room_for(letter: str, pattern: str) -> bool:
    """Whether a text that ``^...$`` matches may have a letter in it; true for another pattern."""
    parts = _parts(pattern)
    return parts is None or any(part["one"] and re.fullmatch(part["one"], letter) is not None for part in parts)


def _parts(pattern: str) -> list[re.Match[str]] | None:
    """The parts of ``^...$``; None for another pattern."""
    if not (pattern.startswith("^") and pattern.endswith("$") and not pattern.endswith("\\$")):
        return None
    parts, at = [], 1
    while at < len(pattern) - 1:
        found = _PART.match(pattern, at, len(pattern) - 1)
        if found is None:
            return None
        parts.append(found)
        at = found.end()
    # With an alternative outside of brackets the marks at the ends are about one alternative alone.
    depths = accumulate(1 if part["open"] else -1 if part["close"] else 0 for part in parts)
    outside = any(part["or"] and not depth for part, depth in zip(parts, depths, strict=True))
    return None if outside else parts


def _ways(parts: Iterator[re.Match[str]]) -> tuple[list[Width], re.Match[str] | None]:
    """The width of each alternative up to a closing bracket, and that bracket."""
    ways: list[list[Width]] = [[]]
    for part in parts:
        if part["close"]:
            return [_sum(way) for way in ways], part
        if part["or"]:
            ways.append([])
        elif part["open"]:
            inner, _ = _ways(parts)
            ends = [most for _, most in inner]
            ways[-1].append(
                (min(least for least, _ in inner), None if None in ends else max(e for e in ends if e is not None))
            )
        elif part["times"] and ways[-1]:
            ways[-1].append(_repeated(ways[-1].pop(), part))
        else:
            ways[-1].append((1, 1))
    return [_sum(way) for way in ways], None


def _repeated(width: Width, part: re.Match[str]) -> Width:
    least = {"*": 0, "?": 0, "+": 1}.get(part["times"], int(part["least"] or 0))
    if part["times"] in ("*", "+") or (part["upto"] and not part["most"]):
        return width[0] * least, None
    most = 1 if part["times"] == "?" else int(part["most"] or least)
    return width[0] * least, None if width[1] is None else width[1] * most


def _sum(parts: list[Width]) -> Width:
    ends = [most for _, most in parts]
    return sum(least for least, _ in parts), None if None in ends else sum(end for end in ends if end is not None)
