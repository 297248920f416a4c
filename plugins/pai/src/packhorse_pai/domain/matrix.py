"""Our own governance file, and which kind of file a parsed one is."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from packhorse_pai.domain.grants import Grant
from packhorse_pai.domain.grants_toml import grant_from
from packhorse_pai.domain.names import Agent, Token, is_agent, is_tool, twice
from packhorse_pai.domain.sources import EventRule, FactRule, Precondition, Source, foreign
from packhorse_pai.domain.words import number


def from_mapping(name: str, data: Any) -> list[Source]:
    """A parsed YAML, JSON or TOML file; what fits no known shape is left out.

    Raises:
        ValueError: it is ours and does not say so, or has a key or value that our format does not have.
    """
    if not isinstance(data, Mapping):
        return []
    if "packhorse" not in data:
        mine = data.keys() & _FORM.keys()
        words = 'read only in a file that begins with packhorse = "pai matrix": write that line first'
        if mine and name.endswith(".toml"):  # no other house's format is TOML: what forbids would be read as granting
            raise ValueError(f"{name}: {', '.join(sorted(mine))}: {words}")
        found = foreign(name, data)
        if mine := mine - {"use", "spawn", "preconditions"}:
            found.append(Source(name, remarks=(f"{', '.join(sorted(mine))}: {words}",)))
        return found
    if data["packhorse"] != "pai matrix":
        raise ValueError(f'packhorse = {str(data["packhorse"])[:40]!r} is no kind of file here: write "pai matrix"')
    return [_own(name, data)]


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _each(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A table all of whose values pass a test."""
    return lambda value: isinstance(value, Mapping) and all(map(test, value.values()))


def _has(needed: str, tests: Mapping[str, Callable[[Any], bool]]) -> Callable[[Any], bool]:
    """A table that has a key, and no other than those with a test, which they pass."""
    return lambda row: (
        isinstance(row, Mapping) and needed in row and all(key in tests and tests[key](row[key]) for key in row)
    )


def _rows(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda rows: isinstance(rows, list) and all(map(test, rows))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


_FACT: Mapping[str, Callable[[Any], bool]] = {
    "tool": _is_text,
    "refusal": _is_text,
    "when": _is_text,
    "provided": _is_flag,
    "arguments": lambda value: isinstance(value, Mapping),
}
_EVENT: Mapping[str, Callable[[Any], bool]] = {
    "tool": _is_text,
    "refusal": _is_text,
    "path": _is_text,
    "above": lambda value: number(value) is not None,
    "equals": lambda value: isinstance(value, str | bool | int | float),
}
_FORM: Mapping[str, tuple[Callable[[Any], bool], str]] = MappingProxyType(
    {
        "packhorse": (_is_text, "a text"),
        "replace": (_is_flag, "true or false"),
        "exposed": (_are_names, "a list of agents"),
        "approval": (_are_names, "a list of tools"),
        "observing": (_are_names, "a list of tools"),
        "use": (_each(_are_names), "a table of lists: AGENT = [TOOL, ...]"),
        "spawn": (_each(_are_names), "a table of lists: AGENT = [AGENT, ...]"),
        "delegate": (_each(_are_names), "a table of lists: AGENT = [TOOL, ...]"),
        "forbid": (_each(_are_names), "a table of lists: AGENT = [TOOL, ...]"),
        "turns": (_each(lambda value: type(value) is int and value >= 0), "a table of whole numbers: TIER = 5"),
        "preconditions": (
            _each(_has("facts", {"facts": _are_names, "unless": _are_names})),
            "a table by tool, each with facts = [FACT, ...] and perhaps unless = [FACT, ...]",
        ),
        "facts": (
            _each(_rows(_has("tool", _FACT))),
            "written [[facts.FACT]], with tool and perhaps refusal, when (texts), provided (true or false), arguments",
        ),
        "events": (
            _each(_rows(_has("tool", _EVENT))),
            "written [[events.EVENT]], with tool and refusal, or path with above (a number) or equals (no table)",
        ),
        "grant": (lambda value: isinstance(value, list), "written [[grant]], in two brackets"),
    }
)
"""Of each key of our format a test, and in words what stands there."""


def _twice(value: Any, path: str) -> Iterator[str]:
    """Names that stand more than once in one list."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _twice(inner, f"{path}.{key}" if path else key) if key != "grant" else ()
    elif _are_names(value):
        yield from (f"{path}: {one} stands twice" for one in twice(value))


def _own(name: str, data: Mapping[str, Any]) -> Source:
    """Our own format. Strict: what it does not know is an error, since it would be a right or a limit unread.

    Raises:
        ValueError: a key or value that this format does not have.
    """
    if unknown := sorted(data.keys() - _FORM.keys()):
        raise ValueError(f"{name}: the key {unknown[0]!r} is not one of {', '.join(sorted(_FORM))}")
    for key, (fits, words) in _FORM.items():
        if key in data and not fits(data[key]):
            raise ValueError(f"{name}: {key} is {words}")
    uses = {_agent(name, agent): _tools(name, tools) for agent, tools in data.get("use", {}).items()}
    spawns: dict[str, tuple[Token, ...]] = {
        _agent(name, agent): tuple(Agent(_agent(name, child)) for child in children)
        for agent, children in data.get("spawn", {}).items()
    }
    forbids = {(_agent(name, a), tool) for a, tools in data.get("forbid", {}).items() for tool in _tools(name, tools)}
    preconditions = {
        tool: Precondition(tuple(rule["facts"]), tuple(rule.get("unless", ())))
        for tool, rule in data.get("preconditions", {}).items()
    }
    facts = tuple(FactRule(kind, **rule) for kind, rules in data.get("facts", {}).items() for rule in rules)
    events = tuple(EventRule(event, **rule) for event, rules in data.get("events", {}).items() for rule in rules)
    grants: dict[str, tuple[Grant, ...]] = {}
    for row in data.get("grant", ()):
        if "agent" not in row:
            of = f"{name}: a grant of {row.get('tool')}"
            raise ValueError(f'{of} does not say whose it is: write agent = "NAME" in it')
        agent = _agent(name, row["agent"])
        try:
            grant = grant_from({key: value for key, value in row.items() if key != "agent"})
        except ValueError as exc:
            raise ValueError(f"{name}: a grant of {agent}: {exc}") from exc
        grants[agent] = (*grants.get(agent, ()), grant)
    return Source(
        name,
        uses=uses,
        grants=grants,
        spawns=spawns,
        events=events,
        delegates={_agent(name, agent): _tools(name, tools) for agent, tools in data.get("delegate", {}).items()},
        forbids=frozenset(forbids),
        preconditions=preconditions,
        facts=facts,
        approvals=_tools(name, data.get("approval", ())),
        observing=_tools(name, data.get("observing", ())),
        turns=dict(data.get("turns", {})),
        exposed=frozenset(data["exposed"]) if "exposed" in data else None,
        replaces=data.get("replace") is True,
        remarks=tuple(_twice(data, "")),
    )


def _agent(where: str, name: object) -> str:
    if not is_agent(name):
        raise ValueError(f"{where}: {str(name)[:60]!r} is not the name of an agent (capitals, digits and underscores)")
    return str(name)


def _tools(where: str, names: Any) -> frozenset[str]:
    for name in names:
        if not is_tool(name):
            raise ValueError(
                f"{where}: {str(name)[:60]!r} is not the name of a tool (small letters, digits and underscores)"
            )
    return frozenset(names)
