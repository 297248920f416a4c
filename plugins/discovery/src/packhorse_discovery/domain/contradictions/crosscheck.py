"""Contradictions between what different answers say in passing, and what is established."""

from collections.abc import Sequence

from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.contradictions.amounts import amounts
from packhorse_discovery.domain.contradictions.capacities import capacities
from packhorse_discovery.domain.contradictions.dues import dues
from packhorse_discovery.domain.contradictions.durations import clocks, durations
from packhorse_discovery.domain.contradictions.numbers import numbers
from packhorse_discovery.domain.contradictions.relations import related
from packhorse_discovery.domain.contradictions.said import Said, standing
from packhorse_discovery.domain.contradictions.totals import how_many, listed, sums, tallied
from packhorse_discovery.domain.contradictions.ways import differing_ways, sequence
from packhorse_discovery.domain.contradictions.wholes import wholes
from packhorse_discovery.domain.markers import TAKES_BACK
from packhorse_discovery.domain.pursued import Pursued


def crosscheck(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> list[Conflict]:
    """What ``new`` says against ``earlier`` answers and against what the pursuits hold with it in them.

    What an answer openly takes back is held against nothing.
    """
    if TAKES_BACK.search(new.text):
        return []
    earlier = standing(earlier)
    found = [*numbers(new, earlier, pursuits), *dues(new, earlier, pursuits), *how_many(new, earlier, pursuits)]
    found += amounts(new, earlier, pursuits)
    found += capacities(new, earlier)
    found += durations(new, pursuits)
    found += clocks(new, pursuits)
    found += related(new, earlier, pursuits)
    found += wholes(new, earlier, pursuits)
    found += listed(new, earlier)
    found += tallied(new, earlier, pursuits)
    found += sums(new, earlier, pursuits)
    found += sequence(new, earlier, pursuits)
    found += differing_ways(new, earlier, pursuits)
    return list({one.id: one for one in found}.values())
