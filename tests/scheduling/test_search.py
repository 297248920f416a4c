"""Two solves of one model taken together."""

import pytest

from packhorse_scheduling.domain.solve.search import Found

ROUGH, SHARP = Found("feasible", cost=105, bound=90), Found("optimal", cost=110, bound=109)


@pytest.mark.parametrize(("one", "other"), [(ROUGH, SHARP), (SHARP, ROUGH)])
def test_the_better_roster_and_the_better_bound_count(one, other):
    both = one.beside(other)
    assert both.cost == 105
    assert both.bound == 105  # no bound lies above a roster that is there
    assert both.gap == 0


def test_what_either_has_proven_stays_proven():
    assert ROUGH.beside(SHARP).status == "optimal"
    assert ROUGH.beside(ROUGH).status == "feasible"
