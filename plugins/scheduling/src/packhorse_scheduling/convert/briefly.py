"""Answers that a language model can afford: so many rows at a time, with the count of all."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import invalid

T = TypeVar("T")

MOST_FINDINGS = {"violations": 3, "warnings": 3}
MOST_LOSSES = {"critical_persons": 4, "critical_pairs": 3, "mitigation_strategies": 2}


def page_of(rows: Sequence[T], page: int, size: int) -> tuple[Sequence[T], dict[str, int]]:
    """The rows of a page, and which of how many it is.

    Raises:
        UserError: there are fewer pages.
    """
    pages = max(1, -(-len(rows) // size))
    if page > pages:
        raise invalid("page", f"`page` {page} is beyond the last page, {pages}.")
    return rows[(page - 1) * size : page * size], {"page": page, "pages": pages}


def page_words(pages: Mapping[str, int]) -> str:
    """Which page it is; nothing where there is one."""
    return f"Page {pages['page']} of {pages['pages']}." if pages["pages"] > 1 else ""


def shortened(body: Mapping[str, Any], most: Mapping[str, int]) -> dict[str, Any]:
    """The body with the lists named in ``most`` cut to so many rows, at any depth."""
    return {
        key: value[: most[key]]
        if key in most and isinstance(value, list)
        else shortened(value, most)
        if isinstance(value, dict)
        else value
        for key, value in body.items()
    }


def cut_words(body: Mapping[str, Any], brief: Mapping[str, Any], uri: str) -> str:
    """Where the rest of a shortened answer is; nothing where nothing was cut."""
    return "" if dict(body) == dict(brief) else f" The worst are listed here; all of them: {uri}."


def duty_words(opened: "Opened", p: int, first: int, last: int, away: bool) -> str:
    """A person's days in order: a service's code, AM/PM where they differ, - for free, away if ``away`` allows it."""
    kernel = opened.kernel
    codes = [service.code for service in opened.programme.services]

    def half(d: int, h: int) -> str:
        s = int(opened.grid[p, d, h])
        return "-" if s == FREE else codes[s]

    found = []
    for d in range(first, last + 1):
        morning, afternoon = half(d, 0), half(d, 1)
        day = morning if morning == afternoon else f"{morning}/{afternoon}"
        found.append("away" if day == "-" and away and kernel.away[p, d] else day)
    return " ".join(found)
