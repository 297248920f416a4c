"""Programmes live through a year at the wire; see `story` for what holds after every event."""

import pytest

from packhorse_scheduling.domain.programme.records import LeaveState
from story import Story
from story_tables import YEAR, drawn, residency, ward

pytestmark = pytest.mark.anyio


@pytest.mark.slow
async def test_a_residency_with_rotations_lives_through_a_year(tmp_path):
    story = Story(tmp_path, residency())
    await story.begin()
    await story.play(YEAR)
    assert len(YEAR) >= 40
    assert story.refusals >= 3
    states = {one.state for one in (*story.desk.leave_records(), *story.desk.actual_records())}
    assert states == set(LeaveState.__args__) - {"requested"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_ward_lives_through_a_year_that_a_seed_draws(tmp_path, seed):
    story = Story(tmp_path, ward())
    await story.begin()
    await story.play(drawn(seed))
