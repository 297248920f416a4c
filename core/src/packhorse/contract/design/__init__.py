"""The look that packhorse's own pages and the packs' views share, as text to put into a page.

Nothing of it is loaded from anywhere: a page carries its styles and scripts
inside, and its policy lets it load and send nothing.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal

Part = Literal["timeline", "grid", "chart"]
"""What a page may take besides the base: each has styles, and a script that draws it."""

_FOLDER = Path(__file__).parent


@cache
def stylesheet(*parts: Part) -> str:
    """The base styles (colours in both schemes, type, tables) and those of the parts."""
    return "".join(_text(f"{name}.css") for name in ("base", *parts))


@cache
def script(*parts: Part) -> str:
    """The bridge to the client that shows a view, what builds elements, and what draws the parts."""
    return "".join(_text(f"{name}.js") for name in ("bridge", "build", *parts))


def document(
    title: str,
    body: str = "",
    *,
    styles: str = "",
    scripts: str = "",
    forms: bool | None = False,
    script: str = "",
) -> str:
    """A whole HTML page that loads nothing, sends nothing and runs no script but its own.

    ``body`` is HTML; ``title`` is text. ``script`` is the path of one that the
    page's own server serves. The policy stands in the page itself, where it is
    shown under none.
    """
    import html  # no server needs it before somebody looks at a page

    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(scripts, styles, forms=forms, script=script)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n"
        + (f"<style>{styles}</style>\n" if styles else "")
        + (f'<script src="{html.escape(script)}" defer></script>\n' if script else "")
        + f"</head>\n<body>\n{body}\n"
        + (f'<script type="module">{scripts}</script>\n' if scripts else "")
        + "</body>\n</html>\n"
    )


def policy(scripts: str = "", styles: str = "", *, forms: bool | None = False, script: str = "") -> str:
    """The content security policy of a page with this script and these styles inside, named by their digests.

    With ``forms`` it may send a form to where it came from; None is for a form
    whose answer leads elsewhere, since Chromium holds every redirect against
    the directive. With ``script`` it may run scripts of its own server, and ask
    it for more.
    """
    form_action = [] if forms is None else ["form-action 'self'" if forms else "form-action 'none'"]
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {_sources([scripts])}" if not script else "script-src 'self'; connect-src 'self'",
            f"style-src {_sources([styles])}",
            "img-src data:",
            "base-uri 'none'",
            *form_action,
        ]
    )


def _sources(texts: Iterable[str]) -> str:
    import base64
    import hashlib

    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts if text]
    return " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
