"""A name that is none: the nearest that is one is asked back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse.errors.nearest import did_you_mean

NAMES = ["serve", "store", "calculate_phase_shift", "PACKHORSE_SERVER_PORT", "key", "bmi", "issuer"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("serv", "serve"),
        ("SERVE", "serve"),
        ("calculate-phase-shift", "calculate_phase_shift"),
        ("calculate_phase_shif", "calculate_phase_shift"),
        ("PACKHORSE_SERVER_PROT", "PACKHORSE_SERVER_PORT"),
        ("kye", "key"),
        ("bmy", "bmi"),
        ("iss", "issuer"),
    ],
)
def test_the_nearest_name_is_asked_back(typed, meant):
    assert did_you_mean(typed, NAMES) == f" Did you mean {meant!r}?"


def test_where_nothing_is_near_nothing_is_asked():
    assert did_you_mean("banana", NAMES) == ""
    assert did_you_mean("banana", []) == ""


@given(st.text(max_size=40), st.lists(st.text(max_size=20), max_size=8))
def test_what_is_asked_back_is_one_of_the_names(typed, names):
    asked = did_you_mean(typed, names)

    assert asked == "" or asked in {f" Did you mean {name!r}?" for name in names}
