"""What running text tells outside a list: orders, working hours, and what is said of steps by the way."""

import re
from collections.abc import Iterator, Mapping

from attrs import evolve

from packhorse_discovery.domain import (
    asides,
    binding,
    coercion,
    counting,
    hours_told,
    moments,
    narration,
    places,
    quantities,
    segments,
    untimed,
)
from packhorse_discovery.domain.around import Around
from packhorse_discovery.domain.cells import coerced, proposal, row_at
from packhorse_discovery.domain.eads import Block, Path, slug, written
from packhorse_discovery.domain.markers import AT_ONCE
from packhorse_discovery.domain.merging import Proposal
from packhorse_discovery.domain.moments import Moment
from packhorse_discovery.domain.ordered import Promise
from packhorse_discovery.domain.promises import promised, promises
from packhorse_discovery.domain.quantity import Quantity
from packhorse_discovery.domain.structure import Structure

_FURTHER = re.compile(r"\b(?:second|another|further|other|additional)\s+(?:order|job|one)\b", re.IGNORECASE)
"""``Vogel has a second order``, which is not the first."""
_GOODS = re.compile(
    rf"\border\b[^,.;]{{0,30}}[,:]\s*(?P<number>\d+|"
    rf"{counting.CARDINAL})\s+(?P<what>[a-z][\w-]*)(?=\s*[,.;])",
    re.IGNORECASE,
)


def by_the_way(text: str, block: Block, structure: Structure, told: list[str], *, running: bool) -> Iterator[Proposal]:
    """What else is told of steps: which waits for which, whose time nobody knows, how long several take together.

    A total counts only in ``running`` text: among the items of a list it is one item's.
    """
    rows = structure.get(block.path)
    listed = {row: str(values.get(block.key, row)) for row, values in rows.items()} if isinstance(rows, Mapping) else {}
    known = listed | {slug(name): name for name in told if name}
    fields = {one.name: one for one in block.fields}

    def row_of(name: str, *, new: bool) -> tuple[str | None, Iterator[Proposal]]:
        found = binding.row_for(name, known)
        if found is None and new:
            found = slug(name)
            known[found] = name
            return found, iter(
                [Proposal(written((*block.path, found, str(block.key))), name, confidence=0.85, said=name)]
            )
        return found, iter(())

    for one in asides.waitings(text) if "after" in fields else []:
        later, made = row_of(one.later, new=not told)
        first, also = row_of(one.first, new=not told)
        yield from made
        yield from also
        if later and first and later != first:
            yield Proposal(written((*block.path, later, "after")), [known[first]], confidence=0.85, said=one.said)
    for unknown in untimed.untimed(text):
        row = _done_at(unknown.name, rows, known) if unknown.is_place else None
        made = iter(())
        if row is None:
            row, made = row_of(places.named(unknown.name)[0], new=unknown.sure and not unknown.is_place)
        yield from made
        if row:
            yield Proposal(written((*block.path, row, "duration")), state="unknown", said=unknown.said)
    for only in asides.entitled(text) if "alternatives" in fields else []:
        row, made = row_of(only.name, new=True)
        yield from made
        yield Proposal(
            written((*block.path, str(row), "alternatives")), list(only.who), confidence=0.85, said=only.said
        )
    for whole in narration.wholes(text) if running and not AT_ONCE.search(text) else []:
        words = coercion.quantity_value(whole.duration, span_words(whole.duration, whole.said))
        if whole.parts and whole.name and "part-of" in fields:
            row = slug(whole.name)
            yield Proposal(written((*block.path, row, str(block.key))), whole.name, confidence=0.85, said=whole.name)
            yield Proposal(written((*block.path, row, "duration")), words, confidence=0.85, said=whole.said)
            for part in whole.parts:
                yield Proposal(
                    written((*block.path, slug(part), "part-of")), whole.name, confidence=0.85, said=whole.said
                )
        elif len(block.path) == 1:
            yield Proposal("/duration", words, confidence=0.85, said=whole.said)


def _done_at(place: str, rows: object, known: Mapping[str, str]) -> str | None:
    """The row that is done in or on ``place``, when there is one."""
    wanted = set(binding.stems(place).split())
    found = [
        row
        for row, values in (rows.items() if isinstance(rows, Mapping) else ())
        if isinstance(values, Mapping)
        and any(wanted <= set(binding.stems(str(one)).split()) for one in values.get("resources") or ())
    ]
    return found[0] if len(found) == 1 and found[0] in known else None


def orders(text: str, block: Block, structure: Structure, around: Around) -> Iterator[Proposal]:
    """Orders that are told with product and due time, in running text or in a list."""
    for told in told_orders(text, around.now):
        order = told
        if _FURTHER.search(text) and order.product and structure.get((*block.path, slug(order.name))) is not None:
            order = evolve(order, name=f"{order.product} for {order.name}")
            row: Path | None = (*block.path, slug(order.name))
        else:
            row = row_at(order.name, block, structure, [])
        if row is None:
            continue
        if structure.get((*row, block.key or "")) is None:
            yield Proposal(written((*row, block.key or "")), order.name, confidence=0.9, said=order.name)
        said = {"product": order.product, "due": order.when, "quantity": order.amount}
        for one in block.fields:
            words = said.get(one.name)
            if words == order.product and words in order.name and structure.get((*row, one.name)) is not None:
                continue  # called by another name this time; what it is was said before
            read_value = coerced(one, words) if words else None
            if read_value is not None:
                yield proposal((*row, *one.path[len(row) :]), read_value, order.said)


def told_orders(text: str, now: Moment | None = None) -> list[Promise]:
    """The orders told in ``text``, each with when it is due; ``now`` is what time it was said to be before."""
    told = moments.counted(text, now)
    return [_apart(one) for one in promises(segments.plain(told)) or promised(_in_lines(told))]


def _apart(order: Promise) -> Promise:
    """An order without what only says that it is one more: "Vogel also has a second order, 12 tables"."""
    name = re.sub(r"\s+(?:also|too|then|again)$", "", order.name, flags=re.IGNORECASE)
    goods = _GOODS.search(order.said) if re.search(r"\border$", order.product, re.IGNORECASE) else None
    if goods is None:
        return evolve(order, name=name)
    amount = f"{counting.count(goods['number'])} {goods['what']}"
    return evolve(order, name=name, product=goods["what"], amount=order.amount or amount)


def is_calendar(block: Block) -> bool:
    """Whether the rows are weekly hours."""
    return {"days", "start", "end", "resource"} <= {one.name for one in block.fields} and not block.parents


def hours(text: str, block: Block) -> Iterator[Proposal]:
    """Weekly hours, a row for each resource and beginning."""
    for told in hours_told.hours(segments.plain(text)):
        said = {"resource": told.resource, "days": list(told.days), "start": told.start, "end": told.end}
        row = (*block.path, slug(" ".join(str(said[key]) for key in block.keys)))
        for name, value in said.items():
            if value:
                yield Proposal(written((*row, name)), value, confidence=0.85, said=told.said)


def _in_lines(text: str) -> str:
    """The lines or items as one sentence; a heading above a list is none of them."""
    lines = [line for line in text.splitlines() if line.strip()]
    if segments.items(text):
        lines = [line for line in lines if segments.unbulleted(line) != line]
    return "; ".join(segments.plain(segments.unbulleted(line)) for line in lines)


def span_words(quantity: Quantity, rest: str) -> str:
    """The number as said, without what stands around it; the unit is beside it."""
    if quantity.low is None or quantity.high is None:
        found = [one.quantity.text for one in quantities.find(rest)]
        return found[0] if found else rest[:80]
    low, high = f"{quantity.low:g}", f"{quantity.high:g}"
    about = "~" if quantity.approximate else ""
    if quantity.inverted:
        low, high = high, low
    return f"{about}{low}" if low == high else f"{about}{low}-{high}"
