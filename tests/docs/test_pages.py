"""Every block of README and of each page does what it shows."""

from collections import Counter
from pathlib import Path

import pytest
from desk import PAGES, ROOT, Desk

_COUNTED: dict[str, Counter[str]] = {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_a_page_does_what_it_shows(page, tmp_path):
    with Desk.set_up(tmp_path) as desk:
        desk.play(page)

    fences = [line for line in page.read_text("utf-8").splitlines() if line.startswith("```")]
    assert desk.played.total() == len(fences) / 2, "a block was not found"
    _COUNTED[page.name] = desk.played
    print(f"{page.relative_to(ROOT)}: {dict(desk.played)}", *desk.not_run, sep="\n  not run: ")
