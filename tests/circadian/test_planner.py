"""The search: fast plans within bounds, the same every time, and never later than sleeping at local hours at once."""

from itertools import pairwise
from math import floor

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from packhorse_circadian.domain.oscillators.entrained import Rhythm, entrained
from packhorse_circadian.domain.oscillators.forger import Forger1999
from packhorse_circadian.domain.oscillators.runs import Stretch, run
from packhorse_circadian.domain.planner.board import Board, Rows
from packhorse_circadian.domain.planner.choice import Chosen, choose
from packhorse_circadian.domain.planner.clockwork import BRIGHT, CABIN_LUX, DARK, DIM, DIM_LUX, Gears, Lights, home
from packhorse_circadian.domain.planner.engine import Engine, burden
from packhorse_circadian.domain.planner.jump import jump
from packhorse_circadian.domain.planner.starts import table

# Days to the first low from which every low is right to within an hour: the best figures known for 200 lux by day,
# bright light up to 5 h a day and 8 h of sleep.
BARS = [
    (1000, 6, 3.0),
    (1000, 8, 4.9),
    (1000, 9, 5.9),
    (1000, 12, 5.7),
    (1000, -6, 3.5),
    (1000, -9, 5.6),
    (10_000, 6, 3.0),
    (10_000, 8, 3.9),
    (10_000, 9, 3.9),
    (10_000, 12, 4.7),
    (10_000, -6, 2.4),
    (10_000, -9, 3.6),
]
FRACTIONS = [5.75, 9.5, -3.5, -9.5, 10.5]


def days(board: Board, rows: Rows, shift: float) -> float:
    """By the oscillator in steps of 0.1 h: not the planner's own engine."""
    lux = (0.0, board.home.lights.ambient, board.home.lights.bright, DIM_LUX, CABIN_LUX)
    light = [Stretch(board.hours(k + 1) - board.hours(k), lux[code]) for k, code in enumerate(board.draw(rows))]
    rhythm = entrained(Forger1999(), Rhythm(8, 200))
    arrived = 99.0
    for at in reversed(run(Forger1999(), light, rhythm.at(1.0), longest=0.1).lows):
        if abs((at + 1 + shift - rhythm.low + 12) % 24 - 12) >= 1:
            break
        arrived = at / 24
    return arrived


def chosen(lux: float, shift: float) -> tuple[Board, Chosen]:
    board = jump(shift, Lights(bright=lux))
    return board, choose(board)


@pytest.mark.parametrize(("lux", "shift", "bar"), BARS)
def test_the_best_figures_known_are_met(lux: int, shift: int, bar: float) -> None:
    board, found = chosen(lux, shift)

    assert round(days(board, found.rows, shift), 1) <= bar


@pytest.mark.parametrize("shift", [-11, -7, -3, -1, 1, 2, 4, 7, 11, *FRACTIONS])
def test_no_plan_is_a_morning_later_than_local_hours_at_once(shift: float) -> None:
    board, found = chosen(1000, shift)

    assert floor(days(board, found.rows, shift)) <= floor(days(board, board.slam, shift))


@pytest.mark.parametrize("shift", [-9, -3.5, 5.75, 12])
def test_nights_are_whole_and_move_three_hours_at_most_and_light_keeps_its_quota(shift: float) -> None:
    board, found = chosen(1000, shift)
    lit = board.draw(found.rows)
    beds = [night.base + row[0] for night, row in zip(board.nights, found.rows, strict=True)]

    assert all(set(lit[bed : bed + 16]) == {DARK} for bed in beds)
    assert all(abs(after - before - 48) <= 6 for before, after in pairwise(beds))
    for before, after in pairwise(beds):
        awake = lit[before + 16 : after]
        assert awake.count(BRIGHT) <= 10
        assert awake.count(DIM) <= 12
    assert not {BRIGHT, DIM} & set(lit[: beds[0]])


def test_the_same_board_gives_the_same_plan() -> None:
    assert chosen(1000, 9.5)[1].rows == chosen(1000, 9.5)[1].rows


def test_the_search_s_clock_is_the_published_model() -> None:
    sleeper, rhythm = home(16, Lights(), Gears()), entrained(Forger1999(), Rhythm(8, 200))

    assert sleeper.low == pytest.approx(rhythm.low, abs=0.02)
    for hour in range(24):
        assert sleeper.at(hour) == pytest.approx(rhythm.at(hour), abs=2e-3)


def test_the_engine_finds_the_lows_that_the_oscillator_finds() -> None:
    board, found = chosen(10_000, 8)

    assert found.outcome.days == pytest.approx(days(board, found.rows, 8), abs=0.03)
    assert found.slam.days == pytest.approx(days(board, board.slam, 8), abs=0.03)


@given(data=st.data())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_plan_changed_in_some_nights_is_drawn_as_from_scratch(data: st.DataObject) -> None:
    board = evolve(
        jump(data.draw(st.sampled_from([-9.0, 5.75, 12.0]))), banned=((60, 78), (200, 220)), fixed=((3, bytes(4)),)
    )
    rows = board.slam
    lit = board.draw(rows)
    for _ in range(6):
        first = data.draw(st.integers(0, len(rows) - 1))
        last = data.draw(st.sampled_from([first, len(rows) - 1]))
        by = data.draw(st.integers(-4, 4))
        block = [data.draw(st.integers(*bounds)) for bounds in ((0, 40), (2, 9), (0, 40), (2, 9))]
        moved = tuple((off + by, *rest) if first <= i <= last else (off, *rest) for i, (off, *rest) in enumerate(rows))
        changed = (*moved[:first], (moved[first][0], *block), *moved[first + 1 :])

        assert board.legal(changed, first, last) == board.legal(changed)
        if board.legal(changed):
            assert board.redraw(lit, rows, changed, first, last) == board.draw(changed)
            rows, lit = changed, board.draw(changed)


def test_a_journey_without_a_night_has_its_days_as_they_are() -> None:
    board = evolve(jump(1), nights=())

    assert board.draw(()) == board.canvas


@pytest.mark.parametrize("shift", [-10.5, -6, 7, 9, 12])
def test_what_is_given_up_would_hardly_have_been_better(shift: float) -> None:
    board = jump(shift)
    engine = Engine.on(board)
    base_rows = chosen(1000, shift)[1].rows
    end = board.probes[10]
    base = engine.run(board.draw(base_rows), burden(base_rows), end)
    assert base is not None
    for day in range(6):
        for moved in ((1, 0, 0), (-1, 0, 0), (0, 2, 0), (0, -2, 0), (0, 0, 2), (0, 0, -2)):
            rows = tuple(
                tuple(max(a + b, 0) if n else a + b for n, (a, b) in enumerate(zip(row, (*moved, 0, 0), strict=True)))
                if i == day
                else row
                for i, row in enumerate(base_rows)
            )
            if board.legal(rows):
                lit = board.draw(rows)
                whole = engine.run(lit, burden(rows), end)
                assert whole is not None
                if engine.run(lit, burden(rows), end, base.cost, base) is None:
                    assert whole.cost >= base.cost - 0.1


def test_every_shift_has_a_start_at_both_lights_that_can_be_planned() -> None:
    assert set(table()) == {(level, shift) for level in "LH" for shift in range(-12, 13) if shift}
    for (level, shift), starts in table().items():
        board = jump(shift, Lights(bright=1000 if level == "L" else 10_000))
        for _, rows in starts:
            wide = (*rows, *((0,) * 5 for _ in range(len(board.nights) - len(rows))))
            assert board.legal(board.clamped(wide))
