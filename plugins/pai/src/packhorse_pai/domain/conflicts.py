"""Where cards and governance sources contradict themselves or one another. Each kind is one function.

``denies`` says which rights the contradiction takes away; where it is empty,
none hangs on it.
"""

import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence

from attrs import frozen

from packhorse_pai.domain.cards import Card, Reading
from packhorse_pai.domain.escalation import PEOPLE, names_person, target_of
from packhorse_pai.domain.names import Agent, Prose, Token, Wildcard, lead
from packhorse_pai.domain.sources import Source


@frozen
class Conflict:
    """One contradiction: its kind, the agent or tool it is about, in words, and who says what."""

    kind: str
    subject: str
    message: str
    sources: tuple[str, ...] = ()
    denies: tuple[str, ...] = ()


def differences(
    readings: Mapping[str, Reading], sources: Sequence[Source], quiet: Collection[str] = ()
) -> Iterator[Conflict]:
    """Every contradiction, cards first, in an order that does not depend on that of the input's rows.

    The cards of ``quiet`` agents are there, and nothing is said of them.
    """
    everyone = {name: readings[name].card for name in sorted(readings)}
    cards = {name: card for name, card in everyone.items() if name not in quiet}
    for name in cards:
        for finding in readings[name].findings:
            denies = (f"every right of {name}",) if finding.grave else ()
            yield Conflict(f"card_{finding.kind}", name, f"{name}: {finding.text}.", (f"card {name}",), denies)
    yield from _tree(cards, everyone)
    yield from _spawns(cards, everyone, sources)
    yield from _uses(cards, sources)
    yield from _traits(cards, sources)
    yield from _membership(cards, everyone, sources)
    yield from _tool_names(sources, cards)
    yield from _summaries(sources)


def _tree(cards: Mapping[str, Card], everyone: Mapping[str, Card]) -> Iterator[Conflict]:
    """Spawning is a graph and reporting a tree: both are kept, and where they part it is said."""
    listed = {name: [one.name for one in card.spawns if isinstance(one, Agent)] for name, card in everyone.items()}
    yield from _children({name: listed[name] for name in cards}, everyone)
    for child, card in cards.items():
        above = lead(card.reports_to)
        for label, line in (("Reports To", card.reports_to), ("Escalate To", card.escalate_to)):
            if line and lead(line) is None and not names_person(line):
                message = (
                    f"{child}: {label} is {line[:60]!r}, which names nobody: name an agent that is here, or Human."
                )
                yield Conflict("unknown_superior", child, message, (f"card {child}",))
        if above != child and child in _superiors(child, everyone):
            message = f"{child} reports to {above}, which reports to {child}, straight or through others."
            yield Conflict("superiors_in_a_ring", child, message, (f"card {child}",))
        if above is not None and above not in everyone and above.upper() not in PEOPLE:
            message = f"{child} reports to {above}, which has no card: name an agent that is here, or Human."
            yield Conflict("unknown_superior", child, message, (f"card {child}",))
        hears = lead(card.escalate_to)
        if hears == child or (hears is not None and hears not in everyone and hears.upper() not in PEOPLE):
            wrong = "is itself" if hears == child else "has no card"
            message = f"{child} escalates to {hears}, which {wrong}: name an agent that is here, or Human."
            yield Conflict("unknown_superior", child, message, (f"card {child}",))
        if others := _told_round(child, everyone):
            message = (
                f"what {child} escalates goes to {', then '.join(others)} and round again, so it reaches no person:"
                " let one of them escalate to Human."
            )
            yield Conflict("escalates_in_a_ring", child, message, tuple(f"card {one}" for one in (child, *others)))
        if above in listed and child not in listed[above]:
            yield Conflict(
                "superior_cannot_spawn",
                child,
                f"{child} reports to {above}, but the card of that agent does not list it under Can Spawn.",
                (f"card {child}", f"card {above}"),
            )


def _children(listed: Mapping[str, Sequence[str]], cards: Mapping[str, Card]) -> Iterator[Conflict]:
    """Agents that may be started, and have no card, are not spawnable, or report to another."""
    for parent, children in listed.items():
        for child in children:
            if child == parent:  # its card's own findings say it
                continue
            if child not in cards:
                yield Conflict(
                    "unknown_child",
                    parent,
                    f"{parent} may spawn {child}, which has no card.",
                    (f"card {parent}",),
                    (f"spawn {parent} -> {child}",),
                )
            elif not cards[child].spawnable:
                message = f"{parent} may spawn {child}, whose card says that it is not spawnable."
                yield Conflict("not_spawnable", parent, message, (f"card {child}",), (f"spawn {parent} -> {child}",))
            elif child in listed and (above := lead(cards[child].reports_to)) != parent:
                yield Conflict(
                    "spawned_by_other_than_superior",
                    child,
                    f"{parent} may spawn {child}, which reports to {above or cards[child].reports_to or 'nobody'}.",
                    (f"card {parent}", f"card {child}"),
                )


def _superiors(agent: str, cards: Mapping[str, Card]) -> list[str]:
    """Whom an agent reports to, and so on upwards, until one stands there twice."""
    found: list[str] = []
    above = lead(cards[agent].reports_to)
    while above is not None and above in cards and above not in found:
        found.append(above)
        above = lead(cards[above].reports_to)
    return found


def _told_round(agent: str, cards: Mapping[str, Card]) -> list[str]:
    """Whom an agent's escalation is passed on to, where it goes round and reaches no person; of more than itself."""
    told = [agent]
    while (hears := target_of(cards[told[-1]])) in cards:
        if hears in told:
            return told[1:] if hears != told[-1] else []
        told.append(hears)
    return []


def _spawns(cards: Mapping[str, Card], everyone: Mapping[str, Card], sources: Sequence[Source]) -> Iterator[Conflict]:
    for source in sources:
        for parent in sorted(source.spawns):
            yield from _tokens(parent, source.spawns[parent], everyone, source.name)
    said: dict[str, dict[str, frozenset[str]]] = {}
    for name, card in cards.items():
        said.setdefault(name, {})[f"card {name}"] = _names(card.spawns)
    for source in sources:
        for parent, row in source.spawns.items():
            said.setdefault(parent, {})[source.name] = _names(row)
        if source.spawns:
            for name, card in cards.items():
                if name not in source.spawns and (source.terminal_rows or (source.whole and _names(card.spawns))):
                    yield Conflict(
                        "spawn_row_missing",
                        name,
                        f"{name} has a card, but {source.name} has no row with the agents that it may spawn.",
                        (f"card {name}", source.name),
                    )
    for parent in sorted(said):
        yield from _differing("spawn_differs", parent, said[parent], f"spawn {parent} -> ", "spawning")


def _tokens(parent: str, row: Sequence[Token], cards: Mapping[str, Card], where: str) -> Iterator[Conflict]:
    for token in row:
        match token:
            case Agent(name=child) if child not in cards:
                close = difflib.get_close_matches(child, [name for name in cards if name.startswith(child)], 1, 0.5)
                hint = f"; did it mean {close[0]}?" if close else "."
                message = f"{where} lets {parent} spawn {child}, which has no card{hint}"
                yield Conflict("unknown_child", parent, message, (where,), (f"spawn {parent} -> {child}",))
            case Agent(name=child, starred=True):
                message = f"{where} marks {child} under {parent} with a footnote, which is ignored."
                yield Conflict("footnote", parent, message, (where,))
            case Prose(text=words):
                message = f"{where}: {words[:80]!r} is not the name of an agent, so it gives {parent} no right."
                yield Conflict("prose_spawn", parent, message, (where,))
            case Wildcard():
                message = f"{where}: 'ANY agent' is not the name of an agent, so it gives {parent} no right."
                yield Conflict("prose_spawn", parent, message, (where,))
            case _:
                pass


def _uses(cards: Mapping[str, Card], sources: Sequence[Source]) -> Iterator[Conflict]:
    said: dict[str, dict[str, frozenset[str]]] = {}
    for name, card in cards.items():
        if card.capabilities:
            said.setdefault(name, {})[f"card {name}"] = frozenset(card.capabilities)
    for source in sources:
        for agent, tools in source.uses.items():
            said.setdefault(agent, {})[source.name] = tools
    for agent in sorted(said):
        yield from _differing("use_differs", agent, said[agent], f"{agent} uses ", "using")


def _differing(
    kind: str, subject: str, said: Mapping[str, frozenset[str]], denied: str, verb: str
) -> Iterator[Conflict]:
    if len(said) < 2:
        return
    every = frozenset().union(*said.values())
    for name in sorted(every):
        granting = tuple(sorted(where for where, names in said.items() if name in names))
        silent = tuple(sorted(where for where, names in said.items() if name not in names))
        if silent:
            message = f"{subject} {verb} {name}: granted by {', '.join(granting)}; not by {', '.join(silent)}."
            yield Conflict(kind, subject, message, (*granting, *silent), (denied + name,))


def _traits(cards: Mapping[str, Card], sources: Sequence[Source]) -> Iterator[Conflict]:
    for source in sources:
        for agent in sorted(source.traits):
            if agent not in cards:
                continue
            card = cards[agent]
            mine = {"tier": card.tier, "model": card.model, "reports_to": lead(card.reports_to) or card.reports_to}
            for trait, value in source.traits[agent].items():
                said = mine[trait].split(" (", 1)[0]
                if value != said and not {value.upper(), said.upper()} <= PEOPLE:
                    yield Conflict(
                        f"{trait}_differs",
                        agent,
                        f"{agent}'s {trait.replace('_', ' ')} is {said[:60]!r} on its card and {value[:60]!r} in"
                        f" {source.name}.",
                        (f"card {agent}", source.name),
                    )


def _membership(
    cards: Mapping[str, Card], everyone: Mapping[str, Card], sources: Sequence[Source]
) -> Iterator[Conflict]:
    for source in sources:
        named = source.uses.keys() | source.needs.keys() | source.spawns.keys() | source.traits.keys()
        for agent in sorted(named - everyone.keys()):
            message = f"{source.name} names {agent}, which has no card."
            yield Conflict("no_card", agent, message, (source.name,), (f"every right of {agent}",))
        if source.whole and not source.spawns:
            for agent in sorted(cards.keys() - named):
                message = f"{agent} has a card, but {source.name} does not list it."
                yield Conflict("not_listed", agent, message, (f"card {agent}", source.name))


def _tool_names(sources: Sequence[Source], cards: Mapping[str, Card]) -> Iterator[Conflict]:
    """Tools that one source alone knows and that are spelt almost like another's."""
    known: dict[str, set[str]] = {}
    for source in sources:
        for tools in source.uses.values():
            for tool in tools:
                known.setdefault(tool, set()).add(source.name)
    for name, card in cards.items():
        for tool in card.capabilities:
            known.setdefault(tool, set()).add(f"card {name}")
    for tool in sorted(known):
        others = [
            other
            for other in known
            if other != tool and known[other] - known[tool] and (tool.startswith(other + "_") or tool == other + "s")
        ]
        if others:
            closest = max(others, key=len)
            message = f"{tool} occurs in {', '.join(sorted(known[tool]))}; other files write {closest}."
            yield Conflict("tool_name_differs", tool, message, tuple(sorted(known[tool] | known[closest])), (tool,))


def _summaries(sources: Sequence[Source]) -> Iterator[Conflict]:
    for source in sources:
        for agent in sorted(source.needs):
            if len(source.needs[agent]) > 1:
                words = " and ".join(sorted(source.needs[agent]))
                message = f"{source.name} says both {words} of {agent}."
                yield Conflict("listed_twice", agent, message, (source.name,), (f"every tool of {agent}",))
        if source.claimed_agents is not None and source.claimed_agents != len(source.needs):
            yield Conflict(
                "count_differs",
                source.name,
                f"{source.name} says that it has {source.claimed_agents} agents, but lists {len(source.needs)}.",
                (source.name,),
            )
        if source.switched_off:
            named = ", ".join(source.switched_off)
            message = f"{source.name} switches {named} off. This host ignores that: its checks cannot be switched off."
            yield Conflict("switched_off", source.name, message, (source.name,))


def _names(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.name for token in tokens if isinstance(token, Agent))
