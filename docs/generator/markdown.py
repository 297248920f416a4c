"""Markdown: pages, tables, docstrings."""

import inspect
import re
from collections.abc import Iterable, Sequence

_NOTE = "<!-- Written by docs/generate.py from the code. Change the code, then run it again. -->"


def page(title: str, *parts: str) -> str:
    """A whole page."""
    return "\n\n".join([_NOTE, f"# {title}", *(part.strip("\n") for part in parts if part)]) + "\n"


def prose(doc: str | None) -> str:
    """A docstring; what it says to raise becomes a list."""
    text = inspect.cleandoc(doc or "").replace("``", "`")
    body, _, raises = text.partition("\nRaises:\n")
    listed = re.findall(r"^    (\w+): (.*(?:\n     .*)*)", raises, re.MULTILINE)
    items = [f"- raises `{name}`: {' '.join(words.split())}" for name, words in listed]
    return body.strip() + ("\n\n" + "\n".join(items) if items else "")


def code(text: str, label: str = "text") -> str:
    """A fenced block."""
    return f"```{label}\n{text}\n```"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; nothing without rows."""
    cells = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    lines = [head, ["---"] * len(head), *cells]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) if cells else ""
