"""The transcript of four nights at work stays true."""

from importlib.util import find_spec

import pytest

from nights import PAGE, told

pytestmark = pytest.mark.anyio


@pytest.mark.slow
@pytest.mark.skipif(find_spec("numpy") is None, reason="plans for shifts are searched for with numpy")
async def test_four_nights_go_as_their_page_tells() -> None:
    assert PAGE.read_text("utf-8") == await told(), "write it again: python tests/circadian/nights.py"
