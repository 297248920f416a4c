"""Arguments that a tool's schema wants in headers as well (``x-mcp-header``, revision 2026-07-28)."""

import httpx2
import pytest
from tests.core.live import Bench
from tests.core.raw_http import headers_of, message
from tests.core.seeds import install

pytestmark = pytest.mark.wire

HEADER_MISMATCH = -32020

SEED = '''
from typing import Annotated

from pydantic import Field

from packhorse import *


def region(place: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Place"})]) -> str:
    """Say where."""
    return place


def plain(place: str) -> str:
    """Say where, and ask for no header."""
    return place


@hookimpl
def register_tools():
    return [region, plain]
'''


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    made = Bench(tmp_path_factory.mktemp("headers"))
    install(made.packs, "seed", SEED)
    with made.serving("seed") as served:
        yield served


@pytest.mark.parametrize(
    ("tool", "header", "status"),
    [
        pytest.param("region", {"Mcp-Param-Place": "Oslo"}, 200, id="the header says the same"),
        pytest.param("region", {"Mcp-Param-Place": "Bergen"}, 400, id="the header says another place"),
        pytest.param("region", {}, 400, id="the header is missing"),
        pytest.param("plain", {}, 200, id="no header is asked for"),
        pytest.param("plain", {"Mcp-Param-Place": "Bergen"}, 200, id="a header that nobody asked for"),
    ],
)
def test_a_header_that_the_schema_declares_must_agree_with_the_argument(server, tool, header, status):
    call = message({"place": "Oslo"}, name=tool)
    answer = httpx2.post(server.url, json=call, headers={**headers_of(tool), **header})

    assert answer.status_code == status, answer.text
    if status == 400:
        assert answer.json()["error"]["code"] == HEADER_MISMATCH
