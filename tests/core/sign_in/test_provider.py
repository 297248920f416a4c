"""The way to a provider and back, without a server before it."""

import anyio
import httpx2
import pytest
from pydantic import SecretStr
from stable import free_port, provider_running
from walking import query_of

from packhorse.contract.clock import system_clock
from packhorse.login.provider import Provider, ProviderError
from packhorse.login.redirects import fault_of, matches, place_of
from packhorse.settings import LoginSettings

CALLBACK = "http://127.0.0.1:8123/signin/callback"


def provider_at(issuer: str) -> Provider:
    secret = SecretStr("a secret: with/what needs %quoting")
    login = LoginSettings(issuer=issuer, client_id="packhorse", client_secret=secret, allow=("*",))
    return Provider(login, CALLBACK, system_clock)


async def address_of(provider: Provider) -> str:
    return await provider.address(state="s", nonce="n", verifier="v" * 43)


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_the_secret_is_shown_as_the_provider_wants_it(method):
    async def signed_in(issuer: str) -> str:
        provider = provider_at(issuer)
        address = await address_of(provider)
        async with httpx2.AsyncClient() as browser:
            answer = await browser.post(address, data={"sub": "ada@example.org"})
        return await provider.subject(query_of(answer.headers["location"])["code"], nonce="n", verifier="v" * 43)

    with provider_running(method) as issuer:
        assert anyio.run(signed_in, issuer) == "ada@example.org"


def test_a_provider_that_does_not_answer_cannot_be_used():
    with pytest.raises(ProviderError, match="cannot be used: the connection failed"):
        anyio.run(address_of, provider_at(f"http://127.0.0.1:{free_port()}"))


def test_metadata_of_another_issuer_is_not_taken(provider):
    with pytest.raises(ProviderError, match="of another issuer"):
        anyio.run(address_of, provider_at(f"{provider}/"))


@pytest.mark.parametrize(
    ("uri", "registered", "same"),
    [
        ("http://127.0.0.1:51999/cb", "http://127.0.0.1:8123/cb", True),
        ("http://127.0.0.1/cb", "http://127.0.0.1:8123/cb", True),
        ("http://[::1]:1/cb", "http://[::1]:2/cb", True),
        ("http://localhost:1/cb", "http://localhost:2/cb", True),
        ("http://127.0.0.1:1/cb?a=1", "http://127.0.0.1:1/cb", False),
        ("http://localhost:1/cb", "http://127.0.0.1:1/cb", False),
        ("https://127.0.0.1:1/cb", "https://127.0.0.1:2/cb", False),
        ("https://a.example:1/cb", "https://a.example:2/cb", False),
        ("https://a.example/cb/", "https://a.example/cb", False),
        ("com.example.app:/cb", "com.example.app:/cb", True),
    ],
)
def test_only_the_port_on_the_persons_machine_may_differ(uri, registered, same):
    assert matches(uri, registered) is same


def test_a_person_reads_where_the_answer_goes():
    assert place_of("https://claude.ai/api/mcp/auth_callback") == "claude.ai"
    assert place_of("http://127.0.0.1:1/cb") == "a program on your own computer (127.0.0.1)"
    assert place_of("cursor://anysphere.cursor/cb") == "the program on your computer that opens cursor: links"


@pytest.mark.parametrize(
    "uri", ["https://a.example\\@b.example/", "https://a.example/\u0430", "https://[::1", " https://a", "https://"]
)
def test_an_address_that_two_readers_read_differently_is_none(uri):
    assert fault_of(uri) is not None
