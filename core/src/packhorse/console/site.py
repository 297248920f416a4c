"""What the pages share: who reads them, the frame around each, and that a form came from one of them."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import anyio
import anyio.to_thread

from packhorse.compose.deployment import Deployment
from packhorse.contract.content import Page
from packhorse.contract.context import Context
from packhorse.contract.design import document, stylesheet
from packhorse.contract.host import Host
from packhorse.contract.observers import Observer
from packhorse.contract.offers import BrowserSession
from packhorse.contract.principal import LOCAL, Principal
from packhorse.errors import AUTHORIZATION, RequestError, UserError
from packhorse.login.sessions import HOURS, Sessions
from packhorse.store import tickets
from packhorse.store.tickets import Tickets

if TYPE_CHECKING:
    from jinja2 import Environment

T = TypeVar("T")

SCRIPT = "/console/console.js"
SESSION = "session"
LINK = "link"
"""What a ticket is: a browser's sign-in, or a link that makes one."""

LINK_MINUTES = 10

MOST_WAITING = 4
"""Readers who may wait while a page is made for another; the next one must try again."""

PEOPLE = ("local", "human")
"""Kinds of callers who are people: an approval is an act of theirs."""

FOLDER = "packhorse-console"
MIGRATIONS = (f"{tickets.TABLE}; CREATE TABLE form_key (only INTEGER PRIMARY KEY, value TEXT NOT NULL);",)
_PAGES = Path(__file__).parent


def store_of(host: Host) -> Host:
    """The console's own store in the data folder, or the database, of a deployment."""
    return Host(
        FOLDER,
        data_dir=host.settings.data_dir,
        migrations=MIGRATIONS,
        clock=host.clock,
        database=host.settings.server.database_url,
    )


class Site(Observer):
    """The pages of one deployment, once `open` has named it."""

    deployment: Deployment
    begun: datetime

    def __init__(self, host: Host) -> None:
        self._store = store_of(host)
        self.tickets = Tickets(self._store.store, host.clock)
        self._making = anyio.CapacityLimiter(1)
        self._readers = 0
        self._people = Sessions(host.settings, host.clock)
        self.session = BrowserSession(self._people.cookie, self._whose, self._people.entrance)

    @property
    def provider(self) -> str:
        """The host of the provider at which people sign in; empty where they do not."""
        login = self.deployment.settings.auth.login
        return urlsplit(login.issuer).netloc if login is not None else ""

    def open(self, deployment: Deployment) -> None:
        self.deployment = deployment
        self.begun = deployment.clock()

    # --- who reads ---

    def _whose(self, secret: str) -> Principal | None:
        if self.tickets.about(secret) != SESSION:
            return self._people.whose(secret)
        return replace(LOCAL, claims={"session": tickets.digest(secret)})

    def is_operator(self, reader: Principal) -> bool:
        """Whether a reader may end others' calls and ask the mounted servers: an admin, or whose machine this is."""
        return reader.has_any(frozenset({"ADMIN"}))

    def check_operator(self, reader: Principal) -> None:
        """Refuse who is no operator.

        Raises:
            RequestError: with what to do.
        """
        if not self.is_operator(reader):
            words = "This is for an admin, or for who has signed in with 'packhorse console'."
            raise RequestError(AUTHORIZATION, "authorization", words)

    def sees_all(self, reader: Principal) -> bool:
        """Whether a reader sees what concerns others. Without authentication the pages are for the person here."""
        return self.is_operator(reader) or not self.deployment.dispatcher.authenticated

    def form_token(self, reader: Principal, about: str = "") -> str:
        """What each form carries, and no page of another site can know: bound to the reader's sign-in."""
        claims = reader.claims
        who = [reader.kind, claims.get("iss"), reader.subject, claims.get("exp"), claims.get("session"), about]
        return hmac.new(self._form_key, repr(who).encode(), hashlib.sha256).hexdigest()

    def check_form(self, reader: Principal, form: Mapping[str, str], about: str = "") -> None:
        """Refuse a form that no page of this console gave to this reader.

        Raises:
            RequestError: with what to do.
        """
        if not hmac.compare_digest(form.get("token", "").encode(), self.form_token(reader, about).encode()):
            raise RequestError(
                AUTHORIZATION,
                "form_token",
                "This form is not from a page that you have opened, or you have signed in again since. Open the page"
                " again.",
            )

    @cached_property
    def _form_key(self) -> bytes:
        """The same in every process of the deployment."""
        with self._store.store() as store:
            store.execute(
                "INSERT INTO form_key (only, value) VALUES (1, :value) ON CONFLICT (only) DO NOTHING",
                value=secrets.token_hex(32),
            )
            return bytes.fromhex(store.query("SELECT value FROM form_key")[0]["value"])

    # --- signing in by a link ---

    def is_link(self, secret: str) -> bool:
        return self.tickets.about(secret) == LINK

    def entered(self, secret: str) -> str | None:
        """The cookie of a new session, for a link, which is used up; None for one that holds no more."""
        if not self.is_link(secret) or self.tickets.spend(secret) is None:
            return None
        return self._people.cookie_holding(self.tickets.issue(SESSION, timedelta(hours=HOURS)))

    def left(self, reader: Principal) -> str:
        """The cookie that takes a session away, which ends."""
        session = str(reader.claims.get("session"))
        self.tickets.end(session)
        self._people.end(session)
        return self._people.cookie_holding("")

    # --- pages ---

    async def made(self, make: Callable[[], T]) -> T:
        """What ``make`` gives: in a thread of the pages' own, one at a time, so that calls wait for none.

        Raises:
            UserError: too many wait.
        """
        if self._readers > MOST_WAITING:  # counted here: of those who come together the limiter sees none at first
            raise UserError(
                "Too many people are viewing pages now. Try again in a moment.",
                code="BUSY",
                details={"retry_after_seconds": 1},
            )
        self._readers += 1
        try:
            return await anyio.to_thread.run_sync(make, limiter=self._making)
        finally:
            self._readers -= 1

    def page(self, ctx: Context, template: str, title: str, **values: Any) -> Page:
        reader = ctx.principal
        server = self.deployment.settings.server.name
        body = self.templates.get_template(f"{template}.html").render(
            here=template,
            title=title,
            server=server,
            reader=_named(reader),
            signed_in="session" in reader.claims,
            anonymous=reader.kind == "anonymous",
            token=self.form_token(reader),
            waiting=len(self.waiting(ctx)),
            has_mounts=self.deployment.settings.has_mounts,
            **values,
        )
        styles = self._styles
        text = document(f"{title} · {server}", body, styles=styles, forms=True, script=SCRIPT)
        return Page(text, styles=styles, forms=True, script=SCRIPT)

    def part(self, template: str, **values: Any) -> str:
        """A part of a page by itself, for the page's script."""
        return self.templates.get_template(f"{template}.html").render(**values)

    def entrance(self, template: str, title: str, headers: Mapping[str, str] | None = None, **values: Any) -> Page:
        """A page for who has not signed in: without the frame, and without the script, which is for who has."""
        body, styles = self.templates.get_template(f"{template}.html").render(title=title, **values), self._styles
        return Page(document(title, body, styles=styles, forms=True), styles=styles, forms=True, headers=headers or {})

    def waiting(self, ctx: Context) -> list[tuple[str, Any]]:
        """What waits for this reader's decision, with the pack that asks."""
        if ctx.principal.kind not in PEOPLE:
            return []
        approvals = self.deployment.catalogue.approvals
        return [(pack, one) for pack, offered in approvals for one in offered.pending(ctx)]

    @cached_property
    def _styles(self) -> str:
        return stylesheet() + (_PAGES / "console.css").read_text("utf-8")

    @cached_property
    def script(self) -> str:
        return (_PAGES / "console.js").read_text("utf-8")

    @cached_property
    def templates(self) -> "Environment":
        """Every page's HTML; what is put into it is text."""
        from packhorse.login.pages import templates_in

        made = templates_in(_PAGES / "templates")
        made.filters |= {"instant": instant, "json": partial(json.dumps, indent=1, ensure_ascii=False)}
        return made


def instant(value: datetime) -> str:
    """An instant as pages show it."""
    return f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _named(reader: Principal) -> str:
    if reader.kind == "local":
        return "operator"
    return reader.subject or reader.kind
