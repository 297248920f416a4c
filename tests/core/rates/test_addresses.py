import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse.errors import PackError
from packhorse.http import addresses
from packhorse.http.addresses import client_address, limit_key, trusted_networks

INSIDE = ["10.0.0.0/8", "2001:db8:ffff::/48"]
CLIENT, PROXY, OUTER_PROXY = "203.0.113.9", "10.0.0.1", "10.0.0.2"


def scope(peer, *forwarded, **others):
    headers = [(b"host", b"example.org"), *((b"x-forwarded-for", value.encode("latin-1")) for value in forwarded)]
    headers += [(name.replace("_", "-").encode(), value.encode()) for name, value in others.items()]
    return {"type": "http", "client": peer and (peer, 40_000), "headers": headers}


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        pytest.param(CLIENT, [], CLIENT, id="no proxy"),
        pytest.param(CLIENT, ["198.51.100.7"], CLIENT, id="a client that forwards itself is not believed"),
        pytest.param(PROXY, [], PROXY, id="a proxy that says nothing"),
        pytest.param(PROXY, [CLIENT], CLIENT, id="one proxy"),
        pytest.param(PROXY, [f"198.51.100.7, {CLIENT}"], CLIENT, id="the left-most is the client's own claim"),
        pytest.param(PROXY, [f"10.9.9.9, {CLIENT}"], CLIENT, id="even if it claims to be a proxy"),
        pytest.param(PROXY, [f"{CLIENT}, {OUTER_PROXY}"], CLIENT, id="two proxies"),
        pytest.param(PROXY, [f"198.51.100.7, {CLIENT}, {OUTER_PROXY}"], CLIENT, id="two proxies and a claim"),
        pytest.param(PROXY, [CLIENT, OUTER_PROXY], CLIENT, id="two headers are one list, in their order"),
        pytest.param(PROXY, ["198.51.100.7", CLIENT], CLIENT, id="a header before the proxy's is a claim too"),
        pytest.param(PROXY, ["10.0.0.7, 10.0.0.8"], "10.0.0.7", id="all are trusted: the farthest"),
        pytest.param(PROXY, [f" {CLIENT} ,\t{OUTER_PROXY} "], CLIENT, id="spaces"),
        pytest.param(PROXY, [f", {CLIENT},, ,"], CLIENT, id="empty elements"),
        pytest.param(PROXY, [""], PROXY, id="an empty header"),
        pytest.param(PROXY, [f"{CLIENT}:51234"], CLIENT, id="with a port"),
        pytest.param(PROXY, ["[2001:db8::1]:51234"], "2001:db8::1", id="IPv6 with a port"),
        pytest.param(PROXY, ["[2001:db8::1]"], "2001:db8::1", id="IPv6 in brackets"),
        pytest.param(PROXY, ["2001:DB8:0:0::1"], "2001:db8::1", id="IPv6 as it comes"),
        pytest.param(PROXY, [f"::ffff:{CLIENT}"], CLIENT, id="IPv4 in IPv6 notation"),
        pytest.param(PROXY, [f"[::ffff:{CLIENT}]:443"], CLIENT, id="and in brackets with a port"),
        pytest.param(PROXY, [f"{CLIENT}, ::ffff:10.0.0.2"], CLIENT, id="a proxy in IPv6 notation"),
        pytest.param("::ffff:10.0.0.1", [CLIENT], CLIENT, id="the nearest proxy in IPv6 notation"),
        pytest.param(f"::ffff:{CLIENT}", ["198.51.100.7"], CLIENT, id="a client in IPv6 notation"),
        pytest.param("2001:db8:ffff::5", [CLIENT], CLIENT, id="a proxy with IPv6"),
        pytest.param("2001:db8:fffe::5", [CLIENT], "2001:db8:fffe::5", id="a neighbour of the proxies' network"),
        pytest.param("fe80::1%eth0", [CLIENT], "fe80::1", id="a zone is no part of an address"),
        pytest.param(PROXY, ["fe80::1%25anything"], "fe80::1", id="and cannot make one caller many"),
        pytest.param(PROXY, ["unknown"], PROXY, id="junk: a word"),
        pytest.param(PROXY, ["_hidden"], PROXY, id="junk: an obfuscated name"),
        pytest.param(PROXY, [f"{CLIENT}, unknown"], PROXY, id="junk nearer than an address"),
        pytest.param(PROXY, [f"junk, {CLIENT}"], CLIENT, id="junk farther than the client is not read"),
        pytest.param(PROXY, [f"unknown, {OUTER_PROXY}"], PROXY, id="junk beyond a proxy"),
        pytest.param(PROXY, ["203.0.113.9.5"], PROXY, id="junk: five numbers"),
        pytest.param(PROXY, ["203.0.113.009"], PROXY, id="junk: a number that may be octal"),
        pytest.param(PROXY, ["3405803785"], PROXY, id="junk: one number"),
        pytest.param(PROXY, [f"{CLIENT}:"], PROXY, id="junk: a colon without a port"),
        pytest.param(PROXY, [f"{CLIENT}:http"], PROXY, id="junk: a named port"),
        pytest.param(PROXY, ["[2001:db8::1"], PROXY, id="junk: half of a pair of brackets"),
        pytest.param(PROXY, [f"for={CLIENT}"], PROXY, id="junk: an element of another header"),
        pytest.param(PROXY, ["203.0.113.9\x00"], PROXY, id="junk: a control character"),
        pytest.param(PROXY, ["\xb2\xb3"], PROXY, id="junk: digits that are none"),
        pytest.param(PROXY, ["9" * 100_000], PROXY, id="junk: much of it"),
        pytest.param("testclient", [CLIENT], "testclient", id="a peer that is no address"),
        pytest.param(None, [CLIENT], "", id="no peer"),
    ],
)
def test_the_clients_address_behind_trusted_proxies(peer, forwarded, address):
    assert client_address(scope(peer, *forwarded), trusted_networks(INSIDE)) == address


@given(st.lists(st.text("0123456789abcdef.:,[] %", max_size=40), max_size=3))
def test_without_trusted_proxies_nothing_that_a_client_writes_counts(forwarded):
    assert client_address(scope(CLIENT, *forwarded), ()) == CLIENT


@given(
    st.text("0123456789abcdef.:,[] %", max_size=60), st.lists(st.ip_addresses(v=4, network="10.0.0.0/8"), max_size=3)
)
def test_what_a_client_writes_before_its_proxies_never_counts(claim, proxies):
    chain = ", ".join([claim, CLIENT, *map(str, proxies)])

    assert client_address(scope(PROXY, chain), trusted_networks(INSIDE)) == CLIENT


@given(st.binary(max_size=80))
def test_any_bytes_give_an_address(value):
    given_scope = {"type": "http", "client": (PROXY, 1), "headers": [(b"x-forwarded-for", value)]}

    assert limit_key(client_address(given_scope, trusted_networks(INSIDE))) != "unknown"


def test_long_texts_are_not_kept():
    addresses._parsed.cache_clear()
    for number in range(10):
        client_address(scope(PROXY, f"{number}" * 1_000), trusted_networks(INSIDE))

    assert addresses._parsed.cache_info().currsize == 1, "the proxy's own"


def test_other_headers_are_not_read():
    told = scope(PROXY, forwarded=f"for={CLIENT}", x_real_ip=CLIENT, true_client_ip=CLIENT)

    assert client_address(told, trusted_networks(INSIDE)) == PROXY


@pytest.mark.parametrize(
    ("address", "key"),
    [
        pytest.param("203.0.113.9", "203.0.113.9", id="IPv4 counts alone"),
        pytest.param("::ffff:203.0.113.9", "203.0.113.9", id="in whatever clothes"),
        pytest.param("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", id="IPv6 counts by its subnet"),
        pytest.param("2001:db8:1:2:ffff::", "2001:db8:1:2::/64", id="from one end of it to the other"),
        pytest.param("2001:db8:1:3::", "2001:db8:1:3::/64", id="and the next one is another"),
        pytest.param("fe80::1%eth0", "fe80::/64", id="whatever the zone"),
        pytest.param("", "unknown", id="none"),
        pytest.param("testclient", "unknown", id="no address"),
        pytest.param("x" * 100_000, "unknown", id="much that is none"),
    ],
)
def test_an_address_is_counted_by(address, key):
    assert limit_key(address) == key


def test_proxies_are_addresses_or_networks():
    networks = trusted_networks([" 10.0.0.5", "192.168.0.0/16", "2001:db8::/32"])

    assert [str(network) for network in networks] == ["10.0.0.5/32", "192.168.0.0/16", "2001:db8::/32"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("*", "write an address or a network", id="a star"),
        pytest.param("proxy.example.org", "write an address or a network", id="a name"),
        pytest.param("10.0.0.5/8", "write an address or a network", id="an address in a network"),
        pytest.param("0.0.0.0/0", "includes every address", id="every IPv4 address"),
        pytest.param("::/0", "includes every address", id="every IPv6 address"),
        pytest.param("::ffff:10.0.0.0/104", "without ::ffff:", id="IPv4 in IPv6 notation"),
    ],
)
def test_proxies_that_cannot_be_trusted_are_refused_by_name(text, said):
    with pytest.raises(PackError, match=said) as refused:
        trusted_networks([text])

    assert repr(text) in str(refused.value)
