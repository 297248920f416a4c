"""Links between pages, and the anchors that headings give."""

import re
from collections.abc import Iterator
from pathlib import Path

_FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (?P<text>.+)$", re.MULTILINE)


def broken(page: Path) -> list[str]:
    """The links of a page that lead nowhere; those to other sites are not followed."""
    return [target for target in targets(page.read_text("utf-8")) if not _leads_somewhere(page, target)]


def targets(text: str) -> Iterator[str]:
    """Where the links in a page's prose go."""
    prose = _CODE.sub("``", _FENCED.sub("", text))
    return (match["target"] for match in _LINK.finditer(prose))


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, by the rules of the site that shows the repository."""
    seen: dict[str, int] = {}
    found = set()
    for match in _HEADING.finditer(_FENCED.sub("", text)):
        slug = re.sub(r"[^\w\- ]", "", match["text"].strip().lower()).replace(" ", "-")
        again = seen.get(slug, 0)
        seen[slug] = again + 1
        found.add(f"{slug}-{again}" if again else slug)
    return found


def _leads_somewhere(page: Path, target: str) -> bool:
    if target.startswith(("https://", "http://", "mailto:")):
        return True
    path, _, anchor = target.partition("#")
    there = (page.parent / path) if path else page
    if not there.exists():
        return False
    return not anchor or (there.suffix == ".md" and anchor in anchors(there.read_text("utf-8")))
