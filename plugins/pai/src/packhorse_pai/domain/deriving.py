"""Grants from a tool's name, its arguments' names and its schema: what a card that names a tool alone gives.

The tables were written by hand once, for verbs and things that tools are named
by; values come from the mission, never from a table.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from packhorse_pai.domain.grants import Clause, Grant, Rule, Verdict
from packhorse_pai.domain.policy import HostTool
from packhorse_pai.domain.seen import UNKNOWN, Kinds, kind_named
from packhorse_pai.domain.values import Values, covers_all, is_possible

_VERBS: tuple[tuple[str, str], ...] = (
    (
        "create make add",
        "create make add write schedule set put plan arrange organize organise new book note log record",
    ),
    ("generate build plan", "generate make create build plan draft fill"),
    (
        "send email mail",
        "send email mail write reply forward tell inform message share answer notify contact summarize post",
    ),
    ("post publish", "post publish put upload write create make send"),
    ("pay transfer", "pay send transfer refund settle give reimburse"),
    ("delete remove", "delete remove clear drop erase kick"),
    ("cancel", "cancel delete remove drop"),
    ("update change modify edit", "update change modify edit adjust correct set increase refund move"),
    ("reschedule move", "reschedule move postpone shift change delay"),
    ("append extend", "append add write extend insert include put"),
    ("invite share", "invite share add ask give include send"),
    ("reserve book schedule", "reserve book make schedule set plan arrange get pay"),
    ("execute swap exchange", "execute swap exchange trade carry"),
)
"""Words that a tool's name begins with, and those of a mission that ask for it."""

_THINGS: tuple[tuple[str, str], ...] = (
    (
        "event calendar appointment meeting",
        "event events calendar appointment appointments meeting meetings lunch dinner",
    ),
    (
        "email mail message direct",
        "email emails mail mails message messages send reply inform post ask tell write invite",
    ),
    ("file document", "file files document documents list note notes report"),
    ("money transaction payment", "money transaction transactions payment payments bill rent pay transfer send refund"),
    ("hotel restaurant car rental", "hotel hotels restaurant restaurants car rental company stay table"),
    ("channel slack user", "channel channels slack user users team workspace member members"),
    ("webpage page website url", "webpage page website web url link blog article site"),
    ("schedule roster", "schedule schedules roster rosters block plan"),
)

_KINDS: tuple[tuple[str, str], ...] = (
    ("who", "recipient recipients participants cc bcc email user channel user_email to"),
    ("what", "hotel restaurant company"),
    ("url", "url"),
    ("amount", "amount"),
    ("when", "date time day"),
    ("flag", "recurring permission"),
    ("secret", "password"),
    ("profile", "street city first_name last_name"),
    ("title", "title filename"),
)
_SPLIT = re.compile(r"[^a-z0-9]+")
_READ = ("get", "search", "list", "read", "check", "find", "show", "explain", "analyze", "validate", "detect")

_FREE = ((Clause("free"),),)
_RULES: Mapping[str, tuple[tuple[Clause, ...], ...]] = {
    "who": ((Clause("named"),), (Clause("mine", "address"),)),
    "what": ((Clause("named"),),),
    "url": ((Clause("named"),),),
    "amount": ((Clause("named"),),),
    "when": ((Clause("dated"),),),
    "flag": _FREE,
    "secret": ((Clause("quoted"),),),
    "profile": ((Clause("named"),),),
    "title": ((Clause("links"), Clause("grounded")),),
    "text": ((Clause("links"),),),
}


def reads(tool: str) -> bool:
    """Whether a tool only reads, by its name: for tools that carry no mark."""
    return tool.split("_", 1)[0] in _READ


def is_address(tool: str, argument: str) -> bool:
    """Whether an argument says who gets something, or where on the web."""
    return kind_of_id(tool, argument) is None and _kind(tool, argument) in ("who", "url")


def takes_address(tool: str, schema: Mapping[str, Any]) -> bool:
    """Whether a tool takes an address of the web: then even a read tells somebody something."""
    return any(_kind(tool, name) == "url" for name in schema.get("properties", {}))


def derived(tool: str, schema: Mapping[str, Any], *, read_only: bool, own_name: str = "") -> Grant:
    """The grant of a tool. A read is free, but for addresses in the world; a change is bound to the mission.

    What a host puts before a tool's ``own_name`` is the host's word, and nothing that a mission would say.
    """
    properties: Mapping[str, Any] = schema.get("properties", {})
    if read_only:
        free = {name: Rule(_FREE, Verdict.ASK) for name in properties}
        bound = {name: Rule(_RULES["url"], Verdict.ASK) for name in properties if _kind(tool, name) == "url"}
        return Grant(tool, {**free, **bound})
    rules = {name: Rule(_rule(tool, name, about), Verdict.ASK) for name, about in properties.items()}
    return Grant(tool, rules, when=_when(own_name or tool), otherwise=Verdict.ASK)


def grant_text(tool: HostTool, kinds: Kinds = UNKNOWN) -> str:
    """The grant that follows from a tool, as the TOML that says the same, commented out.

    What can never hold is left out: ids of ``kinds`` that no tool of the agent answers, or answers with no name. Where
    nothing is left a person is asked, and a comment says why.
    """
    grant = derived(tool.name, tool.input_schema, read_only=tool.read_only, own_name=tool.own_name)
    lines = ["[[grant]]", f'tool = "{tool.name}"']
    if grant.when:
        lines.append(f"when = {json.dumps([sorted(words) for words in grant.when])}")
    lines.append('else = "ask"')
    for name, rule in sorted(grant.arguments.items()):
        values = Values.of(tool.input_schema.get("properties", {}).get(name), tool.input_schema, kinds)
        ways = [way for way in rule.alternatives if is_possible(way, values)]
        if not ways:
            kind = kind_of_id(tool.name, name)
            lacking = f"no tool of this agent answers the id of a {kind}" if kind else "its values are no texts"
            closer = "Write which values need no question, as by in or most."
            if kind in (kinds.seen or ()):
                lacking += " with its name"
                closer = (
                    'Write which values need no question, as by in, or by "seen" where any that it has seen will do.'
                )
            lines.append(f"# A person is always asked for {name}: {lacking}. {closer}")
        covering = any(covers_all(way, values) for way in ways)
        told = ['"free"'] if covering else [_told(way) for way in ways] or ['{ else = "ask" }']
        lines.append(f"args.{name} = [{', '.join(told)}]")
    return "".join(f"# {line}\n" for line in lines)


def _told(way: Sequence[Clause]) -> str:
    return _way(
        way[0].kind
        if len(way) == 1 and way[0].about is None
        else {clause.kind: True if clause.about is None else clause.about for clause in way}
    )


def _way(way: str | Mapping[str, Any]) -> str:
    if isinstance(way, str):
        return json.dumps(way)
    return "{ " + ", ".join(f"{kind} = {json.dumps(about)}" for kind, about in way.items()) + " }"


def kind_of_id(tool: str, argument: str) -> str | None:
    """Of what kind of thing an argument is the id; None where it is no id."""
    if (kind := kind_named(argument)) is not None:
        return kind
    if argument == "attachments":
        return "file"
    return tool.rsplit("_", 1)[-1] if argument == "id" else None


def _rule(tool: str, argument: str, about: Any) -> tuple[tuple[Clause, ...], ...]:
    if (kind := kind_of_id(tool, argument)) is not None:
        return ((Clause("anchored", f"id:{kind}"),), (Clause("made", f"id:{kind}"),))
    schema: Mapping[str, Any] = about if isinstance(about, Mapping) else {}
    if "enum" in schema or "const" in schema or schema.get("type") == "boolean":
        return _FREE
    return _RULES[_kind(tool, argument)]


def _kind(tool: str, argument: str) -> str:
    for kind, names in _KINDS:
        if argument in names.split():
            return kind
    words = _SPLIT.split(argument)
    for kind in ("when", "url", "amount"):
        if kind in words or any(word in words for word in _KIND_WORDS.get(kind, ())):
            return kind
    return "text"


_KIND_WORDS: Mapping[str, tuple[str, ...]] = {"when": ("date", "time", "day"), "url": ("url",), "amount": ("amount",)}


def _when(tool: str) -> tuple[frozenset[str], ...]:
    """Words of the mission for the tool's verb, and for the thing in its name."""
    words = tool.split("_")
    verbs = next((said for heads, said in _VERBS if words[0] in heads.split()), words[0])
    things = " ".join(said for heads, said in _THINGS if set(heads.split()) & set(words[1:]))
    return tuple(frozenset(said.split()) for said in (verbs, things) if said)
