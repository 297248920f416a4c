"""Grants as they are written in TOML, read strictly: what this format does not have is an error."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from packhorse_pai.domain.grants import CLAUSES, Clause, Grant, Rule, Verdict, is_plain
from packhorse_pai.domain.names import twice
from packhorse_pai.domain.words import number, same


def _is_kind(about: Any) -> bool:
    return isinstance(about, str) and bool(about.removeprefix("id:"))


_WANTED: Mapping[str, tuple[str, Callable[[Any], bool]]] = MappingProxyType(
    {
        "equals": ("a text, a number, true or false", is_plain),
        "in": ("a list of texts and numbers", lambda about: isinstance(about, list) and all(map(is_plain, about))),
        "most": ("a number", lambda about: number(about) is not None),
        "short": ("a whole number of letters", lambda about: type(about) is int and about >= 0),
        "mine": ('the name of a set, as in { mine = "address" }', lambda about: isinstance(about, str)),
        "anchored": ('a kind of thing, as in { anchored = "id:event" }', _is_kind),
        "made": ('a kind of thing, as in { made = "id:event" }', lambda about: about is True or _is_kind(about)),
    }
)
"""What stands behind a clause, in words and as a test; behind the others stands true, or the word stands alone."""


def grant_from(data: Mapping[str, Any]) -> Grant:
    """A grant from its TOML, read strictly.

    Raises:
        ValueError: a key, clause or value that this format does not have.
    """
    if not isinstance(data, Mapping):
        raise ValueError("a grant is a table: write [[grant]] above its keys")  # noqa: TRY004  # as below
    if "agent" in data:
        raise ValueError("a grant on a card is of that card's agent: leave `agent` out")
    if unknown := sorted(set(data) - {"tool", "args", "when", "else", "required"}):
        raise ValueError(f"a grant has no key {unknown[0]!r}; its keys are tool, args, when, else and required")
    tool, args, when = data.get("tool"), data.get("args", {}), data.get("when", [])
    if not isinstance(tool, str):
        raise ValueError('a grant names its tool: tool = "NAME"')  # noqa: TRY004  # one error for a file that is wrong
    if not isinstance(args, Mapping):
        raise ValueError(f"{tool}: args is a table: write args.ARGUMENT = [...]")  # noqa: TRY004  # as above
    if not (isinstance(when, list) and all(_is_texts(words) for words in when)):
        raise ValueError(f'{tool}: when is a list of lists of words: when = [["swap", "exchange"]]')
    if not _is_texts(required := data.get("required", [])):
        raise ValueError(f'{tool}: required is a list of arguments: required = ["reason"]')
    try:
        otherwise = _verdict(data.get("else", "deny"))
        rules = {name: _named_rule(name, value, otherwise) for name, value in args.items()}
    except ValueError as exc:
        raise ValueError(f"{tool}: {exc}") from exc
    said = tuple(frozenset(same(word) for word in words) for words in when)
    remarks = [f"{word!r} stands twice in a list under when" for words in when for word in twice(map(same, words))]
    remarks += [f"{name} stands twice under required" for name in twice(required)]
    if "when" in data and not when:
        remarks.append("when has no list, so it asks for no word: leave it out")
    return Grant(tool, rules, frozenset(required), said, otherwise, tuple(remarks))


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _named_rule(name: str, value: Any, otherwise: Verdict) -> Rule:
    try:
        return rule_from(value, otherwise)
    except ValueError as exc:
        raise ValueError(f"args.{name}: {exc}") from exc


def rule_from(value: Any, otherwise: Verdict) -> Rule:
    """A rule: a list of alternatives, each a word, a table of clauses, or ``{else = ...}`` beside them.

    Raises:
        ValueError: a clause that there is none of, or that is about something else than it can be.
    """
    alternatives, asks, remarks, said = [], False, [], list[Any]()
    for one in value if isinstance(value, list) else [value]:
        if not isinstance(one, str | Mapping):
            words = 'write a word such as "named", or a table such as { most = 5 }'
            raise ValueError(f"{one!r} is no rule: {words}")  # noqa: TRY004  # one error for a file that is wrong
        clauses = {one: True} if isinstance(one, str) else dict(one)
        if "else" in clauses:
            said.append(clauses["else"])
            otherwise = _verdict(clauses.pop("else"))
            asks = otherwise is Verdict.ASK
        elif not clauses:
            remarks.append("an empty table holds for nothing: leave it out")
        if clauses:
            alternatives.append(tuple(_clause(kind, about) for kind, about in clauses.items()))
    if len(said) > 1:
        remarks.append(f"else stands {len(said)} times, and the last, {said[-1]!r}, counts: leave the others out")
    return Rule(tuple(alternatives), otherwise, asks and not alternatives, bool(said), tuple(remarks))


def _clause(kind: str, about: Any) -> Clause:
    if kind not in CLAUSES:
        raise ValueError(f"the clause {kind!r} is none of {', '.join(sorted(CLAUSES))}")
    wanted, fits = _WANTED.get(kind, (f'true, or the word alone: "{kind}"', lambda about: about is True))
    if not fits(about):
        raise ValueError(f"behind {kind} stands {wanted}, and not {about!r}")
    return Clause(kind, None if about is True and kind != "equals" else about)


def _verdict(word: Any) -> Verdict:
    if word not in ("ask", "deny"):
        raise ValueError(f"else is ask or deny, and not {word!r}")
    return Verdict.ASK if word == "ask" else Verdict.DENY
