"""Published keys: which are used, when they are fetched, and for how long they are believed."""

import json
import logging
from contextlib import suppress

import anyio
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from signing import (
    NOW,
    RS,
    Clockwork,
    Counted,
    Published,
    claims_of,
    ec_key,
    es,
    es_issuer,
    hs,
    hs_issuer,
    jwk,
    rs,
    rs_issuer,
    rsa_key,
    set_of,
)

from packhorse.errors import AUTHENTICATION, RequestError
from packhorse.tokens import Tokens
from packhorse.tokens.fetch import FetchError
from packhorse.tokens.keys import members_of, signing_keys

pytestmark = pytest.mark.anyio

FIRST = jwk(rsa_key(), "rsa-1")
SECOND = jwk(rsa_key("second"), "rsa-2")
LONG = 10**7
"""Seconds that a token lasts where its end is not what is looked at."""


def lasting(kid="rsa-1", key=None, **claims):
    return rs(claims_of(RS, exp=NOW + LONG, **claims), key=key or rsa_key(), kid=kid)


@pytest.fixture
def rotating(clock, publisher):
    """A verifier of one issuer, which publishes its first key."""
    publisher.pages["/rs"] = Published(set_of(FIRST))
    return Tokens([rs_issuer(publisher)], clock=clock)


async def test_keys_are_not_asked_for_before_there_is_a_token_of_theirs(publisher, clock):
    tokens = Tokens([hs_issuer(), rs_issuer(publisher)], clock=clock)
    await tokens.verify(hs())
    for forgery in (hs(claims_of(RS)), rs(claims_of("https://elsewhere.example"))):
        with pytest.raises(RequestError):
            await tokens.verify(forgery)
    assert publisher.asked == []


async def test_one_fetch_serves_an_hour(rotating, publisher, clock):
    for number in range(5):
        await rotating.verify(lasting(number=number))
        clock.forward(899)
    assert publisher.asked == ["/rs"]
    clock.forward(5)
    await rotating.verify(lasting(number=9))
    assert publisher.asked == ["/rs"] * 2


async def test_a_new_key_is_found_when_a_token_names_it(rotating, publisher, clock):
    await rotating.verify(lasting())
    publisher.pages["/rs"] = Published(set_of(FIRST, SECOND))
    clock.forward(60)
    await rotating.verify(lasting("rsa-2", rsa_key("second")))
    await rotating.verify(lasting())
    assert publisher.asked == ["/rs"] * 2


async def test_unknown_kids_cause_one_fetch_a_minute_at_most(rotating, publisher, clock):
    await rotating.verify(lasting())
    for number in range(300):
        with pytest.raises(RequestError, match="does not publish the token's key"):
            await rotating.verify(lasting(f"unknown-{number}"))
        clock.forward(1)
    assert len(publisher.asked) == 1 + 4  # at 60, 120, 180 and 240 s


async def test_a_withdrawn_key_is_believed_no_longer_than_the_set_is_fresh_remembered_or_not(
    rotating, publisher, clock
):
    remembered = lasting()
    await rotating.verify(remembered)
    publisher.pages["/rs"] = Published(set_of(SECOND))
    clock.forward(3_599)
    await rotating.verify(remembered)
    clock.forward(1)
    for token in (remembered, lasting(jti="another")):
        with pytest.raises(RequestError, match="does not publish the token's key"):
            await rotating.verify(token)
    assert publisher.asked == ["/rs"] * 2


async def test_a_withdrawal_that_was_heard_of_early_counts_at_once(rotating, publisher, clock):
    remembered = lasting()
    await rotating.verify(remembered)
    publisher.pages["/rs"] = Published(set_of(SECOND))
    clock.forward(60)
    await rotating.verify(lasting("rsa-2", rsa_key("second")))
    with pytest.raises(RequestError, match="does not publish the token's key"):
        await rotating.verify(remembered)


async def test_the_same_keys_fetched_again_leave_what_was_verified_as_it_is(clock, publisher):
    publisher.pages["/rs"] = Published(set_of(FIRST))
    tokens = Tokens([rs_issuer(publisher)], clock=clock)
    keys = Counted(tokens, RS)
    a, b = lasting(jti="a"), lasting(jti="b")
    for token in (a, b):
        await tokens.verify(token)
    clock.forward(3_600)
    for token in (a, b, a, b):
        await tokens.verify(token)
    assert publisher.asked == ["/rs"] * 2
    assert keys.found == 3  # the second time for the one that caused the fetch


async def test_all_keys_withdrawn_is_an_answer_too(rotating, publisher, clock, caplog):
    await rotating.verify(lasting())
    publisher.pages["/rs"] = Published(set_of())
    clock.forward(3_600)
    with pytest.raises(RequestError, match="does not publish the token's key"):
        await rotating.verify(lasting())
    assert "publishes no key for RS256" in caplog.text


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(Published(status=500), id="an error"),
        pytest.param(Published(b"<html>"), id="a page"),
        pytest.param(Published(b"[]"), id="a list"),
        pytest.param(Published(b'{"keys": {}}'), id="keys that are no list"),
        pytest.param(Published(b'{"keys": [], "keys": []}'), id="two sets in one"),
        pytest.param(Published(b"[" * 100_000), id="very deep JSON"),
        pytest.param(Published(b"\xff"), id="no text"),
        pytest.param(Published(b" " * 262_145), id="too much of it"),
    ],
)
async def test_old_keys_are_believed_for_a_day_while_the_issuer_does_not_answer(
    rotating, publisher, clock, broken, caplog
):
    remembered = lasting()
    await rotating.verify(remembered)
    publisher.pages["/rs"] = broken
    clock.forward(3_600)
    await rotating.verify(remembered)
    await rotating.verify(lasting(jti="another"))
    keys = Counted(rotating, RS)
    await rotating.verify(remembered)
    assert keys.found == 0
    clock.forward(86_400 - 3_600 - 1)
    await rotating.verify(remembered)
    assert publisher.asked == ["/rs"] * 3  # and not once for each call
    assert f"The keys of issuer '{RS}' cannot be fetched" in caplog.text

    clock.forward(1)
    for token in (remembered, lasting(jti="a third")):
        with pytest.raises(RequestError) as caught:
            await rotating.verify(token)
        assert (caught.value.code, caught.value.error_type) == (AUTHENTICATION, "keys_unavailable")

    publisher.pages["/rs"] = Published(set_of(FIRST))
    clock.forward(60)
    await rotating.verify(remembered)


async def test_an_issuer_that_never_answered_is_asked_every_ten_seconds(rotating, publisher, clock):
    publisher.pages.clear()
    for _ in range(25):
        with pytest.raises(RequestError) as caught:
            await rotating.verify(lasting())
        clock.forward(1)
    assert publisher.asked == ["/rs"] * 3  # at 0, 10 and 20 s
    assert caught.value.error_type == "keys_unavailable"
    assert caught.value.details["retry_after_seconds"] == 6
    assert caught.value.message.endswith("Try again in 6 s.")

    publisher.pages["/rs"] = Published(set_of(FIRST))
    clock.forward(6)
    await rotating.verify(lasting())


async def test_a_clock_set_back_causes_one_fetch_and_no_wait(rotating, publisher, clock):
    await rotating.verify(lasting(iat=0))
    clock.forward(-86_400)
    await rotating.verify(lasting(iat=0))
    await rotating.verify(lasting(iat=0))
    assert publisher.asked == ["/rs"] * 2


class Slow:
    """A fetch that ends when it is told to."""

    def __init__(self, document):
        self.asked = 0
        self.go = anyio.Event()
        self._document = document

    async def __call__(self, url, *, private):
        self.asked += 1
        await self.go.wait()
        return self._document


@pytest.mark.parametrize("kid", ["rsa-1", "unknown"])
async def test_callers_at_the_same_time_share_one_fetch(kid):
    slow = Slow(set_of(FIRST))
    tokens = Tokens([rs_issuer(None)], clock=Clockwork(), fetch=slow)
    outcomes = []

    async def verify(number):
        try:
            outcomes.append((await tokens.verify(lasting(kid, number=number))).subject)
        except RequestError as refusal:
            outcomes.append(refusal.error_type)

    async with anyio.create_task_group() as tasks:
        for number in range(20):
            tasks.start_soon(verify, number)
        await anyio.wait_all_tasks_blocked()
        slow.go.set()
    assert outcomes == ["user_id_123" if kid == "rsa-1" else "invalid_token"] * 20
    assert slow.asked == 1


async def test_a_caller_who_goes_away_takes_nobody_s_fetch_along():
    slow = Slow(set_of(FIRST))
    tokens = Tokens([rs_issuer(None)], clock=Clockwork(), fetch=slow)
    subjects = []

    async def verify():
        subjects.append((await tokens.verify(lasting(jti="stays"))).subject)

    async with anyio.create_task_group() as tasks:
        leaving = anyio.CancelScope()

        async def leave():
            with leaving:
                await tokens.verify(lasting())

        tasks.start_soon(leave)
        await anyio.wait_all_tasks_blocked()
        tasks.start_soon(verify)
        await anyio.wait_all_tasks_blocked()
        leaving.cancel()
        await anyio.wait_all_tasks_blocked()
        slow.go.set()
    assert (subjects, slow.asked) == (["user_id_123"], 1)


async def test_coming_and_going_causes_no_second_fetch():
    slow = Slow(set_of(FIRST))
    tokens = Tokens([rs_issuer(None)], clock=Clockwork(), fetch=slow)

    async with anyio.create_task_group() as tasks:
        for number in range(20):
            leaving = anyio.CancelScope()

            async def leave(scope=leaving, number=number):
                with scope, suppress(RequestError):
                    await tokens.verify(lasting("unknown", number=number))

            tasks.start_soon(leave)
            await anyio.wait_all_tasks_blocked()
            leaving.cancel()
        slow.go.set()
    assert slow.asked == 1


@pytest.mark.parametrize(
    "member",
    [
        pytest.param(lambda: jwk(rsa_key(), "k", use="enc"), id="for encryption"),
        pytest.param(lambda: jwk(rsa_key(), "k", key_ops=["sign"]), id="for signing, says it"),
        pytest.param(lambda: jwk(rsa_key(), "k", key_ops="verify"), id="for operations that are no list"),
        pytest.param(lambda: jwk(rsa_key(), "k", alg="RS512"), id="for RS512"),
        pytest.param(lambda: jwk(rsa_key(), "k", alg="HS256"), id="for HS256"),
        pytest.param(lambda: jwk(rsa_key("small", 1024), "k"), id="of 1024 bits"),
        pytest.param(lambda: jwk(rsa_key(), "k", n=None), id="without its modulus"),
        pytest.param(lambda: jwk(rsa_key(), "k", n=7), id="with a number for its modulus"),
        pytest.param(lambda: jwk(rsa_key(), "k", e="AQ"), id="with the exponent 1"),
        pytest.param(lambda: jwk(rsa_key(), "k", e="!"), id="with an exponent that is no base64"),
        pytest.param(lambda: jwk(rsa_key(), "k", n="A" * 100_000), id="with a modulus of zeros"),
        pytest.param(lambda: jwk(rsa_key(), "k", n="f" * 3_000), id="of 18000 bits"),
        pytest.param(lambda: jwk(rsa_key(), "k", d="AQAB"), id="with its private part"),
        pytest.param(lambda: jwk(ec_key(), "k"), id="of the other family"),
        pytest.param(lambda: {"kty": "oct", "k": "c2VjcmV0", "kid": "k"}, id="a secret"),
        pytest.param(lambda: {"kid": "k"}, id="nothing but a kid"),
        pytest.param(dict, id="nothing"),
    ],
)
def test_a_key_that_is_not_for_this_is_left_out_and_the_others_are_not(member):
    found = signing_keys([member(), FIRST], "RS256")
    assert [kid for kid, _ in found] == ["rsa-1"]


@pytest.mark.parametrize(
    "member",
    [
        pytest.param(lambda: jwk(ec_key("p384", ec.SECP384R1), "k"), id="of curve P-384"),
        pytest.param(lambda: jwk(ec_key(), "k", crv="P-384"), id="that says so"),
        pytest.param(lambda: jwk(ec_key(), "k", crv=None), id="that names no curve"),
        pytest.param(lambda: jwk(ec_key(), "k", y=jwk(ec_key("other"))["y"]), id="of a point off the curve"),
        pytest.param(lambda: jwk(ec_key(), "k", x="AA"), id="of a point cut short"),
        pytest.param(lambda: jwk(rsa_key(), "k"), id="of the other family"),
    ],
)
def test_only_points_of_p_256_verify_es256(member):
    found = signing_keys([member(), jwk(ec_key(), "ec-1")], "ES256")
    assert [kid for kid, _ in found] == ["ec-1"]


async def test_two_keys_of_one_name_are_neither(clock, publisher):
    publisher.pages["/rs"] = Published(set_of(FIRST, jwk(rsa_key("second"), "rsa-1"), SECOND))
    tokens = Tokens([rs_issuer(publisher)], clock=clock)
    with pytest.raises(RequestError, match="does not publish the token's key"):
        await tokens.verify(lasting())
    await tokens.verify(lasting("rsa-2", rsa_key("second")))


async def test_one_name_may_stand_for_a_key_of_each_family(clock, publisher):
    publisher.pages["/rs"] = publisher.pages["/es"] = Published(set_of(FIRST, jwk(ec_key(), "rsa-1")))
    tokens = Tokens([rs_issuer(publisher), es_issuer(publisher)], clock=clock)
    await tokens.verify(lasting())
    await tokens.verify(es(kid="rsa-1"))


async def test_a_kid_that_is_no_text_names_nothing(clock, publisher):
    publisher.pages["/rs"] = Published(set_of({**FIRST, "kid": 1}))
    tokens = Tokens([rs_issuer(publisher)], clock=clock)
    await tokens.verify(lasting(None))
    with pytest.raises(RequestError, match="does not publish the token's key"):
        await tokens.verify(lasting("1"))


def test_no_more_than_a_hundred_members_are_looked_at():
    document = json.dumps({"keys": [1, *[{"kid": str(number)} for number in range(200)]]}).encode()
    assert len(members_of(document)) == 99
    with pytest.raises(FetchError, match="not a key set"):
        members_of(b"null")


async def test_what_is_logged_names_the_issuer_and_no_address(rotating, publisher, caplog):
    caplog.set_level(logging.WARNING)
    publisher.pages.clear()
    with pytest.raises(RequestError) as caught:
        await rotating.verify(lasting())
    assert str(publisher.port) not in caplog.text + caught.value.message
    assert "status 404" in caplog.text
