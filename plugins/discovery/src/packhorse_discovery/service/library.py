"""Where schemas come from: our own, folders that the deployer names, and distributions that bring some.

A distribution brings schemas by an entry point of the group ``packhorse.eads``
whose value is an importable package (a folder of JSON files will do). The
host's five hooks need not grow for it, and such a distribution is neither a
pack nor imports one. A file that cannot be read is reported and skipped.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from attrs import evolve, frozen

from packhorse_discovery.domain.schema import edn, loading
from packhorse_discovery.domain.schema.eads import Eads, slug
from packhorse_discovery.domain.schema.linting import lint

GROUP = "packhorse.eads"


@frozen
class Skipped:
    """A file that is no usable schema, and why."""

    file: str
    reason: str


@frozen
class Library:
    """The schemas that may be pursued, by id in alphabetical order, and what was left out."""

    eads: tuple[Eads, ...]
    skipped: tuple[Skipped, ...] = ()

    def get(self, eads_id: str) -> Eads | None:
        """The schema of that id, of any generation of ids."""
        wanted = loading.migrated_id(eads_id)
        return next((one for one in self.eads if one.id == wanted), None)


@lru_cache(maxsize=8)
def library(search_path: tuple[str, ...] = ()) -> Library:
    """Our own schemas, then those of other distributions, then those of ``search_path``.

    An id that is taken is told apart by where the later document is from, unless that says ``overrides``.
    """
    found: dict[str, Eads] = {}
    skipped: list[Skipped] = []
    for origin, name, text in _documents(search_path):
        try:
            eads = parse(text, name, origin)
        except ValueError as exc:
            skipped.append(Skipped(name, str(exc)))
            continue
        problems = lint(eads) if origin != "library" else ()
        faults = [one.words for one in problems if one.severity == "error"]
        if faults:
            skipped.append(Skipped(name, " ".join(faults)))
        else:
            own = _apart(eads, name, found) if not eads.document.get("overrides") else eads
            found[own.id] = own
    for origin, reason in _broken_points():
        skipped.append(Skipped(origin, reason))
    return Library(tuple(sorted(found.values(), key=lambda one: one.id)), tuple(skipped))


def _apart(eads: Eads, name: str, taken: Mapping[str, Eads]) -> Eads:
    """The schema under an id of its own: ``process/flow-shop.harbour``, by its distribution or by its file."""
    if eads.id not in taken:
        return eads
    stem = name.rpartition("/")[2].rpartition(".")[0]
    source = slug(stem if eads.origin in {"library", "file"} or "/" in eads.origin else eads.origin)
    numbered = (f"{eads.id}.{source}{end}" for end in ("", *(f"-{number}" for number in range(2, 1000))))
    return evolve(eads, id=next(one for one in numbered if one not in taken))


@lru_cache(maxsize=256)
def parse(text: str, name: str, origin: str) -> Eads:
    """The schema in a file's text, JSON or EDN by its name.

    Raises:
        ValueError: it is not one; the message says why.
    """
    stem = name.rpartition("/")[2]
    if stem.endswith(".edn"):
        document = edn.loads(text)
    else:
        try:
            document = json.loads(text)
        except ValueError as exc:
            raise loading.UnreadableError("it is not JSON") from exc
    return loading.load(document, name=stem.rpartition(".")[0].rpartition("__")[2], origin=origin)


def _documents(search_path: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """(origin, file name, text) of every document, in the order in which they are taken."""
    yield from _folder("library", files("packhorse_discovery").joinpath("library"))
    for point in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        if (folder := _package(point.module)) is not None:
            yield from _folder(f"{point.dist.name if point.dist else point.name}", folder)
    for place in search_path:
        path = Path(place)
        if path.is_dir():
            yield from _folder(str(path), path)
        elif path.is_file():
            yield "file", path.name, path.read_text(encoding="utf-8")


def _folder(origin: str, folder: "Traversable | Path") -> Iterator[tuple[str, str, str]]:
    for item in sorted(folder.iterdir(), key=lambda one: one.name):
        if item.is_file() and item.name.endswith((".json", ".edn")):
            yield origin, item.name, item.read_text(encoding="utf-8")


def _package(module: str) -> Traversable | None:
    try:
        folder = files(module)
        return folder if folder.is_dir() else None
    except Exception:
        return None


def _broken_points() -> Iterator[tuple[str, str]]:
    for point in entry_points(group=GROUP):
        if _package(point.module) is None:
            yield point.name, f"the package {point.module} it names cannot be opened"
