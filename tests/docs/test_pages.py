"""Every block of README and of each page does what it shows."""

import pytest

from desk import NOTED, PAGES, ROOT, Desk

PLAYED = [page for page in PAGES if page != ROOT / "docs/reference/packs.md"]
"""Not the page of examples that tools bring: the contract of each pack makes those calls, and looks at the answers."""


@pytest.mark.parametrize("page", PLAYED, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_a_page_does_what_it_shows(page, tmp_path):
    with Desk.set_up(tmp_path) as desk:
        desk.play(page)
    NOTED.append(
        f"{page.relative_to(ROOT)}: " + (", ".join(f"{n} {label}" for label, n in desk.played.items()) or "none")
    )
    NOTED.extend(f"  not run: {block}" for block in desk.not_run)


def test_the_pages_between_them_hold_blocks_of_every_kind_that_is_run():
    found = "\n".join(page.read_text("utf-8") for page in PAGES)
    counted = {label: found.count(f"\n```{label}\n") for label in ("python", "console", "toml")}
    assert all(counted.values())
