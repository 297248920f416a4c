"""Who sent a request, by network address, and how many tool calls one address may make.

Calls are counted before authentication: what is counted needs no credential to
be believed. It reads the request's body, never the headers that repeat parts
of it: those may lie, and older clients send none.
"""

import functools
import ipaddress
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Any

from starlette.types import Scope

from packhorse.door.catalogue import ToolEntry
from packhorse.door.entrances import seen_through
from packhorse.door.limits import Limit, Limiter
from packhorse.errors import PackError, RequestError, UserError
from packhorse.wire.refusals import Refused

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address

_SUBNET = 64
"""IPv6 addresses that share so many bits count as one: the rest is the subscriber's own to choose (RFC 4291, 2.5.4)."""

_WITH_PORT = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9.]+))(?::[0-9]{1,5})?")

_LONGEST_ADDRESS = 64
"""Characters: a full IPv6 address has 45 at most, and a zone may follow it."""

_UNAVAILABLE_SECONDS = 60
"""When to try again while calls cannot be counted."""


def trusted_networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """The proxies whose word on a client's address is taken, from addresses and networks in words.

    Raises:
        PackError: naming the text.
    """
    networks: list[Network] = []
    for text in texts:
        try:
            network = ipaddress.ip_network(text.strip())
        except ValueError as exc:
            raise PackError(
                f"trusted proxy {text[:60]!r}: write an address or a network, such as 10.0.0.5 or 10.0.0.0/8"
            ) from exc
        if network.prefixlen == 0:
            raise PackError(
                f"trusted proxy {text!r} includes every address, so any client could pretend to have"
                " another address; write your proxy's address"
            )
        if isinstance(network, IPv6Network) and network.network_address.ipv4_mapped is not None:
            raise PackError(f"trusted proxy {text!r}: write the IPv4 address without ::ffff:")
        networks.append(network)
    return tuple(networks)


def client_address(scope: Scope, trusted: Sequence[Network]) -> str:
    """The address that a request came from; empty where the server knows none (a Unix socket).

    That is the other end of the connection, unless it is a trusted proxy. Then
    X-Forwarded-For is read from the right, where the nearest proxy wrote:
    the first address that is not trusted is the client's, and what stands to
    the left of it is the client's own claim. If all are trusted, the farthest.
    What is not an address, in a header that counts, leaves the connection's.
    """
    client = scope.get("client")
    peer = _address(client[0]) if client else None
    if peer is None:
        return str(client[0]) if client else ""
    if not trusted or not _within(peer, trusted):
        return str(peer)
    farthest = peer
    for text in _forwarded(scope):
        address = _address(_without_port(text))
        if address is None:
            return str(peer)
        farthest = address
        if not _within(address, trusted):
            break
    return str(farthest)


def limit_key(address: str) -> str:
    """What an address is counted by: itself, or its /64 where it is IPv6."""
    parsed = _address(address)
    return "unknown" if parsed is None else _key(parsed)


@functools.lru_cache(maxsize=1024)
def _key(address: Address) -> str:
    return str(address) if isinstance(address, IPv4Address) else str(IPv6Network((address, _SUBNET), strict=False))


def is_trusted(address: str, trusted: Sequence[Network]) -> bool:
    """Whether an address is that of a trusted proxy."""
    parsed = _address(address)
    return parsed is not None and _within(parsed, trusted)


def _forwarded(scope: Scope) -> Iterator[str]:
    """The elements of X-Forwarded-For, last first: several headers are one list, and empty elements none.

    (RFC 9110, sections 5.3 and 5.6.1.)
    """
    for name, value in reversed(scope["headers"]):
        if name == b"x-forwarded-for":
            for element in reversed(value.decode("latin-1").split(",")):
                if text := element.strip(" \t"):
                    yield text


def _without_port(text: str) -> str:
    """``192.0.2.1:80`` and ``[2001:db8::1]:80`` without the port; other text as it stands."""
    found = _WITH_PORT.fullmatch(text)
    return (found[1] or found[2]) if found else text


def _address(text: str) -> Address | None:
    """An address without its zone; an IPv4-mapped IPv6 address as the IPv4 address; None for anything else."""
    return _parsed(text) if len(text) <= _LONGEST_ADDRESS else None


@functools.lru_cache(maxsize=1024)
def _parsed(text: str) -> Address | None:
    # Most requests of a minute come from few addresses, and reading one costs as much as counting its call.
    try:
        parsed = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(parsed, IPv4Address):
        return parsed
    return parsed.ipv4_mapped or IPv6Address(int(parsed))


def _within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


class AddressLimits:
    """Counts each ``tools/call`` by the address it came from, and refuses one too many.

    ``limits`` are by pack: a limit, and the pack's tools, which count
    together. Handshakes, lists and calls of other tools are not counted.
    """

    def __init__(
        self, limiter: Limiter, limits: Mapping[str, tuple[Limit, frozenset[str]]], tools: Mapping[str, ToolEntry]
    ) -> None:
        self._limiter = limiter
        self._tools = tools
        self._pools = {tool: (pack, limit) for pack, (limit, names) in limits.items() for tool in names}

    async def count(self, address: str, message: Any, tool: str | None = None) -> None:
        """Count what a message calls; with ``tool`` it is the arguments of one call of that.

        Raises:
            Refused: this address has made as many calls as it may, or they cannot be counted.
        """
        name = (_called(message) if tool is None else tool) if self._pools else None
        if name is None or name not in self._pools:
            return
        pool, limit = self._pools[name]
        await count(self._limiter, f"by-address:{pool}", limit, address, self._tools.get(name))


async def count(limiter: Limiter, pool: str, limit: Limit, address: str, tool: ToolEntry | None = None) -> None:
    """Count one call of an address.

    Raises:
        Refused: it is one too many, or cannot be counted at present.
    """
    try:
        exceeded = await limiter.hit(pool, limit, (f"address:{address}",))
    except UserError as error:
        refusal = RequestError(error.jsonrpc_code, error.code.lower(), error.message, details=error.details)
        raise Refused(503, refusal, {"Retry-After": str(_UNAVAILABLE_SECONDS)}, entry=tool) from error
    if exceeded is not None:
        raise Refused(429, exceeded.error(), {"Retry-After": str(exceeded.retry_after_seconds)}, entry=tool)


def _called(message: Any) -> str | None:
    """The tool that a message calls; None where it calls none by name."""
    if not isinstance(message, Mapping) or message.get("method") != "tools/call":
        return None
    params = message.get("params")
    if not isinstance(params, Mapping):
        return None
    name, _ = seen_through(params.get("name"), params.get("arguments"))
    return name if isinstance(name, str) else None
