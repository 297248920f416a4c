"""Every block of README and of each page does what it shows."""

import pytest

from desk import PAGES, ROOT, Desk


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_a_page_does_what_it_shows(page, tmp_path):
    with Desk.set_up(tmp_path) as desk:
        desk.play(page)
    print(f"{page.relative_to(ROOT)}: {dict(desk.played)}", *desk.not_run, sep="\n  not run: ")


def test_the_pages_between_them_hold_blocks_of_every_kind_that_is_run(tmp_path):
    found = "\n".join(page.read_text("utf-8") for page in PAGES)
    counted = {label: found.count(f"\n```{label}\n") for label in ("python", "console", "toml")}
    print("blocks in all pages:", counted)
    assert all(counted.values())
