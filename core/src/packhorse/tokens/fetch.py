"""Fetching a key set without being sent anywhere else: the address is the deployer's, what it resolves to may not be.

No redirects, no proxies, nothing but this machine where a loopback address was
configured, and nothing but public addresses where it was not. A name is
resolved once, and the connection goes to what was looked at (OWASP, server-side
request forgery prevention: a name can resolve to something else the next time).
"""

import ipaddress
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from packhorse.settings.security import is_loopback

if TYPE_CHECKING:
    import httpx2

LIMIT_BYTES = 262_144
"""The largest key set; a hundred RSA keys are less than a quarter of it."""

LIMIT_SECONDS = 5.0
"""From the name to the last byte."""

_ADDRESSES = 4  # as many as are tried, so that a name with one dead address of two still answers

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]

# RFC 6052, section 2.1: the last 32 bits are an IPv4 address, which the gateway connects to.
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class FetchError(Exception):
    """A key set that was not had; the message says why, without the address."""


class Fetch(Protocol):
    """Gets what is published at a URL; with ``private``, also from an address that is not public."""

    async def __call__(self, url: str, *, private: bool) -> bytes: ...


async def resolved(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, as this machine resolves them."""
    import anyio

    found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(address[0] for *_, address in found))


async def document_at(
    url: str,
    *,
    private: bool = False,
    form: Mapping[str, str] | None = None,
    basic: tuple[str, str] | None = None,
    limit_bytes: int = LIMIT_BYTES,
    resolve: Resolve = resolved,
) -> bytes:
    """What is published at ``url``, within 256 KiB and 5 seconds; or what is answered to a ``form`` posted there.

    ``basic`` are the name and password of an Authorization header.

    Raises:
        FetchError: it cannot be had, or leads where it must not.
    """
    import anyio
    import httpx2

    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        with anyio.fail_after(LIMIT_SECONDS):
            addresses = permitted(await _found(resolve, host, port), loopback=is_loopback(host), private=private)
            async with _client() as client:
                request = partial(_asked, client, url, form=form, basic=basic, limit_bytes=limit_bytes)
                return await _first(request, addresses[:_ADDRESSES])
    except TimeoutError:
        why = f"it took longer than {LIMIT_SECONDS:g} s"
    except OSError:
        why = "the certificate authorities of this machine cannot be read"
    except (httpx2.HTTPError, httpx2.InvalidURL) as exc:
        why = f"the connection failed ({type(exc).__name__})"
    raise FetchError(why)


async def _found(resolve: Resolve, host: str, port: int) -> Sequence[str]:
    try:
        return await resolve(host, port)
    except (socket.gaierror, UnicodeError):
        return ()


def permitted(addresses: Sequence[str], *, loopback: bool, private: bool) -> list[Address]:
    """The same addresses, when every one of them may be connected to.

    Raises:
        FetchError: there is none, or one leads where it must not.
    """
    found = [ipaddress.ip_address(address) for address in addresses]
    if not found:
        raise FetchError("its name does not resolve")
    for address in found:
        if not _may_connect(_embedded(address), loopback=loopback, private=private):
            raise FetchError(
                "its name leads to an address that is not this machine's"
                if loopback
                else "its name leads to an address that is not public (private_network = true allows a private one)"
            )
    return found


def _may_connect(address: Address, *, loopback: bool, private: bool) -> bool:
    if loopback:
        return address.is_loopback
    if address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified:
        return False
    return address.is_global or (private and not address.is_reserved)


def _embedded(address: Address) -> Address:
    """The IPv4 address that an IPv6 address stands for, if it does."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address.sixtofour or address


def _client() -> "httpx2.AsyncClient":
    import httpx2

    # The deployer's own certificate authorities (SSL_CERT_FILE) count, proxies from the environment do not.
    return httpx2.AsyncClient(
        verify=httpx2.create_ssl_context(), trust_env=False, follow_redirects=False, timeout=LIMIT_SECONDS
    )


async def _first(request: Callable[[Address], Awaitable[bytes]], addresses: Sequence[Address]) -> bytes:
    """The document from the first address that can be connected to."""
    import httpx2

    *others, last = addresses
    for address in others:
        try:
            return await request(address)
        except httpx2.ConnectError:
            continue
    return await request(last)


async def _asked(
    client: "httpx2.AsyncClient",
    url: str,
    address: Address,
    *,
    form: Mapping[str, str] | None,
    basic: tuple[str, str] | None,
    limit_bytes: int,
) -> bytes:
    import httpx2

    named = httpx2.URL(url)
    headers = {
        "Host": named.netloc.decode("ascii"),
        "Accept": "application/jwk-set+json, application/json",
        "Accept-Encoding": "identity",  # so that what is counted is what is read
    }
    # The certificate is checked against the name, not against the address that is connected to.
    extensions: dict[str, Any] = {"sni_hostname": named.raw_host.decode("ascii")}
    async with client.stream(
        "GET" if form is None else "POST",
        named.copy_with(host=str(address)),
        headers=headers,
        data=None if form is None else dict(form),
        auth=basic,
        extensions=extensions,
    ) as response:
        if response.status_code != httpx2.codes.OK:
            raise FetchError(f"it answers with status {response.status_code}")
        document = bytearray()
        async for part in response.aiter_raw():
            document += part
            if len(document) > limit_bytes:
                raise FetchError(f"it is larger than {limit_bytes:,} bytes")
        return bytes(document)
