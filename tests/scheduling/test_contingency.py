"""Losses of one and two people, against a count that empties cells and matches people one by one."""

from itertools import combinations, permutations

import numpy as np
import pytest

from packhorse_scheduling.domain.insight.contingency import Contingency
from packhorse_scheduling.domain.roster.arrays import counts
from packhorse_scheduling.domain.rules.supervision import FACULTY

FIRST, LAST = 0, 20


@pytest.fixture(scope="module")
def analysis(kernel, draft):
    return Contingency(kernel, draft.grid, FIRST, LAST)


def by_hand(kernel, grid, lost):
    """(affected, uncovered) half-days, the slow way."""
    there = counts(kernel, grid)
    units = counts(kernel, grid, kernel.units).sum(axis=0)
    least = kernel.least.astype(int)
    room = kernel.programme.rules.faculty_units.value
    for s in np.flatnonzero(kernel.supervised):
        least[FACULTY, s] = np.maximum(least[FACULTY, s], -(-units[s] // room))
    affected = uncovered = 0
    for d in range(FIRST, LAST + 1):
        for h in (0, 1):
            gaps = []
            for g, s in {(int(kernel.group[p]), int(grid[p, d, h])) for p in lost if grid[p, d, h] >= 0}:
                left = there[g, s, d, h] - sum(kernel.group[p] == g and grid[p, d, h] == s for p in lost)
                if least[g, s, d, h]:
                    missing = min(least[g, s, d, h], there[g, s, d, h]) - left
                    gaps += [(g, s)] * max(0, missing)
            if not gaps:
                continue
            affected += 1
            spare = [
                p
                for p in range(kernel.P)
                if p not in lost
                and not kernel.away[p, d]
                and (
                    grid[p, d, h] < 0
                    or (
                        kernel.fills[grid[p, d, h]]
                        and there[kernel.group[p], grid[p, d, h], d, h] > least[kernel.group[p], grid[p, d, h], d, h]
                    )
                )
            ]
            ok = any(
                all(kernel.group[p] == g and kernel.may[p, s, d, h] for p, (g, s) in zip(chosen, gaps, strict=True))
                for chosen in permutations(spare, len(gaps))
            )
            uncovered += not ok
    return affected, uncovered


def test_single_losses_are_exact(kernel, draft, analysis):
    for p in range(kernel.P):
        loss = analysis.one(p)
        assert (loss.affected, loss.uncovered) == by_hand(kernel, draft.grid, [p]), kernel.programme.people[p].key


def test_pairs_are_exact(kernel, draft, analysis):
    for p, q in list(combinations(range(kernel.P), 2))[::7]:
        loss = analysis.two(p, q)
        assert (loss.affected, loss.uncovered) == by_hand(kernel, draft.grid, [p, q]), (p, q)


def test_losing_two_is_never_better_than_losing_one(analysis):
    for p, q in ((0, 1), (3, 15), (12, 19)):
        assert analysis.two(p, q).uncovered >= max(analysis.one(p).uncovered, analysis.one(q).uncovered)


def test_the_worst_come_first(analysis):
    losses = analysis.singles()
    assert [loss.uncovered for loss in losses] == sorted((loss.uncovered for loss in losses), reverse=True)
