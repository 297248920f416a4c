"""The page of a chief resident's year says what happens: it is lived again, and each answer keeps to its form."""

import re
from pathlib import Path

import anyio
import pytest

pytest.importorskip("openpyxl", reason="packhorse-scheduling[excel] is not installed")
pytest.importorskip("icalendar", reason="packhorse-scheduling[calendar] is not installed")

from year_script import read_back, talk, written

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "scheduling-year.md"
_NAMED = re.compile(r"\b(?:Dr\. )?[A-Z][a-z]+ [A-Z][a-z]+\b|\d{4}-\d\d-\d\d (?:AM|PM)")


def asked(said):
    """The words without whom and when, which the roster decides."""
    return _NAMED.sub("_", said)


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    return anyio.run(talk, tmp_path_factory.mktemp("year"))


def test_every_answer_has_its_form(lived):
    for part in lived:
        for step in part.steps:
            assert re.fullmatch(step.form, step.told, flags=re.DOTALL), f"{step.called}: {step.told}"


def test_the_page_tells_the_same_conversation(lived):
    page = read_back(PAGE.read_text("utf-8"))
    again = read_back(written(lived))
    assert [title for title, _ in page] == [title for title, _ in again]
    for (_, there), (_, here) in zip(page, again, strict=True):
        assert [(asked(said), called) for said, called, _ in there] == [
            (asked(said), called) for said, called, _ in here
        ]


def test_every_answer_on_the_page_has_its_form(lived):
    for (_, told), part in zip(read_back(PAGE.read_text("utf-8")), lived, strict=True):
        for (_, _, words), step in zip(told, part.steps, strict=True):
            assert re.fullmatch(step.form, words), words
