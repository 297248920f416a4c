"""The page of results, of which each benchmark writes its own sections."""

import re

_HEADING = re.compile(r"^(?=## )", re.MULTILINE)


def replaced(page: str, written: str) -> str:
    """``page`` with ``written`` in place of what stands before its first section and of the sections of the same names.

    Sections of other names follow, in their order and as they stand.
    """
    own = {section.partition("\n")[0] for section in _HEADING.split(written)[1:]}
    others = [section for section in _HEADING.split(page)[1:] if section.partition("\n")[0] not in own]
    return "\n".join(part.rstrip("\n") + "\n" for part in (written, *others))
