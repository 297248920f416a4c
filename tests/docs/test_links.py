"""Links between the pages lead somewhere."""

import pytest

from desk import PAGES, ROOT
from links import anchors, broken, targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page):
    assert broken(page) == []


def test_every_page_can_be_reached_from_the_index():
    reached, waiting = set(), [ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        local = [target.partition("#")[0] for target in targets(page.read_text("utf-8")) if "://" not in target]
        waiting += [(page.parent / path).resolve() for path in local if path.endswith(".md")]
    assert reached >= set((ROOT / "docs").rglob("*.md"))


def test_links_that_lead_nowhere_are_found(tmp_path):
    (tmp_path / "other.md").write_text("# A page\n\n## [server]\n\n## Twice\n\n## Twice\n")
    page = tmp_path / "page.md"
    page.write_text(
        "# Here\n[a](other.md) [b](other.md#server) [c](#here) [d](other.md#twice-1) [e](https://example.org)"
        " `[f](code.md)`\n```text\n[g](fenced.md)\n```\n"
        "[h](missing.md) [i](other.md#nowhere) [`j`](#not-here) [k [l]](gone.md) [m](other.md#twice-2)\n"
    )
    assert broken(page) == ["missing.md", "other.md#nowhere", "#not-here", "gone.md", "other.md#twice-2"]


def test_headings_give_the_anchors_that_links_use():
    assert anchors("# Clients up to 2025-11-25\n## packs.NAME\n```text\n# no heading\n```\n### `a_b` & c") == {
        "clients-up-to-2025-11-25",
        "packsname",
        "a_b--c",
    }
