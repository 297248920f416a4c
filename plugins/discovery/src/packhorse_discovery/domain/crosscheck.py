"""Contradictions between what different answers say in passing, and what is established."""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from packhorse_discovery.domain import clock_spans, moments, quantities, routes, tallies
from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.claims import ANOTHER, ELSEWHERE, GENERIC, Claim, claims
from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.figures import digits
from packhorse_discovery.domain.markers import CORRECTS
from packhorse_discovery.domain.pursued import Pursued
from packhorse_discovery.domain.quantity import MINUTES, Quantity
from packhorse_discovery.domain.scr import Fact
from packhorse_discovery.domain.sequences import actions, differing, listings, orders, reversed_pair

_DUE = re.compile(
    r"\b(?:due|left|from now|to go|remaining|deadline|ready|finished|promised|deliver\w*|collect\w*|needed|"
    r"wanted|out)\b",
    re.IGNORECASE,
)
_DUE_IN = re.compile(
    r"\b(?:due|ready|finished|promised|delivered|collected|needed|wanted|out|"
    r"there)\s+in\s+(\d+(?:\.\d+)?\s+(?:minutes?|hours?|days?|weeks?))\b",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"\b(\d+(?:\.\d+)?\s+(?:minutes?|hours?|days?|weeks?))\s+(?:left|to go|remaining|from now|until (?:that|it|"
    r"they)\b)",
    re.IGNORECASE,
)
"""``seven hours left``."""
_TAKES_SPAN = re.compile(
    r"(?:^|\b(?:is|the|our)\s+)(?P<what>[a-z][\w-]*(?:\s+[a-z][\w-]*)?),?\s+(?:(?:which|that|it)\s+)?(?:takes|"
    r"lasts|needs)\s+(?:us\s+)?"
    r"(?P<span>\d+(?:\.\d+)?(?:\s*(?:-|to)\s*\d+(?:\.\d+)?)?\s+(?:minutes?|min|hours?|hrs?|"
    r"days?))\b(?!\s+(?:an?\b|per\b|each\b|more\b|less\b|longer\b))",
    re.IGNORECASE,
)
"""A step and its time in passing: "it is the proofing, which takes 80 minutes"."""
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
    found = [*_numbers(new, earlier, pursuits), *_dues(new, earlier, pursuits), *_how_many(new, earlier, pursuits)]
    found += _durations(new, pursuits)
    found += _clocks(new, pursuits)
    found += _listed(new, earlier)
    found += _tallies(new, earlier, pursuits)
    found += _sequence(new, earlier)
    found += _routes(new, earlier, pursuits)
    return list({one.id: one for one in found}.values())


def _numbers(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """Counts, amounts and rates of one thing that differ."""
    mine = [(new, one) for one in claims(new.text)]
    theirs = [(said, one) for said in earlier for one in claims(said.text)]
    held = list(_held(pursuits))
    counted = [one for _, one in (*mine, *theirs, *held) if one.kind == "count"]
    singles = frozenset(" ".join(sorted(one.subject)) for one in counted if one.value == 1)
    theirs += [(said, one) for said, one in held if said.question != new.question or said.text not in new.text]
    mine += [(said, one) for said, one in held if said.question == new.question]
    for said, one in mine:
        for before, other in theirs:
            if one.kind == other.kind and before.text != said.text and _differ(one, other, singles):
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


def _differ(one: Claim, other: Claim, singles: frozenset[str]) -> bool:
    """Whether two claims contradict; ``singles`` are the things of which there is one."""
    if abs(one.value - other.value) <= 0.05 * max(abs(one.value), abs(other.value)):
        return False
    if any(one.value <= other.value for one, other in ((one, other), (other, one)) if one.at_least):
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
    bound, span = (one, other) if one.at_most else (other, one)
    return (
        one.kind == "rate"
        and one.head == other.head
        and not (bound.at_most and (span.at_most or span.value <= bound.value))
        and (
            any(_one_place(here, there, sure=bool(work & its)) for here in one.subject for there in other.subject)
            or bool(work & its and any(" ".join(sorted(one.split())) in singles for one in one.subject | other.subject))
        )
        and not (work and its and not work & its)
    )


def _one_place(here: str, there: str, *, sure: bool) -> bool:
    """Whether two names mean one station: "the stand" is the rebuild stand, "the machine" only for the same work."""
    short, long = sorted((here, there), key=len)
    return here == there or (" " not in short and short in long.split() and (sure or short not in GENERIC))


def _durations(new: Said, pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """A time that a sentence gives a step, which is not the one the step has."""
    steps = _steps(pursuits)
    for sentence in re.split(r"(?<=[.!?;])\s+|\n+", "" if CORRECTS.search(new.text) else new.text):
        match = _TAKES_SPAN.search(digits(sentence))
        if match is None or ELSEWHERE.search(sentence):
            continue
        told = quantities.parse(match["span"])
        words = stems(match["what"]).split()
        named = [one for one in steps if words and one[0] == set(words)]
        if len(named) == 1 and told.low is not None and told.high is not None:
            _, name, held = named[0]
            low, high = held.value.low, held.value.high
            if low is None or high is None or held.value.unit not in MINUTES or held.value.per or held.value.cases:
                continue
            factor, its = MINUTES[told.unit], MINUTES[held.value.unit]
            if told.low * factor > 1.05 * high * its or told.high * factor < 0.95 * low * its:
                yield _conflict(
                    "process/flow-shop/subprocesses",
                    Said(held.question_id or "", held.said),
                    f"{name} takes {low:g}-{high:g} {held.value.unit}s",
                    new,
                    sentence,
                )


def _steps(pursuits: Sequence[Pursued]) -> list[tuple[set[str], str, Fact[Quantity]]]:
    """The stems, name and duration of each step that has one."""
    return [
        (set(stems(key.value).split()), key.value, duration)
        for one in pursuits
        if one.eads.id == "process/flow-shop"
        for row in one.rows("subprocesses")
        if (key := one.words(*row, "process-id")) and (duration := one.quantity(*row, "duration"))
    ]


def _clocks(new: Said, pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """A time by the clock, in and out, that is not the one the step has."""
    for sentence in re.split(r"(?<=[.!?;])\s+|\n+", "" if CORRECTS.search(new.text) else new.text):
        told = () if ELSEWHERE.search(sentence) else clock_spans.spans(sentence)
        words = set(stems(sentence).split())
        work = actions(sentence)
        named = [one for one in _steps(pursuits) if told and (one[0] <= words or (one[0] | actions(one[1])) & work)]
        for _, name, held in named if len(named) == 1 else []:
            low, high = held.value.low, held.value.high
            if low is None or high is None or held.value.unit not in MINUTES or held.value.per or held.said in new.text:
                continue
            its = MINUTES[held.value.unit]
            if not any(0.95 * low * its <= one <= 1.05 * high * its for one in told):
                before = Said(held.question_id or "", held.said)
                words_held = f"{name} takes {low:g}-{high:g} {held.value.unit}s"
                yield _conflict("process/flow-shop/subprocesses", before, words_held, new, sentence)


def _dues(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """A due time told by the way that is not the one an order has."""
    nows = [now for said in (*earlier, new) if (now := moments.now_in(said.text)) is not None]
    rows = [
        (set(stems(key.value).split()), key.value, fact)
        for one in pursuits
        if one.eads.id == "data/orders"
        for row in one.rows("orders")
        if (key := one.words(*row, "order-id")) and (fact := one.words(*row, "due"))
    ]
    for sentence in re.split(r"(?<=[.!?;])\s+|\n+", new.text):
        if not _DUE.search(sentence) or any(one.search(sentence) for one in (CORRECTS, ELSEWHERE, ANOTHER)):
            continue
        told = moments.find(sentence)
        flat = digits(sentence)
        spans = _DUE_IN.findall(flat) or _LEFT.findall(flat)
        if len(told) + len(spans) != 1 or (spans and len(quantities.find(sentence)) != 1):
            continue
        here = [name for name, _, due in rows if due.said.strip(" .") in sentence]
        words = set(stems(sentence).split())
        for name, called, due in rows:
            if not name <= words or not all(name <= one for one in here):
                continue
            if told and re.fullmatch(moments.WORDS, due.value):
                differs = due.question_id != new.question and due.value != told[0].words
            else:
                hours = _hours(spans[0]) if spans else moments.after(told[0], nows[-1]) if nows else None
                promised = _hours(due.value)
                differs = hours is not None and promised is not None and abs(hours - promised) > 0.05 * promised
            if differs:
                before = Said(due.question_id or "", due.said)
                yield _conflict("data/orders/orders", before, f"{called} is due {due.value}", new, sentence)


def _hours(span: str) -> float | None:
    """The hours of a span with a fixed length; None where it is none."""
    found = quantities.parse(span)
    return None if found.low is None or found.unit not in MINUTES else found.low * MINUTES[found.unit] / 60


def _tallies(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """Amounts and days of one order told twice, and parts that do not make up their sum."""
    before = [said for said in earlier if said.text != new.text]
    texts = [said.text for said in before]
    known = [(place, one) for place, text in enumerate(texts) for one in claims(text)]
    clashes = [*tallies.amounts(new.text, known), *tallies.sums(new.text, texts), *tallies.lots(new.text, texts)]
    for clash in (*clashes, *tallies.days(new.text, texts)):
        yield _conflict("data/orders/orders", before[clash.before], clash.earlier, new, clash.now)


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


def _listed(new: Said, earlier: Sequence[Said]) -> Iterator[Conflict]:
    """A number of steps that was told, and another by which they are listed."""
    listed = list(listings(new.text))
    for said in earlier:
        for one in claims(said.text) if listed else ():
            for many, every, sentence in listed:
                if one.kind == "steps" and (many > one.value or (every and many < one.value)):
                    yield _conflict("process/flow-shop/subprocesses", said, one.said, new, sentence)
        told = list(listings(said.text))
        for one in claims(new.text) if told else ():
            for many, every, sentence in told:
                if one.kind == "steps" and (many > one.value or (every and many < one.value)):
                    yield _conflict("process/flow-shop/subprocesses", said, sentence, new, one.said)


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
    before = (
        next((said for said in earlier if _ALIKE.search(said.text) or routes.told(said.text) == "same"), None)
        if sentence
        else None
    )
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
