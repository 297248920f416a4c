"""Whose a project is: of who began it and of whom it is shared with; the machine itself and administrators see all.

People choose the names of their projects, and two may choose the same one. A
project's key is its name where that was free, else the name with ``~`` and a
number; everything behind the tools goes by keys.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from attrs import frozen

from packhorse import Principal
from packhorse_discovery.errors import refusal, unknown_project
from packhorse_discovery.service.projects import Projects

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store

ADMINS = frozenset({"ADMIN"})
"""Roles that see every project; the specification names none, so it is the role that sees every job."""


@frozen
class Caller:
    """Who asks: of an agent, whom it works for. ``subject`` is empty for the machine's own and for unknown callers."""

    issuer: str
    subject: str
    kind: str
    sees_all: bool

    @classmethod
    def of(cls, principal: Principal) -> "Caller":
        """The caller of a call."""
        kind = (principal.acts_for or principal).kind
        return cls(str(principal.claims.get("iss", "")), principal.subject or "", kind, principal.has_any(ADMINS))

    @property
    def owner(self) -> str:
        """The caller as a project keeps its owner."""
        return f"{self.issuer}|{self.subject}" if self.subject else self.kind


@frozen
class Owners:
    """Finds a caller's projects by their names."""

    projects: Projects

    def key(self, caller: Caller, name: str, *, to_erase: bool = False) -> str:
        """The key of the project that a caller calls ``name``: an own one first, else a shared one.

        Raises:
            UserError: there is none that this caller may see, or several; or ``to_erase`` one of another's.
        """
        with self.projects.open() as store:
            found = self._found(store, caller, name)
            if found is None:
                raise unknown_project(name, to_erase=to_erase)
            if to_erase and not _rules(caller, found):
                raise refusal("NOT_THE_OWNER", "project_id", "is shared with you: only its owner can erase it")
            return str(found["id"])

    def begin(self, caller: Caller, name: str) -> tuple[str, str]:
        """The key to resume or to open a project under, and the owner it then has."""
        with self.projects.open() as store:
            found = self._found(store, caller, name)
            if found is not None:
                return str(found["id"]), str(found["owner"])
            if "~" in name:
                raise refusal(
                    "PROJECT_UNKNOWN",
                    "project_id",
                    "names no project, and a new project's id must not contain ~: choose another id",
                )
            taken = {row["id"] for row in store.query("SELECT id FROM project WHERE name = :n OR id = :n", n=name)}
            numbered = (f"{name}~{number}" for number in range(2, len(taken) + 3))
            return next(key for key in (name, *numbered) if key not in taken), caller.owner

    def share(self, caller: Caller, key: str, subjects: Collection[str]) -> None:
        """Let exactly these people, by the subject of their token, work on a project besides its owner."""
        with self.projects.open() as store:
            if not _rules(caller, self.projects.project(store, key)):
                raise refusal("NOT_THE_OWNER", "share_with", "can be changed only by the project's owner")
            store.execute("DELETE FROM share WHERE project = :p", p=key)
            for subject in sorted(set(subjects)):
                store.execute("INSERT INTO share VALUES (:p, :s)", p=key, s=subject)

    def _found(self, store: "Store", caller: Caller, name: str) -> dict[str, Any] | None:
        rows = store.query("SELECT * FROM project WHERE name = :n OR id = :n ORDER BY started, id", n=name)
        own = [row for row in rows if row["owner"] == caller.owner and row["name"] == name]
        seen = own or [row for row in rows if _rules(caller, row) or self._shared(store, caller, row)]
        if len(seen) > 1:
            raise refusal(
                "PROJECT_AMBIGUOUS", "project_id",
                f"is the name of several projects: give an id, {', '.join(row['id'] for row in seen[:10])}",
            )  # fmt: skip
        return seen[0] if seen else None

    def _shared(self, store: "Store", caller: Caller, row: dict[str, Any]) -> bool:
        """Whether a project is shared with the caller; names are those of the owner's own issuer."""
        issuer, known, _ = row["owner"].partition("|")
        if not caller.subject or (known and issuer != caller.issuer):
            return False
        sql = "SELECT 1 FROM share WHERE project = :p AND subject = :s"
        return bool(store.query(sql, p=row["id"], s=caller.subject))


def _rules(caller: Caller, row: dict[str, Any]) -> bool:
    return caller.sees_all or row["owner"] == caller.owner
