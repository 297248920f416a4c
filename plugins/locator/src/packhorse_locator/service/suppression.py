"""The list of people whom the deployer keeps out of every answer."""

from __future__ import annotations

from pathlib import Path

from attrs import define, field

from packhorse import UserError
from packhorse_locator.domain.alien_numbers import canonical


@define
class SuppressionList:
    """A text file: on each line a record id or an A-number; ``#`` begins a comment. Read again when it changes."""

    path: Path | None
    _seen: tuple[int, int] | None = None
    _listed: frozenset[str] = field(factory=frozenset)

    def listed(self) -> frozenset[str]:
        """Record ids and A-numbers on the list.

        Raises:
            UserError: the file cannot be read. Nothing is answered without it.
        """
        if self.path is None:
            return frozenset()
        try:
            state = self.path.stat()
            now = (state.st_mtime_ns, state.st_size)
            if now != self._seen:
                self._listed = _read(self.path.read_text(encoding="utf-8-sig"))
                self._seen = now
        except (OSError, UnicodeDecodeError) as exc:
            raise UserError(
                "This server cannot read its list of people who must not be shown, so it does not answer any search."
                " Its operator must repair the file; its path is `suppression_file` under [packs.locator].",
                code="REGISTRY_UNAVAILABLE",
            ) from exc
        return self._listed


def _read(text: str) -> frozenset[str]:
    listed: set[str] = set()
    for line in text.splitlines():
        entry = line.partition("#")[0].strip()
        if entry:
            listed.add(entry)
            number = canonical(entry)
            if number is not None:
                listed.add(number)
    return frozenset(listed)
