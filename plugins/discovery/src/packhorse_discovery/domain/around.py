"""What was established before an answer, outside the schema it is for."""

from collections.abc import Iterable

from attrs import frozen

from packhorse_discovery.domain import moments
from packhorse_discovery.domain.moments import Moment
from packhorse_discovery.domain.pursued import Pursued


@frozen
class Around:
    """What an answer may lean on: the resources that steps are done on, in their order, and what time it is."""

    resources: tuple[str, ...] = ()
    now: Moment | None = None


NOTHING_AROUND = Around()


def around(pursuits: Iterable[Pursued], said: Iterable[str]) -> Around:
    """What the pursuits of a project and the answers so far (``said``, oldest first) give an answer to lean on."""
    named = [
        fact.value
        for one in pursuits
        for row in one.rows("subprocesses")
        for fact in (*one.many(*row, "resources"), *one.many(*row, "alternatives"))
    ]
    nows = [now for text in said if (now := moments.now_in(text)) is not None]
    return Around(tuple(dict.fromkeys(named)), nows[-1] if nows else None)
