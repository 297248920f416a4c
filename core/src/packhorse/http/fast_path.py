"""The way in over HTTP: the protocol's own paths lead straight to their endpoint, all else goes by the router."""

from collections.abc import Mapping

from starlette.types import ASGIApp, Receive, Scope, Send

from packhorse.http.admission import refuse
from packhorse.http.gate import headers_of
from packhorse.wire.refusals import Refusals, Refused


class Front:
    """Spares each call the router and the handlers of exceptions around it, which together cost as much as its checks.

    An exception that gets this far is the web server's to answer, with 500.
    What the router takes has not been admitted: of that, a request whose end
    is ambiguous is refused here.
    """

    def __init__(self, routed: ASGIApp, endpoints: Mapping[str, ASGIApp], refusals: Refusals) -> None:
        self._routed = routed
        self._endpoints = endpoints
        self._refusals = refusals

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._routed(scope, receive, send)
            return
        # Below another application the path begins with that one's own, and the router knows how to take it off.
        endpoint = None if scope.get("root_path") else self._endpoints.get(scope["path"])
        if endpoint is not None:
            await endpoint(scope, receive, send)
            return
        try:
            headers_of(scope)
        except Refused as refused:
            await refuse(self._refusals, refused, scope, receive, send)
            return
        await self._routed(scope, receive, send)
