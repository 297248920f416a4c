"""Rights about arguments: which values a tool may be called with, bound to the mission. Pure.

A grant names a tool and a rule for each argument; an argument without a rule
must be absent. Fourteen clauses, a closed set, and no expressions. Of an
argument's alternatives one must hold; of a layer's grants of a tool the
highest verdict counts; of the layers the lowest. So a layer, a word
or a clause more, or an alternative less, can only narrow.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import Any

from attrs import field, frozen

from packhorse_pai.domain.seen import Seen
from packhorse_pai.domain.words import Words, content_words, links, number, same


class Verdict(IntEnum):
    """What becomes of a call; of several the lowest holds."""

    DENY = 0
    ASK = 1
    ALLOW = 2


DENY, ASK, ALLOW = Verdict
"""The three by themselves: an attribute of an enumeration is slow to look up, and this is asked at every call."""


@frozen
class Clause:
    """One condition on a value; ``about`` is its bound, list or kind."""

    kind: str
    about: Any = None

    @property
    def listed(self) -> Sequence[Any]:
        """The values that it lists: the only ones for which it holds; none where it lists none."""
        return self.about if self.kind == "in" else [self.about] if self.kind == "equals" else ()


@frozen
class Rule:
    """What an argument may be: one of the alternatives, all of whose clauses hold; else ``otherwise``."""

    alternatives: tuple[tuple[Clause, ...], ...]
    otherwise: Verdict = Verdict.DENY
    always_asks: bool = field(default=False, eq=False, repr=False)
    """Whether it is written so that a person is asked of every value."""
    says_else: bool = field(default=False, eq=False, repr=False)
    """Whether ``otherwise`` is written in it, and not taken from its grant."""
    remarks: tuple[str, ...] = field(default=(), eq=False, repr=False)
    """What is written in it and has no effect, in words."""
    checks: "tuple[tuple[tuple[Check, Any], ...], ...]" = field(init=False, eq=False, repr=False)
    """The same as functions with their bounds: looked up once, and not at every call."""
    because: str = field(init=False, eq=False, repr=False)
    by_value: "tuple[tuple[tuple[Check, Any], ...], ...]" = field(init=False, eq=False, repr=False)
    """Of each alternative what a value alone decides."""

    @checks.default
    def _checks(self) -> "tuple[tuple[tuple[Check, Any], ...], ...]":
        return tuple(tuple((_CLAUSES[one.kind], one.about) for one in clauses) for clauses in self.alternatives)

    @because.default
    def _because(self) -> str:
        said = [" and ".join(clause.kind for clause in alternative) for alternative in self.alternatives]
        return f"is not {' or '.join(said)}" if said else "has no alternative"

    @by_value.default
    def _by_value(self) -> "tuple[tuple[tuple[Check, Any], ...], ...]":
        return tuple(tuple((_CLAUSES[one.kind], one.about) for one in plain(way)) for way in self.alternatives)


@frozen
class Grant:
    """A tool, what each argument may be, what must be given, and lists of words: of each the mission must have one."""

    tool: str
    arguments: Mapping[str, Rule] = field(factory=dict, hash=False)
    required: frozenset[str] = frozenset()
    when: tuple[frozenset[str], ...] = ()
    otherwise: Verdict = Verdict.DENY
    remarks: tuple[str, ...] = field(default=(), eq=False, repr=False)
    """What is written beside its rules and has no effect, in words."""
    unsaid: tuple[str, ...] = field(init=False, eq=False, repr=False)
    """Of each list, why a mission that has none of its words is not enough."""

    @unsaid.default
    def _unsaid(self) -> tuple[str, ...]:
        return tuple(f"the mission does not say {_any_of(words)}" for words in self.when)


MOST_WORDS = 8
"""Words of a list that a refusal names: enough to see what is meant."""


def _any_of(words: frozenset[str]) -> str:
    named = sorted(words)[:MOST_WORDS]
    if len(words) > MOST_WORDS:
        return f"one of {', '.join(named)} and the like"
    if len(named) > 1:
        return f"{', '.join(named[:-1])} or {named[-1]}"
    return named[0] if named else "a word of a list that is empty, which none can"


@frozen
class Layer:
    """Grants of one origin. Of a tool that it does not name it says nothing; a ``whole`` one denies it."""

    grants: Mapping[str, tuple[Grant, ...]] = field(factory=dict, hash=False)
    whole: bool = True
    origin: str = field(default="", eq=False, repr=False)
    """The file that it was read from; empty for a card, and for what follows from schemas."""

    @classmethod
    def of(cls, grants: Iterable[Grant], *, whole: bool = True, origin: str = "") -> "Layer":
        """A layer of these grants."""
        table: dict[str, tuple[Grant, ...]] = {}
        for grant in grants:
            table[grant.tool] = (*table.get(grant.tool, ()), grant)
        return cls(MappingProxyType(table), whole, origin)


PLAIN = frozenset({"equals", "in", "most", "short", "free"})
"""Clauses that a value alone decides, whatever the mission says and the run has seen."""


def plain(alternative: "tuple[Clause, ...]") -> "tuple[Clause, ...]":
    """What of an alternative a value alone decides."""
    return tuple(one for one in alternative if one.kind in PLAIN) or (Clause("free"),)


def for_tasks(layer: Layer) -> Layer:
    """What of a layer binds a task, whose arguments are its author's: the rules that a value alone decides."""

    def valued(rule: Rule) -> Rule:
        return Rule(tuple(map(plain, rule.alternatives)), rule.otherwise)

    return Layer.of(
        (
            Grant(grant.tool, {name: valued(rule) for name, rule in grant.arguments.items()}, grant.required)
            for grants in layer.grants.values()
            for grant in grants
        ),
        whole=layer.whole,
        origin=layer.origin,
    )


@frozen
class World:
    """What clauses look at: the mission, whether a person stands behind it, what was seen, and the caller's own."""

    mission: Words
    by_person: bool
    seen: Seen = field(factory=Seen)
    mine: Mapping[str, frozenset[str]] = field(factory=dict, hash=False)
    defaulted: Collection[str] = frozenset()
    """Arguments that were not given: for the tool's own values of them holds what of a rule a value alone decides."""


@frozen
class Finding:
    """A verdict, and the argument and rule that it hangs on."""

    verdict: Verdict
    argument: str = ""
    because: str = ""


Check = Callable[[Any, Any, World], Verdict]
"""A clause as a function of its bound, a value and the world."""

_Found = tuple[Verdict, str, str]
_ALLOWED: _Found = (ALLOW, "", "")


def judge(layers: Sequence[Layer], tool: str, arguments: Mapping[str, Any], world: World) -> Finding:
    """The lowest verdict over the layers; deny where there is none."""
    if not layers:
        return Finding(DENY, because="no layer grants it")
    lowest = _ALLOWED
    known: dict[int, _Found] = {}  # agents of one chain share the grants that follow from a tool's schema
    memo: dict[tuple[int, str], Verdict] = {}
    for layer in layers:
        grants = layer.grants.get(tool)
        if grants is None:
            if layer.whole:
                return Finding(DENY, because="not granted")
            continue
        highest = None
        for grant in grants:
            found = known.get(id(grant))
            if found is None:
                found = known[id(grant)] = _grant(grant, arguments, world, memo)
            if highest is None or found[0] > highest[0]:
                highest = found
        if highest is not None and highest[0] < lowest[0]:
            lowest = highest
            if lowest[0] is DENY:
                break
    return Finding(*lowest)


def _grant(grant: Grant, arguments: Mapping[str, Any], world: World, memo: dict[tuple[int, str], Verdict]) -> _Found:
    lowest = _ALLOWED
    for place, words in enumerate(grant.when):
        if world.mission.bag.isdisjoint(words):
            if grant.otherwise < lowest[0]:
                lowest = (grant.otherwise, "", grant.unsaid[place])
        elif not world.by_person and lowest[0] is ALLOW:
            lowest = (ASK, "", "no person has confirmed the mission")
    for name in grant.required:
        if arguments.get(name) is None or name in world.defaulted:
            return DENY, name, "must be given"
    for name, value in arguments.items():
        if value is None:
            continue
        rule = grant.arguments.get(name)
        given = name not in world.defaulted
        if rule is None:
            if given:
                return DENY, name, "must be absent: no rule is about it"
            continue
        key = (id(rule), name)
        found = memo.get(key)
        if found is None:
            found = memo[key] = _argument(rule, rule.checks if given else rule.by_value, value, world)
        if found < lowest[0]:
            lowest = (found, name, rule.because if given else f"must be given: without it the tool takes {value!r}")
    return lowest


def _argument(rule: Rule, ways: "tuple[tuple[tuple[Check, Any], ...], ...]", value: Any, world: World) -> Verdict:
    if isinstance(value, list | tuple):
        worst = ALLOW
        for item in value:
            found = _argument(rule, ways, item, world)
            if found < worst:
                worst = found
        return worst
    best = rule.otherwise
    for alternative in ways:
        lowest = ALLOW if alternative else DENY
        for check, about in alternative:
            found = check(about, value, world)
            if found < lowest:
                lowest = found
                if lowest is DENY:
                    break
        if lowest > best:
            best = lowest
            if best is ALLOW:
                break
    return best


def _held(holds: bool) -> Verdict:  # one answer of a clause
    return ALLOW if holds else DENY


def _said(holds: bool, world: World) -> Verdict:
    """What hangs on the mission's words counts once a person stands behind them."""
    return (ALLOW if world.by_person else ASK) if holds else DENY


MINE = frozenset({"address"})
"""The sets of the caller's own that a host reads itself."""


def equal(about: Any, value: Any) -> bool:
    """Whether two values are the same: texts as missions are read, numbers by amount, and never across types."""
    if isinstance(value, str) and isinstance(about, str):
        return same(value) == same(about)
    one, other = number(value), number(about)
    return (
        one == other if one is not None and other is not None else type(value) is type(about) and bool(value == about)
    )


def _anchored(about: str, value: Any, world: World) -> Verdict:
    """A thing that the run has seen and that the mission calls by its name."""
    if not _is_id(value):
        return DENY
    names = world.seen.records.get((about.removeprefix("id:"), str(value)), frozenset())
    return _said(any(world.mission.names(name) for name in names), world)


def _grounded(about: Any, value: Any, world: World) -> Verdict:
    words = content_words(value) if isinstance(value, str) else []
    return _said(isinstance(value, str) and all(word in world.mission.bag for word in words), world)


def _linked(about: Any, value: Any, world: World) -> Verdict:
    """Links inside a text, and inside the texts of an object, its keys among them."""
    if isinstance(value, str):
        found = links(value)
    elif isinstance(value, bool | float) or value is None:
        return ALLOW
    elif isinstance(value, int):
        found = links(str(value))
    else:
        inner = [*value, *value.values()] if isinstance(value, Mapping) else value
        return min((_linked(about, one, world) for one in inner), default=ALLOW)
    return _said(all(world.mission.names(link) for link in found), world) if found else ALLOW


def _most(about: Any, value: Any, world: World) -> Verdict:
    amount, bound = number(value), number(about)
    return _held(amount is not None and bound is not None and 0 <= amount <= bound)


def _made(about: Any, value: Any, world: World) -> Verdict:
    kinds = (str(about).removeprefix("id:"),) if isinstance(about, str) else {kind for kind, _ in world.seen.made}
    return _held(_is_id(value) and any((kind, str(value)) in world.seen.made for kind in kinds))


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


_CLAUSES: Mapping[str, Check] = MappingProxyType(
    {
        "equals": lambda about, value, world: _held(equal(about, value)),
        "in": lambda about, value, world: _held(any(equal(one, value) for one in about)),
        "most": _most,
        "short": lambda about, value, world: _held(
            len(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)) <= about
        ),
        "free": lambda about, value, world: ALLOW,
        "named": lambda about, value, world: _said(world.mission.names(value), world),
        "quoted": lambda about, value, world: _said(
            isinstance(value, str) and same(value) in world.mission.quoted, world
        ),
        "dated": lambda about, value, world: _said(world.mission.dates(value), world),
        "links": _linked,
        "grounded": _grounded,
        "mine": lambda about, value, world: _held(isinstance(value, str) and same(value) in world.mine.get(about, ())),
        "anchored": _anchored,
        "made": _made,
        "seen": lambda about, value, world: _held(_is_id(value) and str(value) in world.seen.values),
    }
)
CLAUSES = frozenset(_CLAUSES)
"""The fourteen."""


def holds(clause: Clause, value: Any, world: World) -> Verdict:
    """What one clause says of one value."""
    return _CLAUSES[clause.kind](clause.about, value, world)


def is_plain(value: Any) -> bool:
    """Whether a value is one that a clause can be about: a text, a finite number, true or false."""
    return isinstance(value, str | bool) or number(value) is not None
