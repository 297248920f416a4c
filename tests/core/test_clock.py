"""Time and ids."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse.contract.clock import ids, request_id, system_clock

pytestmark = pytest.mark.python

# Version 7 has 48 bits for milliseconds since 1970: enough until the year 10889.
instants = st.datetimes(
    datetime(1970, 1, 1),  # noqa: DTZ001 - Hypothesis wants naive bounds
    datetime(9990, 12, 31),  # noqa: DTZ001
    timezones=st.just(UTC),
)


def test_the_system_clock_is_aware_and_in_utc():
    assert system_clock().utcoffset() == timedelta()


@given(instants)
def test_an_id_is_a_uuid_of_version_7_that_tells_its_millisecond(instant):
    made = uuid.UUID(ids(lambda: instant)())

    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert made.int >> 80 == (instant - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


@given(instants)
def test_ids_of_one_instant_differ(instant):
    new_id = ids(lambda: instant)

    assert len({new_id() for _ in range(100)}) == 100


@given(instants, st.timedeltas(timedelta(milliseconds=1), timedelta(days=365)))
def test_ids_sort_by_time(earlier, between):
    later = earlier + between

    assert ids(lambda: earlier)() < ids(lambda: later)()


def test_a_request_id_is_sixteen_hex_digits_and_new_each_time():
    made = {request_id() for _ in range(1_000)}

    assert len(made) == 1_000
    assert all(len(one) == 16 and int(one, 16) >= 0 for one in made)
