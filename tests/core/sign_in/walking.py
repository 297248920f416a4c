"""A person with a browser who signs in, step by step, and the client that waits for the answer."""

import base64
import hashlib
import html
import re
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2

REDIRECT = "http://127.0.0.1:8123/callback"


def query_of(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query))


def fields_of(page: str) -> dict[str, str]:
    """The hidden fields of a page's form."""
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page)
    return {name: html.unescape(value) for name, value in found}


@dataclass
class Program:
    """A client by hand: no library mends what it sends."""

    address: str
    client_id: str = ""
    secret: str | None = None
    redirect: str = REDIRECT
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    @classmethod
    def registered(cls, address: str, redirect: str = REDIRECT, **more: Any) -> "Program":
        answer = register(address, redirect_uris=[redirect], **more)
        assert answer.status_code == 201, answer.text
        body = answer.json()
        return cls(address, body["client_id"], body.get("client_secret"), redirect)

    def request(self, **changed: str | None) -> dict[str, str]:
        """The parameters of an authorization request; None leaves one out."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).decode().rstrip("=")
        given: dict[str, str | None] = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect,
            "state": "of-the-client",
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "resource": f"{self.address}/mcp",
            **changed,
        }
        return {name: value for name, value in given.items() if value is not None}

    def token(self, code: str, **changed: str | None) -> httpx2.Response:
        """Exchange a code."""
        return self._post(
            {"grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect,
             "code_verifier": self.verifier, **changed}
        )  # fmt: skip

    def renewed(self, refresh: str, **changed: str | None) -> httpx2.Response:
        """Exchange a refresh token."""
        return self._post({"grant_type": "refresh_token", "refresh_token": refresh, **changed})

    def revoked(self, token: str) -> httpx2.Response:
        return self._post({"token": token}, path="/revoke")

    def _post(self, form: dict[str, str | None], path: str = "/token") -> httpx2.Response:
        given = {"client_id": self.client_id, "client_secret": self.secret, **form}
        data = {name: value for name, value in given.items() if value is not None}
        return httpx2.post(f"{self.address}{path}", data=data)


def register(address: str, **metadata: Any) -> httpx2.Response:
    given = {"client_name": "Scribe", "token_endpoint_auth_method": "none", **metadata}
    return httpx2.post(f"{address}/register", json=given)


class Person:
    """Somebody with a browser of their own, signed in at the provider as ``email`` once they are asked."""

    def __init__(self, address: str, email: str = "ada@example.org") -> None:
        self.address = address
        self.email = email
        self.browser = httpx2.Client(follow_redirects=False, headers={"Connection": "close"})

    def asked(self, program: Program, **changed: str | None) -> httpx2.Response:
        """The page that asks whether to agree; or the answer, where there is none."""
        answer = self.browser.get(f"{self.address}/authorize", params=program.request(**changed))
        if answer.status_code == 302 and "/signin/consent" in answer.headers["location"]:
            return self.browser.get(answer.headers["location"])
        return answer

    def agreed(self, page: httpx2.Response, answer: str = "yes", **changed: str) -> httpx2.Response:
        """Answer the page."""
        form = {**fields_of(page.text), "answer": answer, **changed}
        return self.browser.post(f"{self.address}/signin/consent", data=form)

    def at_provider(self, leaving: httpx2.Response, **form: str) -> str:
        """Sign in at the provider; where it sends the browser then."""
        assert leaving.status_code == 303, leaving.text
        answer = self.browser.post(leaving.headers["location"], data=form or {"sub": self.email})
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]

    def back(self, address: str) -> httpx2.Response:
        return self.browser.get(address)

    def signed_in(self, program: Program) -> dict[str, str]:
        """All of it; the parameters of the answer that the client gets."""
        arrived = self.back(self.at_provider(self.agreed(self.asked(program))))
        assert arrived.status_code == 303, arrived.text
        return query_of(arrived.headers["location"])

    def tokens(self, program: Program) -> dict[str, Any]:
        answer = program.token(self.signed_in(program)["code"])
        assert answer.status_code == 200, answer.text
        return answer.json()


def call_of(tool: str, arguments: dict[str, Any], token: str | None = None) -> dict[str, Any]:
    """What to post for a call of a tool, in the era of 2026."""
    from tests.core.raw_http import headers_of, message  # the browser, a program of its own, has no path to them

    return {"json": message(arguments, name=tool), "headers": headers_of(tool, token=token)}
