"""What of a README a person in a desktop app gets: nothing that needs a checkout or a terminal."""

import re
from pathlib import Path

import pytest

from packhorse.publish.bundle import for_desktop
from packhorse.testing import DESCRIPTION_LETTERS

ROOT = Path(__file__).parents[2]

README = """# packhorse-tides

When the water comes: a pack for the [packhorse](../../README.md) host, by [Ada](https://tides.example.org).

    packhorse serve tides

| tool | answers |
|---|---|
| `tides` | the next high water |

## How it is made

`python benchmarks/tides.py` prints it.

## What it does not do

It knows no storms. See [the almanac](docs/almanac.md#storms).

```sh
pip install packhorse-tides
```
"""


def test_introduction_and_limits_are_left_and_links_into_the_checkout_are_words():
    assert (
        for_desktop(README)
        == """# packhorse-tides

When the water comes: a pack for the packhorse host, by [Ada](https://tides.example.org).

| tool | answers |
|---|---|
| `tides` | the next high water |

## What it does not do

It knows no storms. See the almanac."""
    )


@pytest.mark.parametrize("page", sorted(ROOT.glob("plugins/*/README.md")), ids=lambda page: page.parent.name)
def test_the_bundles_of_our_packs_hold_no_dead_link_and_no_command(page):
    text = for_desktop(page.read_text("utf-8"))

    assert re.findall(r"\]\((?!https?://)[^)]*\)", text) == []
    assert "    packhorse " not in text
    assert len(text) > 200


def test_the_tool_that_readme_shows_is_described_as_a_pack_s_tests_ask():
    described = re.findall(r'^    """(.+)"""$', (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert described
    assert [words for words in described if len(words) < DESCRIPTION_LETTERS] == []
