"""The interview in the docs is one that took place."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import bakery


def test_the_page_and_its_picture_are_what_the_interview_gives():
    page, picture = bakery.written()

    assert (bakery.DOCS / "discovery-bakery.md").read_text("utf-8") == page
    assert (bakery.DOCS / "discovery-bakery.svg").read_text("utf-8") == picture
