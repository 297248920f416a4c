"""Rows of a list from bullets, from lines "name: ..." and from running text."""

import re
from collections.abc import Iterator, Mapping

from packhorse_discovery.domain import (
    binding,
    coercion,
    narration,
    places,
    quantities,
    segments,
    stock,
    tellings,
    untimed,
)
from packhorse_discovery.domain.around import NOTHING_AROUND, Around
from packhorse_discovery.domain.cells import coerced, proposal, row_at
from packhorse_discovery.domain.eads import Block, Path, written
from packhorse_discovery.domain.figures import digits
from packhorse_discovery.domain.labels import joined, unlabelled
from packhorse_discovery.domain.markers import OTHERS
from packhorse_discovery.domain.merging import Proposal
from packhorse_discovery.domain.numbering import in_units, itemised
from packhorse_discovery.domain.promises import WHEN
from packhorse_discovery.domain.records import aligned, record
from packhorse_discovery.domain.structure import Structure
from packhorse_discovery.domain.told import Told

_ALONE = re.compile(r"\s*(?:about |~)?(?:[\d,.]+|[a-z]+)(?:\s+[a-z]+)?\s*", re.IGNORECASE)
"""A number that is all there is to say, but for a noun: "2-die rollers" counts nothing."""
_DUE = re.compile(rf"(?P<when>{WHEN})(?![\w/])", re.IGNORECASE)
_ONLY_DUE = re.compile(r"(?:is\s+|are\s+)?(?:due|by|in|for|until|needed|within)\b.*\d", re.IGNORECASE)
_PROMISE = re.compile(
    r"^(?:an?\s+|the\s+)?(?P<name>[^,:]{1,40}?)(?:,\s*|\s+)(?P<rest>(?:is\s+|are\s+)?(?:due|by|in|for|until|"
    r"needed)\b.*\d.*)$",
    re.IGNORECASE,
)
_GROUP = re.compile(
    r"(?:^|(?<=[.;!\n])\s*)(?:[-*\u2022]\s*)?(?:\*\*)?(?:for\s+|the\s+|as for\s+)*"
    r"(?:(?P<known>(?:job|order|product|batch|lot|type)\s+(?:no\.?\s*)?\#?\w{1,8}\b)(?:\s*\([^()]*\))?\s*"
    r"(?:[:,\u2013\u2014-]|(?=\s(?:is|needs?|goes|starts?|gets?|has|takes|first|we)\b))"
    r"|(?P<label>[^\W\d][^:.;\n]{0,40}?)(?:\*\*)?:)",
    re.IGNORECASE,
)
_ENDLESS = re.compile(r"([\w-]{60})[\w-]+")
"""No name has a word this long; cut, so that reading stays linear in the length of an answer."""
_BRACKETS = re.compile(r"\(([^()]*)\)")


def from_list(text: str, block: Block, structure: Structure, around: Around = NOTHING_AROUND) -> Iterator[Proposal]:
    """Rows from bullets, from lines "name: ..." and from running text."""
    text = _ENDLESS.sub(r"\1", text)
    if len(block.keys) == 1 and {"product", "due"} <= {one.name for one in block.fields}:
        orders = list(tellings.orders(text, block, structure, around))
        if orders:
            yield from orders
            return
    text = OTHERS.sub(" ", text)
    if tellings.is_calendar(block):
        yield from tellings.hours(text, block)
        return
    if len(block.parents) == 1 and (groups := _groups(text)):
        yield from _grouped(groups, block, structure)
        return
    done_on = {"duration", "resources"} <= {one.name for one in block.fields}
    if done_on:
        text = in_units("\n".join(itemised(line) for line in text.splitlines()))
        text = "\n".join(digits(unlabelled(line)) for line in joined(text).splitlines())
    counts = any(one.name == "count" and one.kind == "number" for one in block.fields)
    listed = [] if counts else _listed(text, block)
    told: list[tuple[str, str, Told | None]]
    if counts:
        told = [(thing.label, thing.rest, None) for thing in stock.things(text, around.resources)]
    elif len(listed) >= 2:
        steps = aligned([_step_of(item) if done_on else None for item in listed])
        told = [
            (one.name, one.said, one) if one is not None else (coercion.name_of(item.label), item.rest, None)
            for one, item in zip(steps, listed, strict=True)
        ]
    else:
        told = _narrated(text, block)
    for said_name, said_rest, step in told if len(block.keys) == 1 else []:
        name, rest = said_name, said_rest
        where: tuple[str, ...] = ()
        if step is None and rest and done_on:
            name, where = places.named(name)
        if not name or len(name.split()) > 10 or coercion.state_of(name) or name.casefold() in {"etc", "others"}:
            continue
        row = _meant(step, block, structure) if step is not None and done_on else None
        row = row or row_at(name, block, structure, [])
        if row is None or (step is not None and _of_other_units(structure.get((*row, block.key or "")), step)):
            continue
        if block.key and structure.get((*row, block.key)) is None:
            yield Proposal(written((*row, block.key)), name, confidence=0.9, said=name)
        yield from _details(row, rest, step, block, where or _beside(step, around))
    if done_on and not block.parents and len(block.keys) == 1:
        yield from tellings.by_the_way(text, block, structure, [name for name, _, _ in told], running=len(listed) < 2)


def _step_of(item: segments.Item) -> Told | None:
    """The step that an item tells, in parts or as a sentence; None where its label is no more than a name."""
    words = f"{item.label}, {item.rest}"
    if (whole := record(words)) is not None:
        return whole
    steps = narration.steps(words) if _SENTENCE.search(item.label) else []
    return steps[0] if len(steps) == 1 and steps[0].duration is not None else None


def _beside(step: Told | None, around: Around) -> tuple[str, ...]:
    """What a step is done with beside its place, where the inventory names it."""
    owned = {binding.stems(one) for one in around.owned}
    return tuple(one for one in places.companions(step.said) if binding.stems(one) in owned) if step is not None else ()


_SENTENCE = re.compile(
    r"^(?:and|the|we|it|they|you|i|then|next)\b|\b(?:is|are|gets?|takes?|we|it|they|them)\b", re.IGNORECASE
)
"""What the label of an item has where it is a sentence rather than a name."""
_UNIT = re.compile(
    r"\b(?:an?|one|each|every|per|whole)\s+(?!whole\b|time\b|day\b|hour\b|batch\b)([a-z]+)\b", re.IGNORECASE
)


def _of_other_units(name: object, step: Told) -> bool:
    """Whether a known step, of what is worked on ("labelling a bottle"), is told of something else ("a case")."""
    mine, its = ({binding.stems(one) for one in _UNIT.findall(str(words))} for words in (name or "", step.said))
    places = set(binding.stems(" ".join(step.resources)).split())
    return bool(mine and (its - places) and not mine & its)


_STAYS = re.compile(
    r"(?:^|\s)(?:sits?|stays?|stands?|remains?|spends?|lies|lie|is|are|goes|go|waits?|rests?|runs?|needs?|takes?)$",
    re.IGNORECASE,
)
"""What a thing does in a place, which is no name of work: "the dough sits"."""


def _meant(step: Told, block: Block, structure: Structure) -> Path | None:
    """The row of a step that was told before, where the new words name its one place and no other work."""
    rows = structure.get(block.path)
    if not isinstance(rows, Mapping) or len(step.resources) != 1:
        return None
    place = set(binding.stems(step.resources[0]).split())
    known = {
        row: str(values.get(block.key, row))
        for row, values in rows.items()
        if isinstance(values, Mapping)
        and any(place == set(binding.stems(str(one)).split()) for one in values.get("resources") or ())
    }
    if len(known) != 1:
        return None
    row, name = next(iter(known.items()))
    shared = set(binding.stems(step.name).split()) & set(binding.stems(name).split())
    return (*block.path, row) if shared or _STAYS.search(step.name) else None


def _listed(text: str, block: Block) -> list[segments.Item]:
    """The items of lists and lines; fewer than two where it is running text."""
    listed = [item for item in segments.items(text) if item.depth == 0]
    if any(one.name == "due" for one in block.fields) and (dated := _promised(text, listed)):
        listed = dated
    if len(listed) < 2:
        lines = [segments.labelled(line) for line in text.splitlines() if line.strip()]
        listed = [item for item in lines if item.rest] if len(lines) >= 2 else []
        if listed and len(narration.steps(segments.plain(text))) > len(listed):
            listed = []  # running text that was broken into lines
    return listed


def _narrated(text: str, block: Block) -> list[tuple[str, str, Told | None]]:
    """Name, the words about it and the step, of what running text tells."""
    flat = segments.plain(text) if "\n" not in text else text
    steps = untimed.placed(narration.steps(flat), flat)
    if steps:
        return [(one.name, one.said, one) for one in steps]
    if any(one.kind == "quantity" and one.required for one in block.fields if one.name != block.key):
        return []
    names = [name for name in coercion.listed(segments.plain(text)) if len(name.split()) <= 6]
    return [(name, "", None) for name in names] if len(names) >= 2 else []


def _groups(text: str) -> list[tuple[str, str]]:
    """Lists told one after another under the name of what each is for: "Job 1: cut, then drill. Job 2: ..."."""
    found = list(_GROUP.finditer(text))
    ends = [match.start() for match in found[1:]]
    return [
        (match["label"] or match["known"], text[match.end() : end].strip(" ,:;-\n"))
        for match, end in zip(found, [*ends, len(text)], strict=False)
    ]


def _grouped(groups: list[tuple[str, str]], block: Block, structure: Structure) -> Iterator[Proposal]:
    """The rows of each group, and the row that the group is of."""
    outer, key = block.parents[0]
    for label, words in groups:
        steps = narration.steps(segments.plain(words))
        name = coercion.name_of(_BRACKETS.sub("", label))
        for step in steps if name else []:
            row = row_at(step.name, block, structure, [name])
            if row is None:
                continue
            parent = (*row[: len(outer)], row[len(outer)], key)
            if structure.get(parent) is None:
                yield Proposal(written(parent), name, confidence=0.9, said=label)
            if block.key and structure.get((*row, block.key)) is None:
                yield Proposal(written((*row, block.key)), step.name, confidence=0.9, said=step.said)
            yield from _details(row, step.said, step, block)


def _details(row: Path, rest: str, step: Told | None, block: Block, where: tuple[str, ...] = ()) -> Iterator[Proposal]:
    """What the words after a name say about the row: a duration, and what it is done on.

    ``where`` is what the name says of that, or what a step needs beside its place.
    """
    if not rest:
        return
    single = [one for one in block.fields if one.required and one.name not in block.keys and one.mode == "ask"]
    if step is None and len(single) == 1 and single[0].kind in {"number", "text", "choice", "yesno"}:
        words = re.split(r"[,;(]|\bdue\b|\bby\b", rest)[0].strip() if single[0].kind == "text" else rest
        if single[0].name == "product" and _ONLY_DUE.match(rest):
            words = ""
        read_value = None if single[0].kind == "text" and re.search(r"\d", words) else coerced(single[0], words)
        if not words and single[0].name == "product" and not re.search(r"\d", row[-1]):
            read_value = coercion.Coerced(
                row[-1].replace("-", " "), confidence=0.85
            )  # known by what it is, not by a number
        if read_value is not None and (single[0].kind != "number" or _ALONE.fullmatch(rest)):
            yield proposal((*row, *single[0].path[len(row) :]), read_value, rest)
    for one in block.fields:
        path = (*row, *one.path[len(row) :])
        if one.kind == "quantity" and one.name == "duration":
            quantity = step.duration if step is not None else quantities.first_duration(rest)
            if quantity is not None:
                words = tellings.span_words(quantity, rest)
                yield Proposal(written(path), coercion.quantity_value(quantity, words), confidence=0.85, said=rest)
                continue
            open_as = coercion.state_of(re.split(r"[,;(]", rest)[0])
            if step is None and open_as is not None and open_as != "not_applicable":
                yield Proposal(written(path), state=open_as, said=rest)
        if one.name == "due" and one.kind == "text" and (due := _DUE.search(rest)):
            yield Proposal(written(path), due["when"], confidence=0.85, said=rest)
        if one.name == "resources" and one.kind == "list":
            said = (
                tuple(dict.fromkeys((*(step.resources or _places("".join(_BRACKETS.findall(rest)))), *where)))
                if step is not None
                else (where or places.resources_in(rest) or _places(rest))
            )
            if said:
                yield Proposal(written(path), list(said), confidence=0.8, said=rest)
            elif step.free if step is not None else places.occupies_nothing(rest):
                yield Proposal(written(path), [], confidence=0.8, said=rest)


def _promised(text: str, listed: list[segments.Item]) -> list[segments.Item]:
    """Orders with when each is due, from a list or a sentence: "a pale ale due in 14 days, a stout in 16 days"."""
    words = [f"{item.label}, {item.rest}" if item.rest else item.label for item in listed]
    if not listed:
        said = segments.plain(text).partition(":")
        words = re.split(r",\s*(?:and\s+)?|;\s*|\s+and\s+", said[2] or said[0])
    found = [match for one in words if (match := _PROMISE.match(one.strip()))]
    if len(found) < max(2, len(words)):
        return []
    return [segments.Item(match["name"], match["rest"]) for match in found]


def _places(rest: str) -> tuple[str, ...]:
    """In "60 min, mash tun" the part without a number, when there is exactly one and it is short."""
    parts = [part.strip(" .") for part in re.split(r"[,;|()]|\s[-\u2013\u2014]\s", rest) if part.strip(" .")]
    parts = [part for part in parts if not places.occupies_nothing(part)]
    bare = [
        part
        for part in parts
        if re.fullmatch(r"\D+|[a-z][a-z -]+ \d{1,2}", part, re.IGNORECASE) and len(part.split()) <= 4
    ]
    timed = quantities.first_duration(rest) is not None
    return (bare[0],) if timed and len(parts) >= 2 and len(bare) == 1 else ()
