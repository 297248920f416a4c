"""Work told in two orders or in a circle, and products that go different ways."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from packhorse_discovery.domain import routes
from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.contradictions.said import Said, conflict
from packhorse_discovery.domain.markers import CORRECTS
from packhorse_discovery.domain.precedences import Precedence, circle, links, precedences, repeated
from packhorse_discovery.domain.pursued import Pursued
from packhorse_discovery.domain.sequences import actions, differing, orders

_GOVERNED = re.compile(
    r"\b(?:start|begin|finish|do|after|before|until|once|follows?)(?:ing)?\s+the\s+(?P<what>[a-z]{4,}y|"
    r"[a-z]+tion|[a-z]+ment|"
    r"test|check|repair|wash|bake|cut|polish|finish|weld|glaze)\b",
    re.IGNORECASE,
)
"""Work that is named by a noun: "we can't start the assembly"."""
_NO_WORK = re.compile(r"^(?:always|again|first|last|it|them|only|one|there|up|down|off|out|in|on)$", re.IGNORECASE)
_ALIKE = re.compile(
    r"\b(?:same|identical|one|this)\s+(?:way|route|order|sequence|path|steps|stations|stages|line|machines)\b"
    r"|\b(?:no|none|nothing|never|not)\b.{0,40}\b(?:skips?|leaves?|left|misses|exceptions?)\b",
    re.IGNORECASE,
)
"""That all goes one way."""


def sequence(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """Two pieces of work told in both orders, or some that wait for one another in a circle."""
    if CORRECTS.search(new.text):
        return
    every = (*earlier, new)
    once = _work(every, pursuits) - repeated([said.text for said in every])
    told = [(said, one) for said in every for one in _told(said.text, once)]
    ring = circle([one for said, one in told if said is not new], [one for said, one in told if said is new])
    if not ring:
        return
    sentences = list(dict.fromkeys(one.said for one in ring))
    before = next((said for said, one in told if one in ring and said is not new), new)
    explicit = all(one in precedences(said.text, once) for said, one in told if one in ring)
    if len(ring) == 2 and before is not new and not (explicit and any(one.waits for one in ring)):
        first, second = (next(one for one in ring if (one in _told(new.text, once)) == mine) for mine in (False, True))
        words = (f"{one.first} before {one.later}: {one.said[:100]}" for one in (first, second))
        yield conflict("process/flow-shop/subprocesses", before, next(words), new, next(words))
    else:
        yield Conflict(
            "precedence-cycle",
            ("process/flow-shop/subprocesses",),
            tuple(sentences),
            "One of these cannot wait for the one before it: which?",
        )


def _work(every: Sequence[Said], pursuits: Sequence[Pursued]) -> set[str]:
    """The stems of the work that is named anywhere, by participles or as a step."""
    flow = next((one for one in pursuits if one.eads.id == "process/flow-shop"), None)
    names = [flow.words(*row, "process-id") for row in flow.rows("subprocesses")] if flow is not None else []
    told = [name.value.split() for name in names if name is not None]
    named = {stems(words[-1]) for words in told if len(words) <= 2 and not _NO_WORK.match(words[-1])}
    governed = {stem for said in every for stem in _governed(said.text)}
    return named | governed | {stem for said in every for stem in actions(said.text)}


@lru_cache(maxsize=4096)
def _governed(text: str) -> frozenset[str]:
    return frozenset(stems(match["what"]) for match in _GOVERNED.finditer(text))


def _told(text: str, known: set[str]) -> list[Precedence]:
    """What waits for what, and what is told one after another."""
    ways = [[stem for stem in one if stem in known] for one in orders(text, known)]
    told = [Precedence(first, later, text.strip()) for one in ways for first, later in pairwise(one)]
    return [*(precedences(text, known) if links(text) else []), *told]


def differing_ways(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
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
        yield conflict(path, before, before.text[:160], new, sentence)
