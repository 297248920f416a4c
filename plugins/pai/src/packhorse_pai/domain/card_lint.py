"""What stands on a card and is not read as its author will have meant it."""

import re
from collections.abc import Iterator, Mapping, Sequence

from packhorse_pai.domain.findings import meant
from packhorse_pai.domain.names import Agent, is_tool, tokens, twice
from packhorse_pai.domain.policy import MOST_DEPTH, NEVER, SPAWN_TOOLS, Limits
from packhorse_pai.domain.sections import Section, bullets

_MARK = re.compile(r"^\s*(?:(?:[-*+]|[0-9]{1,9}[.)])\s+)?|\s+$")
"""What stands before a list item, and the blanks around a line."""
_GRANT = re.compile(r"^\s*\[\[?\s*grant\s*\]?\]", re.MULTILINE)
_ANSWERS = ("yes", "no", "true", "false")
_FIELDS = ("Identity", "Chain of Command", "Limits")
_LISTS = ("Standing Orders", "Escalation Triggers", "Key Constraints")


def unread_sections(extra: Sequence[Section], known: Sequence[str], taken: Mapping[str, Section]) -> Iterator[str]:
    """Sections whose name is nearly one that is known, and rules outside of ``## Tools``."""
    for part in extra:
        title = part.title.split(" (", 1)[0].strip()
        if cure := meant(title.title(), (one for one in known if one not in taken)):
            yield f"the section {title[:60]!r} is not read{cure}"


def rules_elsewhere(parts: Sequence[Section], read: Sequence[str]) -> Iterator[str]:
    """Rules that stand where none are read: outside of ``## Tools``, or in no block that is fenced as toml."""
    for part in parts:
        written = len(_GRANT.findall("\n".join(part.lines)))
        if written > (sum(len(_GRANT.findall(block)) for block in read) if part.title.startswith("Tools") else 0):
            yield f"rules under {part.title[:60]!r} are not read: they stand under ## Tools, in a fence labelled toml"


def unread_lines(parts: Mapping[str, Section]) -> Iterator[str]:
    """Items that are no fields, in sections of fields, and lists that are empty."""
    for title in _FIELDS:
        if title in parts:
            read = [item for item in bullets(parts[title]) if item.startswith("**") and ":**" in item]
            for line in parts[title].lines:
                words = _MARK.sub("", line)
                if words not in read and (":" in words or words.startswith("**")) and not line.startswith("  "):
                    yield f"{title}: {words[:60]!r} is not read: write - **LABEL:** value"
    for title in _LISTS:
        if title in parts and not bullets(parts[title]):
            yield f"{title}: it has no list item, and nothing else is read"


def unlisted_tools(part: Section, listed: Sequence[str]) -> Iterator[str]:
    """Tools under ``## Tools`` in a line that is no list item, or one below another."""
    items = set(bullets(part))
    for line in part.lines:
        words = [word.strip("`") for word in re.split(r"[,;\s]+", _MARK.sub("", line)) if word]
        if _MARK.sub("", line) not in items and words and all(is_tool(word) and "_" in word for word in words):
            for word in words:
                if word not in listed:
                    yield f"{word} is not granted: write it as a list item of its own, - {word}"


def of_tools(names: Sequence[str]) -> Iterator[str]:
    """Tools that no agent can have."""
    for name in names:
        if name in SPAWN_TOOLS:
            yield f"no agent can have {name}: name the agents that it may start under Can Spawn"
        elif name in NEVER:
            yield f"no agent can have {name}: leave it out"


def of_answer(label: str, value: str) -> Iterator[str]:
    """A field that is yes or no, and says neither."""
    if value.split(" ", maxsplit=1)[0].strip(".,").lower() not in _ANSWERS:
        yield f"{label} is yes or no, and {value[:40]!r} counts as no"


def of_spawns(line: str) -> Iterator[str]:
    """Agents that stand twice in the line, or behind a word that empties it."""
    named = [token.name for token in tokens(line) if isinstance(token, Agent)]
    for name in twice(named):
        yield f"Can Spawn names {name} twice"
    behind = [token.name for token in tokens("x, " + line) if isinstance(token, Agent)]
    if line.strip() and not tokens(line) and behind:
        yield f"Can Spawn begins with None, so {behind[0]} is not read"


def of_limits(limits: Mapping[str, int], given: Limits, tier: str, *, starts: bool, exposed: bool) -> Iterator[str]:
    """Limits that change nothing, since what holds without them is lower already."""
    for kind, value in limits.items():
        most = getattr(given, kind)
        if value > most:
            by = f"the tier {tier} gives" if kind in ("turns", "calls") else "every agent has"
            by = "a chain may have" if kind == "depth" else by
            yield f"{kind.title()}: {value} has no effect: {by} {MOST_DEPTH if kind == 'depth' else most}"
        elif kind in ("spawns", "depth") and value and not starts:
            yield f"{kind.title()}: {value} has no effect: it may start nobody"
        elif kind == "depth" and not exposed:
            yield f"Depth: {value} has no effect: only that of an agent which a person may invoke is read"
