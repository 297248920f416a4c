"""Skills: instructions that teach an assistant to do a pack's work, in folders that the pack ships.

The format is that of Agent Skills (agentskills.io): ``skills/<name>/SKILL.md``
begins with YAML that has at least ``name`` and ``description``, and may refer
to files beside it. Everything is read once, at the start, so that what is
served is what was digested.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from packhorse.contract.offers import Resource
from packhorse.errors import PackError
from packhorse.present.frontmatter import frontmatter
from packhorse.schema.disguised import unseen_in

ENTRY = "SKILL.md"
"""The file that makes a folder a skill."""

MAX_FILES = 512
"""Of one skill; what every client must take (SEP-2640, "Limits")."""

MAX_BYTES = 16 * 1024 * 1024
"""Of one skill, all files together (as above)."""

MAX_FILE_BYTES = 512 * 1024
"""Of one file, so that it is readable under the host's own limit for answers, also when it goes as base64."""

MAX_DESCRIPTION = 1024
"""Characters (Agent Skills, "description")."""

TTL_SECONDS = 60.0
"""How long a client may keep what it read: it changes only with a restart."""

# 1 to 64 lower-case letters, digits and single hyphens (Agent Skills, "name").
_NAME = re.compile(r"(?!.*--)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
_SEGMENT = re.compile(r"[A-Za-z0-9._~-]+")  # the unreserved characters of RFC 3986, section 2.3
_RESERVED = "io.modelcontextprotocol/"
_KINDS = {
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".json": "application/json",
    ".csv": "text/csv",
    ".html": "text/html",
    ".py": "text/x-python",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".pdf": "application/pdf",
}
"""The host's own table: Python's reads files of the machine, and differs from one to the next."""


@dataclass(frozen=True)
class SkillFile:
    """One file of a skill, as it is served."""

    uri: str
    content: bytes

    @property
    def name(self) -> str:
        return self.uri.rpartition("/")[2]

    @property
    def text(self) -> str | None:
        try:
            return self.content.decode("utf-8")
        except UnicodeDecodeError:
            return None

    @property
    def mime_type(self) -> str:
        other = "text/plain" if self.text is not None else "application/octet-stream"
        return _KINDS.get(PurePosixPath(self.name).suffix.lower(), other)

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """By what a client knows that it read what was meant."""
        digest = hashlib.sha256(self.content).hexdigest()
        return {"uri": self.uri, "digest": f"sha256:{digest}", "size": len(self.content)}


@dataclass(frozen=True)
class Skill:
    """One skill. ``files`` are all of its folder, its SKILL.md first."""

    pack: str
    frontmatter: Mapping[str, Any]
    files: tuple[SkillFile, ...]

    @property
    def uri(self) -> str:
        return self.files[0].uri

    @property
    def name(self) -> str:
        return str(self.frontmatter["name"])

    def entry(self) -> dict[str, Any]:
        """The skill as lists show it (SEP-2640, "Skill Entries")."""
        return {
            "uri": self.uri,
            "frontmatter": dict(self.frontmatter),
            "resources": [file.manifest for file in self.files],
        }

    def offers(self) -> Iterator[Resource]:
        """Its files, to be read as any resource is."""
        for file in self.files:
            is_entry = file.uri == self.uri
            yield Resource(
                uri=file.uri,
                fn=_reader(file),
                name=self.name if is_entry else file.name,
                description=str(self.frontmatter["description"]) if is_entry else f"A file of the skill {self.name}.",
                mime_type=file.mime_type,
                ttl=TTL_SECONDS,
            )


def folder_of(module: Any, name: str) -> Path | None:
    """The folder ``name`` of the package that a pack's module is in; None for a module that is in none."""
    file, package = getattr(module, "__file__", None), getattr(module, "__package__", None)
    return Path(file).parent / name if name and file and package else None


def read_skills(pack: str, folder: Path | None, renamed: Mapping[str, str]) -> list[Skill]:
    """The skills below a pack's folder by their paths, an outer one before those inside; none without a folder.

    ``renamed`` are tools and prompts that the deployer serves under other
    names: a skill names them as they are served.

    Raises:
        PackError: a folder that is no skill, or a SKILL.md that does not keep to the format.
    """
    if folder is None or not folder.is_dir():
        return []
    contents: dict[PurePosixPath, bytes] = {}
    for file in sorted(_files(folder)):
        relative = PurePosixPath(file.relative_to(folder).as_posix())
        if len(relative.parts) == 1:
            continue  # beside the skills, not of one
        _check_path(pack, relative)
        contents[relative] = _served(file.read_bytes(), relative, renamed)
    roots = sorted(path.parent for path in contents if path.name == ENTRY)
    for path in contents:
        if not any(root in path.parents for root in roots):
            raise PackError(
                f"skills/{path} does not belong to a skill: add a {ENTRY} to skills/{path.parts[0]}, or remove"
                ' that folder. If the folder skills/ is not for skills, set another with Pack(skills="...")'
            )
    return [_skill(pack, root, contents) for root in roots]


def directories(skills: Iterable[Skill]) -> Mapping[str, Mapping[str, SkillFile | None]]:
    """By the URI of each folder, what is directly in it: files, and (None) further folders."""
    found: dict[str, dict[str, SkillFile | None]] = {}
    for skill in skills:
        for file in skill.files:
            child: SkillFile | None = file
            uri = file.uri
            while "/" in uri.partition("://")[2]:
                above = uri.rpartition("/")[0]
                found.setdefault(above, {})[uri] = child
                uri, child = above, None
    return {uri: dict(sorted(children.items())) for uri, children in sorted(found.items())}


def _files(folder: Path) -> Iterator[Path]:
    for where, below, names in os.walk(folder):
        below[:] = [name for name in below if not name.startswith((".", "__"))]
        yield from (Path(where, name) for name in names if not name.startswith("."))


def _check_path(pack: str, path: PurePosixPath) -> None:
    for part in path.parts:
        if not _SEGMENT.fullmatch(part):
            raise PackError(
                f"skills/{path}: the name of a folder or file has letters, digits, '.', '_', '~' and '-' only"
            )


def _served(content: bytes, path: PurePosixPath, renamed: Mapping[str, str]) -> bytes:
    """A file's content, with the names that its tools have here; refused where it is too large or not all seen."""
    if len(content) > MAX_FILE_BYTES:
        raise PackError(f"skills/{path} has {len(content):,} bytes; a file may have at most {MAX_FILE_BYTES:,}")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        if path.name == ENTRY:
            raise PackError(f"skills/{path} is not UTF-8") from None
        return content
    if (character := unseen_in(text.replace("\r\n", "\n"))) is not None:
        raise PackError(f"skills/{path} contains an invisible character, {character}: remove it")
    if path.suffix != ".md" or not renamed:
        return content
    names = "|".join(re.escape(name) for name in sorted(renamed, key=len, reverse=True))
    mention = re.compile(rf'((?<!`)`|"tool": ")({names})(?=[`"(])')
    return mention.sub(lambda found: found[1] + renamed[found[2]], text).encode()


def _skill(pack: str, root: PurePosixPath, contents: Mapping[PurePosixPath, bytes]) -> Skill:
    where = f"skills/{root}/{ENTRY}"
    inside = [path for path in contents if root in path.parents]
    inside.sort(key=lambda path: (path != root / ENTRY, path))
    total = sum(len(contents[path]) for path in inside)
    if len(inside) > MAX_FILES or total > MAX_BYTES:
        raise PackError(
            f"skills/{root} has {len(inside)} files with {total:,} bytes in total; a skill may have at most {MAX_FILES}"
            f" files and {MAX_BYTES:,} bytes in total"
        )
    try:
        fields = frontmatter(contents[root / ENTRY].decode("utf-8"))
    except ValueError as exc:
        raise PackError(f"{where}: {exc}") from exc
    _check_fields(where, root.name, fields)
    files = tuple(SkillFile(f"skill://{pack}/{path}", contents[path]) for path in inside)
    return Skill(pack, fields, files)


def _check_fields(where: str, folder: str, fields: Mapping[str, Any]) -> None:
    name, description = fields.get("name"), fields.get("description")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise PackError(f"{where}: give it a name of 1 to 64 lower-case letters, digits and single hyphens")
    if name != folder:
        raise PackError(f"{where}: its name is {name!r}, but its folder is {folder!r}; they must be the same")
    if not isinstance(description, str) or not 1 <= len(description.strip()) <= MAX_DESCRIPTION:
        raise PackError(
            f"{where}: give it a description of at most {MAX_DESCRIPTION} characters that says what"
            " the skill is for and when to use it"
        )
    metadata = fields.get("metadata")
    for key in metadata if isinstance(metadata, Mapping) else ():
        if str(key).startswith(_RESERVED):
            raise PackError(
                f"{where}: the metadata key {key!r} is not allowed, because names that begin with "
                f"{_RESERVED} are reserved for the protocol: rename it"
            )


def _reader(file: SkillFile) -> Any:
    content = file.content if file.text is None else file.text

    async def read() -> str | bytes:
        return content

    return read
