"""What of the grants on a card can never hold, always holds, or is said twice."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from packhorse_pai.domain.deriving import is_address
from packhorse_pai.domain.findings import Finding, meant
from packhorse_pai.domain.grants import Clause, Grant, Rule, Verdict, equal
from packhorse_pai.domain.policy import HostTool
from packhorse_pai.domain.seen import PERSON, Kinds
from packhorse_pai.domain.values import Values, cover_together, covers, covers_all, follows, implies, is_possible
from packhorse_pai.domain.words import is_word


def grant_findings(
    agent: str, tool: str, grants: Sequence[Grant], offered: HostTool | None, kinds: Kinds
) -> Iterator[Finding]:
    """What is wrong with the grants of one tool in one layer of an agent's."""
    schema: Mapping[str, Any] | None = offered.input_schema if offered is not None else None
    for number, grant in enumerate(grants):

        def finding(
            kind: str, text: str, argument: str = "", alternative: int | None = None, number: int = number
        ) -> Finding:
            return Finding(kind, agent, text, tool, argument, number, alternative)

        known = schema.get("properties", {}) if schema is not None else None
        for text, name in (*_unruled(grant, schema), *for_people(tool, grant.arguments, schema)):
            yield finding("never_fires", text, name)
        for name in sorted(grant.required & set(schema.get("required", ()) if schema is not None else ())):
            yield finding("no_effect", f"{name} stands under required, and the tool needs it anyway", name)
        for kind, text in (*_of_when(grant.when), *(("no_effect", text) for text in grant.remarks)):
            yield finding(kind, text)
        always = 0
        for name, rule in sorted(grant.arguments.items()):
            values = Values.of(known.get(name) if known is not None else None, schema, kinds)
            effect = offered is not None and not offered.read_only
            bound = effect and is_address(tool, name) and values.listed is None
            for kind, text, alternative in _of_rule(name, rule, values, bound=bound):
                yield finding(kind, text, name, alternative)
            for text in rule.remarks:
                yield finding("no_effect", text, name)
            holds = any(covers_all(way, values) for way in rule.alternatives)
            always += holds
            if holds and rule.says_else:
                yield finding("never_fires", f"every value of {name} is allowed, so its else is never reached", name)
            elif rule.says_else and rule.otherwise is grant.otherwise is Verdict.DENY:
                yield finding("no_effect", f"else of {name} is deny, as it is without that", name)
        if schema is not None and grant.otherwise is Verdict.ASK and not grant.when and always == len(grant.arguments):
            yield finding("never_fires", "it allows every call of its arguments, so its else is never reached")
        for other in (one for at, one in enumerate(grants) if at != number):
            if is_covered(grant, other) and (not is_covered(other, grant) or grants.index(other) < number):
                yield finding("shadowed", f"grant {number + 1} allows nothing that another does not")
                break


def for_people(tool: str, names: Iterable[str], schema: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Those of these arguments that a tool takes from people alone."""
    known: Mapping[str, Any] = schema.get("properties", {}) if schema is not None else {}
    for name in sorted(names):
        if isinstance(about := known.get(name), Mapping) and about.get(PERSON) is True:
            yield f"{tool} takes {name} from no agent: a person must give it", name


def _unruled(grant: Grant, schema: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Arguments that the tool does not have, and those that it or the grant needs and that no rule is about."""
    if schema is not None:
        for name in sorted(grant.arguments.keys() - schema.get("properties", {}).keys()):
            yield f"{grant.tool} has no argument {name}{meant(name, schema.get('properties', {}))}", name
        for name in sorted(set(schema.get("required", ())) - grant.arguments.keys()):
            yield f"{grant.tool} needs {name}, and no rule is about it", name
    known = grant.arguments.keys() if schema is None else schema.get("properties", {}).keys()
    for name in sorted(grant.required - grant.arguments.keys()):
        lacks = (
            "no rule is about it" if schema is None or name in known else f"{grant.tool} has no argument of that name"
        )
        yield f"{name} is required, and {lacks}", name


def _of_when(lists: Sequence[frozenset[str]]) -> Iterator[tuple[str, str]]:
    for at, words in enumerate(lists):
        dead = sorted(word for word in words if not is_word(word))
        if len(dead) == len(words):
            yield "never_fires", "no word of a list under when can stand in a mission: write single words"
        elif any((other < words and other) or (other == words and before < at) for before, other in enumerate(lists)):
            said = "said twice" if words in lists[:at] else "wider than another"
            listed = ", ".join(sorted(words)[:4])
            yield "always_holds", f"the list {listed} under when is {said}, so it asks for nothing more"
        elif dead:
            yield "never_fires", f"no mission has {dead[0]!r}, which is no single word, under when"
        for word in sorted(filter(_is_mixed, words)):
            yield "look_alike", f"{word!r} under when has letters of two alphabets, or some that cannot be seen"


def _of_rule(name: str, rule: Rule, values: Values, *, bound: bool) -> Iterator[tuple[str, str, int | None]]:
    ways = rule.alternatives
    if not ways and not rule.always_asks:
        asks = (
            ', so a person is always asked: where that is meant write [{ else = "ask" }]'
            if rule.otherwise is Verdict.ASK
            else ""
        )
        yield "never_fires", f"{name} has no alternative{asks}", None
    listed = [one for way in ways for clause in way for one in _about(clause)]
    for text in filter(_is_mixed, listed):
        yield "look_alike", f"{text!r} has letters of two alphabets, or some that cannot be seen", None
    whole = [covers_all(way, values) for way in ways]
    if not any(whole) and cover_together(ways, values):
        yield (
            "always_holds",
            f"its alternatives together allow every value of {name}: write free, or leave some out",
            None,
        )
    for at, way in enumerate(ways):
        idle = [
            one for one in way if covers(one, values) or any(follows(one, other) for other in way if other is not one)
        ]
        if not is_possible(way, values):
            yield "never_fires", f"no value of {name} can be {way_words(way)}{_why(way, values)}", at
        elif whole[at] and len(ways) > 1:
            yield (
                "always_holds",
                f"every value of {name} is {way_words(way)}, so its other alternatives say nothing",
                at,
            )
        elif dead := _never_given(way, values):
            wrong = "stands twice" if values.has(dead[0]) else f"is nothing that {name} can be"
            yield "never_fires", f"{dead[0]!r} {wrong}: leave it out of the list", at
        elif bound and (whole[at] or all(clause.kind in ("free", "short") for clause in way)):
            yield "always_holds", f"{name} is an address, and any is {way_words(way)}: bind it, as by named", at
        elif any(
            implies(other, way) and (not implies(way, other) or before < at)
            for before, other in enumerate(ways)
            if before != at and not whole[before]
        ):
            yield "shadowed", f"another alternative of {name} holds wherever {way_words(way)} does", at
        elif idle and (len(way) > 1 or idle[0].kind != "free"):
            end = "write free, or a closer rule" if whole[at] else "leave that out, or make it closer"
            says = "the tool takes" if all(covers(one, values) for one in idle) else "its other clauses leave"
            yield "always_holds", f"every value of {name} that {says} is {way_words(idle)}: {end}", at


def _about(clause: Clause) -> Iterator[str]:
    """The texts that a clause lists."""
    yield from (one for one in clause.listed if isinstance(one, str))


def _is_mixed(text: str) -> bool:
    """Whether one word of a text has letters of two alphabets that look alike, or one has letters of no width."""
    if any(unicodedata.category(letter) == "Cf" for letter in text):
        return True
    words = ({unicodedata.name(letter, "").split(" ")[0] for letter in word} for word in _LETTERS.findall(text))
    return any(len(scripts & _ALIKE) > 1 for scripts in words)


_LETTERS = re.compile(r"[^\W\d_]+")
_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "FULLWIDTH"})


def _never_given(way: Sequence[Clause], values: Values) -> list[Any]:
    """Of the values that a clause lists, those that the schema never allows, and those that stand there twice."""
    listed = [value for clause in way if clause.kind == "in" for value in clause.listed]
    return [
        value
        for at, value in enumerate(listed)
        if not values.has(value) or any(equal(value, before) for before in listed[:at])
    ]


def _why(way: Sequence[Clause], values: Values) -> str:
    """What the agent's tools lack for a rule about ids, as the end of a sentence."""
    kinds, lacks = values.kinds, "no tool of its run"
    for clause in way:
        kind = str(clause.about).removeprefix("id:")
        if clause.kind == "anchored" and kinds.named is not None and kind not in kinds.named:
            return f": {lacks} answers an id of the kind {kind} with a name beside it"
        if clause.kind == "made" and kinds.made is not None and kind not in kinds.made:
            return f": {lacks} makes anything{'' if clause.about is None else f' of the kind {kind}'}"
    return ""


def is_covered(grant: Grant, other: Grant) -> bool:
    """Whether ``other`` allows whatever ``grant`` does, as far as their form shows it."""
    words = all(any(given <= asked for given in grant.when) for asked in other.when)
    same_else = other.otherwise >= grant.otherwise or not other.when
    arguments = grant.arguments.keys() <= other.arguments.keys() and other.required <= grant.required
    return (
        words
        and same_else
        and arguments
        and all(is_implied(rule, other.arguments[name]) for name, rule in grant.arguments.items())
    )


def is_implied(rule: Rule, by: Rule) -> bool:
    """Whether ``by`` allows every value that ``rule`` does, as far as their form shows it."""
    if is_free(by):
        return True
    if by.otherwise < rule.otherwise:
        return False
    return all(any(implies(wide, narrow) for wide in by.alternatives) for narrow in rule.alternatives)


def is_free(rule: Rule) -> bool:
    """Whether a rule is written so that it allows everything."""
    return any(way and all(clause.kind == "free" for clause in way) for way in rule.alternatives)


def way_words(way: Sequence[Clause]) -> str:
    """What an alternative asks of a value, as it reads behind "is"."""
    return " and ".join(
        _SAID.get(clause.kind, clause.kind) + ("" if clause.about is None else f" {clause.about!r}") for clause in way
    )


_SAID = {
    "equals": "equal to",
    "in": "one of",
    "most": "a number from 0 to",
    "short": "of a length up to",
    "mine": "the caller's own",
    "anchored": "anchored to",
    "made": "made by the run",
}
