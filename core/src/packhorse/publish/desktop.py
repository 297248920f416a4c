"""The entries of Claude Desktop's configuration file that start packhorse.

The app reads ``claude_desktop_config.json`` when it starts, and runs each
entry of its ``mcpServers`` as a program that speaks MCP on stdio. The file
belongs to the person and the app: everything outside our entries survives
byte for byte (see `jsontext`), a copy is kept of what held more than our entries
(see `rewrite`), and a file that cannot be edited safely is refused and left alone.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path, PurePath
from typing import Any, Literal, TypeVar

from packhorse.errors import UserError
from packhorse.publish import jsontext, rewrite
from packhorse.publish.listed import check_ours, elsewhere, is_ours, is_ours_alone, meant, replaced
from packhorse.publish.wanted import AnyEntry, Entry, same_kind, url_of

Installation = Literal["macos", "windows", "windows-msix", "linux", "chosen"]
Change = Literal["added", "updated", "unchanged", "removed", "absent"]
AnyPath = TypeVar("AnyPath", bound=PurePath)

FILE_NAME = "claude_desktop_config.json"
_SERVERS = "mcpServers"

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Location:
    """A configuration file that an installation of Claude Desktop reads."""

    installation: Installation
    path: PurePath


def locations(
    platform: str,
    env: Mapping[str, str],
    home: AnyPath,
    names_in: Callable[[AnyPath], Collection[str] | None],
) -> tuple[Location, ...]:
    """Every file that an installed Claude Desktop reads; where it would be, when none is installed.

    ``platform`` is spelt as `sys.platform`; ``names_in`` gives the names in a
    folder, or None when there is no such folder.

    Sources: macOS and classic Windows from the protocol's guide for users
    ("Connect to local MCP servers"); the MSIX package, which reads a redirected
    copy of the roaming folder and silently ignores the classic one, from
    anthropics/claude-code issue 26073; ``XDG_CONFIG_HOME`` from the XDG Base
    Directory Specification 0.8, which voids relative paths.
    """

    def folder(variable: str, *default: str) -> AnyPath:
        given = type(home)(env.get(variable, ""))
        return given if given.is_absolute() else home.joinpath(*default)

    if platform == "darwin":
        return (Location("macos", home / "Library" / "Application Support" / "Claude" / FILE_NAME),)
    if platform != "win32":
        return (Location("linux", folder("XDG_CONFIG_HOME", ".config") / "Claude" / FILE_NAME),)
    classic = folder("APPDATA", "AppData", "Roaming") / "Claude"
    packages = folder("LOCALAPPDATA", "AppData", "Local") / "Packages"
    found = [
        Location("windows-msix", packages / name / "LocalCache" / "Roaming" / "Claude" / FILE_NAME)
        for name in sorted(names_in(packages) or ())
        if name.lower().startswith("claude_")
    ]
    if not found or names_in(classic) is not None:
        found.append(Location("windows", classic / FILE_NAME))
    return tuple(found)


def names_in(folder: Path) -> Collection[str] | None:
    """The names in a folder of this machine, or None when there is no such folder (or no right to look)."""
    try:
        return [child.name for child in folder.iterdir()]
    except OSError:
        return None


@dataclass(frozen=True, slots=True)
class Edit:
    """What would become of one file. ``before`` is None where there is no file, ``after`` likewise.

    ``notes`` are for the person. ``copied``: the file holds more than our entries, so a copy of it is kept.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    changes: Mapping[str, Change]
    notes: tuple[str, ...] = ()
    copied: bool = field(default=True, compare=False)

    @property
    def changed(self) -> bool:
        return self.before != self.after


def plan_install(
    path: Path,
    wanted: Iterable[AnyEntry],
    *,
    servers: str = _SERVERS,
    member: Callable[[Any], dict[str, Any]] = Entry.as_json,
) -> Edit:
    """The file with these entries in its object ``servers``, each as ``member`` has it. Reads it, and writes nothing.

    Of an entry that is there, command and arguments are replaced; variables
    and keys that somebody added are kept. One that was a program and becomes
    an address is written whole.

    Raises:
        UserError: the file cannot be read or edited safely, or holds another server under one of the names.
    """
    before = rewrite.read(path)
    text = _text_of(path, before)
    text = text if text.strip() else f'{{\n  "{servers}": {{}}\n}}\n'
    changes: dict[str, Change] = {}
    notes: list[str] = []
    with _naming(path):
        copied = not is_ours_alone(jsontext.read(text, ()), servers)
        for entry in wanted:
            at = (servers, entry.name)
            was = text
            if jsontext.find(text, at) is None:
                text = jsontext.put(text, at, member(entry))
                changes[entry.name] = "added"
                continue
            old = jsontext.read(text, at)
            check_ours(path, entry.name, old, url_of(entry))
            made = member(entry.after(old) if isinstance(entry, Entry) else entry)
            notes += replaced(entry.name, old, made)
            if not same_kind(old, entry):
                text = jsontext.put(text, at, made)
            for key, value in made.items():
                if key == "env" and jsontext.find(text, (*at, key)) is not None:
                    for name, setting in value.items():
                        text = jsontext.put(text, (*at, key, name), setting)
                else:
                    text = jsontext.put(text, (*at, key), value)
            changes[entry.name] = "unchanged" if text == was else "updated"
    return Edit(path, before, _encoded(before, text), changes, tuple(notes), copied)


def plan_remove(path: Path, names: Sequence[str] = (), *, servers: str = _SERVERS, url: str | None = None) -> Edit:
    """The file without these entries, by name or by what they serve, as `meant`. Writes nothing.

    Where none is named: without those of the server at ``url``, or without any that starts packhorse. A file that
    held nothing else is deleted, unless a link leads to it.

    Raises:
        UserError: as `plan_install`.
    """
    before = rewrite.read(path)
    text = _text_of(path, before)
    if not text.strip():
        return Edit(path, before, before, dict.fromkeys(names, "absent"))
    changes: dict[str, Change] = {}
    with _naming(path):
        jsontext.find(text, (servers, ""))  # refuses a second object of that name, or one that is none
        whole = jsontext.read(text, ())
        listed = whole.get(servers) or {}
        for name in dict.fromkeys(meant(listed, names) or [name for name, one in listed.items() if is_ours(one, url)]):
            if name in listed:
                check_ours(path, name, listed[name], url)
            changes[name] = "removed" if name in listed else "absent"
            text = jsontext.drop(text, (servers, name))
        empty = jsontext.read(text, ()) == {servers: {}} != whole and not path.is_symlink()
    notes = tuple(elsewhere(listed, [name for name, became in changes.items() if became == "absent"]))
    return Edit(
        path,
        before,
        None if empty else _encoded(before, text),
        changes,
        notes,
        copied=not is_ours_alone(whole, servers, url),
    )


def apply(edits: Iterable[Edit], now: datetime) -> list[Path | None]:
    """Write each edit that changes something, and give the backups taken (None where there was no need).

    Raises:
        UserError: a file could not be written, or has changed since it was read.
            It is as it was; the files changed before it are named.
    """
    backups: list[Path | None] = []
    done: list[Path] = []
    for edit in edits:
        try:
            write = partial(rewrite.replace, edit.path, edit.before, edit.after, now, copied=edit.copied)
            backups.append(write() if edit.changed else None)
        except UserError as exc:
            already = f" Already changed: {_listed(map(str, done))}." if done else ""
            raise UserError(exc.message + already, code=exc.code) from exc
        if edit.changed:
            done.append(edit.path)
    return backups


def _text_of(path: Path, raw: bytes | None) -> str:
    try:
        return (raw or b"").decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        valid = exc.object[: exc.start].decode("utf-8")
        fault = jsontext.JsonError(valid, len(valid), "the text is not UTF-8; save it as UTF-8.")
        raise _unfit(path, fault) from exc


def _encoded(before: bytes | None, text: str) -> bytes:
    try:
        return (_BOM if (before or b"").startswith(_BOM) else b"") + text.encode("utf-8")
    except UnicodeEncodeError as exc:
        raise UserError(
            "A path or the value of a variable contains bytes that are not valid text (UTF-8), and JSON cannot store"
            " such bytes.",
            code="DESKTOP_TEXT",
        ) from exc


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Turns a fault in the text into a refusal that names the file."""
    try:
        yield
    except jsontext.JsonError as fault:
        raise _unfit(path, fault) from fault


def _unfit(path: Path, fault: jsontext.JsonError) -> UserError:
    return UserError(
        f"{path}, line {fault.line}, column {fault.column}: {fault.problem} Nothing was changed. Correct the file, or "
        "move it away, and run this again.",
        code="DESKTOP_CONFIG_INVALID",
        details={"path": str(path), "line": fault.line, "column": fault.column},
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
