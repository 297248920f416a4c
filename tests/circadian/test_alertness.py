"""Alertness over the day."""

from collections.abc import Callable

from packhorse_circadian.models import AdaptationPlan

Planned = Callable[..., AdaptationPlan]


def test_at_home_the_evening_is_less_alert_than_the_morning(planned: Planned) -> None:
    day = next(day for day in planned(prep_days=1).days if day.day == -1)
    scores = {point.time: point.score for point in day.alertness}

    assert list(scores) == ["09:00", "12:00", "15:00", "18:00", "21:00"]
    assert scores["09:00"] > scores["21:00"]


def test_the_first_evening_after_a_flight_without_sleep_is_the_worst(planned: Planned) -> None:
    days = [day for day in planned(prep_days=0).days if day.place == "destination"]
    evenings = [point.score for day in days for point in day.alertness if point.time == "21:00"]

    assert evenings[0] == min(evenings)
    assert evenings[0] < evenings[-1]


def test_no_point_of_the_curve_lies_in_sleep(planned: Planned) -> None:
    plan = planned()
    asleep = {
        (item.date, item.time, item.until.date, item.until.time)
        for day in plan.days
        for item in day.items
        if item.type == "sleep" and item.until
    }

    for day in plan.days:
        for point in day.alertness:
            at = f"{day.date} {point.time}"
            assert not any(f"{d} {t}" <= at < f"{e} {u}" for d, t, e, u in asleep)
