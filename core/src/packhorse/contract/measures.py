"""What a pack measures of its own, beside what the host counts of its calls."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Measure:
    """One metric of a pack's own as it stands now, served as ``packhorse_<pack>_<name>``.

    ``values`` are by the values of ``labels``, which must come from closed
    sets: never from what a caller sent. A counter only ever grows in one
    process, and is served with ``_total`` at its end. Of several workers
    counters are added up, and gauges too unless they are ``common``: read from
    what all of them share, so that each has the whole figure.
    """

    name: str
    help: str
    labels: tuple[str, ...] = ()
    values: Mapping[tuple[str, ...], float] = field(default_factory=dict)
    counter: bool = True
    common: bool = False
