"""What a change would break, told without counting everything again."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from packhorse_scheduling.domain.change import swaps
from packhorse_scheduling.domain.roster.arrays import FREE

pytestmark = pytest.mark.slow

LAWS = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
DAYS = 50


def rules_broken(kernel, grid):
    return {(v.rule, v.person, v.service, v.first, v.session) for rule in kernel.rules for v in rule.check(grid)}


cells = st.lists(
    st.tuples(st.integers(0, 19), st.integers(0, DAYS), st.integers(0, 1), st.integers(-1, 7)), min_size=1, max_size=6
)


@LAWS
@given(cells=cells)
def test_the_board_names_the_rules_that_a_whole_count_finds_newly_broken(kernel, draft, cells):
    wanted = {(p, d, h): s for p, d, h, s in cells if s == FREE or kernel.open[s, h]}
    changes = [(*at, s) for at, s in wanted.items()]
    grid = draft.grid.copy()
    for (p, d, h), s in wanted.items():
        grid[p, d, h] = s
    whole = {v[0] for v in rules_broken(kernel, grid) - rules_broken(kernel, draft.grid)}
    told = {v.rule for v in kernel.board(draft.grid).breaks(changes)}
    assert told == whole


@LAWS
@given(cells=cells)
def test_a_board_that_was_changed_and_changed_back_is_as_it_was(kernel, draft, cells):
    board = kernel.board(draft.grid)
    board.breaks([(p, d, h, s) for p, d, h, s in cells])
    before = [(p, d, h, board.day(p, d)[h]) for p, d, h, _ in cells]
    counted = [row[:] for row in board.slack(kernel.windows[0])]
    board.apply(cells)
    board.apply(before)
    assert (board.grid == draft.grid).all()
    assert board.slack(kernel.windows[0]) == counted
    fresh = kernel.board(draft.grid)
    assert (board.count, board.units) == (fresh.count, fresh.units)


def test_a_night_is_swapped_whole(kernel, draft):
    call = kernel.service_of["CALL"]
    p, d = next((p, d) for p in range(12) for d in range(DAYS) if draft.grid[p, d, 1] == call)
    board = kernel.board(draft.grid)
    assert swaps.whole_nights(board, p, [(d, 1)]) == ((d, 1), (d + 1, 0))


def test_every_candidate_given_is_lawful_by_a_whole_count(kernel, draft):
    board = kernel.board(draft.grid)
    seen = 0
    for p, d in ((0, 3), (1, 9), (5, 20), (7, 30)):
        if draft.grid[p, d, 0] == FREE:
            continue
        for candidate in swaps.candidates(board, p, [(d, 0)]):
            grid = draft.grid.copy()
            for q, day, h, s in candidate.verdict.cells:
                grid[q, day, h] = s
            broken = [v for rule in kernel.rules for v in rule.check(grid) if v.blocks and v.last < DAYS]
            assert not [v for v in broken if v.person in (p, candidate.person)]
            assert 0 <= candidate.score <= 1
            seen += 1
    assert seen


@pytest.mark.parametrize("p", [0, 13])
def test_a_swap_back_gives_the_roster_that_was(kernel, draft, p):
    board = kernel.board(draft.grid)
    change = swaps.exchange(board, p, p + 1, [(4, 0), (4, 1)])
    board.apply(change)
    board.apply(swaps.exchange(board, p, p + 1, [(4, 0), (4, 1)]))
    assert (board.grid == draft.grid).all()
