"""RFC 8785, by its own examples and by laws."""

import json
import struct

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from packhorse.audit.canonical import SAFE_INTEGER, canonical

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers(-SAFE_INTEGER, SAFE_INTEGER) | TEXT
SCALARS |= st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4))


@pytest.mark.parametrize(
    ("bits", "written"),
    [
        ("0000000000000000", "0"),
        ("8000000000000000", "0"),
        ("0000000000000001", "5e-324"),
        ("7fefffffffffffff", "1.7976931348623157e+308"),
        ("ffefffffffffffff", "-1.7976931348623157e+308"),
        ("4340000000000000", "9007199254740992"),
        ("4430000000000000", "295147905179352830000"),
        ("44b52d02c7e14af5", "9.999999999999997e+22"),
        ("44b52d02c7e14af6", "1e+23"),
        ("444b1ae4d6e2ef4e", "999999999999999700000"),
        ("444b1ae4d6e2ef50", "1e+21"),
        ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
        ("3eb0c6f7a0b5ed8d", "0.000001"),
        ("41b3de4355555553", "333333333.3333332"),
        ("43143ff3c1cb0959", "1424953923781206.2"),
    ],
)
def test_numbers_are_written_as_appendix_b_of_the_rfc_has_them(bits, written):
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical(number).decode() == written


def test_the_example_of_the_rfc_is_written_as_it_has_it():
    value = {
        "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
        "literals": [None, True, False],
    }
    assert canonical(value).decode() == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


def test_keys_are_in_the_order_of_their_utf_16_units():
    value = dict.fromkeys(["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"], 0)
    assert list(json.loads(canonical(value))) == ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]


@given(VALUES)
def test_the_quick_way_writes_what_the_library_writes(value):
    assert canonical(value) == rfc8785.dumps(value)


@given(VALUES)
def test_what_is_written_reads_back_and_is_written_the_same_again(value):
    written = canonical(value)
    read = json.loads(written, parse_int=float)  # 1e20 is written without an exponent, and is no integer of JSON's
    assert read == value
    assert canonical(read) == written


@given(st.dictionaries(TEXT, SCALARS))
def test_the_order_in_which_members_were_added_does_not_matter(value):
    assert canonical(dict(reversed(value.items()))) == canonical(value)


def deep():
    value = []
    for _ in range(100_000):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(float("nan"), id="not a number"),
        pytest.param([float("inf")], id="infinity"),
        pytest.param({"n": 2**53}, id="an integer that other readers would round"),
        pytest.param("\ud800", id="half a surrogate pair"),
        pytest.param({"\ud800": 1}, id="half a surrogate pair in a key"),
        pytest.param({1: 2}, id="a key that is no text"),
        pytest.param(b"x", id="bytes"),
        pytest.param(deep(), id="a hundred thousand levels"),
    ],
)
def test_what_has_no_canonical_form_is_refused(value):
    with pytest.raises(ValueError):  # noqa: PT011  # several kinds, and no caller tells them apart
        canonical(value)
