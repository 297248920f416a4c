"""Fixtures of the scheduling tests: one sample programme, solved once."""

import sys
from datetime import UTC, datetime, time, timedelta
from functools import cache
from pathlib import Path

import pytest
from attrs import evolve

sys.path.insert(0, str(Path(__file__).parent))

from packhorse.testing import connected, deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.domain.programme.calendar import Year
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.search import Effort
from packhorse_scheduling.domain.solve.start import start_of
from packhorse_scheduling.domain.solve.year import Draft, YearSolver
from wire import NOW, desk_in

EIGHT_WEEKS = 56


@pytest.fixture(scope="session")
def programme():
    """The sample programme of the first seed."""
    return sample(Shape(seed=1))


@pytest.fixture(scope="session")
def kernel(programme):
    return Kernel(programme)


@pytest.fixture(scope="session")
def draft(kernel):
    """The first eight weeks of the sample, solved."""
    grid, fixed = start_of(kernel)
    solver = YearSolver(kernel, grid, fixed, 0, EIGHT_WEEKS - 1, effort=Effort(), budget=600)
    found = solver.solve()
    assert isinstance(found, Draft), found
    return found


@pytest.fixture(scope="session")
def small(programme):
    """Four weeks of the sample."""
    from attrs import evolve

    year = Year(programme.year.start, programme.year.start + timedelta(days=27))
    inside = tuple(leave for leave in programme.leaves if leave.end in year and leave.start in year)
    wishes = tuple(wish for wish in programme.preferences if wish.day in year)
    return evolve(programme, year=year, leaves=inside, preferences=wishes)


@pytest.fixture(scope="session")
def served(tmp_path_factory, small):
    """A deployment with the four weeks imported, generated over the wire and published."""
    import anyio

    folder = tmp_path_factory.mktemp("served")
    deployment = deployment_for(data_dir=folder, clock=NOW, scheduling=pack)
    desk = desk_in(folder)
    desk.import_programme(small)

    async def make():
        async with connected(deployment) as client:
            return await client.call_tool(
                "generate_schedule",
                {
                    "academic_year": "2026-2027",
                    "start_date": small.year.start.isoformat(),
                    "end_date": small.year.end.isoformat(),
                    "async": False,
                },
            )

    reply = anyio.run(make)
    assert not reply.is_error, reply.content
    desk.publish(reply.structured_content["schedule_id"], "coordinator")
    return deployment, desk, reply.structured_content


@pytest.fixture
def in_force(tmp_path, served, small):
    """(deployment at a day, desk): the four weeks in force, with a subject for everybody.

    A day has one deployment; ``at.cache_clear()`` forgets what it has counted of limits.
    """
    people = tuple(evolve(person, subject=f"sub-{person.key}") for person in small.people)
    desk = desk_in(tmp_path)
    made = desk.import_programme(evolve(small, people=people))
    with desk.rosters() as rosters:
        rosters.save_schedule(evolve(served[1].current().schedule, programme=made, parent=None, status="published"))

    @cache
    def at(day=None):
        now = NOW() if day is None else datetime.combine(day, time(12), UTC)
        return deployment_for(data_dir=tmp_path, clock=lambda: now, scheduling=pack)

    return at, desk
