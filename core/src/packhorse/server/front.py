"""The way in over HTTP: the protocol's own paths lead straight to their endpoint, all else goes by the router."""

from collections.abc import Mapping

from starlette.types import ASGIApp, Receive, Scope, Send


class Front:
    """Spares each call the router and the handlers of exceptions around it, which together cost as much as its checks.

    An exception that gets this far is the web server's to answer, with 500.
    """

    def __init__(self, routed: ASGIApp, endpoints: Mapping[str, ASGIApp]) -> None:
        self._routed = routed
        self._endpoints = endpoints

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Below another application the path begins with that one's own, and the router knows how to take it off.
        direct = scope["type"] == "http" and not scope.get("root_path")
        endpoint = self._endpoints.get(scope["path"]) if direct else None
        await (endpoint or self._routed)(scope, receive, send)
