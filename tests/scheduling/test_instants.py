"""Every instant that is told is ISO 8601 in UTC and ends in Z, wherever it was kept."""

import re

import pytest

from packhorse_scheduling.convert.jobs import job_from
from test_changes import shelf
from wire import call, read

pytestmark = pytest.mark.anyio
__all__ = ["shelf"]

INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


async def test_a_fallback_s_instant(shelf):
    deployment, _ = shelf
    await call(deployment, "snapshot_schedule", {"label": "skeleton", "fallback_for": "holiday_period"})
    kept = (await call(deployment, "get_static_fallbacks", {})).structured_content["fallbacks"]
    assert [bool(INSTANT.fullmatch(row["prepared_at"])) for row in kept] == [True]


async def test_a_version_s_instant(shelf):
    versions = (await read(shelf[0], "analytics://trends"))["versions"]
    assert versions
    assert all(INSTANT.fullmatch(row["created_at"]) for row in versions)


async def test_a_generation_s_instant():
    handle = {"job_id": "x", "status": "queued", "created_at": "2026-11-22T16:22:00.292+00:00"}
    assert job_from(handle, None)["created_at"] == "2026-11-22T16:22:00Z"
