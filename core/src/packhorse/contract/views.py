"""How a tool's answer is shown, to clients that show more than text (MCP Apps, ``io.modelcontextprotocol/ui``).

A view is a script of the pack that draws the answer with the shared design.
The host makes one HTML page of it, which loads nothing and sends nothing; a
client shows the page in a frame and hands it the answer.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from packhorse.contract import design
from packhorse.errors import PackError

EXTENSION = "io.modelcontextprotocol/ui"
"""What clients and servers call this part of the protocol (MCP Apps, revision 2026-01-26)."""

MIME_TYPE = "text/html;profile=mcp-app"
"""The one type of page that clients show."""

NO_NETWORK: Mapping[str, Any] = {
    "csp": {"connectDomains": [], "resourceDomains": [], "frameDomains": [], "baseUriDomains": []},
    "prefersBorder": True,
}
"""What the client learns of each page: it needs no origin for anything."""

# It stands in the view's URI.
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class View:
    """A page that draws a tool's structured answer.

    ``script`` is a file of the pack, such as ``views/plan.js``, that calls
    ``show({draw})``; a stylesheet of the same name beside it goes with it.
    ``parts`` of the shared design are put in as well. The file's name is the
    view's: it is served as ``ui://<pack>/<name>``. What the page says without
    an answer, or where it cannot draw one, is the answer's text.

    Raises:
        PackError: there is no such file, or its name is none for a view.
    """

    script: Path
    title: str
    description: str | None = None
    parts: tuple[design.Part, ...] = ()

    def __post_init__(self) -> None:
        if self.script.suffix != ".js" or not _NAME.fullmatch(self.name):
            raise PackError(
                f"view {self.script.name!r}: the file name of a view's script has small letters, digits and '-'"
                " only, such as plan.js"
            )
        if not self.script.is_file():
            raise PackError(f"view {self.name!r}: there is no file {self.script.name} in {self.script.parent.name}/")

    @property
    def name(self) -> str:
        """The last part of its URI."""
        return self.script.stem

    def page(self, answer: Mapping[str, Any] | None = None) -> str:
        """The whole page; with an ``answer`` it draws that, when opened by itself.

        Raises:
            PackError: the script would end the element that it stands in.
        """
        import html  # no server needs it before somebody looks at a page

        scripts, styles = _texts(self)
        data = ""
        if answer is not None:
            # A text of the answer must not end the element either.
            inside = json.dumps(answer, ensure_ascii=False).replace("<", "\\u003c")
            data = f'\n<script type="application/json" id="answer">{inside}</script>'
        body = (
            f'<main id="view" aria-busy="true"><h1>{html.escape(self.title)}</h1>'
            f'<p role="status">Waiting for the answer.</p></main>{data}'
        )
        return design.document(self.title, body, styles=styles, scripts=scripts)


@cache
def _texts(view: View) -> tuple[str, str]:
    own_styles = view.script.with_suffix(".css")
    scripts = design.script(*view.parts) + view.script.read_text(encoding="utf-8")
    styles = design.stylesheet(*view.parts)
    if own_styles.is_file():
        styles += own_styles.read_text(encoding="utf-8")
    if re.search(r"</script|<!--", scripts, re.IGNORECASE) or re.search(r"</style", styles, re.IGNORECASE):
        raise PackError(
            f"view {view.name!r}: its text contains </script, <!-- or </style; split that string in"
            " two, such as '<' + '/script'"
        )
    return scripts, styles
