"""Fetching a key set: from where it was configured, from nowhere else, and no more than is sensible."""

import ipaddress
import socket
import threading

import pytest
from signing import Published, Publisher, certificate

from packhorse.tokens import fetch
from packhorse.tokens.fetch import FetchError, document_at, permitted

pytestmark = pytest.mark.anyio

KEYS = b'{"keys": []}'


def answering(*addresses):
    """Resolves every name to these addresses, and counts how often."""

    async def resolve(host, port):
        resolve.asked.append((host, port))
        return addresses

    resolve.asked = []
    return resolve


async def test_a_key_set_is_had_from_loopback_with_its_own_host_name(publisher):
    publisher.pages["/keys?v=1"] = Published(KEYS)
    for host in ("127.0.0.1", "localhost"):
        assert await document_at(publisher.url("/keys?v=1", host)) == KEYS
    assert publisher.hosts == [f"127.0.0.1:{publisher.port}", f"localhost:{publisher.port}"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed(publisher, attacker, status):
    attacker.pages["/keys"] = Published(KEYS)
    publisher.pages["/keys"] = Published(status=status, headers={"Location": attacker.url("/keys")})
    with pytest.raises(FetchError, match=f"status {status}"):
        await document_at(publisher.url("/keys"))


async def test_a_proxy_of_the_environment_is_not_used(publisher, attacker, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, attacker.url("/"))
    publisher.pages["/keys"] = Published(KEYS)
    assert await document_at(publisher.url("/keys")) == KEYS


@pytest.mark.parametrize(
    ("body", "taken"),
    [
        pytest.param(b" " * 262_144, True, id="as much as is allowed"),
        pytest.param(b" " * 262_145, False, id="a byte more"),
        pytest.param(b" " * 5_000_000, False, id="far more"),
    ],
)
async def test_no_more_than_256_kib_is_read(publisher, body, taken):
    publisher.pages["/keys"] = Published(body)
    if taken:
        assert await document_at(publisher.url("/keys")) == body
        return
    with pytest.raises(FetchError, match="larger than 262,144 bytes"):
        await document_at(publisher.url("/keys"))


async def test_what_is_compressed_is_not_unpacked(publisher):
    publisher.pages["/keys"] = Published(b"\x1f\x8b bomb", headers={"Content-Encoding": "gzip"})
    assert await document_at(publisher.url("/keys")) == b"\x1f\x8b bomb"


async def test_an_answer_that_does_not_come_is_given_up(publisher, monkeypatch):
    never = threading.Event()
    publisher.pages["/keys"] = Published(KEYS, hold=never)
    monkeypatch.setattr(fetch, "LIMIT_SECONDS", 0.2)
    with pytest.raises(FetchError, match=r"longer than 0.2 s|Timeout"):
        await document_at(publisher.url("/keys"))
    never.set()


async def test_nobody_listening_is_said_without_the_address():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]  # held, so that nobody else listens there, and not listened at
        with pytest.raises(FetchError, match="connection failed") as caught:
            await document_at(f"http://127.0.0.1:{port}/keys")
    assert str(port) not in str(caught.value)


async def test_a_name_that_does_not_resolve_is_said():
    with pytest.raises(FetchError, match="does not resolve"):
        await document_at("https://no-such-host.invalid/keys")
    with pytest.raises(FetchError, match="does not resolve"):
        await document_at(f"https://{'a' * 70}.example/keys")


INNER = {
    "127.0.0.1": "loopback",
    "127.9.9.9": "loopback, elsewhere in its range",
    "::1": "loopback of IPv6",
    "0.0.0.0": "unspecified, which is this machine",
    "::": "the same of IPv6",
    "169.254.169.254": "the metadata of a cloud",
    "fe80::1": "link-local",
    "fe80::1%2": "link-local, with its zone",
    "224.0.0.1": "multicast",
    "255.255.255.255": "broadcast",
    "240.0.0.1": "reserved",
    "::ffff:127.0.0.1": "loopback, mapped",
    "::ffff:169.254.169.254": "metadata, mapped",
    "64:ff9b::7f00:1": "loopback behind NAT64",
    "64:ff9b::a9fe:a9fe": "metadata behind NAT64",
    "2002:7f00:1::": "loopback by 6to4",
}
PRIVATE = {
    "10.0.0.1": "private",
    "172.16.0.1": "private too",
    "192.168.1.1": "private as at home",
    "100.64.0.1": "of a carrier",
    "fd00::1": "unique local",
    "::ffff:10.0.0.1": "private, mapped",
    "64:ff9b::a00:1": "private behind NAT64",
    "2002:a00:1::": "private by 6to4",
}
PUBLIC = {"93.184.216.34": "IPv4", "2606:2800:220:1::1": "IPv6", "64:ff9b::5db8:d822": "IPv4 behind NAT64"}


def rows(table):
    return [pytest.param(address, id=f"{words} ({address})") for address, words in table.items()]


@pytest.mark.parametrize("address", rows(INNER))
@pytest.mark.parametrize("private", [False, True])
def test_a_name_must_not_lead_into_this_machine_or_its_link(address, private):
    with pytest.raises(FetchError, match="not public"):
        permitted([address], loopback=False, private=private)


@pytest.mark.parametrize("address", rows(PRIVATE))
def test_a_private_address_takes_the_deployer_s_word(address):
    with pytest.raises(FetchError, match="private_network = true"):
        permitted([address], loopback=False, private=False)
    assert permitted([address], loopback=False, private=True) == [ipaddress.ip_address(address)]


@pytest.mark.parametrize("address", rows(PUBLIC))
def test_a_public_address_is_connected_to_unless_this_machine_was_meant(address):
    assert permitted([address], loopback=False, private=False) == [ipaddress.ip_address(address)]
    with pytest.raises(FetchError, match="not this machine"):
        permitted([address], loopback=True, private=True)


def test_one_bad_address_among_good_ones_is_enough():
    with pytest.raises(FetchError):
        permitted(["93.184.216.34", "127.0.0.1"], loopback=False, private=False)
    with pytest.raises(FetchError):
        permitted(["127.0.0.1", "93.184.216.34"], loopback=True, private=False)


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("https://idp.example:{port}/keys", id="a name"),
        pytest.param("https://127.0.0.1.nip.example:{port}/keys", id="a name with an address in it"),
        pytest.param("http://2130706433:{port}/keys", id="a number that means loopback"),
    ],
)
async def test_a_name_that_leads_to_loopback_is_not_connected_to(attacker, url):
    with pytest.raises(FetchError, match="not public"):
        await document_at(url.format(port=attacker.port), resolve=answering("127.0.0.1"))


async def test_a_name_is_resolved_once_and_every_address_is_tried(publisher):
    publisher.pages["/keys"] = Published(KEYS)
    resolve = answering("127.0.0.2", "127.0.0.1")  # at the first of which nobody listens
    assert await document_at(publisher.url("/keys", "localhost"), resolve=resolve) == KEYS
    assert resolve.asked == [("localhost", publisher.port)]
    assert publisher.hosts == [f"localhost:{publisher.port}"]


@pytest.mark.parametrize(
    ("name", "trusted", "taken"),
    [
        pytest.param("localhost", True, True, id="the name that was configured"),
        pytest.param("elsewhere.example", True, False, id="another name"),
        pytest.param("localhost", False, False, id="an authority that is not known"),
    ],
)
async def test_the_certificate_must_be_for_the_name_although_an_address_is_connected_to(
    tmp_path, monkeypatch, name, trusted, taken
):
    context, authority = certificate(tmp_path, name)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    with Publisher(context) as publisher:
        publisher.pages["/keys"] = Published(KEYS)
        url = publisher.url("/keys", "localhost")
        if taken:
            assert await document_at(url, resolve=answering("127.0.0.1")) == KEYS
        else:
            with pytest.raises(FetchError, match="connection failed"):
                await document_at(url, resolve=answering("127.0.0.1"))
            assert publisher.asked == []


async def test_authorities_that_cannot_be_read_are_said(publisher, monkeypatch, tmp_path):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "absent.pem"))
    with pytest.raises(FetchError, match=r"authorities"):
        await document_at(publisher.url("/keys"))
