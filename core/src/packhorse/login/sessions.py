"""Browsers in which people have signed in, for the pages of this server."""

import hashlib
from datetime import timedelta
from urllib.parse import urlsplit

from packhorse.contract.clock import Clock
from packhorse.contract.principal import Principal
from packhorse.login.grants import Grant, Grants, text_of
from packhorse.login.people import People
from packhorse.settings import Settings
from packhorse.store.tickets import digest

HOURS = 8
ENTRANCE = "/signin"
"""Where a browser signs in; ``to`` is the page that it goes to then."""

BROWSER = ""
"""In the place of a client's id: no client has this one, so that no session is a refresh token."""

_LABEL = "Console"


class Sessions:
    """The sessions of people who signed in at the provider; none where there is no [auth.login]."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._secure = urlsplit(settings.auth.resource or "").scheme == "https"
        own = hashlib.sha256(f"{settings.data_dir} {settings.server.database}".encode()).hexdigest()[:8]
        # Browsers keep one jar of cookies for all ports of a machine.
        self.cookie = f"{'__Host-' if self._secure else ''}packhorse-{own}"
        """The name of the cookie by which this deployment's pages know a browser."""
        self._clock = clock
        self._issuer = settings.auth.issuer
        self._people = People(settings.auth.login) if settings.auth.login is not None else None
        self._grants = Grants(settings, clock)

    @property
    def entrance(self) -> str:
        """Where a browser signs in; empty where it cannot."""
        return ENTRANCE if self._people is not None else ""

    def cookie_holding(self, secret: str) -> str:
        """The header that sets the cookie, for as long as a session lasts; with an empty text it is taken away."""
        seconds = HOURS * 3600 if secret else 0
        secure = "; Secure" if self._secure else ""
        return f"{self.cookie}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"

    def begin(self, subject: str, sign_in: str, before: str) -> tuple[Grant, str] | None:
        """A session for one ``sign_in``, and its secret; None where that had one already.

        ``before`` is the digest of the session that the browser had, which ends.
        """
        now = self._clock()
        since, until = text_of(now), text_of(now + timedelta(hours=HOURS))
        grant = Grant(digest(sign_in), BROWSER, _LABEL, subject, "", since, until)
        secret = self._grants.begin(grant, HOURS * 3600)
        self.end(before)
        return None if secret is None else (grant, secret)

    def whose(self, secret: str) -> Principal | None:
        """Who has signed in, with the roles of the settings; None where nobody has, or they may no more."""
        grant = self._grants.find(secret) if self._people is not None else None
        if grant is None or grant.client != BROWSER or self._people is None:
            return None
        if not self._people.may_sign_in(grant.subject):
            return None
        claims = {"iss": self._issuer, "session": digest(secret)}
        return Principal("human", grant.subject, frozenset(self._people.roles_of(grant.subject)), claims=claims)

    def end(self, hashed: str) -> None:
        if self._people is not None:
            self._grants.end_token(hashed)
