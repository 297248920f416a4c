"""What people do to tokens, and that none of it gets them in. Each row is an attack on one of three issuers."""

import json
from base64 import urlsafe_b64decode

import jwt
import pytest
from signing import (
    AUDIENCE,
    ES,
    LOCAL,
    NOW,
    OTHER_SECRET,
    RS,
    SECRET,
    Published,
    claims_of,
    ec_key,
    es,
    forged,
    hs,
    jwk,
    part,
    pem,
    rs,
    rsa_key,
    set_of,
    signed,
)

from packhorse.errors import AUTHENTICATION, RequestError

pytestmark = pytest.mark.anyio


def row(name, token, words):
    return pytest.param(token, words, id=name)


def unencoded(token):
    """With its claims as they are (RFC 7797)."""
    header, claims, signature = token.split(".")
    return f"{header}.{urlsafe_b64decode(claims + '==').decode()}.{signature}"


def tampered(token, **changes):
    header, payload, signature = token.split(".")
    claims = json.loads(urlsafe_b64decode(payload + "=="))
    return f"{header}.{part({**claims, **changes})}.{signature}"


ALGORITHMS = [
    row("alg none, unsigned", lambda: forged({"alg": "none"}, claims_of(), b""), "three parts"),
    row("alg none, with something for a signature", lambda: forged({"alg": "none"}, claims_of()), "signed with HS256"),
    row("alg nOnE", lambda: forged({"alg": "nOnE"}, claims_of(RS)), "signed with RS256"),
    row("alg empty", lambda: forged({"alg": ""}, claims_of()), "signed with HS256"),
    row("alg absent", lambda: forged({"typ": "JWT"}, claims_of()), "`alg`"),
    row("alg a list", lambda: forged({"alg": ["HS256"]}, claims_of()), "`alg`"),
    row("HS384 with the right secret", lambda: hs(algorithm="HS384"), "signed with HS256"),
    row(
        "HS256 with the issuer's public PEM for a secret",
        lambda: hs(claims_of(RS), secret=pem(rsa_key()), kid="rsa-1"),
        "signed with RS256",
    ),
    row(
        "HS256 with the issuer's JWK for a secret",
        lambda: hs(claims_of(RS), secret=json.dumps(jwk(rsa_key(), "rsa-1")).encode(), kid="rsa-1"),
        "signed with RS256",
    ),
    row("RS256 for the issuer with a secret", lambda: rs(claims_of(LOCAL)), "signed with HS256"),
    row(
        "RS256 said, HS256 with the public PEM done",
        lambda: signed({"alg": "RS256", "kid": "rsa-1"}, claims_of(RS), pem(rsa_key()), "HS256"),
        "signature is wrong",
    ),
    row("ES256 against a set of RSA keys", lambda: es(claims_of(RS), kid="rsa-1"), "signed with RS256"),
    row(
        "RS256 said, ES256 done",
        lambda: signed({"alg": "RS256", "kid": "rsa-1"}, claims_of(RS), ec_key(), "ES256"),
        "signature is wrong",
    ),
]

KEYS = [
    row("another secret", lambda: hs(secret=OTHER_SECRET), "signature is wrong"),
    row("another RSA key under a known kid", lambda: rs(key=rsa_key("stranger")), "signature is wrong"),
    row("the other key of the set under this kid", lambda: rs(kid="rsa-2"), "signature is wrong"),
    row("an unknown kid", lambda: rs(kid="rsa-9"), "does not publish the token's key"),
    row("a kid that is a path", lambda: rs(kid="../../../../dev/null"), "does not publish the token's key"),
    row("a kid that is SQL", lambda: rs(kid="x' UNION SELECT 'k"), "does not publish the token's key"),
    row("a kid that is a number", lambda: rs(kid=1), "`kid`"),
    row("no kid, with two keys", lambda: rs(kid=None), "does not publish the token's key"),
    row("the key of one issuer, the name of another", lambda: rs(claims_of(ES)), "signed with ES256"),
    row("a changed claim", lambda: tampered(hs(), role="ADMIN"), "signature is wrong"),
    row("a changed end", lambda: tampered(rs(), exp=NOW + 9_999), "signature is wrong"),
]

CLAIMS = [
    *(row(f"no {name}", lambda name=name: hs(claims_of(**{name: ...})), f"`{name}`") for name in ("exp", "iat", "sub")),
    *(row(f"no {name}", lambda name=name: hs(claims_of(**{name: ...})), f"`{name}`") for name in ("iss", "aud")),
    *(row(f"{name} null", lambda name=name: hs(claims_of(**{name: None})), f"`{name}`") for name in ("exp", "aud")),
    row("an unknown iss", lambda: hs(claims_of("https://elsewhere.example")), "does not know the token's issuer"),
    row("iss with a trailing slash", lambda: rs(claims_of(RS + "/")), "does not know the token's issuer"),
    row("iss a list", lambda: hs(claims_of([LOCAL])), "does not know the token's issuer"),
    row("an aud of somebody else", lambda: rs(claims_of(RS, aud="https://other.example")), f"audience is {AUDIENCE}"),
    row("aud with a trailing slash", lambda: hs(claims_of(aud=AUDIENCE + "/")), "not for this server"),
    row("aud in capitals", lambda: hs(claims_of(aud=AUDIENCE.upper())), "not for this server"),
    row("aud a list of others", lambda: hs(claims_of(aud=["a", "b"])), "not for this server"),
    row("aud a list with a number in it", lambda: hs(claims_of(aud=[AUDIENCE, 7])), "not for this server"),
    row("aud an object", lambda: hs(claims_of(aud={AUDIENCE: True})), "not for this server"),
    row("aud an empty list", lambda: hs(claims_of(aud=[])), "`aud`"),
    row("nbf in the future", lambda: hs(claims_of(nbf=NOW + 1)), "not valid yet"),
    row("iat in the future", lambda: hs(claims_of(iat=NOW + 1)), "not valid yet"),
    row("iat in the far future", lambda: rs(claims_of(RS, iat=NOW + 10**9, exp=NOW + 10**9 + 60)), "not valid yet"),
    *(
        row(f"{name} {said}", lambda name=name, value=value: hs(claims_of(**{name: value})), f"`{name}`")
        for name in ("exp", "nbf", "iat")
        for said, value in [("text", "1800000000"), ("true", True), ("in milliseconds", NOW * 1000), ("below 0", -1)]
    ),
    row(
        "exp beyond any number",
        lambda: hs(json.dumps(claims_of(exp=0)).replace('"exp": 0', '"exp": 1e999').encode()),
        "`exp`",
    ),
    row("exp NaN", lambda: hs(json.dumps(claims_of(exp=float("nan"))).encode()), "JSON"),
    row(
        "exp of five thousand digits",
        lambda: hs(json.dumps(claims_of(exp=0)).replace('"exp": 0', '"exp": ' + "9" * 5_000).encode()),
        "JSON",
    ),
    row("sub a number", lambda: hs(claims_of(sub=7)), "`sub`"),
    row("sub empty", lambda: hs(claims_of(sub="")), "`sub`"),
    row("sub with a line break", lambda: hs(claims_of(sub="ada\nroot")), "`sub`"),
    row("sub with a zero-width space", lambda: hs(claims_of(sub="ada\u200b")), "`sub`"),
    row("sub with a lone surrogate", lambda: hs(claims_of(sub="ada\ud800")), "`sub`"),
    row("sub without end", lambda: hs(claims_of(sub="a" * 256)), "`sub`"),
    row("role an object", lambda: hs(claims_of(role={"ADMIN": True})), "`role`"),
    row("roles a list with a number in it", lambda: hs(claims_of(roles=["ADMIN", 1])), "`roles`"),
    row("scope a number", lambda: hs(claims_of(scope=1)), "`scope`"),
    row("act text", lambda: hs(claims_of(act="agent")), "`act`"),
    row("act without sub", lambda: hs(claims_of(act={})), "`act.sub`"),
    row("agent a list", lambda: hs(claims_of(agent=["x"])), "`agent`"),
]

SHAPES = [
    row("empty", lambda: "", "three parts"),
    row("two parts", lambda: "a.b", "three parts"),
    row("an encrypted token of five parts", lambda: "a.b.c.d.e", "three parts"),
    row("padding", lambda: hs() + "=", "three parts"),
    row("a line break after it", lambda: hs() + "\n", "three parts"),
    row("a space before it", lambda: " " + hs(), "three parts"),
    row("letters that look like Latin ones", lambda: hs().replace("e", "\u0435", 1), "three parts"),
    row("a lone surrogate", lambda: hs() + "\ud800", "three parts"),
    row("a megabyte", lambda: "a" * 1_000_000, "longer than 16,384"),
    row("claims that are a list", lambda: hs([1, 2]), "JSON object"),
    row("claims that are not JSON", lambda: hs(b"{"), "JSON object"),
    row("claims that are not UTF-8", lambda: hs(b'{"iss": "\xff"}'), "JSON object"),
    row("claims nested very deeply", lambda: hs(b"[" * 10_000), "JSON object"),
    row("a header that is text", lambda: forged("alg", claims_of()), "JSON object"),
    row(
        "two subs",
        lambda: hs(json.dumps(claims_of()).replace('"sub":', '"sub": "root", "sub":').encode()),
        "JSON object",
    ),
    row("two algs", lambda: signed(b'{"alg": "none", "alg": "HS256"}', claims_of(), SECRET, "HS256"), "JSON object"),
    row("an unknown critical extension", lambda: hs(crit=["exp"], exp=NOW), "critical"),
    row("an unencoded payload", lambda: hs(crit=["b64"], b64=False), "critical"),
    row("claims that are not encoded", lambda: unencoded(hs(crit=["b64"], b64=False)), "critical"),
    row("claims that are detached", lambda: hs(crit=["b64"], b64=False).replace(".", "..", 1), "critical"),
    row("an empty list of critical extensions", lambda: hs(crit=[]), "critical"),
    row("a logout token", lambda: hs(typ="logout+jwt"), "another type"),
    row("a key proof", lambda: hs(typ="dpop+jwt"), "another type"),
    row("typ a number", lambda: hs(typ=1), "another type"),
]


@pytest.mark.parametrize(("token", "words"), [*ALGORITHMS, *KEYS, *CLAIMS, *SHAPES])
@pytest.mark.parametrize("lenient", [False, True], ids=["from afar", "on this machine"])
async def test_a_token_that_proves_nothing_is_refused(tokens, token, words, lenient):
    with pytest.raises(RequestError) as caught:
        await tokens.verify(token(), lenient=lenient)

    refusal = caught.value
    assert (refusal.code, refusal.error_type) == (AUTHENTICATION, "invalid_token")
    assert words in refusal.message
    assert refusal.message.startswith("Authentication failed: ")
    assert refusal.__cause__ is None
    assert refusal.__context__ is None


@pytest.mark.parametrize(("token", "words"), [*ALGORITHMS, *KEYS, *CLAIMS, *SHAPES])
async def test_a_refused_token_is_refused_again(tokens, token, words):
    forgery = token()
    for _ in range(2):
        with pytest.raises(RequestError, match="Authentication failed"):
            await tokens.verify(forgery)


@pytest.mark.parametrize("header", ["jku", "x5u"])
async def test_an_address_in_a_token_is_never_asked(tokens, attacker, header):
    key = rsa_key("attacker")
    attacker.pages["/keys"] = Published(set_of(jwk(key, "rsa-1")))

    with pytest.raises(RequestError, match="signature is wrong"):
        await tokens.verify(rs(key=key, **{header: attacker.url("/keys")}))
    with pytest.raises(RequestError, match="does not publish the token's key"):
        await tokens.verify(rs(key=key, kid=attacker.url("/keys")))
    with pytest.raises(RequestError, match="does not know the token's issuer"):
        await tokens.verify(rs(claims_of(attacker.url("/")), key=key, **{header: attacker.url("/keys")}))


@pytest.mark.parametrize(
    "header",
    [
        pytest.param(lambda key: {"jwk": jwk(key, "rsa-1")}, id="jwk"),
        pytest.param(lambda key: {"jwk": jwk(key), "kid": None}, id="jwk without kid"),
        pytest.param(lambda key: {"x5c": [part(pem(key))]}, id="x5c"),
    ],
)
async def test_a_key_in_a_token_is_never_believed(tokens, header):
    key = rsa_key("attacker")
    named = {name: value for name, value in {"kid": "rsa-1", **header(key)}.items() if value is not None}
    with pytest.raises(RequestError, match=r"signature is wrong|does not publish the token's key"):
        await tokens.verify(signed({"alg": "RS256", **named}, claims_of(RS), key, "RS256"))


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("genuine", [hs, rs, es], ids=["HS256", "RS256", "ES256"])
async def test_the_genuine_tokens_that_the_forgeries_start_from_hold(tokens, genuine, lenient):
    assert (await tokens.verify(genuine(), lenient=lenient)).subject == "user_id_123"


async def test_the_traps_of_the_library_are_still_there_and_so_worth_their_rows():
    endless = jwt.encode({"sub": "x"}, SECRET, "HS256")
    assert jwt.decode(endless, SECRET, ["HS256"]) == {"sub": "x"}
    with pytest.warns(jwt.warnings.InsecureKeyLengthWarning):
        assert jwt.decode(hs(claims_of(aud=..., exp=...), secret=b"8 bytes!"), b"8 bytes!", ["HS256"])
