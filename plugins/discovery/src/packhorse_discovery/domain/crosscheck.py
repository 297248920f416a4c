"""Contradictions between what different answers say in passing, and what is established."""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from packhorse_discovery.domain import moments
from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.claims import Claim, claims
from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.pursued import Pursued
from packhorse_discovery.domain.sequences import actions, differing, orders, reversed_pair

_DUE = re.compile(
    r"\b(?:due|deadline|ready|finished|promised|deliver\w*|collect\w*|needed|wanted|out)\b", re.IGNORECASE
)
_PLACES = {
    "count": "resources/inventory/resources",
    "amount": "data/orders/orders",
    "rate": "process/flow-shop/subprocesses",
}
_ALIKE = re.compile(
    r"\b(?:same|identical|one|this)\s+(?:way|route|order|sequence|path|steps|stations|stages|line|machines)\b"
    r"|\b(?:no|none|nothing|never|not)\b.{0,40}\b(?:skips?|leaves?|left|misses|exceptions?)\b",
    re.IGNORECASE,
)
"""That all goes one way."""


@frozen
class Said:
    """An answer: the question it was given to, and its words."""

    question: str
    text: str


def crosscheck(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> list[Conflict]:
    """What ``new`` says against ``earlier`` answers and against what the pursuits hold with it in them."""
    found = [*_numbers(new, earlier, pursuits), *_dues(new, pursuits), *_how_many(new, earlier, pursuits)]
    found += _sequence(new, earlier)
    found += _routes(new, earlier, pursuits)
    return list({one.id: one for one in found}.values())


def _numbers(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """Counts, amounts and rates of one thing that differ."""
    mine = [(new, one) for one in claims(new.text)]
    theirs = [(said, one) for said in earlier for one in claims(said.text)]
    held = list(_held(pursuits))
    theirs += [(said, one) for said, one in held if said.question != new.question]
    mine += [(said, one) for said, one in held if said.question == new.question]
    for said, one in mine:
        for before, other in theirs:
            if one.kind == other.kind and before.text != said.text and _differ(one, other):
                yield _conflict(_PLACES.get(one.kind, ""), before, other.said, said, one.said)
                break


def _held(pursuits: Sequence[Pursued]) -> Iterator[tuple[Said, Claim]]:
    """The counts and amounts that are established, as claims."""
    for one in pursuits:
        if one.eads.id == "resources/inventory":
            for row in one.rows("resources"):
                count = one.number(*row, "count")
                if count is not None and (name := one.words(*row, "resource-id")) is not None:
                    words = stems(name.value).split()
                    claim = Claim(
                        "count",
                        frozenset(words),
                        words[-1] if words else "",
                        count.value,
                        f"{name.value}: {count.value:g}",
                    )
                    yield Said(count.question_id or "", count.said), claim
        if one.eads.id == "data/orders":
            for row in one.rows("orders"):
                amount, name, what = (
                    one.quantity(*row, "quantity"),
                    one.words(*row, "order-id"),
                    one.words(*row, "product"),
                )
                if amount is not None and amount.value.low is not None and name is not None and what is not None:
                    subject = frozenset(set(stems(name.value).split()) - set(stems(what.value).split())) | {
                        f"+{stems(what.value)}"
                    }
                    yield (
                        Said(amount.question_id or "", amount.said),
                        Claim(
                            "amount",
                            subject,
                            stems(what.value),
                            amount.value.low,
                            f"{name.value}: {amount.value.low:g} {what.value}",
                        ),
                    )


def _differ(one: Claim, other: Claim) -> bool:
    if abs(one.value - other.value) <= 0.05 * max(abs(one.value), abs(other.value)):
        return False
    if one.kind == "count":
        if one.subject == other.subject:
            return bool(one.subject)
        whole, part = (one, other) if one.subject < other.subject else (other, one)
        return (
            whole.subject == {whole.head}
            and whole.head == part.head
            and whole.subject < part.subject
            and part.value > whole.value
        )
    if one.kind == "amount":
        return (
            one.head == other.head
            and len(one.subject) > 1
            and (one.subject <= other.subject or other.subject <= one.subject)
        )
    work, its = actions(one.said), actions(other.said)
    return (
        one.kind == "rate"
        and one.head == other.head
        and bool(one.subject & other.subject)
        and not (work and its and not work & its)
    )


def _dues(new: Said, pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """A due time told by the way that is not the one an order has."""
    for one in pursuits:
        if one.eads.id != "data/orders":
            continue
        for sentence in re.split(r"(?<=[.!?;])\s+|\n+", new.text):
            told = moments.find(sentence)
            if len(told) != 1 or not _DUE.search(sentence):
                continue
            words = set(stems(sentence).split())
            for row in one.rows("orders"):
                name, due = one.words(*row, "order-id"), one.words(*row, "due")
                if (
                    name is None
                    or due is None
                    or due.question_id == new.question
                    or not re.fullmatch(moments.WORDS, due.value)
                ):
                    continue
                if set(stems(name.value).split()) <= words and due.value != told[0].words:
                    yield _conflict(
                        "data/orders/orders",
                        Said(due.question_id or "", due.said),
                        f"{name.value} is due {due.value}",
                        new,
                        sentence,
                    )


def _how_many(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """More steps or orders than there are said to be."""
    tables = {"steps": ("process/flow-shop", "subprocesses"), "orders": ("data/orders", "orders")}
    for said in (*earlier, new):
        for claim in claims(said.text):
            if claim.kind not in tables:
                continue
            eads_id, table = tables[claim.kind]
            rows = next((one.rows(table) for one in pursuits if one.eads.id == eads_id), [])
            if len(rows) > claim.value:
                listed = f"{len(rows)} {claim.kind}: {', '.join(row[-1].replace('-', ' ') for row in rows)}"
                yield _conflict(f"{eads_id}/{table}", said, claim.said, new, listed)


def _sequence(new: Said, earlier: Sequence[Said]) -> Iterator[Conflict]:
    """Two pieces of work told in both orders."""
    known = {stem for said in (*earlier, new) for stem in actions(said.text)}
    mine = orders(new.text, known)
    for before in earlier if mine else ():
        for other in orders(before.text, known):
            for one in mine:
                if pair := reversed_pair(one, other):
                    words = f"{pair[0]} before {pair[1]}", f"{pair[1]} before {pair[0]}"
                    yield _conflict(
                        "process/flow-shop/subprocesses",
                        before,
                        f"{words[1]}: {before.text[:100]}",
                        new,
                        f"{words[0]}: {new.text[:100]}",
                    )
                    return


def _routes(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """Ways that differ, where all were said to go the same."""
    one = next((one for one in pursuits if one.eads.id == "process/scheduling-problem-type"), None)
    kind = one.words("principal-problem-type") if one is not None else None
    sentence = differing(new.text) if kind is not None and kind.value == "FLOW-SHOP" else ""
    before = next((said for said in earlier if _ALIKE.search(said.text)), None) if sentence else None
    if before is not None:
        path = "process/scheduling-problem-type/principal-problem-type"
        yield _conflict(path, before, before.text[:160], new, sentence)


def _conflict(path: str, before: Said, one: str, after: Said, other: str) -> Conflict:
    return Conflict(
        "value-differs",
        (path,),
        (f"{one.strip()} ({before.question or 'earlier'})", f"{other.strip()} ({after.question or 'now'})"),
        "Which holds? correct_answer changes what is established; resolve_conflict settles it.",
    )
