"""What a person sees of signing in: whether they agree, and what went wrong."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.responses import HTMLResponse, Response

from packhorse.contract import design
from packhorse.login.clients import LoginClientInfo
from packhorse.login.redirects import place_of

if TYPE_CHECKING:
    from jinja2 import Environment

_STYLE = """
main { max-width: 34rem; }
button { min-height: 2.75rem; padding-inline: 1.25rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; } dd { margin-block-end: 0.5rem; } }
"""

HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""No cache keeps it, and no other site learns its address: a code stands in that of the provider's answer."""


@cache
def templates_in(folder: Path) -> "Environment":
    """Pages' HTML; what is put into it is text."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # no start waits for it

    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def consent(server: str, client: LoginClientInfo, redirect: str, provider: str, hidden: Mapping[str, str]) -> Response:
    """Whether this client may act for the person; ``redirect`` is where the answer goes, ``provider`` an address.

    ``hidden`` fields go with the answer.
    """
    known = {
        "operator": "Set up by the operator of this server.",
        "itself": "Given by the program itself. Nobody has checked it.",
        "address": f"Published at {client.client_id}",
    }[client.named_by]
    return _page(
        f"Sign in to {server}",
        "consent",
        server=server,
        name=f"«{client.client_name}»" if client.client_name else "A program without a name",
        known=known,
        place=place_of(redirect),
        provider=urlsplit(provider).netloc,
        hidden=hidden,
    )


def entrance(server: str, provider: str, hidden: Mapping[str, str]) -> Response:
    """Where a person signs in for this server's own pages; ``hidden`` fields go with the answer."""
    provider = urlsplit(provider).netloc
    return _page(f"Sign in to {server}", "entrance", server=server, provider=provider, hidden=hidden)


def arrived(server: str, to: str) -> Response:
    """The way on to a page of this server, which is not a redirect.

    On one that began at the provider's site a browser would not send the
    session's cookie, which is ``SameSite=Strict``.
    """
    page = _page(f"Signed in to {server}", "arrived", server=server, to=to)
    page.headers["Refresh"] = f"0; url={to}"
    return page


def refusal(status: int, text: str, to: str = "") -> Response:
    """That the person cannot go on here, and why; ``to`` is the page that they wanted to see."""
    return _page("You are not signed in", "refusal", status, text=text, to=to)


def _page(title: str, template: str, status: int = 200, **values: Any) -> Response:
    body = templates_in(Path(__file__).parent / "templates").get_template(f"{template}.html").render(**values)
    styles = design.stylesheet() + _STYLE
    html = design.document(title, f"<main>{body}</main>", styles=styles, forms=None)
    policy = f"{design.policy(styles=styles, forms=None)}; frame-ancestors 'none'"
    return HTMLResponse(html, status, headers={**HEADERS, "Content-Security-Policy": policy})
