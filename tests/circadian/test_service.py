"""What the clock decides: today's date, and how many days are left."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from packhorse_circadian.models import AdaptationPlan
from packhorse_circadian.service import JetLagDesk

NEW_YORK, LONDON, AUCKLAND = (ZoneInfo(key) for key in ("America/New_York", "Europe/London", "Pacific/Auckland"))
Planned = Callable[..., AdaptationPlan]


def test_without_a_date_it_is_today_at_the_origin() -> None:
    # In New York it is still the day before its clocks change; in London both are.
    desk = JetLagDesk(lambda: datetime(2026, 3, 8, 3, tzinfo=UTC))

    assert desk.shift(NEW_YORK, LONDON, None).raw == timedelta(hours=5)
    assert desk.shift(LONDON, NEW_YORK, None).raw == timedelta(hours=-4)


@pytest.mark.parametrize(
    ("now", "days"),
    [
        pytest.param(datetime(2026, 2, 1, tzinfo=UTC), 3, id="in good time"),
        pytest.param(datetime(2026, 2, 12, 8, tzinfo=UTC), 3, id="the third day before has begun at the origin"),
        pytest.param(datetime(2026, 2, 13, 20, tzinfo=UTC), 2, id="two days before"),
        pytest.param(datetime(2026, 2, 15, 7, tzinfo=UTC), 1, id="the evening before, by the origin's clock"),
        pytest.param(datetime(2026, 2, 15, 9, tzinfo=UTC), 0, id="the same day"),
        pytest.param(datetime(2026, 2, 15, 19, 30, tzinfo=UTC), 3, id="at departure: as asked"),
        pytest.param(datetime(2027, 2, 15, tzinfo=UTC), 3, id="long past: as asked"),
    ],
)
def test_preparation_is_cut_to_the_days_left(planned: Planned, now: datetime, days: int) -> None:
    plan = planned(now=now)

    assert plan.summary.prep_days == days
    assert plan.summary.total_days == days + plan.summary.post_arrival_days
    assert any("prep_days was cut from 3" in note for note in plan.notes) == (days < 3)
