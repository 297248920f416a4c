"""Keys, claims and tokens, genuine and forged, and a server on loopback that publishes key sets."""

import json
import ssl
import threading
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from packhorse.tokens import Issuer

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOW = int(START.timestamp())

SECRET = b"canary-5b1f7c0d-secret-of-the-local-issuer"
OTHER_SECRET = b"another-secret-that-is-long-enough-for-all"

LOCAL = "packhorse"
RS = "https://idp.example"
ES = "https://es.example"
AUDIENCE = "https://packhorse.example/mcp"


class Clockwork:
    """A clock that moves when told to."""

    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now

    def forward(self, seconds):
        self.now += timedelta(seconds=seconds)


def hs_issuer(**changes):
    return Issuer(**{"iss": LOCAL, "audience": AUDIENCE, "secret": SECRET, "local": True, **changes})


def rs_issuer(publisher, **changes):
    url = publisher.url("/rs") if publisher else "https://idp.example/keys"
    return Issuer(**{"iss": RS, "audience": AUDIENCE, "jwks_url": url, "algorithm": "RS256", **changes})


def es_issuer(publisher, **changes):
    return Issuer(
        **{"iss": ES, "audience": AUDIENCE, "jwks_url": publisher.url("/es"), "algorithm": "ES256", **changes}
    )


@cache
def rsa_key(name="first", bits=2048):
    return rsa.generate_private_key(65537, bits)


@cache
def ec_key(name="first", curve=ec.SECP256R1):
    return ec.generate_private_key(curve())


def pem(key):
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def jwk(key, kid=None, **members):
    """The public key as a member of a key set; ``members`` are added, or taken out by None."""
    family = RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else ECAlgorithm
    public = family.to_jwk(key.public_key(), as_dict=True)
    return {name: value for name, value in {**public, "kid": kid, **members}.items() if value is not None}


def set_of(*members):
    return json.dumps({"keys": list(members)}).encode()


def claims_of(iss=LOCAL, **changes):
    """A whole set of claims, with some changed, or taken out by ``...``."""
    usual = {"iss": iss, "aud": AUDIENCE, "sub": "user_id_123", "iat": NOW - 60, "exp": NOW + 1800}
    return {name: value for name, value in {**usual, **changes}.items() if value is not ...}


def specification_claims(**changes):
    """The token of the scheduling specification, section "JWT Token Structure"."""
    usual = {
        "sub": "user_id_123",
        "email": "coordinator@hospital.mil",
        "role": "COORDINATOR",
        "exp": NOW + 3540,
        "iat": NOW - 60,
    }
    return {name: value for name, value in {**usual, **changes}.items() if value is not ...}


def part(value):
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def forged(header, payload, signature=b"nonsense"):
    """A token of these very parts."""
    return f"{part(header)}.{part(payload)}.{part(signature)}"


def signed(header, payload, key, algorithm):
    """Any header and payload (bytes are taken as they are), truly signed by ``key``."""
    signer = jwt.get_algorithm_by_name(algorithm)
    text = f"{part(header)}.{part(payload)}"
    # Not through PyJWT's own checks of keys: a forger has none.
    return f"{text}.{part(signer.sign(text.encode(), key))}"


def hs(claims=None, secret=SECRET, algorithm="HS256", **header):
    return signed(
        {"alg": algorithm, "typ": "JWT", **header}, claims_of() if claims is None else claims, secret, algorithm
    )


def rs(claims=None, key=None, kid="rsa-1", **header):
    named = {} if kid is None else {"kid": kid}
    payload = claims_of(RS) if claims is None else claims
    return signed({"alg": "RS256", "typ": "JWT", **named, **header}, payload, key or rsa_key(), "RS256")


def es(claims=None, key=None, kid="ec-1", **header):
    named = {} if kid is None else {"kid": kid}
    payload = claims_of(ES) if claims is None else claims
    return signed({"alg": "ES256", "typ": "JWT", **named, **header}, payload, key or ec_key(), "ES256")


def certificate(folder, name):
    """A certificate for ``name`` that signs itself, as a server's context and as a file of authorities."""
    key = ec_key(f"tls {name}")
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    authority = folder / f"{name}.pem"
    authority.write_bytes(made.public_bytes(Encoding.PEM))
    both = folder / f"{name}.key.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    both.write_bytes(authority.read_bytes() + private)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(both)
    return context, authority


@dataclass
class Published:
    """What a path answers."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hold: threading.Event | None = None


class Counted:
    """A verifier's keys of one issuer, counting how often one is looked for: once for each signature checked."""

    def __init__(self, tokens, iss):
        self.found = 0
        self._keys = tokens._keys[iss]
        tokens._keys[iss] = self

    def __getattr__(self, name):
        return getattr(self._keys, name)

    async def find(self, kid):
        self.found += 1
        return await self._keys.find(kid)


class Publisher:
    """A server on a port of its own; ``asked`` lists the paths that were asked for, ``hosts`` their Host headers."""

    def __init__(self, context=None):
        self.pages = {}
        self.asked = []
        self.hosts = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._scheme = "https" if context else "http"
        if context:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    def url(self, path, host="127.0.0.1"):
        return f"{self._scheme}://{host}:{self.port}{path}"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(publisher):  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                publisher.asked.append(self.path)
                publisher.hosts.append(self.headers["Host"])
                page = publisher.pages.get(self.path, Published(status=404))
                if page.hold:
                    page.hold.wait(90)
                try:
                    self.send_response(page.status)
                    for name, value in page.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(page.body)
                except OSError:
                    pass  # the other end has heard enough

            def log_message(self, *_):
                pass

        return Handler
