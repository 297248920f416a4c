"""Counts and rates of one thing that differ."""

from collections.abc import Iterator, Sequence

from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.claims import GENERIC, Claim, claims
from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.contradictions.said import Said, conflict
from packhorse_discovery.domain.pursued import Pursued
from packhorse_discovery.domain.sequences import actions

_PLACES = {
    "count": "resources/inventory/resources",
    "rate": "process/flow-shop/subprocesses",
}


def numbers(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """Counts and rates of one thing that differ."""
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
                yield conflict(_PLACES.get(one.kind, ""), before, other.said, said, one.said)
                break


def _held(pursuits: Sequence[Pursued]) -> Iterator[tuple[Said, Claim]]:
    """The counts that are established, as claims."""
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
    work, its = actions(one.said), actions(other.said)
    bound, span = (one, other) if one.at_most else (other, one)
    return (
        one.kind == "rate"
        and one.head == other.head
        and not (bound.at_most and (span.at_most or span.value <= bound.value))
        and (
            any(_one_place(here, there, sure=bool(work & its)) for here in one.subject for there in other.subject)
            or bool(
                work == its and any(" ".join(sorted(one.split())) in singles for one in one.subject | other.subject)
            )
        )
        and not (work and its and not work & its)
    )


def _one_place(here: str, there: str, *, sure: bool) -> bool:
    """Whether two names mean one station: "the stand" is the rebuild stand, "the machine" only for the same work."""
    short, long = sorted((here, there), key=len)
    return here == there or (" " not in short and short in long.split() and (sure or short not in GENERIC))
