"""From the person's browser to the provider and back, in one and the same browser."""

import hmac
import logging
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any

import anyio.to_thread
from mcp.server.auth.provider import construct_redirect_uri
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from packhorse.login import pages
from packhorse.login.provider import NotNamedError, Provider, ProviderError
from packhorse.login.server import CONSENT_SECONDS, LoginServer
from packhorse.login.sessions import Sessions
from packhorse.store.tickets import digest
from packhorse.wire.callers import TURNED_AWAY

logger = logging.getLogger("packhorse.login")

_VALUE = re.compile(r"[A-Za-z0-9_-]{43}")

_PAGE = re.compile(r"/(?!/)[A-Za-z0-9._~/-]{0,200}(?:\?[A-Za-z0-9._~%&=+:@,/*!-]{0,500})?")
"""A page of this server, with its query."""

_OTHER_BROWSER = "This sign-in was begun in another browser, or too long ago."

_USED = "This answer was used before."
_STATUS = {"access_denied": 403, "temporarily_unavailable": 503}


class Pages:
    """The pages of signing in: for clients' requests, and for this server's own pages.

    What is asked for travels sealed: a client's request, or as ``to`` the page
    that a browser wants to see.
    """

    def __init__(self, server: LoginServer, provider: Provider, sessions: Sessions, name: str) -> None:
        self._server = server
        self._provider = provider
        self._sessions = sessions
        self._name = name
        self._secure = server.origin.startswith("https:")
        # A page of another host under the same domain cannot set a cookie of this prefix (RFC 6265bis, 4.1.3.2).
        self._cookie = "__Host-packhorse-signin" if self._secure else "packhorse-signin"

    async def enter(self, request: Request) -> Response:
        """Show where to sign in for a page of this server."""
        to = request.query_params.get("to", "")
        if not _PAGE.fullmatch(to):
            to = to.partition("?")[0]  # a query can be typed again
        if not _PAGE.fullmatch(to):
            return pages.refusal(400, "This address leads to no page of this server.")
        ticket = self._server.seal.close("consent", {"to": to})
        return self._asking(request, ticket, lambda form: pages.entrance(self._name, self._server.login.issuer, form))

    async def consent(self, request: Request) -> Response:
        """Show who asks for what, or take the person's answer. Looking twice changes nothing: both can be answered."""
        return await (self._answered if request.method == "POST" else self._asked)(request)

    async def _asked(self, request: Request) -> Response:
        ticket = request.query_params.get("t", "")
        asked = self._server.seal.open("consent", ticket, CONSENT_SECONDS)
        client = await self._server.clients.find(asked["client"]) if asked and "client" in asked else None
        if asked is None or client is None:
            return pages.refusal(400, "This page is out of date.")
        redirect, issuer = asked["redirect"], self._server.login.issuer
        return self._asking(request, ticket, lambda form: pages.consent(self._name, client, redirect, issuer, form))

    def _asking(self, request: Request, ticket: str, page: Callable[[Mapping[str, str]], Response]) -> Response:
        """A page whose form this browser alone can send."""
        browser = self._browser(request) or secrets.token_urlsafe(32)
        answer = page({"t": ticket, "csrf": self._csrf(browser, ticket)})
        answer.set_cookie(
            self._cookie, browser, max_age=CONSENT_SECONDS, secure=self._secure, httponly=True, samesite="lax"
        )
        return answer

    async def _answered(self, request: Request) -> Response:
        form = await request.form()
        ticket, csrf = str(form.get("t", "")), str(form.get("csrf", ""))
        browser = self._browser(request)
        own_page = request.headers.get("sec-fetch-site", "same-origin") == "same-origin"
        if (
            not own_page
            or browser is None
            or not hmac.compare_digest(self._csrf(browser, ticket).encode(), csrf.encode())
        ):
            return pages.refusal(403, _OTHER_BROWSER)
        asked = self._server.seal.open("consent", ticket, CONSENT_SECONDS)
        if asked is None:
            return pages.refusal(400, "This page is out of date.")
        if form.get("answer") != "yes":
            return self._not_signed_in(asked, "access_denied", "The person refused.")
        if "to" in asked:  # only here does the browser send the cookie of a session: it comes back from another site
            asked["before"] = digest(request.cookies.get(self._sessions.cookie, ""))
        nonce, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        kept = {**asked, "nonce": nonce, "verifier": verifier, "browser": digest(browser)}
        state = self._server.seal.close("state", kept)
        try:
            address = await self._provider.address(state=state, nonce=nonce, verifier=verifier)
        except ProviderError as exc:
            return self._unusable(asked, exc)
        return RedirectResponse(address, 303, headers=pages.HEADERS)

    async def back(self, request: Request) -> Response:
        """Take the provider's answer back to who asked: in the browser that began this, and once."""
        answer = dict(request.query_params)
        asked = self._server.seal.open("state", answer.get("state", ""), CONSENT_SECONDS)
        if asked is None or not hmac.compare_digest(asked["browser"], digest(self._browser(request) or "")):
            return pages.refusal(403, _OTHER_BROWSER)
        if not await anyio.to_thread.run_sync(self._server.grants.first_use, asked["nonce"], CONSENT_SECONDS):
            return pages.refusal(403, _USED)
        try:
            subject = await self._subject(asked, answer)
        except NotNamedError as exc:
            if exc.account:
                self._server.say_turned_away(exc.account, exc.reason)
                request.scope[TURNED_AWAY](self._server.person(exc.account), exc.code)
            else:
                logger.info("nobody is signed in: %s", exc)
            return self._not_signed_in(asked, "access_denied", str(exc))
        except ProviderError as exc:
            return self._unusable(asked, exc)
        if "to" in asked:
            return await self._entered(asked, subject)
        kept = {name: asked[name] for name in ("client", "redirect", "explicit", "challenge", "scopes")}
        return self._to_client(asked, code=self._server.code(kept, subject))

    async def _subject(self, asked: Mapping[str, Any], answer: Mapping[str, str]) -> str:
        """Who has signed in, and may.

        Raises:
            ProviderError: the provider's answer does not hold.
            NotNamedError: it does not name a person, or one who may not sign in here.
        """
        await self._provider.check_issuer(answer.get("iss"))
        if "error" in answer:
            if answer["error"] == "access_denied":
                raise NotNamedError("You have not signed in at the provider.")
            raise ProviderError(f"it answered with the error {answer['error'][:60]!r}")
        subject = await self._provider.subject(answer.get("code", ""), nonce=asked["nonce"], verifier=asked["verifier"])
        if not self._server.people.may_sign_in(subject):
            raise NotNamedError(
                "You may not sign in to this server: ask its operator.",
                account=subject,
                code="sign_in_not_allowed",
                reason="`allow` under [auth.login] does not name them",
            )
        return subject

    async def _entered(self, asked: Mapping[str, Any], subject: str) -> Response:
        begun = await anyio.to_thread.run_sync(self._sessions.begin, subject, asked["nonce"], asked["before"])
        if begun is None:
            return pages.refusal(403, _USED, asked["to"])
        grant, secret = begun
        self._server.say_signed_in(grant)
        answer = pages.arrived(self._name, asked["to"])
        answer.headers["Set-Cookie"] = self._sessions.cookie_holding(secret)
        return answer

    def _unusable(self, asked: Mapping[str, Any], exc: ProviderError) -> Response:
        logger.warning("the provider %s cannot be used: %s", self._server.login.issuer, exc)
        return self._not_signed_in(asked, "temporarily_unavailable", "The provider cannot be used at the moment.")

    def _not_signed_in(self, asked: Mapping[str, Any], error: str, words: str) -> Response:
        if "to" in asked:
            return pages.refusal(_STATUS[error], words, asked["to"])
        return self._to_client(asked, error=error, error_description=words)

    def _to_client(self, asked: Mapping[str, Any], **answer: str) -> Response:
        uri = construct_redirect_uri(asked["redirect"], **answer, state=asked["state"], iss=self._server.origin)
        return RedirectResponse(uri, 303, headers=pages.HEADERS)

    def _browser(self, request: Request) -> str | None:
        value = request.cookies.get(self._cookie, "")
        return value if _VALUE.fullmatch(value) else None

    def _csrf(self, browser: str, ticket: str) -> str:
        return self._server.seal.mark("csrf", f"{browser} {ticket}")
