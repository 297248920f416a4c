"""Set-up times between products, as the interview gives them."""

from collections.abc import Sequence

from attrs import frozen

from packhorse_discovery.domain.models.book import Book
from packhorse_discovery.domain.models.span import Day, Span, UnclearError, span
from packhorse_discovery.domain.scr import Scr

ANY = "*"


@frozen
class Changing:
    """Time from one product to another, ``*`` being any; ``resource`` None means wherever it happens."""

    before: str
    after: str
    resource: str | None
    span: Span


def changings(scr: Scr, book: Book, day: Day | None) -> tuple[Changing, ...]:
    """All set-ups of the interview, in its order."""
    found = []
    for each in scr.changeovers:
        before, after = each.before.value, each.after.value
        try:
            lasting = span(each.duration, day=day)
        except UnclearError as exc:
            book.lack(f"the changeover from {before} to {after} ({exc})", each.duration.eads_id, each.duration.path)
            continue
        found.append(Changing(before, after, each.resource.value if each.resource is not None else None, lasting))
    return tuple(found)


def applies(changes: Sequence[Changing], resource: str) -> bool:
    """Whether any set-up is about ``resource``."""
    return any(each.resource in {None, resource} for each in changes)


def between(changes: Sequence[Changing], resource: str, families: Sequence[str]) -> list[tuple[str, str, Span]]:
    """The set-up of each pair of ``families`` on ``resource``; the most particular statement counts.

    From a product to itself only what was said of just that holds, not ``*``.
    """
    found = []
    for before in families:
        for after in families:
            fitting = [each for each in changes if _fits(each, resource, before, after)]
            if fitting:
                best = max(fitting, key=lambda each: _particular(each, before, after))
                found.append((before, after, best.span))
    return found


def _fits(each: Changing, resource: str, before: str, after: str) -> bool:
    if each.resource not in {None, resource}:
        return False
    if before == after:
        return each.before == before and each.after == after
    return each.before in {before, ANY} and each.after in {after, ANY}


def _particular(each: Changing, before: str, after: str) -> tuple[int, bool, bool]:
    return (each.before == before) + (each.after == after), each.resource is not None, each.before == before
