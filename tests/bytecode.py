"""What Python compiles of the packages in one environment of tox, it does not compile again in the others.

They are the same files in each, with the same times, by which Python knows what it has compiled. Where they are not, it
compiles them itself.
"""

import os
from contextlib import suppress
from pathlib import Path

CACHE, OURS = "__pycache__", "packhorse"


def give(site: Path, work: Path) -> None:
    """Keep what is compiled in an environment's folder of packages; not of ours, which are built each time."""
    for folder in site.rglob(CACHE):
        part = folder.relative_to(site)
        if not part.parts[0].startswith(OURS):
            _link(folder, _kept(work) / part)


def take(site: Path, work: Path) -> None:
    """Put what is kept beside the packages that are installed there."""
    for folder in _kept(work).rglob(CACHE):
        there = site / folder.relative_to(_kept(work))
        if there.parent.is_dir():
            _link(folder, there)


def _kept(work: Path) -> Path:
    return work / ".bytecode"


def _link(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for file in source.iterdir():
        with suppress(OSError):  # it is there already, or this file system has no links
            os.link(file, target / file.name)
