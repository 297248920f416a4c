"""The entries that a person wants on a client's list: which servers they start, and with what."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from packhorse.errors import PackError, UserError
from packhorse.publish.listed import serves

RELOAD = "--reload"

COMPOSED = "packhorse"
"""The entry that serves several packs together."""

# The app puts the name into the name of a log file, so slashes, colons and the like are out.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,63}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SECRET = re.compile(r"(?:^|_)(?:TOKEN|SECRET|KEY|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entry:
    """One server for the client to start. ``env`` is added to what the entry in the file has.

    With ``keeps_reload`` an entry of the same packs goes on starting again when their files change.
    """

    name: str
    command: str
    args: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    keeps_reload: bool = False

    def as_json(self) -> dict[str, Any]:
        return {"command": self.command, "args": list(self.args)} | ({"env": dict(self.env)} if self.env else {})

    def after(self, old: Mapping[str, Any]) -> "Entry":
        packs = serves(self.as_json())
        if not self.keeps_reload or RELOAD in self.args or RELOAD not in (old.get("args") or ()):
            return self
        if serves(old) != packs:
            return self
        end = self.args.index("serve") + 1 + len(packs)
        return replace(self, args=(*self.args[:end], RELOAD, *self.args[end:]))


@dataclass(frozen=True, slots=True)
class Remote:
    """A server that runs already; the client finds the token in ``token_variable`` of its environment."""

    name: str
    url: str
    token_variable: str | None = None


AnyEntry = Entry | Remote


def remote(url: str, *, name: str | None = None, token_variable: str | None = None) -> Remote:
    """An entry for the server at ``url``, called `COMPOSED` or as ``name`` says.

    Raises:
        UserError: no such address, name or variable.
    """
    from packhorse.settings.security import is_server_url  # reading a file needs no model

    if "@" in url or "#" in url:
        raise UserError(
            "The URL of a server must have no user name, password or '#' in it. A token goes into an environment"
            " variable (see --token-env).",
            code="CLIENT_URL",
        )
    if not is_server_url(url):
        raise UserError(
            f"{url!r} is not the URL of a server. Write it like https://packs.example.org/mcp.", code="CLIENT_URL"
        )
    _check_name(name)
    if token_variable is not None and not _VARIABLE.fullmatch(token_variable):
        raise UserError(
            "--token-env takes the name of an environment variable (letters, digits and '_', and no digit first), not"
            " the token itself.",
            code="DESKTOP_ENV",
        )
    return Remote(name or COMPOSED, url, token_variable)


def entries(
    packs: Sequence[str],
    *,
    installed: Collection[str],
    interpreter: str,
    one_entry: str | None = None,
    separate: bool = False,
    reload: bool | None = None,
    config: str | None = None,
    env: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
) -> tuple[Entry, ...]:
    """One entry: of the pack where one is named, else one called `COMPOSED` that serves all of ``packs`` together.

    With ``separate`` each pack has an entry of its own. Without packs the entry
    serves whatever its settings file names, else everything installed at the
    time it starts. ``reload`` None keeps what an entry in the file has. ``files``
    gives the absolute paths of packs that are files.
    ``interpreter`` and ``config`` must be absolute: the app starts programs
    from a folder and with a search path of its own.

    Raises:
        PackError: a pack is not installed, or none is.
        UserError: the entry's name would not do.
    """
    files = files or {}
    if not installed and not files:
        raise PackError("No packs are installed. Install one first, such as packhorse-circadian, and run this again.")
    if unknown := [pack for pack in packs if pack not in installed and pack not in files]:
        raise PackError(
            f"These packs are not installed in {interpreter}: {', '.join(unknown)}. Installed:"
            f" {', '.join(sorted(installed))}."
        )
    _check_name(one_entry)
    chosen = list(dict.fromkeys(packs))
    if separate and one_entry is None:
        servers = {pack: [pack] for pack in chosen or sorted(installed)}
    else:
        servers = {one_entry or (chosen[0] if len(chosen) == 1 else COMPOSED): chosen}
    tail = (*((RELOAD,) if reload else ()), *(("--config", config) if config else ()))
    return tuple(
        # -P: whatever lies in the folder that the app is started from must not pass for a module.
        Entry(
            name,
            interpreter,
            ("-P", "-m", "packhorse", "serve", *(files.get(pack, pack) for pack in served), *tail),
            dict(env or {}),
            keeps_reload=reload is None,
        )
        for name, served in servers.items()
    )


def _check_name(name: str | None) -> None:
    if name is not None and not _NAME.fullmatch(name):
        raise UserError(
            "The name of an entry is 1 to 64 letters, digits, spaces, '_', '.' and '-', and begins with a letter or "
            "digit. Choose another with --one-entry NAME.",
            code="DESKTOP_NAME",
        )


def env_from(pairs: Iterable[str]) -> dict[str, str]:
    """Variables from ``NAME=VALUE`` pairs; a refusal never repeats a value, which may be a secret."""
    env: dict[str, str] = {}
    for number, pair in enumerate(pairs, start=1):
        name, equals, value = pair.partition("=")
        if not equals or not _VARIABLE.fullmatch(name) or "\0" in value:
            raise UserError(
                f"The --env option at position {number} does not have the form NAME=VALUE. NAME may have letters,"
                " digits and '_', and must not begin with a digit.",
                code="DESKTOP_ENV",
            )
        env[name] = value
    return env


def secrets_in(env: Iterable[str]) -> list[str]:
    """Those of the variables' names that look like a secret's: ``..._TOKEN``, ``..._KEY`` and their kin."""
    return [name for name in env if _SECRET.search(name)]
