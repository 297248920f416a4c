"""What is read of real answers without a language model: measured, with the bars that the pack keeps."""

import runpy
from pathlib import Path

import pytest

MEASURE = runpy.run_path(str(Path(__file__).parent / "measure_answers.py"))

pytestmark = pytest.mark.skipif(not list(MEASURE["answers"]()), reason="no interviews beside the checkout")


def test_at_least_seven_values_in_ten_are_read() -> None:
    counted = MEASURE["measure"]()
    found, wanted = (sum(one[at] for one in counted.values()) for at in (0, 1))
    print(f"recall {found} of {wanted}: {counted}")

    assert wanted >= 100
    assert found >= 0.7 * wanted


def test_at_least_nineteen_proposals_in_twenty_are_right() -> None:
    right, labelled = MEASURE["precision"]()
    print(f"precision {right} of {labelled}")

    assert labelled >= 190
    assert right >= 0.95 * labelled
