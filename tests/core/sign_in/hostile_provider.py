"""The mock provider as a program, for people whose names say how it misbehaves towards them.

python hostile_provider.py PORT [METHOD], where METHOD is the only way in which clients may show their secret.
"""

import json
import sys
import time

import flask
from authlib.jose import JsonWebKey, jwt
from oidc_provider_mock import User, app
from werkzeug.serving import make_server

CHANGES = {
    "nonce": {"nonce": "of-another-sign-in"},
    "issuer": {"iss": "https://somebody-else.example"},
    "audience": {"aud": "another-client"},
    "azp": {"azp": "another-client"},
    "expired": {"exp": int(time.time()) - 3600},
    "future": {"iat": int(time.time()) + 3600},
    "unnamed": {"email": None},
    "unverified": {"email_verified": False},
    "signature": {},
    "algorithm": {},
}
OTHER_KEY = JsonWebKey.generate_key("RSA", 2048, is_private=True)


def person(email, **claims):
    return User(sub=email, claims={"email": email, "email_verified": True, **claims})


provider = app(
    user_claims=[
        *(person(f"{name}@example.org") for name in ("ada", "bob", "cleo", *CHANGES)),
        person("Spelled@Example.ORG"),
        person("eve@elsewhere.example"),
    ]
)
provider.debug = False


@provider.after_request
def misbehave(response):
    if flask.request.path != "/oauth2/token" or response.status_code != 200:
        return response
    body = response.get_json()
    key = flask.g.oidc_provider_mock_storage.jwk
    claims = dict(jwt.decode(body["id_token"], key))
    kind = claims["email"].partition("@")[0]
    if kind in CHANGES:
        signing, header = key, {"alg": "RS256"}
        if kind == "signature":
            signing = OTHER_KEY
        if kind == "algorithm":
            signing, header = b"the-secret-of-packhorse-at-the-provider", {"alg": "HS256"}
        body["id_token"] = jwt.encode(header, {**claims, **CHANGES[kind]}, signing).decode()
        response.set_data(json.dumps(body))
    return response


@provider.after_request
def insist(response):
    if flask.request.path == "/.well-known/openid-configuration" and len(sys.argv) > 2:
        response.set_data(json.dumps({**response.get_json(), "token_endpoint_auth_methods_supported": [sys.argv[2]]}))
    return response


@provider.before_request
def check_method():
    if flask.request.path == "/oauth2/token" and len(sys.argv) > 2:
        shown = "client_secret_post" if "client_secret" in flask.request.form else "client_secret_basic"
        if shown != sys.argv[2]:
            flask.abort(401)


if __name__ == "__main__":
    server = make_server("127.0.0.1", int(sys.argv[1]), provider, threaded=True)
    print("ready", flush=True)
    server.serve_forever()
