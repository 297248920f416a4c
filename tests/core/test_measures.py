"""Metrics of a pack's own: served beside the host's, under the pack's name, and harmless when they fail."""

import pytest

from packhorse import Measure
from packhorse.metrics.metrics import MOST_SERIES, Metrics

pytest.importorskip("prometheus_client", reason="prometheus-client is not installed: there are no metrics to look at")


def lines(metrics):
    return [line for line in metrics.render()[0].decode().splitlines() if "packhorse_moon" in line]


def test_a_packs_counter_and_gauge_are_served_under_its_name():
    metrics, phases = Metrics({}), {("full",): 2.0}
    metrics.pack(
        "moon", lambda: [Measure("phases", "Seen.", ("phase",), phases), Measure("up", "Up.", (), {(): 1}, False)]
    )
    phases["new",] = 1.0
    assert 'packhorse_moon_phases_total{phase="full"} 2.0' in lines(metrics)
    assert 'packhorse_moon_phases_total{phase="new"} 1.0' in lines(metrics)
    assert "packhorse_moon_up 1.0" in lines(metrics)


def test_a_pack_that_fails_takes_nothing_from_the_others(caplog):
    def broken():
        raise OSError("disk full")

    metrics = Metrics({"tool": ("age",)})
    metrics.pack("broken", broken)
    metrics.pack("moon", lambda: [Measure("up", "Up.", (), {(): 1}, False)])
    assert "packhorse_moon_up 1.0" in lines(metrics)
    assert "packhorse_calls_total" in metrics.render()[0].decode()
    assert "broken could not give its metrics" in caplog.text


def test_of_one_metric_no_more_than_so_many_series_are_served():
    metrics = Metrics({})
    metrics.pack("moon", lambda: [Measure("rays", "Rays.", ("n",), {(str(n),): 1 for n in range(MOST_SERIES + 9)})])
    assert sum("_total{" in line for line in lines(metrics)) == MOST_SERIES
