"""A benchmark that is run again rewrites its own sections of the results, and no others."""

import importlib.util
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
PAGE = BENCHMARKS.joinpath("RESULTS.md").read_text("utf-8")
HEAD, *SECTIONS = PAGE.split("\n## ")


def replaced(page: str, written: str) -> str:
    spec = importlib.util.spec_from_file_location("sections", BENCHMARKS / "sections.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.replaced(page, written)


def test_sections_of_others_stay_as_they_stand():
    written = "# New\n\nHead.\n\n## Bars\n\nNew bars.\n"
    others = [section for section in SECTIONS if not section.startswith("Bars\n")]
    assert replaced(PAGE, written) == "\n## ".join([written, *others])


def test_the_same_figures_give_the_same_page():
    own = "\n## ".join([HEAD, *(section for section in SECTIONS if section.startswith(("Bars", "Cold start")))])
    once = replaced(PAGE, own)
    assert replaced(once, own) == once
    assert len(once) == len(PAGE)


def test_a_page_that_is_not_there_yet_is_the_written_part():
    assert replaced("", "# New\n\n## Bars\n") == "# New\n\n## Bars\n"
