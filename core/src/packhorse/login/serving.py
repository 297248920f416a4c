"""The paths of signing in: the SDK's for the protocol, ours for people and for what its own leave out."""

from collections.abc import Sequence

from mcp.server.auth.middleware.client_auth import AuthenticationError, ClientAuthenticator
from mcp.server.auth.routes import cors_middleware, create_auth_routes
from mcp.server.auth.settings import ClientRegistrationOptions
from pydantic import AnyHttpUrl
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from packhorse.contract.host import Host
from packhorse.contract.offers import Endpoint
from packhorse.login.browser import Pages
from packhorse.login.pages import HEADERS
from packhorse.login.provider import CALLBACK, Provider
from packhorse.login.server import LoginServer
from packhorse.login.sessions import ENTRANCE, Sessions
from packhorse.settings import LoginSettings

METADATA = "/.well-known/oauth-authorization-server"
"""RFC 8414, section 3."""


def endpoints(host: Host, login: LoginSettings) -> Sequence[Endpoint]:
    """Every path of signing in; all but the metadata count by address."""
    server = LoginServer(host, login)
    provider = Provider(login, server.origin + CALLBACK, host.clock)
    pages = Pages(server, provider, Sessions(host.settings, host.clock), host.settings.server.name)
    clients = ClientAuthenticator(server)

    async def revoke(request: Request) -> Response:
        """A client gives its tokens back (RFC 7009). The SDK's own asks every client for a secret, public ones too."""
        try:
            client = await clients.authenticate_request(request)
        except AuthenticationError as exc:
            return JSONResponse({"error": "invalid_client", "error_description": exc.message}, 401, headers=HEADERS)
        known = await server.load_refresh_token(client, str((await request.form()).get("token", "")))
        if known is not None:
            await server.revoke_token(known)
        return Response(status_code=200, headers=HEADERS)

    registration = ClientRegistrationOptions(enabled=True)
    routes = create_auth_routes(server, AnyHttpUrl(server.origin), client_registration_options=registration)
    routes = [route for route in routes if route.path != METADATA]
    routes += [
        Route("/revoke", cors_middleware(revoke, ["POST", "OPTIONS"]), methods=["POST", "OPTIONS"]),
        Route("/signin/consent", pages.consent, methods=["GET", "POST"]),
        Route(ENTRANCE, pages.enter, methods=["GET"]),
        Route(CALLBACK, pages.back, methods=["GET"]),
    ]
    described = metadata(server.origin)

    async def describe(request: Request) -> Response:
        return JSONResponse(described, headers={"Cache-Control": "public, max-age=3600"})

    open_to_all = Route(METADATA, cors_middleware(describe, ["GET", "OPTIONS"]), methods=["GET", "OPTIONS"])
    return [
        Endpoint(path=METADATA, app=open_to_all),
        *(Endpoint(path=route.path, app=route, limit_by_address=login.requests_by_address) for route in routes),
    ]


def metadata(origin: str) -> dict[str, object]:
    """What clients read before they sign anybody in (RFC 8414).

    The SDK's own lacks three members, and its addresses have a slash where the
    path is empty, by which clients find that the issuer is another.
    """
    methods = ["none", "client_secret_post", "client_secret_basic"]
    return {
        "issuer": origin,
        "authorization_endpoint": f"{origin}/authorize",
        "token_endpoint": f"{origin}/token",
        "registration_endpoint": f"{origin}/register",
        "revocation_endpoint": f"{origin}/revoke",
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_methods_supported": methods,
        "code_challenge_methods_supported": ["S256"],
        "client_id_metadata_document_supported": True,
        "authorization_response_iss_parameter_supported": True,
    }
