"""Tokens made here: they hold here, and are renewed only by who could have made them."""

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from signing import (
    AUDIENCE,
    LOCAL,
    NOW,
    OTHER_SECRET,
    Clockwork,
    claims_of,
    hs,
    hs_issuer,
    rs_issuer,
    specification_claims,
)

from packhorse.errors import PackError, RequestError, UserError
from packhorse.tokens import Tokens, mint, refresh
from packhorse.tokens.compact import read

pytestmark = pytest.mark.anyio

LIFE = st.integers(1, 86_400)
SUBJECT = st.text(min_size=1, max_size=255).filter(str.isprintable)


def said(token):
    return dict(read(token).claims)


@given(sub=SUBJECT, roles=st.lists(st.text(min_size=1), max_size=4), life=LIFE)
async def test_what_is_minted_holds_for_exactly_its_life_and_says_what_was_asked(sub, roles, life):
    clock = Clockwork()
    tokens = Tokens([hs_issuer()], clock=clock)
    token = mint(hs_issuer(), sub, roles, life, clock)

    principal = await tokens.verify(token)
    assert (principal.subject, principal.roles, principal.kind) == (sub, set(roles), "human")
    clock.forward(life - 1)
    await tokens.verify(token)
    clock.forward(1)
    with pytest.raises(RequestError, match="expired"):
        await tokens.verify(token)


def test_one_role_is_said_as_the_specification_has_it(clock):
    claims = said(mint(hs_issuer(), "ada", ["ADMIN"], 60, clock))
    jti = claims.pop("jti")
    assert claims == {"iss": LOCAL, "aud": AUDIENCE, "sub": "ada", "role": "ADMIN", "iat": NOW, "exp": NOW + 60}
    assert jti != said(mint(hs_issuer(), "ada", ["ADMIN"], 60, clock))["jti"]
    assert said(mint(hs_issuer(), "ada", ["A", "B"], 60, clock))["roles"] == ["A", "B"]
    assert said(mint(hs_issuer(), "ada", audience="https://other.example"))["aud"] == "https://other.example"


@pytest.mark.parametrize("life", [0, -1, 86_401])
def test_a_life_out_of_range_is_refused_with_the_range(clock, life):
    with pytest.raises(UserError, match="from 1 s to 86400 s"):
        mint(hs_issuer(), "ada", (), life, clock)


@pytest.mark.parametrize("sub", ["", "a" * 256, "ada\n", "a\u202eb"])
def test_a_subject_that_would_be_refused_is_not_minted(clock, sub):
    with pytest.raises(UserError, match="1 to 255 printable"):
        mint(hs_issuer(), sub, (), 60, clock)


@pytest.mark.parametrize(
    ("issuer", "words"),
    [
        pytest.param(lambda: rs_issuer(None), "is not local", id="keys by URL"),
        pytest.param(lambda: hs_issuer(local=False), "is not local", id="not local"),
        pytest.param(lambda: hs_issuer(secret=b"short"), "needs at least 32", id="a short secret"),
    ],
)
def test_only_a_local_issuer_with_a_good_secret_mints_and_renews(clock, issuer, words):
    with pytest.raises(PackError, match=words):
        mint(issuer(), "ada", (), 60, clock)
    with pytest.raises((PackError, RequestError)):
        refresh(hs(), issuer(), clock)


@pytest.mark.parametrize("late", [-1, 0, 900], ids=["before its end", "at its end", "15 minutes after it"])
def test_a_renewed_token_is_the_same_with_a_new_life_and_id(clock, late):
    old = hs(claims_of(role="ADMIN", jti="old", nbf=NOW - 60, exp=NOW + 600, nested={"a": [1]}))
    clock.forward(600 + late)
    now = NOW + 600 + late

    claims = said(refresh(old, hs_issuer(), clock))
    assert claims.pop("jti") not in ("old", None)
    assert claims == {**claims_of(role="ADMIN", nested={"a": [1]}), "iat": now, "exp": now + 660}


def test_a_token_is_renewed_again_and_again(clock):
    token = mint(hs_issuer(), "ada", ["ADMIN"], 60, clock)
    for _ in range(5):
        clock.forward(60 + 900)
        token = refresh(token, hs_issuer(), clock)
        assert said(token)["exp"] - said(token)["iat"] == 60


async def test_a_renewed_token_of_the_specification_s_shape_keeps_that_shape(clock):
    token = refresh(hs(specification_claims()), hs_issuer(), clock)
    assert set(said(token)) == {"sub", "email", "role", "iat", "exp", "jti"}
    tokens = Tokens([hs_issuer()], clock=clock)
    assert (await tokens.verify(token, lenient=True)).roles == {"COORDINATOR"}
    with pytest.raises(RequestError, match="`iss`"):
        await tokens.verify(token)


def test_a_token_for_another_server_is_renewed_for_that_server(clock):
    token = mint(hs_issuer(), "ada", (), 60, clock, audience="https://other.example")
    assert said(refresh(token, hs_issuer(), clock))["aud"] == "https://other.example"
    several = hs(claims_of(aud=["https://a.example", "https://b.example"]))
    assert said(refresh(several, hs_issuer(), clock))["aud"] == ["https://a.example", "https://b.example"]


def test_a_very_long_life_is_not_given_again(clock):
    assert said(refresh(hs(claims_of(exp=NOW + 10**8)), hs_issuer(), clock))["exp"] == NOW + 86_400


@pytest.mark.parametrize(
    ("token", "words"),
    [
        pytest.param(lambda: hs(claims_of(exp=NOW - 901)), "too old to renew", id="ended more than 15 minutes ago"),
        pytest.param(lambda: hs(secret=OTHER_SECRET), "signature is wrong", id="of another secret"),
        pytest.param(lambda: hs(algorithm="HS512"), "signed with HS256", id="by another algorithm"),
        pytest.param(lambda: hs(claims_of("elsewhere")), "does not name the issuer", id="of another issuer"),
        pytest.param(lambda: hs(claims_of(iss=...)), "`iss`", id="with an audience and no issuer"),
        pytest.param(lambda: hs(claims_of(aud=...)), "`aud`", id="with an issuer and no audience"),
        pytest.param(lambda: hs(claims_of(aud=[])), "`aud`", id="with no audience in the list"),
        pytest.param(lambda: hs(claims_of(aud=7)), "not for this server", id="with a number for an audience"),
        pytest.param(lambda: hs(claims_of(exp=...)), "`exp`", id="without end"),
        pytest.param(lambda: hs(claims_of(sub=7)), "`sub`", id="about a number"),
        pytest.param(lambda: hs(claims_of(role={"ADMIN": 1})), "`role`", id="with a role that is no text"),
        pytest.param(lambda: hs(claims_of(nbf=NOW + 1)), "not valid yet", id="from the future"),
        pytest.param(lambda: "x", "three parts", id="no token"),
    ],
)
def test_nothing_else_is_renewed(clock, token, words):
    with pytest.raises(RequestError, match=words):
        refresh(token(), hs_issuer(), clock)


def test_any_backend_with_the_secret_reads_what_is_minted():
    token = mint(hs_issuer(), "ada", ["ADMIN"])
    assert jwt.decode(token, hs_issuer().secret, ["HS256"], audience=AUDIENCE, issuer=LOCAL)["sub"] == "ada"
