"""The SDK's own client signs in, by registering itself and by publishing who it is, in both eras."""

import json

import anyio.to_thread
import httpx2
import pytest
from mcp.client.auth import OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl
from stable import Place, place_with
from tests.core.tokens.signing import Published, Publisher, certificate
from walking import REDIRECT, Person, query_of

pytestmark = [pytest.mark.anyio, pytest.mark.wire]

NAMED = {"redirect_uris": [REDIRECT], "client_name": "Published scribe", "token_endpoint_auth_method": "none"}


class Memory:
    """A client's storage."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


def signing_in(place: Place, storage: Memory, *, published: str | None = None) -> OAuthClientProvider:
    person, answers = Person(place.address), []

    def sign_in(address: str) -> None:
        page = person.browser.get(person.browser.get(address).headers["location"])
        answers.append(query_of(person.back(person.at_provider(person.agreed(page))).headers["location"]))

    async def redirected(address: str) -> None:
        await anyio.to_thread.run_sync(sign_in, address)

    async def answer() -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**answers[-1])

    metadata = OAuthClientMetadata(redirect_uris=[AnyUrl(REDIRECT)], client_name="The SDK's client")
    return OAuthClientProvider(place.served.url, metadata, storage, redirected, answer, client_metadata_url=published)


async def saddled(place: Place, auth: OAuthClientProvider, mode: str) -> str:
    async with (
        httpx2.AsyncClient(auth=auth, timeout=60) as http,
        Client(streamable_http_client(place.served.url, http_client=http), mode=mode) as client,
    ):
        return (await client.call_tool("saddle", {"horse": "Ada"})).content[0].text


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_sdks_client_registers_and_calls_a_tool_that_needs_a_role(place, mode):
    storage = Memory()

    assert await saddled(place, signing_in(place, storage), mode) == "Ada is saddled"
    assert storage.client is not None
    assert storage.client.client_id.startswith("dcr.")


async def test_the_sdks_client_renews_its_token(place):
    storage = Memory()
    auth = signing_in(place, storage)
    await saddled(place, auth, "2026-07-28")
    first = storage.tokens
    auth.context.token_expiry_time = 1

    assert await saddled(place, auth, "2026-07-28") == "Ada is saddled"
    assert storage.tokens != first


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """The address of a client's metadata document, over https, and the file of its certificate authority."""
    context, authority = certificate(tmp_path_factory.mktemp("certificate"), "localhost")
    with Publisher(context) as site:
        address = site.url("/client.json", "localhost")

        def document(name: str, **changed: object) -> Published:
            return Published(json.dumps({"client_id": site.url(name, "localhost"), **NAMED, **changed}).encode())

        site.pages = {
            "/client.json": document("/client.json"),
            "/other.json": document("/client.json"),
            "/secret.json": document("/secret.json", token_endpoint_auth_method="client_secret_post"),
            "/script.json": document("/script.json", redirect_uris=["javascript:alert(1)"]),
            "/large.json": document("/large.json", more="x" * 6000),
            "/redirect.json": Published(status=302, headers={"Location": "/client.json"}),
        }
        yield address, authority


@pytest.fixture(scope="module")
def trusting(tmp_path_factory, provider, published):
    """A host that trusts the certificate authority of the published client."""
    environment = {"SSL_CERT_FILE": str(published[1])}
    with place_with(tmp_path_factory.mktemp("trusting"), provider, env=environment) as made:
        yield made


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_sdks_client_is_known_by_its_published_document(trusting, published, mode):
    storage = Memory()

    assert await saddled(trusting, signing_in(trusting, storage, published=published[0]), mode) == "Ada is saddled"
    assert storage.client is not None
    assert storage.client.client_id == published[0]


@pytest.mark.parametrize("name", ["other.json", "secret.json", "script.json", "large.json", "redirect.json"])
def test_a_document_that_does_not_hold_names_no_client(trusting, published, name):
    client_id = published[0].replace("client.json", name)
    asked = {
        "response_type": "code", "client_id": client_id, "redirect_uri": REDIRECT, "code_challenge": "x" * 43
    }  # fmt: skip

    answer = httpx2.get(f"{trusting.address}/authorize", params=asked)

    assert (answer.status_code, "location" in answer.headers) == (400, False)


def test_the_page_says_where_a_published_client_is(trusting, published):
    asked = {
        "response_type": "code", "client_id": published[0], "redirect_uri": REDIRECT, "code_challenge": "x" * 43
    }  # fmt: skip

    page = httpx2.get(f"{trusting.address}/authorize", params=asked, follow_redirects=True)

    assert f"Published at {published[0]}" in page.text
