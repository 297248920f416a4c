"""Endpoints of packs: behind the checks of Host, size and address, and otherwise on their own."""

from collections.abc import Collection
from functools import partial

from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from packhorse.compose.deployment import Deployment
from packhorse.contract.offers import Endpoint
from packhorse.door.limits import Limit
from packhorse.errors import PackError
from packhorse.http.addresses import Network, client_address, count, limit_key
from packhorse.http.admission import refuse
from packhorse.http.gate import Gate
from packhorse.wire.adapter import Adapter
from packhorse.wire.callers import ADDRESS, PLAIN, TURNED_AWAY
from packhorse.wire.refusals import Refused


def routes_of_endpoints(
    deployment: Deployment, adapter: Adapter, gate: Gate, trusted: Collection[Network], taken: Collection[str]
) -> list[Route]:
    """The routes of every endpoint.

    Raises:
        PackError: a path is among ``taken`` or served twice, or a limit is none.
    """
    endpoints = deployment.catalogue.endpoints
    paths = [*taken, *(endpoint.path for _, endpoint in endpoints)]
    for pack, endpoint in endpoints:
        if paths.count(endpoint.path) > 1:
            raise PackError(f"pack {pack!r}: {endpoint.path} cannot be served: this path is in use")
    return [
        Route(endpoint.path, endpoint=_Admitted(deployment, adapter, gate, trusted, pack, endpoint))
        for pack, endpoint in endpoints
    ]


class _Admitted:
    """One endpoint behind its checks."""

    def __init__(
        self,
        deployment: Deployment,
        adapter: Adapter,
        gate: Gate,
        trusted: Collection[Network],
        pack: str,
        endpoint: Endpoint,
    ) -> None:
        text = endpoint.limit_by_address
        self._limiter = deployment.limiter
        self._adapter = adapter
        self._gate = gate
        self._trusted = tuple(trusted)
        self._pool = f"endpoints:{pack}"
        self._limit = None if text in (None, "none") else Limit.parse(text or "")
        self._app: ASGIApp = RequestBodyLimitMiddleware(endpoint.app, deployment.settings.server.body_limit_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[PLAIN] = True
        scope[ADDRESS] = address = limit_key(client_address(scope, self._trusted))
        scope[TURNED_AWAY] = partial(self._adapter.refusals.turned_away, address)
        try:
            self._gate.check_host(scope)
            if self._limit is not None:
                await count(self._limiter, self._pool, self._limit, address)
        except Refused as refused:
            await refuse(self._adapter.refusals, refused, scope, receive, send)
            return
        with self._adapter.under_way.one():
            await self._app(scope, receive, send)
