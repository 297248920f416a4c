"""Programmes live through a year at the wire; see `story` for what holds after every event."""

import shutil

import anyio
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


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """The data of the ward in June, its year in force."""
    folder = tmp_path_factory.mktemp("ward")
    anyio.run(Story(folder, ward()).begin)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_ward_lives_through_a_year_that_a_seed_draws(tmp_path, begun, seed):
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    await Story(tmp_path, ward()).play(drawn(seed))
