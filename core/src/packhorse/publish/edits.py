"""Edits of a client's list of servers: entries that start packhorse, or are of a server that runs already.

The file belongs to the person and the client: everything outside our entries
survives byte for byte (see `jsontext` and `tomltext`), a copy is kept of what
held more than our entries (see `rewrite`), and a file that cannot be edited
safely is refused and left alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from packhorse.errors import UserError
from packhorse.publish import jsontext, rewrite, tomltext
from packhorse.publish.listed import check_ours, elsewhere, is_ours, is_ours_alone, meant, replaced
from packhorse.publish.wanted import AnyEntry, Entry

Change = Literal["added", "updated", "unchanged", "removed", "absent"]

_BOM = b"\xef\xbb\xbf"


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
    path: Path, wanted: Iterable[AnyEntry], *, servers: str, member: Callable[[Any], dict[str, Any]]
) -> Edit:
    """The file with these entries in its table ``servers``, each as ``member`` has it. Reads it, and writes nothing.

    Of an entry that is there, command and arguments are replaced; variables
    and keys that somebody added are kept. One that was a program and becomes
    an address is written whole.

    Raises:
        UserError: the file cannot be read or edited safely, or holds another server under one of the names.
    """
    before = rewrite.read(path)
    text = was = _text_of(path, before)
    form = _format_of(path)
    changes: dict[str, Change] = {}
    notes: list[str] = []
    with _naming(path):
        copied = not is_ours_alone(form.read(text), servers)
        for entry in wanted:
            listed = form.table(text, servers)
            old = listed.get(entry.name)
            url = None if isinstance(entry, Entry) else entry.url
            if entry.name in listed:
                check_ours(path, entry.name, old, url)
            made = member(entry.after(old or {}) if isinstance(entry, Entry) else entry)
            notes += replaced(entry.name, old or {}, made)
            new = _merged(old, made) if old is not None and ("command" in old) is (url is None) else made
            changes[entry.name] = "added" if old is None else "unchanged" if new == old else "updated"
            text = form.put(text, (servers, entry.name), new)
    return Edit(path, before, before if text == was else _encoded(before, text), changes, tuple(notes), copied)


def plan_remove(path: Path, names: Sequence[str] = (), *, servers: str, url: str | None = None) -> Edit:
    """The file without these entries, by name or by what they serve, as `meant`. Writes nothing.

    Where none is named: without those of the server at ``url``, or without any that starts packhorse. A file that
    held nothing else is deleted, unless a link leads to it.

    Raises:
        UserError: as `plan_install`.
    """
    before = rewrite.read(path)
    text = was = _text_of(path, before)
    form = _format_of(path)
    changes: dict[str, Change] = {}
    with _naming(path):
        whole, listed = form.read(text), form.table(text, servers)
        for name in dict.fromkeys(meant(listed, names) or [name for name, one in listed.items() if is_ours(one, url)]):
            if name in listed:
                check_ours(path, name, listed[name], url)
            changes[name] = "removed" if name in listed else "absent"
            text = form.drop(text, (servers, name))
        left = form.read(text)
        holds_more = left.keys() - {servers} or left.get(servers) or "#" in text  # which begins a comment of TOML
        empty = text != was and not holds_more and not path.is_symlink()
    after = None if empty else before if text == was else _encoded(before, text)
    notes = tuple(elsewhere(listed, [name for name, became in changes.items() if became == "absent"]))
    return Edit(path, before, after, changes, notes, copied=not is_ours_alone(whole, servers, url))


def apply(edits: Iterable[Edit], now: datetime) -> list[Path | None]:
    """Write each edit that changes something, and give the backups taken (None where there was no need).

    Raises:
        UserError: a file could not be written, or has changed since it was read.
            It is as it was; the files changed before it are named.
    """
    backups: list[Path | None] = []
    done: list[str] = []
    for edit in edits:
        if not edit.changed:
            backups.append(None)
            continue
        try:
            backups.append(rewrite.replace(edit.path, edit.before, edit.after, now, copied=edit.copied))
        except UserError as exc:
            already = f" Already changed: {', '.join(done)}." if done else ""
            raise UserError(exc.message + already, code=exc.code) from exc
        done.append(str(edit.path))
    return backups


def _format_of(path: Path) -> Any:
    return tomltext if path.suffix == ".toml" else jsontext


def _merged(old: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    kept = old.get("env")
    env = {**(kept if isinstance(kept, Mapping) else {}), **made.get("env", {})}
    return {**old, **made, **({"env": env} if env else {})}


def _text_of(path: Path, content: bytes | None) -> str:
    try:
        text = (content or b"").decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise _unfit(path, f"byte {exc.start + 1} is not UTF-8; save the file as UTF-8.") from exc
    return text if text.strip() else str(_format_of(path).EMPTY)


def _encoded(before: bytes | None, text: str) -> bytes:
    try:
        return (_BOM if (before or b"").startswith(_BOM) else b"") + text.encode("utf-8")
    except UnicodeEncodeError as exc:
        raise UserError(
            "A path or the value of a variable contains bytes that are not valid text (UTF-8), and a configuration"
            " file cannot store such bytes.",
            code="DESKTOP_TEXT",
        ) from exc


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Turns a fault in the text into a refusal that names the file."""
    try:
        yield
    except (jsontext.JsonError, tomltext.TomlError) as fault:
        raise _unfit(path, str(fault)) from fault


def _unfit(path: Path, fault: str) -> UserError:
    return UserError(
        f"{path}: {fault} Nothing was changed. Correct the file, or move it away, and run this again.",
        code="DESKTOP_CONFIG_INVALID",
        details={"path": str(path)},
    )
