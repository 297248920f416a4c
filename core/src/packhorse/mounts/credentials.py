"""Callers' own credentials at mounted servers: each caller's for each mount, sealed on this machine."""

import json
import secrets
from contextlib import suppress
from pathlib import Path

from packhorse.contract.clock import system_clock
from packhorse.contract.principal import Principal
from packhorse.errors import PackError
from packhorse.mounts.accepted import write
from packhorse.settings import Settings
from packhorse.store.permissions import private_file, private_folder
from packhorse.store.sealing import Seal

THIS_MACHINE = "local"
"""Whose is the deployer's own, without authentication."""


def owner_of(principal: Principal) -> str | None:
    """Whose credential a caller uses: their own, and an agent its starter's; None for a caller without a subject."""
    if principal.holds_every_role:
        return THIS_MACHINE
    if principal.subject is None or principal.kind in ("anonymous", "pack"):
        return None
    return known_as(principal.subject, str(principal.claims.get("iss", "")))


def known_as(subject: str, issuer: str) -> str:
    """A signed-in caller, as credentials are kept by."""
    return json.dumps([issuer, subject])


class Credentials:
    """The credentials of one mount, in one file that is read again whenever it has changed.

    They are sealed under a key made from ``secret``, or, where there is none,
    from a random one in a file beside: that keeps them out of copies of the one
    file, and from nobody who can read the folder.
    """

    def __init__(self, folder: Path, mount: str, secret: str | None) -> None:
        self._folder, self._mount, self._secret = folder, mount, secret
        self._file = folder / f"{mount}.credentials"
        self._read: tuple[tuple[int, int], dict[str, str]] = ((0, 0), {})

    def of(self, owner: str) -> str | None:
        """A caller's credential; None where there is none, or none that opens with today's key."""
        sealed = self._sealed().get(owner)
        opened = self._seal().open(self._purpose(owner), sealed) if sealed is not None else None
        return None if opened is None else str(opened["credential"])

    def keep(self, owner: str, credential: str) -> None:
        sealed = self._seal().close(self._purpose(owner), {"credential": credential})
        self._write({**self._sealed(), owner: sealed})

    def forget(self, owner: str) -> None:
        """Forget a caller's credential.

        Raises:
            PackError: there is none.
        """
        kept = dict(self._sealed())
        if kept.pop(owner, None) is None:
            raise PackError(f"nobody of this name is connected to {self._mount}")
        self._write(kept)

    def _purpose(self, owner: str) -> str:
        return f"credential of {json.dumps([self._mount, owner])}"

    def _sealed(self) -> dict[str, str]:
        try:
            stat = self._file.stat()
            version = (stat.st_ino, stat.st_mtime_ns)
            if version != self._read[0]:
                self._read = (version, json.loads(self._file.read_text("utf-8")))
        except FileNotFoundError:
            return {}
        except ValueError:
            raise PackError(f"{self._file} cannot be read: remove it, and connect its callers again") from None
        return self._read[1]

    def _write(self, sealed: dict[str, str]) -> None:
        write(self._file, json.dumps(sealed))

    def _seal(self) -> Seal:
        return Seal(self._key() if self._secret is None else self._secret.encode(), system_clock)

    def _key(self) -> bytes:
        file = self._folder / "credentials.key"
        if not file.exists():
            private_folder(self._folder.parent)
            private_folder(self._folder)
            made = private_file(self._folder / f"credentials.key.{secrets.token_hex(8)}")
            made.write_bytes(secrets.token_bytes(32))
            with suppress(FileExistsError):  # of two processes the first decides, and the file is never half written
                file.hardlink_to(made)
            made.unlink()
        return file.read_bytes()


def credentials_of(settings: Settings, mount: str) -> Credentials:
    """Callers' credentials at a mount of a deployment."""
    key = settings.server.state_key
    return Credentials(settings.mounts_path, mount, None if key is None else key.get_secret_value())
