"""Names of agents and tools, and the grammar of a card's ``Can Spawn`` line.

The grammar is what 55 real cards were found to use: names with notes, aliases,
parties, a wildcard and prose. Whatever it does not know is prose, and prose
grants nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable

from attrs import frozen

AGENT = re.compile(r"[0-9A-Z][0-9A-Z_]{0,63}", re.ASCII)
TOOL = re.compile(r"[a-z][a-z0-9_]{0,127}", re.ASCII)

_NOTED = re.compile(r"([^()]{1,80}?)(\*?)\s{0,8}(?:\(([^()]{0,200})\))?", re.ASCII)
_PARTY = re.compile(r"/[a-z][a-z-]{0,63}", re.ASCII)
_NOBODY = re.compile(r"(?i:none)\b")
_ANYBODY = re.compile(r"(?i:any)\s+agent\b")


@frozen
class Agent:
    """One agent by name. ``alias`` is how the line calls it, where that differs; ``starred`` has a footnote."""

    name: str
    alias: str | None = None
    starred: bool = False


@frozen
class Party:
    """A group of probes, such as ``/search-party``. It is no agent of this host."""

    name: str


@frozen
class Wildcard:
    """``ANY agent``. A card cannot claim that: it grants nothing."""


@frozen
class Prose:
    """Words that name nobody for certain. They grant nothing."""

    text: str


Token = Agent | Party | Wildcard | Prose


def is_agent(name: object) -> bool:
    """Whether ``name`` could be an agent's: capitals, digits and underscores, at most 64."""
    return isinstance(name, str) and AGENT.fullmatch(name) is not None


def is_tool(name: object) -> bool:
    """Whether ``name`` could be a tool's, as the matrix writes them: small letters, digits and underscores."""
    return isinstance(name, str) and TOOL.fullmatch(name) is not None


def lead(text: str) -> str | None:
    """The agent that ``ORCHESTRATOR (General Support)`` begins with; None where it begins with no name."""
    first = text.split(maxsplit=1)[0].rstrip(",") if text.strip() else ""
    return first if is_agent(first) else None


def tokens(line: str) -> tuple[Token, ...]:
    """What a ``Can Spawn`` line names, in its order. ``None`` counts only as the first word."""
    if not line.strip() or _NOBODY.match(line.strip()):
        return ()
    return tuple(_token(piece) for piece in _pieces(line) if piece)


def _pieces(line: str) -> list[str]:
    """The line cut at commas outside parentheses."""
    pieces, depth, start = [], 0, 0
    for index, letter in enumerate(line):
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth = max(0, depth - 1)
        elif letter == "," and depth == 0:
            pieces.append(line[start:index].strip())
            start = index + 1
    pieces.append(line[start:].strip())
    return pieces


def _token(piece: str) -> Token:
    if _ANYBODY.match(piece):
        return Wildcard()
    noted = _NOTED.fullmatch(piece)
    if noted is None:
        return Prose(piece)
    name, note = noted[1].strip(), (noted[3] or "").strip()
    if _PARTY.fullmatch(name):
        return Party(name)
    if not is_agent(name):
        return Prose(piece)
    # "IG (DELEGATION_AUDITOR)" is a nickname with the name behind it; "G2_RECON (GS)" a name with a note.
    if "_" not in name and is_agent(note) and "_" in note:
        return Agent(note, alias=name)
    return Agent(name, starred=bool(noted[2]))


def twice(words: Iterable[str]) -> list[str]:
    """Those that stand there more than once."""
    return [word for word, times in Counter(words).items() if times > 1]
