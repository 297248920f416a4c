"""Identity cards: a card's text to a `Card`, for any bytes, in time linear in their number.

A card is Markdown of one shape: a title, then level-two sections of fields or
list items. It is read line by line rather than by a Markdown engine, so that
the time is one pass and nothing outside the shape can carry a right: fenced
code, HTML comments and indented text are never read as fields. What cannot be
read is a finding. A finding that makes the card ambiguous (a field or section
written twice, a wrong title) is grave, and an agent with a grave finding gets
no rights.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from attrs import field, frozen

from packhorse_pai.domain import card_lint
from packhorse_pai.domain.grants import Grant
from packhorse_pai.domain.grants_toml import grant_from
from packhorse_pai.domain.names import Agent, Party, Prose, Token, Wildcard, is_agent, is_tool, tokens, twice
from packhorse_pai.domain.sections import Section, bullets, fenced, fields, sections

MOST_BYTES = 64 * 1024
"""The longest card that is read. The longest of the 55 known ones has 7 KiB."""

TIERS = ("Command", "Deputy", "Coordinator", "Specialist", "G-Staff", "Special Staff", "SOF", "Oversight")
"""The tiers that the 55 known cards use."""

LIMITS = ("turns", "calls", "spawns", "tokens", "seconds", "depth")
"""What a ``## Limits`` section may set. It can only lower what the tier gives."""

_TITLE = " Identity Card"
_BACKTICKED = re.compile(r"`([^`\s]{1,128})`")
_COUNT = re.compile(r"[0-9]{1,9}", re.ASCII)
_RATE = re.compile(r"([0-9]{1,6})\s{0,4}/\s{0,4}(second|minute|hour|day)", re.ASCII)


@frozen
class Finding:
    """Something of a card that could not be taken as written."""

    kind: str
    text: str
    grave: bool = False


@frozen
class Card:
    """One agent's identity, as its card says it. Nothing here is a right yet.

    Lists keep the card's order and wording. ``can_spawn`` is the line as
    written. ``rate`` is calls per unit of time, such as ``30/hour``.
    ``extra`` are sections this format does not know, as written.
    """

    name: str
    heading: str = ""
    role: str = ""
    tier: str = ""
    model: str = ""
    reports_to: str = ""
    can_spawn: str = ""
    escalate_to: str = ""
    standing_orders: tuple[str, ...] = ()
    escalation_triggers: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    charter: str = ""
    boot_instruction: str | None = None
    spawnable: bool = True
    limits: Mapping[str, int] = field(factory=lambda: MappingProxyType({}), hash=False)
    rate: str | None = None
    capabilities: tuple[str, ...] = ()
    grants: tuple[Grant, ...] = ()
    """What the arguments of its tools may be, where a block of TOML under ``## Tools`` says it."""
    exposed: bool | None = None
    """Whether a person may invoke it, where the card says so."""
    extra: tuple[Section, ...] = ()

    @property
    def title(self) -> str:
        """The heading of the card, without its mark."""
        return self.heading or self.name + _TITLE

    @property
    def spawns(self) -> tuple[Token, ...]:
        """What the ``Can Spawn`` line names."""
        return tokens(self.can_spawn)


@frozen
class Reading:
    """A card and what was found while reading it."""

    card: Card
    findings: tuple[Finding, ...] = ()

    @property
    def grave(self) -> bool:
        """Whether the card is too ambiguous for its agent to get any right."""
        return any(finding.grave for finding in self.findings)


def parse(source: bytes | str, *, stem: str | None = None) -> Reading:
    """Read a card. ``stem`` is the name its file promises (``SCHEDULER`` of ``SCHEDULER.identity.md``).

    Total: any bytes give a reading, if only one full of findings.
    """
    found: list[Finding] = []
    size = len(source) if isinstance(source, bytes) else len(source.encode("utf-8", "replace"))
    if size > MOST_BYTES:
        over = Finding("too_long", f"{size} bytes; a card may have at most {MOST_BYTES}", grave=True)
        return Reading(Card(stem if stem is not None and is_agent(stem) else ""), (over,))
    if isinstance(source, str):
        text = source
    else:
        try:
            text = source.decode("utf-8-sig")
        except UnicodeDecodeError:
            found.append(Finding("not_utf8", "the card is not UTF-8", grave=True))
            text = source.decode("utf-8", "replace")
    title, parts = sections(text)
    name = _name(title, stem, found)
    known: dict[str, Section] = {}
    extra = []
    for part in parts:
        key = part.title.split(" (", 1)[0].strip()
        if key not in _READERS:
            extra.append(part)
        elif key in known:
            found.append(Finding("duplicate_section", f"the section {key!r} occurs twice", grave=True))
        else:
            known[key] = part
    values: dict[str, object] = {}
    for key, reader in _READERS.items():
        if key in known:
            values.update(reader(known[key], found))
        elif key not in _OPTIONAL:
            found.append(Finding("missing_section", f"there is no section {key!r}"))
    values["capabilities"] = (*_tools_of(values.get("capabilities", ()), found), *_tools_of(_tabled(extra), found))
    heading = "" if title is None or title == name + _TITLE else title
    card = Card(name, heading=heading, extra=tuple(extra), **values)  # type: ignore[arg-type]  # each reader gives its own fields
    _check(card, found)
    found += _not_read(card, parts, known)
    return Reading(card, tuple(found))


def _not_read(card: Card, parts: list[Section], known: Mapping[str, Section]) -> Iterator[Finding]:
    blocks = fenced(known["Tools"], "toml") if "Tools" in known else []
    for text in card_lint.rules_elsewhere(parts, blocks):
        # A rule that is there and cannot be read must not be taken for none.
        yield Finding("grant", text, grave=True)
    if "Tools" in known and "Capabilities" in known:
        yield Finding(
            "duplicate_section", "of 'Tools' and 'Capabilities' only the second is read: write one", grave=True
        )
    listed = card_lint.unlisted_tools(known["Tools"], card.capabilities) if "Tools" in known else ()
    for text in (
        *card_lint.unread_sections(card.extra, [*_READERS], known),
        *card_lint.unread_lines(known),
        *listed,
        *card_lint.of_tools(card.capabilities),
        *card_lint.of_spawns(card.can_spawn),
    ):
        yield Finding("not_read", text)
    if card.rate is not None and card.rate.startswith("0/"):
        yield Finding("limit", f"Rate: {card.rate} lets no call through")


def _name(title: str | None, stem: str | None, found: list[Finding]) -> str:
    if title is None or not title.endswith(_TITLE) or not is_agent(title.removesuffix(_TITLE)):
        found.append(Finding("title", "the first heading must read '# NAME Identity Card'", grave=True))
        return stem if stem is not None and is_agent(stem) else ""
    name = title.removesuffix(_TITLE)
    if stem is not None and stem != name:
        found.append(Finding("title", f"the file name says {stem[:64]!r}, but the title says {name!r}", grave=True))
    return name


def _identity(part: Section, found: list[Finding]) -> dict[str, object]:
    known = {"Role": "role", "Tier": "tier", "Model": "model", "Spawnable": "spawnable", "Exposed": "exposed"}
    got = _fields(part, known, found)
    for key in ("spawnable", "exposed"):
        if key in got:
            found.extend(Finding("answer", text) for text in card_lint.of_answer(key.title(), str(got[key])))
            # Only a clear yes counts once the card speaks of it at all.
            got[key] = str(got[key]).split(" ")[0].lower() in ("true", "yes")
    return got


def _granted(part: Section, found: list[Finding]) -> dict[str, object]:
    """Tools as list items, and grants in a fenced block of TOML."""
    names = [item.strip("`") for item in bullets(part)]
    found.extend(Finding("duplicate_tool", f"the tool {name[:60]!r} is listed twice") for name in twice(names))
    grants = []
    for block in fenced(part, "toml"):
        try:
            grants += grants_in(block)
        except ValueError as exc:
            # A rule that is there and cannot be read must not be taken for none.
            found.append(Finding("grant", f"the grants are not readable: {exc}", grave=True))
    named = dict.fromkeys((*names, *(grant.tool for grant in grants)))
    return {"capabilities": tuple(named), "grants": tuple(grants)}


def grants_in(block: str) -> list[Grant]:
    """The grants in a block of TOML.

    Raises:
        ValueError: it is no TOML, or something else stands there.
    """
    data = tomllib.loads(block)
    if unknown := sorted(data.keys() - {"grant"}):
        raise ValueError(f"the key {unknown[0]!r} is not known here: each grant begins with [[grant]]")
    rows = data.get("grant", [])
    if not isinstance(rows, list):
        raise ValueError("a grant begins with [[grant]], in two brackets")  # noqa: TRY004  # one error for a file that is wrong
    return [grant_from(row) for row in rows]


def _chain(part: Section, found: list[Finding]) -> dict[str, object]:
    names = {"Reports To": "reports_to", "Can Spawn": "can_spawn", "Escalate To": "escalate_to"}
    got = _fields(part, names, found)
    if got.get("can_spawn") == "":
        got["can_spawn"] = ", ".join(
            nested for label, _, below in fields(part) if label == "Can Spawn" for nested in below
        )
    return got


def _limits(part: Section, found: list[Finding]) -> dict[str, object]:
    limits: dict[str, int] = {}
    rate = None
    for label, value, _ in fields(part):
        key = label.lower()
        if key == "rate" and rate is None and (match := _RATE.fullmatch(value)):
            rate = f"{int(match[1])}/{match[2]}"
        elif key in LIMITS and _COUNT.fullmatch(value) and key not in limits:
            limits[key] = int(value)
        else:
            # A limit that is there and cannot be read must not be taken for none.
            if key in limits or (key == "rate" and rate is not None):
                words = f"the limit {label[:40]!r} stands twice"
            elif key == "rate":
                words = f"the limit {label[:40]!r} is calls in a time, such as 30/hour, and not {value[:40]!r}"
            elif key in LIMITS:
                words = f"the limit {label[:40]!r} is a whole number, and not {value[:40]!r}"
            else:
                words = (
                    f"there is no limit {label[:40]!r}: there are {', '.join(one.title() for one in LIMITS)} and Rate"
                )
            found.append(Finding("limit", words, grave=True))
    return {"limits": MappingProxyType(limits), "rate": rate}


def _fields(part: Section, names: Mapping[str, str], found: list[Finding]) -> dict[str, object]:
    got: dict[str, object] = {}
    for label, value, _ in fields(part):
        key = names.get(label)
        if key is None:
            found.append(Finding("unknown_field", f"{part.title}: the field {label[:40]!r} is unknown and is ignored"))
        elif key in got:
            found.append(Finding("duplicate_field", f"the field {label!r} occurs twice", grave=True))
        else:
            got[key] = value
    return got


def _charter(part: Section, found: list[Finding]) -> dict[str, object]:
    line = next((line.strip() for line in part.lines if line.strip()), "")
    quoted = len(line) >= 2 and line[0] == line[-1] == '"'
    return {"charter": line[1:-1] if quoted else line}


def _tabled(extra: list[Section]) -> tuple[str, ...]:
    """Backticked names in the first column of a table under ``MCP Tools``, as one real card writes them."""
    rows = (line for part in extra if part.title.split(" (", 1)[0] == "MCP Tools" for line in part.lines)
    firsts = (line.strip().strip("|").split("|", 1)[0].strip() for line in rows if line.strip().startswith("|"))
    return tuple(match[1] for first in firsts if (match := _BACKTICKED.fullmatch(first)))


def _tools_of(names: object, found: list[Finding]) -> tuple[str, ...]:
    tools = []
    for name in names if isinstance(names, tuple) else ():
        if is_tool(name):
            tools.append(name)
        else:
            found.append(Finding("unknown_tool", f"the capability {name[:60]!r} is not the name of a tool"))
    return tuple(tools)


def _check(card: Card, found: list[Finding]) -> None:
    for tag in ("role", "tier", "can_spawn", "reports_to", "escalate_to", "charter"):
        value = getattr(card, tag)
        if not value:
            found.append(Finding("missing_field", f"the field {tag!r} is missing or empty"))
    if card.tier and card.tier not in TIERS:
        found.append(Finding("unknown_tier", f"the tier {card.tier[:60]!r} is not known; the lowest budget applies"))
    for token in card.spawns:
        match token:
            case Wildcard():
                found.append(Finding("wildcard", "'ANY agent' grants nothing on a card"))
            case Party(name=name):
                found.append(Finding("party", f"{name} is not an agent of this host and is not spawned"))
            case Prose(text=words):
                found.append(Finding("prose_spawn", f"{words[:80]!r} is not the name of an agent and grants nothing"))
            case Agent(name=name) if name == card.name:
                found.append(Finding("self_spawn", f"{name} may not spawn itself"))
            case _:
                pass


_READERS: Mapping[str, Callable[[Section, list[Finding]], dict[str, object]]] = {
    "Identity": _identity,
    "Boot Instruction": lambda part, found: {"boot_instruction": part.text},
    "Chain of Command": _chain,
    "Standing Orders": lambda part, found: {"standing_orders": bullets(part)},
    "Escalation Triggers": lambda part, found: {"escalation_triggers": bullets(part)},
    "Key Constraints": lambda part, found: {"constraints": bullets(part)},
    "One-Line Charter": _charter,
    "Limits": _limits,
    "Tools": _granted,
    "Capabilities": lambda part, found: {"capabilities": tuple(item.strip("`") for item in bullets(part))},
}
_OPTIONAL = frozenset({"Boot Instruction", "Limits", "Capabilities", "Tools"})
