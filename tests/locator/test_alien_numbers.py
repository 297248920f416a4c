import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse_locator.domain.alien_numbers import canonical, is_possible, masked


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        pytest.param("A012345678", "A012345678", id="canonical"),
        pytest.param("12345678", "A012345678", id="eight digits, no A"),
        pytest.param("1234567", "A001234567", id="seven digits"),
        pytest.param("a 012-345-678", "A012345678", id="small a, groups"),
        pytest.param("A# 012.345.678", "A012345678", id="number sign and dots"),
        pytest.param("\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668\u0669", "A123456789", id="Arabic digits"),
        pytest.param("A\u200b012345678", "A012345678", id="a zero-width space within"),
        pytest.param("A\uff11\uff12\uff13456789", "A123456789", id="full-width digits"),
        pytest.param("A0123456789", None, id="ten digits are never cut to nine"),
        pytest.param("A12345", None, id="too few"),
        pytest.param("B12345678", None, id="another letter"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_a_number_is_read_however_it_was_written(written, meant):
    assert canonical(written) == meant


@given(st.integers(min_value=1_000_000, max_value=999_999_999))
def test_every_number_survives_its_canonical_form(number):
    assert canonical(str(number)) == canonical(f"A{number:09}") == f"A{number:09}"


@given(st.text(alphabet="0123456789", min_size=10, max_size=30))
def test_too_many_digits_are_never_a_number(digits):
    assert canonical(digits) is None


def test_no_number_was_issued_below_the_first():
    assert not is_possible("A000999999")
    assert is_possible("A001000000")


def test_a_masked_number_shows_its_last_three_digits_alone():
    assert masked("A123456789") == "A******789"
