import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from chromium import NAMES, Chromium, Page, installed  # noqa: E402 - found beside this file


@pytest.fixture(scope="session")
def chromium(tmp_path_factory) -> Iterator[Chromium]:
    program = installed()
    if program is None:
        pytest.skip(f"Chromium is not installed (none of {', '.join(NAMES)}): apt-get install chromium")
    browser = Chromium(program, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def measure() -> str:
    """The expression that finds faint and small text."""
    return (HERE / "measure.js").read_text()


@dataclass
class Shown:
    """A view inside the tests' client."""

    page: Page

    def answer(self, arguments: dict[str, Any], result: dict[str, Any]) -> None:
        self.page.evaluate(f"answer({json.dumps(arguments)}, {json.dumps(result)})")

    def inside(self, expression: str) -> Any:
        return self.page.evaluate(expression, inside=True)

    @property
    def said(self) -> list[dict[str, Any]]:
        return self.page.evaluate("said")

    @property
    def text(self) -> str:
        return self.inside("document.body.innerText")

    def measured(self) -> dict[str, Any]:
        return self.inside((HERE / "measure.js").read_text())

    def focus(self) -> str:
        """What has the focus, in words."""
        return self.inside("document.activeElement.innerText || document.activeElement.tagName")


@pytest.fixture
def client(chromium):
    """Opens a view's page as a client does; at the end nothing may have been loaded or complained of."""
    shown: list[Page] = []

    def open_view(html: str, *, width: int = 900, scheme: str = "light", theme: str | None = None) -> Shown:
        page = chromium.page(width, scheme=scheme)
        shown.append(page)
        page.load((HERE / "host.html").read_text())
        context = {"displayMode": "inline", **({"theme": theme} if theme else {})}
        page.evaluate(f"open({json.dumps(html)}, {json.dumps(context)})")
        return Shown(page)

    yield open_view
    for page in shown:
        requests, complaints = page.requests, page.complaints
        page.close()
        assert requests == []
        assert complaints == []
