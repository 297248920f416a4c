"""Which requests go straight to their endpoint, and which by the router."""

import pytest

from packhorse.contract.clock import system_clock
from packhorse.door.call_log import Accounts
from packhorse.http.fast_path import Front
from packhorse.wire.refusals import Refusals

pytestmark = pytest.mark.anyio


def app_that_says(word, taken):
    async def app(scope, receive, send):
        taken.append(word)

    return app


@pytest.mark.parametrize(
    ("scope", "way"),
    [
        pytest.param({"type": "http", "path": "/mcp"}, "endpoint", id="the protocol's path"),
        pytest.param({"type": "http", "path": "/mcp", "root_path": ""}, "endpoint", id="with nothing above it"),
        pytest.param({"type": "http", "path": "/mcp/"}, "routed", id="a slash too many is the router's to mend"),
        pytest.param({"type": "http", "path": "/healthz"}, "routed", id="another path"),
        pytest.param({"type": "http", "path": "/a/mcp", "root_path": "/a"}, "routed", id="mounted in another app"),
        pytest.param({"type": "websocket", "path": "/mcp"}, "routed", id="another protocol"),
        pytest.param({"type": "lifespan"}, "routed", id="start and stop"),
    ],
)
async def test_only_requests_for_the_protocols_own_paths_skip_the_router(scope, way):
    taken = []
    front = Front(
        app_that_says("routed", taken),
        {"/mcp": app_that_says("endpoint", taken)},
        Refusals(Accounts(), system_clock),
    )

    await front({"headers": [], **scope}, None, None)

    assert taken == [way]
