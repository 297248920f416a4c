"""What was established before an answer, outside the schema it is for."""

from collections.abc import Iterable

from attrs import frozen

from packhorse_discovery.domain import moments
from packhorse_discovery.domain.moments import Moment
from packhorse_discovery.domain.pursued import Pursued


@frozen
class Around:
    """What an answer may lean on.

    ``resources`` are what steps are done on, in their order, ``owned`` the
    names that the inventory has, ``now`` what time it is.
    """

    resources: tuple[str, ...] = ()
    now: Moment | None = None
    owned: tuple[str, ...] = ()


NOTHING_AROUND = Around()


def around(pursuits: Iterable[Pursued], said: Iterable[str]) -> Around:
    """What the pursuits of a project and the answers so far (``said``, oldest first) give an answer to lean on."""
    known = list(pursuits)
    named = [
        fact.value
        for one in known
        for row in one.rows("subprocesses")
        for fact in (*one.many(*row, "resources"), *one.many(*row, "alternatives"))
    ]
    nows = [now for text in said if (now := moments.now_in(text)) is not None]
    owned = [
        name.value
        for one in known
        if one.eads.id == "resources/inventory"
        for row in one.rows("resources")
        if (name := one.words(*row, "resource-id")) is not None
    ]
    return Around(tuple(dict.fromkeys(named)), nows[-1] if nows else None, tuple(owned))
