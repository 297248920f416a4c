"""The bars of the name search on the shared bench: invented persons, labelled queries."""

from pathlib import Path

import pytest

from packhorse_locator.search.benchmark import bench

BENCH = Path(__file__).resolve().parents[3].parent / "shared" / "locator" / "names_bench"

pytestmark = pytest.mark.skipif(not BENCH.is_dir(), reason=f"the shared bench is not at {BENCH}")


@pytest.fixture(scope="module")
def report():
    return bench(BENCH)


@pytest.mark.slow
def test_the_right_person_is_found(report):
    for figures in (report.shipped, report.by_culture, report.by_class):
        assert figures.recall_1 >= 0.985
        assert figures.recall_5 >= 0.997


def test_the_threshold_parts_the_present_from_the_absent(report):
    for figures in (report.shipped, report.by_culture, report.by_class):
        assert figures.false_positive <= 0.03
        assert figures.true_positive >= 0.91


def test_the_confidence_keeps_its_word_for_cultures_and_errors_it_was_not_fitted_on(report):
    assert report.by_culture.calibration_error <= 0.03
    assert report.by_class.calibration_error <= 0.03


def test_no_class_of_errors_is_left_behind(report):
    present = {name: figures for name, figures in report.classes.items() if figures.present}
    assert len(present) == 26
    assert {name: f.recall_1 for name, f in present.items() if f.recall_1 < 0.90} == {}
    assert {name: f.recall_5 for name, f in present.items() if f.recall_5 < 0.96} == {}


def test_a_record_costs_at_most_a_hundred_bytes(report):
    assert report.bytes_a_record <= 100
