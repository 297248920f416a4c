"""The transcript of a whole trip stays true."""

import pytest

from tokyo import PAGE, told

pytestmark = pytest.mark.anyio


async def test_the_trip_to_tokyo_goes_as_its_page_tells() -> None:
    assert PAGE.read_text("utf-8") == await told(), "write it again: python tests/circadian/tokyo.py"
