"""Tokens that hold: who they are about, how long they are remembered, and what is said when they end."""

import logging
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from signing import (
    AUDIENCE,
    ES,
    LOCAL,
    NOW,
    RS,
    SECRET,
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
    specification_claims,
)

from packhorse.contract.principal import Principal
from packhorse.errors import AUTHENTICATION, PackError, RequestError
from packhorse.tokens import Tokens, refresh

pytestmark = pytest.mark.anyio

SPECIFICATION = hs(specification_claims())


async def test_a_principal_is_what_the_token_says_and_who_said_it(tokens):
    token = hs(claims_of(role="COORDINATOR", roles=["ADMIN"], scope="read write", scp=["audit"], email="a@b.example"))
    principal = await tokens.verify(token)

    assert principal == Principal(
        "human",
        "user_id_123",
        frozenset({"COORDINATOR", "ADMIN"}),
        frozenset({"read", "write", "audit"}),
        {
            **claims_of(role="COORDINATOR", scope="read write", email="a@b.example"),
            "roles": ("ADMIN",),
            "scp": ("audit",),
        },
    )


@pytest.mark.parametrize(
    "token",
    [
        pytest.param(lambda: hs(typ="at+jwt"), id="an access token of RFC 9068"),
        pytest.param(lambda: hs(typ="application/at+JWT"), id="the same, with its media type in full"),
        pytest.param(lambda: hs(kid="whatever"), id="a kid for an issuer with one secret"),
        pytest.param(lambda: hs(claims_of(aud=["https://other.example", AUDIENCE])), id="an audience among others"),
        pytest.param(lambda: hs(claims_of(iat=NOW, nbf=NOW)), id="valid from this very second"),
        pytest.param(lambda: hs(claims_of(iat=NOW - 0.5, exp=NOW + 0.5)), id="fractions of seconds"),
        pytest.param(lambda: hs(claims_of(role=None, scope="")), id="no role and no scope"),
        pytest.param(lambda: es(kid=None), id="no kid, with one key"),
        pytest.param(lambda: rs(kid="rsa-2", key=rsa_key("second")), id="the second key of a set"),
    ],
)
async def test_what_holds_is_taken(tokens, token):
    assert (await tokens.verify(token())).subject == "user_id_123"


@pytest.mark.parametrize(
    ("said", "kind", "chain"),
    [
        pytest.param({}, "human", (), id="a person"),
        pytest.param({"agent": False}, "human", (), id="a person who says so"),
        pytest.param({"agent": True}, "agent", (), id="an agent"),
        pytest.param({"agent": "SCHEDULER"}, "agent", (), id="an agent by name"),
        pytest.param({"act": {"sub": "bot"}}, "agent", ("bot",), id="an agent for a person"),
        pytest.param(
            {"act": {"sub": "bot", "act": {"sub": "planner"}}}, "agent", ("bot", "planner"), id="two, the nearest first"
        ),
        pytest.param({"client_id": "user_id_123"}, "system", (), id="a client on its own behalf"),
        pytest.param({"client_id": "desktop"}, "human", (), id="a person through a client"),
    ],
)
async def test_a_token_says_what_kind_of_caller_it_is(tokens, said, kind, chain):
    principal = await tokens.verify(hs(claims_of(**said)))
    assert (principal.kind, principal.subject, principal.chain) == (kind, "user_id_123", chain)


async def test_actors_are_not_nested_without_end(tokens):
    act = {"sub": "a0"}
    for depth in range(1, 9):
        act = {"sub": f"a{depth}", "act": act}
    assert len((await tokens.verify(hs(claims_of(act=act["act"])))).chain) == 8
    with pytest.raises(RequestError, match="more than 8 actors"):
        await tokens.verify(hs(claims_of(act=act)))


async def test_an_issuer_of_machines_and_with_claims_of_its_own_is_read_as_configured(clock):
    tokens = Tokens([hs_issuer(kind="system", role_claims=("groups",), scope_claims=())], clock=clock)
    principal = await tokens.verify(hs(claims_of(groups=["night"], role="ADMIN", scope="x")))
    assert (principal.kind, principal.roles, principal.scopes) == ("system", {"night"}, frozenset())


async def test_the_specification_s_token_is_taken_on_this_machine_alone(tokens):
    for _ in range(2):  # the second time it is remembered
        principal = await tokens.verify(SPECIFICATION, lenient=True)
        assert (principal.subject, principal.roles) == ("user_id_123", {"COORDINATOR"})
        assert principal.claims["email"] == "coordinator@hospital.mil"
        assert principal.claims["iss"] == LOCAL
        with pytest.raises(RequestError, match="lacks the claim `iss`"):
            await tokens.verify(SPECIFICATION)


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        pytest.param({"aud": AUDIENCE}, "`iss`", id="with an audience and no issuer"),
        pytest.param({"aud": "https://other.example"}, "`iss`", id="for somebody else"),
        pytest.param({"iss": LOCAL}, "`aud`", id="with an issuer and no audience"),
        pytest.param({"iss": None}, "`iss`", id="with an issuer that is null"),
        pytest.param({"exp": ...}, "`exp`", id="without end"),
        pytest.param({"iat": ...}, "`iat`", id="without start"),
        pytest.param({"sub": ...}, "`sub`", id="about nobody"),
    ],
)
async def test_leniency_is_for_a_token_with_neither_issuer_nor_audience_and_for_nothing_else(tokens, claims, words):
    with pytest.raises(RequestError, match=words):
        await tokens.verify(hs(specification_claims(**claims)), lenient=True)


async def test_without_a_local_issuer_nobody_takes_the_specification_s_token(clock):
    tokens = Tokens([hs_issuer(local=False)], clock=clock)
    with pytest.raises(RequestError, match="`iss`"):
        await tokens.verify(SPECIFICATION, lenient=True)


@pytest.mark.parametrize(("iss", "token"), [(LOCAL, hs()), (RS, rs()), (ES, es())], ids=["HS256", "RS256", "ES256"])
async def test_a_signature_is_paid_for_once(tokens, clock, iss, token):
    keys = Counted(tokens, iss)
    first = await tokens.verify(token)
    clock.forward(1799)
    assert await tokens.verify(token, lenient=True) is first
    assert keys.found == 1


async def test_a_token_is_remembered_by_its_hash_alone(tokens):
    token = hs()
    await tokens.verify(token)
    (known,) = tokens._known
    assert len(known) == 32
    assert token not in repr(vars(tokens))
    assert token.rpartition(".")[2] not in repr(vars(tokens))


async def test_a_remembered_principal_cannot_be_changed_by_a_call(tokens):
    token = hs(claims_of(nested={"list": [1]}))
    principal = await tokens.verify(token)
    with pytest.raises(TypeError):
        principal.claims["role"] = "ADMIN"
    with pytest.raises(TypeError):
        principal.claims["nested"]["list"] = []
    assert principal.claims["nested"]["list"] == (1,)


async def test_as_many_tokens_are_remembered_as_is_allowed_the_latest_used(clock):
    tokens = Tokens([hs_issuer()], clock=clock, remember=2)
    keys = Counted(tokens, LOCAL)
    a, b, c = (hs(claims_of(sub=sub)) for sub in "abc")
    for token in (a, b, a, c, a):
        await tokens.verify(token)
    assert (keys.found, len(tokens._known)) == (3, 2)
    await tokens.verify(b)
    assert keys.found == 4


async def test_an_end_is_noticed_on_every_use_remembered_or_not(tokens, clock):
    token = hs(claims_of(exp=NOW + 2))
    await tokens.verify(token)
    clock.forward(1)
    await tokens.verify(token)
    clock.forward(1)
    with pytest.raises(RequestError) as caught:
        await tokens.verify(token)

    assert (caught.value.code, caught.value.error_type) == (AUTHENTICATION, "expired_token")
    assert caught.value.details == {
        "reason": "Token expired",
        "expired_at": "2026-03-01T12:00:02Z",
        "renewable": True,
        "issuer": LOCAL,
    }
    assert "packhorse token --refresh" in caught.value.message
    assert not tokens._known


async def test_what_is_called_renewable_can_be_renewed_up_to_the_second(tokens, clock):
    token = hs(claims_of(exp=NOW + 1))
    clock.forward(901)
    with pytest.raises(RequestError) as caught:
        await tokens.verify(token)
    assert caught.value.details["renewable"]
    assert (await tokens.verify(refresh(token, hs_issuer(), clock))).subject == "user_id_123"

    clock.forward(1)
    with pytest.raises(RequestError) as caught:
        await tokens.verify(token)
    assert not caught.value.details["renewable"]
    assert "packhorse token" in caught.value.message
    with pytest.raises(RequestError) as refused:
        refresh(token, hs_issuer(), clock)
    assert refused.value.details == caught.value.details


async def test_an_expired_token_of_another_issuer_is_for_that_issuer_to_renew(tokens, clock):
    clock.forward(1800)
    with pytest.raises(RequestError) as caught:
        await tokens.verify(rs())
    assert caught.value.error_type == "expired_token"
    assert (caught.value.details["renewable"], caught.value.details["issuer"]) == (False, RS)
    assert caught.value.message.endswith("Get a new one from its issuer.")


async def test_when_a_forgery_ended_is_told_to_nobody(tokens, clock):
    clock.forward(9_999)
    with pytest.raises(RequestError) as caught:
        await tokens.verify(hs(secret=b"x" * 32))
    assert caught.value.error_type == "invalid_token"
    assert set(caught.value.details) == {"reason"}


async def test_a_clock_set_back_makes_a_remembered_token_too_young(tokens, clock):
    token = hs(claims_of(iat=NOW))
    await tokens.verify(token)
    clock.forward(-1)
    with pytest.raises(RequestError, match="not valid yet"):
        await tokens.verify(token)


@pytest.mark.parametrize(
    ("claims", "holds"),
    [
        pytest.param({"exp": NOW - 29}, True, id="ended within the leeway"),
        pytest.param({"exp": NOW - 30}, False, id="ended before it"),
        pytest.param({"nbf": NOW + 30}, True, id="starts within the leeway"),
        pytest.param({"nbf": NOW + 31}, False, id="starts after it"),
        pytest.param({"iat": NOW + 30}, True, id="issued within the leeway"),
        pytest.param({"iat": NOW + 31}, False, id="issued after it"),
    ],
)
async def test_clocks_may_differ_by_the_leeway(clock, claims, holds):
    tokens = Tokens([hs_issuer()], clock=clock, leeway_seconds=30)
    for _ in range(2):
        if holds:
            await tokens.verify(hs(claims_of(**claims)))
        else:
            with pytest.raises(RequestError, match=r"expired|not valid yet"):
                await tokens.verify(hs(claims_of(**claims)))


async def test_with_a_leeway_the_end_that_is_told_is_the_token_s_own(clock):
    tokens = Tokens([hs_issuer()], clock=clock, leeway_seconds=30)
    with pytest.raises(RequestError) as caught:
        await tokens.verify(hs(claims_of(exp=NOW - 30)))
    assert caught.value.details["expired_at"] == "2026-03-01T11:59:30Z"


@pytest.mark.parametrize("leeway", [-1, 31, float("nan")])
def test_a_leeway_beyond_half_a_minute_stops_the_start(leeway):
    with pytest.raises(PackError, match="must be from 0 to 30"):
        Tokens([hs_issuer()], leeway_seconds=leeway)


@pytest.mark.parametrize(
    ("issuers", "words"),
    [
        pytest.param(lambda: [hs_issuer(secret=b"8 bytes!")], "8 bytes and needs at least 32", id="a short secret"),
        pytest.param(lambda: [hs_issuer(), hs_issuer(local=False)], "configured twice", id="one issuer, twice"),
        pytest.param(
            lambda: [hs_issuer(), rs_issuer(None, iss=LOCAL)], "is configured twice", id="two algorithms of one"
        ),
        pytest.param(
            lambda: [hs_issuer(), hs_issuer(iss="b")], "two issuers sign with this server's secret", id="two local ones"
        ),
    ],
)
def test_issuers_that_prove_nothing_stop_the_start(issuers, words):
    with pytest.raises(PackError, match=words):
        Tokens(issuers())


@pytest.mark.parametrize("genuine", [hs(), rs(), es()], ids=["HS256", "RS256", "ES256"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
async def test_no_changed_character_goes_unnoticed(publisher, genuine, data):
    publisher.pages["/rs"] = Published(set_of(jwk(rsa_key(), "rsa-1")))
    publisher.pages["/es"] = Published(set_of(jwk(ec_key(), "ec-1")))
    tokens = Tokens([hs_issuer(), rs_issuer(publisher), es_issuer(publisher)], clock=Clockwork())
    at = data.draw(st.integers(0, len(genuine) - 1))
    other = data.draw(
        st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=").filter(
            lambda letter: letter != genuine[at]
        )
    )
    with pytest.raises(RequestError):
        await tokens.verify(genuine[:at] + other + genuine[at + 1 :], lenient=True)


@given(text=st.text())
@example("0.0.0")
async def test_no_text_is_a_token_by_chance_or_a_fault(text):
    with pytest.raises(RequestError, match="Authentication failed"):
        await Tokens([hs_issuer()], clock=Clockwork()).verify(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
CLAIM = st.sampled_from(
    ["iss", "aud", "sub", "exp", "iat", "nbf", "jti", "role", "roles", "scope", "scp", "act", "agent"]
)


@given(changes=st.dictionaries(CLAIM, JSON, min_size=1), lenient=st.booleans())
async def test_whatever_an_issuer_signs_is_a_principal_or_a_refusal(changes, lenient):
    tokens = Tokens([hs_issuer()], clock=Clockwork())
    with suppress(RequestError):
        principal = await tokens.verify(hs(claims_of(**changes)), lenient=lenient)
        assert principal.subject == changes.get("sub", "user_id_123")
        assert principal.claims["iss"] == LOCAL


@pytest.mark.parametrize("lenient", [False, True])
async def test_neither_secret_nor_token_is_repeated_anywhere(tokens, clock, caplog, lenient):
    caplog.set_level(logging.DEBUG)
    canary = "canary-9a2e-in-a-claim"
    said = [repr(hs_issuer()), repr(tokens), str(vars(tokens)), repr(replace(hs_issuer(), local=False))]
    refused = [
        hs(claims_of(sub=canary, exp=NOW - 1)),
        hs(claims_of(iss=canary)),
        hs(claims_of(aud=canary)),
        hs(claims_of(role={canary: 1})),
        hs(claims_of(sub=[canary])),
        hs(claims_of(exp=canary)),
        rs(kid=canary),
        hs(typ=canary),
        hs(crit=[canary]),
        hs(claims_of(sub=canary), secret=b"x" * 32),
        canary,
    ]
    for token in refused:
        with pytest.raises(RequestError) as caught:
            await tokens.verify(token, lenient=lenient)
        said += [repr(caught.value), str(caught.value), repr(caught.value.details), str(caught.getrepr(style="native"))]
        assert token not in "".join(said)
    everything = "".join([*said, caplog.text])
    assert canary not in everything
    assert SECRET.decode() not in everything
