"""The wheel of an installed distribution, made again from what is installed.

Nothing is built and nothing fetched: a wheel is an archive of the files that
an installer has put here, with a list of them and their hashes (the binary
distribution format: PEP 427, and PyPA's specification of that name). Of an
editable installation the files are taken from where Python imports them.
"""

import csv
import io
import json
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata, util
from itertools import product
from pathlib import Path, PurePosixPath

from packhorse.errors import PackError

# What an installer writes beside what the wheel brought (PyPA, "Recording installed projects"; the last two are uv's).
_INSTALLERS_OWN = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json", "uv_build.json"}
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # the first instant that a zip can hold; one for all keeps the archive the same
_MODE = 0o100644


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel's file name and its bytes."""

    distribution: str
    version: str
    name: str
    content: bytes

    @property
    def runs_anywhere(self) -> bool:
        """Whether it has no compiled parts."""
        return self.name.endswith("-none-any.whl")


def wheel_of(distribution: metadata.Distribution) -> Wheel:
    """The wheel that would install this distribution again.

    Data files outside the environment's package folder are not part of it.

    Raises:
        PackError: what is installed does not say which files it consists of, or lacks one.
    """
    about = distribution.read_text("WHEEL")
    files = _files(distribution)
    info = next((path.parts[0] for path in files if path.parts[0].endswith(".dist-info")), None)
    if about is None or not files or info is None:
        raise PackError(
            f"{distribution.name} {distribution.version} was not installed from a wheel or a folder by pip or uv, so"
            " its files are not known. Install it again with: pip install --force-reinstall --no-deps"
        )
    try:
        contents = dict(_contents(distribution, info))
    except OSError as exc:
        raise PackError(
            f"{distribution.name} {distribution.version} lacks a file that was installed with it ({exc.filename})."
            " Install it again."
        ) from exc
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    for path, content in sorted(contents.items()):
        rows.writerow((path, f"sha256={_digest(content)}", len(content)))
    rows.writerow((f"{info}/RECORD", "", ""))
    contents[f"{info}/RECORD"] = record.getvalue().encode()
    name = f"{info.removesuffix('.dist-info')}-{_tag(about)}.whl"
    return Wheel(distribution.name, distribution.version, name, archive(contents))


def archive(contents: Mapping[str, bytes]) -> bytes:
    """A zip of these files, by path: the same bytes for the same files, whenever and wherever it is made."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        for path, content in sorted(contents.items()):
            entry = zipfile.ZipInfo(path, _EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix: what the mode below is written for
            entry.external_attr = _MODE << 16
            out.writestr(entry, content)
    return packed.getvalue()


def _contents(distribution: metadata.Distribution, info: str) -> Iterator[tuple[str, bytes]]:
    editable = _is_editable(distribution)
    for path in _files(distribution):
        ours = path.parts[0] == info
        if ".." in path.parts or path.is_absolute() or _is_compiled(path) or (editable and not ours):
            continue  # scripts are made again from the entry points
        if not (ours and path.parts[1] in _INSTALLERS_OWN):
            yield path.as_posix(), Path(str(distribution.locate_file(path))).read_bytes()
    if editable:
        for name in sorted({point.value.partition(":")[0].split(".")[0] for point in distribution.entry_points}):
            yield from _imported(name, distribution.name)


def _files(distribution: metadata.Distribution) -> list[PurePosixPath]:
    """What was installed. Not `Distribution.files`, which from Python 3.12 on leaves out what is missing now."""
    record = distribution.read_text("RECORD") or ""
    return [PurePosixPath(row[0]) for row in csv.reader(record.splitlines()) if row]


def _imported(name: str, distribution: str) -> Iterator[tuple[str, bytes]]:
    spec = util.find_spec(name)
    if spec is None or spec.origin is None:
        raise PackError(f"{distribution} is installed from its folder, and its module {name} cannot be found there")
    source = Path(spec.origin)
    if spec.submodule_search_locations is None:
        yield source.name, source.read_bytes()
        return
    for file in sorted(source.parent.rglob("*")):
        path = PurePosixPath(name, file.relative_to(source.parent).as_posix())
        if file.is_file() and not _is_compiled(path):
            yield str(path), file.read_bytes()


def _is_editable(distribution: metadata.Distribution) -> bool:
    origin = distribution.read_text("direct_url.json")
    return bool(origin and json.loads(origin).get("dir_info", {}).get("editable"))


def _is_compiled(path: PurePosixPath) -> bool:
    return "__pycache__" in path.parts or path.suffix == ".pyc"


def _tag(about: str) -> str:
    """The last three parts of the wheel's name, from the tags in its WHEEL file (PEP 425's compressed sets)."""
    tags = [line.partition(":")[2].strip() for line in about.splitlines() if line.startswith("Tag:")]
    parts = [list(dict.fromkeys(column)) for column in zip(*(tag.split("-") for tag in tags), strict=True)]
    if {"-".join(tag) for tag in product(*parts)} != set(tags):
        raise PackError(
            f"the tags {', '.join(tags)} do not fit into one file name: build the wheel again for one platform"
        )
    return "-".join(".".join(part) for part in parts)


def _digest(content: bytes) -> str:
    return urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode()
