"""A pack's README for a person in a desktop app: what the pack does and what it does not, without a checkout around.

Kept are the introduction, which ends at the first second-level heading, and a
section on limits. Code blocks, which are for a terminal, are left out, and a
link that leads into the checkout leaves its words.
"""

import re

_FENCED = re.compile(r"^(```|~~~).*?^\1[ \t]*$\n?", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?<=\n\n)(?: {4}\S.*\n)+\n?")
_IMAGE = re.compile(r"!\[[^\]]*\]\((?!https?://)[^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?://|mailto:|#)[^)]*\)")
_LIMITS = re.compile(r"^(what (it|this pack) does not|limits|limitations|not)\b", re.IGNORECASE)


def for_desktop(readme: str) -> str:
    """The parts of a Markdown text that somebody who only has the bundle can use."""
    text = _INDENTED.sub("", _FENCED.sub("", f"{readme.strip()}\n"))
    text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    introduction, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    kept = [introduction, *(f"## {section}" for section in sections if _LIMITS.match(section))]
    return re.sub(r"\n{3,}", "\n\n", "".join(kept)).strip()
