"""What mkdocs is told beside mkdocs.yml: the pages outside docs that the pages link to, the order, and the anchors.

The navigation is the index's own: each of its groups with its links. A link
into the checkout becomes one into the site; what it names is taken along.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
INDEX = "docs/index.md"
HOME = "README.md"
"""The repository's own front page; the site's is the index."""
PROJECT = ("SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md")

_LINK = re.compile(r"(?P<before>\]\()(?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
_GROUP = re.compile(r"^(?P<title>[A-Z][^\n]*):\n\n(?P<links>(?:- .*\n(?:  .*\n)*)+)", re.MULTILINE)
_ENTRY = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<page>[^)]+)\)", re.MULTILINE)


def slug(text: str, separator: str) -> str:
    """The anchor of a heading, by the rules of the site that shows the repository."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Navigation and anchors."""
    groups = _GROUP.finditer((ROOT / INDEX).read_text("utf-8"))
    named = {
        group["title"]: [{entry["title"]: entry["page"]} for entry in _ENTRY.finditer(group["links"])]
        for group in groups
    }
    outside = [path for path in _outside() if path.endswith(".md")]
    packs = [{path.split("/")[1].capitalize(): path} for path in outside if path.startswith("plugins/")]
    others = [{Path(path).stem.capitalize(): path} for path in outside if not path.startswith("plugins/")]
    config.nav = [{"packhorse": "index.md"}, {"The packs": packs}, *({title: named[title]} for title in named)]
    config.nav.append({"The project": others})
    config.mdx_configs["toc"] = {"slugify": slug}
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Take along what lies outside docs and is linked to."""
    for path in _outside():
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    return files


def _outside() -> list[str]:
    """What the pages link to outside docs, and what that links to, by its path in the checkout."""
    waiting = [*PROJECT, *(str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs").rglob("*.md")))]
    known = set(waiting)
    for path in waiting:
        if path.endswith(".md"):
            links = {_of_checkout(path, link["target"]) for link in _LINK.finditer((ROOT / path).read_text("utf-8"))}
            more = {one for one in links if not one.startswith("docs/") and (ROOT / one).is_file()} - known - {HOME}
            waiting += sorted(more)
            known |= more
    return sorted(one for one in waiting if not one.startswith("docs/"))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Each link of the page as one from its place in the site."""
    outside = f"docs/{page.file.src_uri}" if (ROOT / "docs" / page.file.src_uri).is_file() else page.file.src_uri

    def moved(link: re.Match[str]) -> str:
        target = link["target"]
        if "://" in target or target.startswith("mailto:"):
            return link[0]
        to = _in_site(_of_checkout(outside, target))
        start = posixpath.dirname(page.file.src_uri) or "."
        return f"{link['before']}{posixpath.relpath(to, start)}{link['anchor'] or ''})"

    return _LINK.sub(moved, markdown)


def _of_checkout(page: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), target))


def _in_site(path: str) -> str:
    """A path of the checkout as one of the site's sources."""
    return "index.md" if path == HOME else path.removeprefix("docs/")
