"""Amounts, steps and orders that do not make up the number they are said to be."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from packhorse_discovery.domain import counting, tallies
from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.claims import claims, elsewhere
from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.contradictions.said import Said, conflict
from packhorse_discovery.domain.markers import CORRECTS
from packhorse_discovery.domain.pursued import Pursued
from packhorse_discovery.domain.sequences import listings

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_IN_ALL = re.compile(
    rf"(?<![\w.:-])(?P<number>\d{{1,4}}|{counting.CARDINAL})\s+"
    r"(?P<what>(?!of\b)[a-z][\w-]*(?:\s+(?!(?:on|in|of|all|that)\b)[a-z][\w-]*)?)\s+"
    r"(?:on (?:order|the (?:board|books?|list))|"
    r"in (?:all|total|(?:the|our|my) (?:whole |entire )?(?:shop|workshop|place|house|hall))|"
    r"altogether|all told|all counted|to (?:make|deliver|build) (?:in all|altogether))\b",
    re.IGNORECASE,
)
_MACHINES = frozenset(stems(one) for one in ("machines", "stations", "resources", "workstations"))


def tallied(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """Amounts and days of one order told twice, and parts that do not make up their sum."""
    before = [said for said in earlier if said.text != new.text]
    texts = [said.text for said in before]
    clashes = [*tallies.sums(new.text, texts), *tallies.lots(new.text, texts)]
    for clash in (*clashes, *tallies.days(new.text, texts)):
        yield conflict("data/orders/orders", before[clash.before], clash.earlier, new, clash.now)


def sums(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """A number of goods, or of machines, in all, and what is listed one by one."""
    every = (*earlier, new)
    complete = any(tallies.COMPLETE.search(said.text) for said in every)
    for said in every:
        for sentence, number, what in _in_all(said.text):
            listed = _machines(pursuits) if what in _MACHINES else _ordered(pursuits, what.split()[-1])
            if not listed or new.question not in {said.question, *(question for _, _, question in listed)}:
                continue
            total = sum(each for _, each, _ in listed)
            if len(listed) >= 2 and (total > number or (complete and total < number)):
                words = ", ".join(f"{name}: {each:g}" for name, each, _ in listed)
                place = "resources/inventory/resources" if what in _MACHINES else "data/orders/orders"
                yield conflict(place, said, sentence, new, f"{total:g} are listed: {words}")


@lru_cache(maxsize=4096)
def _in_all(text: str) -> list[tuple[str, int, str]]:
    """The sentences with a number in all, each with the number and the stems of what it is of."""
    found = []
    for sentence in _SENTENCE.split("" if CORRECTS.search(text) else text):
        match = None if elsewhere(sentence) else _IN_ALL.search(sentence)
        if match is not None and stems(match["what"]):
            found.append((sentence, counting.count(match["number"]), stems(match["what"])))
    return found


def _machines(pursuits: Sequence[Pursued]) -> list[tuple[str, float, str]]:
    """Each resource with how many there are, and the question that says so; none where one is not counted."""
    one = next((one for one in pursuits if one.eads.id == "resources/inventory"), None)
    rows = one.rows("resources") if one is not None else []
    found = [(row[-1], count) for row in rows if one is not None and (count := one.number(*row, "count")) is not None]
    return [(name, count.value, count.question_id or "") for name, count in found] if len(found) == len(rows) else []


def _ordered(pursuits: Sequence[Pursued], goods: str) -> list[tuple[str, float, str]]:
    """Each order with how many of ``goods`` it is of; none where one is of something else."""
    one = next((one for one in pursuits if one.eads.id == "data/orders"), None)
    found: list[tuple[str, float, str]] = []
    if one is None:
        return found
    for row in one.rows("orders"):
        amount, product = one.quantity(*row, "quantity"), one.words(*row, "product")
        if amount is None or amount.value.low is None:
            return []
        words = stems(f"{amount.value.text} {amount.value.unit} {product.value if product else ''}")
        if goods not in words.split():
            return []
        found.append((row[-1], amount.value.low, amount.question_id or ""))
    return found


def how_many(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
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
                yield conflict(f"{eads_id}/{table}", said, claim.said, new, listed)


def listed(new: Said, earlier: Sequence[Said]) -> Iterator[Conflict]:
    """A number of steps that was told, and another by which they are listed."""
    listed = list(listings(new.text))
    for said in earlier:
        for one in claims(said.text) if listed else ():
            for many, every, sentence in listed:
                if one.kind == "steps" and (many > one.value or (every and many < one.value)):
                    yield conflict("process/flow-shop/subprocesses", said, one.said, new, sentence)
        told = list(listings(said.text))
        for one in claims(new.text) if told else ():
            for many, every, sentence in told:
                if one.kind == "steps" and (many > one.value or (every and many < one.value)):
                    yield conflict("process/flow-shop/subprocesses", said, sentence, new, one.said)
