"""What a person sees of signing in: whether they agree, and what went wrong."""

from collections.abc import Mapping
from html import escape
from urllib.parse import urlsplit

from starlette.responses import HTMLResponse, Response

from packhorse.contract import design
from packhorse.login.clients import LoginClientInfo
from packhorse.login.redirects import place_of

_STYLE = """
main { max-width: 34rem; }
button { min-height: 2.75rem; padding-inline: 1.25rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; } dd { margin-block-end: 0.5rem; } }
"""

_YES = '<button name="answer" value="yes">'


def consent(server: str, client: LoginClientInfo, redirect: str, provider: str, hidden: Mapping[str, str]) -> Response:
    """Whether this client may act for the person; ``redirect`` is where the answer goes, ``provider`` an address.

    ``hidden`` fields go with the answer.
    """
    name = f"«{client.client_name}»" if client.client_name else "A program without a name"
    known = {
        "operator": "Set up by the operator of this server.",
        "itself": "Given by the program itself. Nobody has checked it.",
        "address": f"Published at {client.client_id}",
    }[client.named_by]
    facts = {
        "Its name": known,
        "The answer goes to": place_of(redirect),
        "You sign in at": urlsplit(provider).netloc,
    }
    rows = "".join(f"<dt>{escape(term)}</dt><dd>{escape(text)}</dd>" for term, text in facts.items())
    body = (
        f"<h1>{escape(name)} wants to use {escape(server)} for you</h1>"
        "<p>It could then do here everything that you may do, until you or the operator end it.</p>"
        f"<dl>{rows}</dl>"
        '<p class="note warn">Go on only if you have just started this yourself, in that program.</p>'
        + _form(hidden, f'{_YES}Sign in</button><button name="answer" value="no">Refuse</button>')
    )
    return _page(f"Sign in to {server}", body, 200)


def entrance(server: str, provider: str, hidden: Mapping[str, str]) -> Response:
    """Where a person signs in for this server's own pages; ``hidden`` fields go with the answer."""
    title = f"Sign in to {server}"
    place = escape(urlsplit(provider).netloc)
    body = (
        f"<h1>{escape(title)}</h1>"
        f"<p>You sign in at {place}. This browser is then signed in here, until you sign out or eight hours have"
        " passed.</p>" + _form(hidden, f"{_YES}Sign in at {place}</button>")
    )
    return _page(title, body, 200)


def arrived(server: str, to: str) -> Response:
    """The way on to a page of this server, which is not a redirect.

    On one that began at the provider's site a browser would not send the
    session's cookie, which is ``SameSite=Strict``.
    """
    body = f'<h1>Signed in to {escape(server)}</h1><p><a href="{escape(to)}">Go on</a></p>'
    page = _page(f"Signed in to {server}", body, 200)
    page.headers["Refresh"] = f"0; url={to}"
    return page


def refusal(status: int, text: str, to: str = "") -> Response:
    """That the person cannot go on here, and why; ``to`` is the page that they wanted to see."""
    again = f'<a href="{escape(to)}">Try again</a>' if to else "Start again in the program that sent you here."
    body = f"<h1>You are not signed in</h1><p>{escape(text)}</p><p>{again}</p>"
    return _page("You are not signed in", body, status)


def _form(hidden: Mapping[str, str], buttons: str) -> str:
    fields = "".join(f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in hidden.items())
    return f'<form method="post" action="/signin/consent">{fields}<p class="bar">{buttons}</p></form>'


def _page(title: str, body: str, status: int) -> Response:
    styles = design.stylesheet() + _STYLE
    html = design.document(title, f"<main>{body}</main>", styles=styles, forms=None)
    policy = f"{design.policy(styles=styles, forms=None)}; frame-ancestors 'none'"
    return HTMLResponse(html, status, headers={**HEADERS, "Content-Security-Policy": policy})


HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""No cache keeps it, and no other site learns its address: a code stands in that of the provider's answer."""
