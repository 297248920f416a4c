"""What outlives a call: runs and their steps, approvals, facts, escalations, the kill switch."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from attrs import frozen

from packhorse import Host
from packhorse.contract.clock import Clock
from packhorse.store.tickets import TABLE, Tickets

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store  # loads the database library, which most starts do without

MIGRATIONS = (
    """
    CREATE TABLE runs (
        id TEXT PRIMARY KEY, root TEXT NOT NULL, parent TEXT, parent_step INTEGER, agent TEXT NOT NULL,
        chain TEXT NOT NULL, owner TEXT NOT NULL, mission TEXT NOT NULL, context TEXT NOT NULL,
        constraints TEXT NOT NULL, supervised INTEGER NOT NULL, reading INTEGER NOT NULL, spawning INTEGER NOT NULL,
        mind TEXT NOT NULL,
        used TEXT NOT NULL, seconds REAL NOT NULL, status TEXT NOT NULL, log TEXT NOT NULL, policy TEXT NOT NULL,
        started TEXT NOT NULL, ended TEXT
    );
    CREATE INDEX runs_by_parent ON runs (parent, parent_step);
    CREATE TABLE steps (
        run TEXT NOT NULL REFERENCES runs (id), step INTEGER NOT NULL, move TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('begun', 'done')), outcome TEXT, at TEXT NOT NULL,
        PRIMARY KEY (run, step)
    );
    CREATE TABLE approvals (
        id TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES runs (id), agent TEXT NOT NULL, chain TEXT NOT NULL,
        tool TEXT NOT NULL, arguments TEXT NOT NULL, tool_digest TEXT NOT NULL, policy_digest TEXT NOT NULL,
        action_digest TEXT NOT NULL, owner TEXT NOT NULL, requested_at TEXT NOT NULL, expires_at TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'consumed')),
        decided_by TEXT, decided_at TEXT, comment TEXT
    );
    CREATE UNIQUE INDEX approvals_by_action ON approvals (run, action_digest) WHERE state IN ('pending', 'approved');
    CREATE TABLE facts (
        root TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, seen_at TEXT NOT NULL, until TEXT NOT NULL,
        PRIMARY KEY (root, kind, subject)
    );
    CREATE TABLE escalations (
        id TEXT PRIMARY KEY, run TEXT NOT NULL, agent TEXT NOT NULL, target TEXT NOT NULL, event TEXT NOT NULL,
        reason TEXT NOT NULL, at TEXT NOT NULL
    );
    CREATE TABLE switch (name TEXT PRIMARY KEY, set_by TEXT NOT NULL, at TEXT NOT NULL);
    """,
    """
    ALTER TABLE runs ADD COLUMN watch TEXT;
    ALTER TABLE runs ADD COLUMN beat INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN result TEXT;
    """,
    """
    ALTER TABLE runs ADD COLUMN mission_by TEXT NOT NULL DEFAULT 'client';
    ALTER TABLE runs ADD COLUMN task TEXT;
    ALTER TABLE runs ADD COLUMN held_until TEXT;
    ALTER TABLE runs ADD COLUMN seen TEXT;
    ALTER TABLE approvals ADD COLUMN version TEXT NOT NULL DEFAULT '';
    ALTER TABLE approvals ADD COLUMN preview TEXT NOT NULL DEFAULT '';
    ALTER TABLE approvals ADD COLUMN because TEXT NOT NULL DEFAULT '';
    ALTER TABLE approvals ADD COLUMN why TEXT NOT NULL DEFAULT '';
    DROP TABLE facts;
    CREATE TABLE facts (
        root TEXT NOT NULL, kind TEXT NOT NULL, version TEXT NOT NULL, PRIMARY KEY (root, kind, version)
    );
    CREATE TABLE attempts (
        id TEXT PRIMARY KEY, run TEXT NOT NULL, agent TEXT NOT NULL, kind TEXT NOT NULL, tool TEXT NOT NULL,
        arguments TEXT NOT NULL, verdict TEXT NOT NULL, rule TEXT NOT NULL, version TEXT NOT NULL, at TEXT NOT NULL
    );
    CREATE INDEX attempts_by_run ON attempts (run, at);
    CREATE TABLE links (hash TEXT PRIMARY KEY, run TEXT NOT NULL, until TEXT NOT NULL, spent INTEGER NOT NULL);
    """,
    f"DROP TABLE links; {TABLE}",
)

ApprovalState = Literal["pending", "approved", "denied", "consumed", "expired"]


@frozen
class Approval:
    """One call that waits, or waited, for a person. ``state`` is as seen at the moment of reading."""

    id: str
    run: str
    agent: str
    chain: tuple[str, ...]
    tool: str
    arguments: Mapping[str, Any]
    tool_digest: str
    policy_digest: str
    action_digest: str
    owner: str
    requested_at: datetime
    expires_at: datetime
    state: ApprovalState
    version: str = ""
    preview: str = ""
    because: str = ""
    why: str = ""
    decided_by: str | None = None
    decided_at: datetime | None = None
    comment: str | None = None


class Records:
    """The pack's rows. Each method is one transaction on its own connection, so any thread may call it."""

    def __init__(self, host: Host) -> None:
        self._host = host

    # --- runs and steps ---

    def add_run(self, row: Mapping[str, Any]) -> None:
        """Record that a run begins."""
        names = ", ".join(row)
        values = ", ".join(f":{name}" for name in row)
        with self._open() as store:
            store.execute(f"INSERT INTO runs ({names}) VALUES ({values})", **row)  # noqa: S608  # names are ours

    def run(self, run: str) -> dict[str, Any] | None:
        """A run's row."""
        with self._open() as store:
            return next(iter(store.query("SELECT * FROM runs WHERE id = :id", id=run)), None)

    def child(self, parent: str, step: int) -> dict[str, Any] | None:
        """The run that a step of ``parent`` started, where it did."""
        with self._open() as store:
            found = store.query(
                "SELECT * FROM runs WHERE parent = :parent AND parent_step = :step", parent=parent, step=step
            )
            return next(iter(found), None)

    def claim_run(self, run: str, now: datetime, *, seconds: int = 600) -> bool:
        """Take up a run that waits or is open, for so long; False where another has it, or where it has ended.

        One whose holder was killed can be taken up again once its time is over.
        """
        with self._open() as store:
            taken = store.execute(
                "UPDATE runs SET status = 'running', held_until = :until WHERE id = :id AND"
                " (status IN ('awaiting_approval', 'suspended', 'open') OR (status = 'running' AND mind = 'client'"
                " AND held_until <= :now))",
                id=run,
                now=_text(now),
                until=_text(now + timedelta(seconds=seconds)),
            )
            return taken == 1

    def children(self, parent: str) -> list[dict[str, Any]]:
        """The runs that one started, oldest first."""
        with self._open() as store:
            return store.query("SELECT * FROM runs WHERE parent = :parent ORDER BY started, id", parent=parent)

    def confirm_mission(self, root: str) -> None:
        """A person has read the mission of a run tree: from now on it counts as a person's words."""
        with self._open() as store:
            store.execute("UPDATE runs SET mission_by = 'person' WHERE root = :root", root=root)

    def save_run(self, run: str, **changed: Any) -> None:
        """Write what changed of a run."""
        sets = ", ".join(f"{name} = :{name}" for name in changed)
        with self._open() as store:
            store.execute(f"UPDATE runs SET {sets} WHERE id = :run", run=run, **changed)  # noqa: S608  # names are ours

    def watch(self, run: str, word: str) -> None:
        """The job of a run says ``go`` or ``cancel``; what was cancelled stays so."""
        with self._open() as store:
            store.execute(
                "UPDATE runs SET watch = :word WHERE id = :run AND (watch IS NULL OR watch != 'cancel')",
                word=word,
                run=run,
            )

    def beat(self, run: str) -> str | None:
        """A sign of life of a run that has a job; what the job says."""
        with self._open() as store:
            store.execute("UPDATE runs SET beat = beat + 1 WHERE id = :run", run=run)
            (row,) = store.query("SELECT watch FROM runs WHERE id = :run", run=run)
            word: str | None = row["watch"]
            return word

    def steps_below(self, root: str) -> int:
        """How many steps a run and those below it have made."""
        with self._open() as store:
            (row,) = store.query(
                "SELECT count(*) AS made FROM steps JOIN runs ON runs.id = steps.run"
                " WHERE runs.root = :root AND steps.state = 'done'",
                root=root,
            )
            return int(row["made"])

    def begin_step(self, run: str, step: int, move: str, at: datetime) -> None:
        """Record, before it happens, what is about to happen."""
        with self._open() as store:
            store.execute(
                "INSERT INTO steps (run, step, move, state, at) VALUES (:run, :step, :move, 'begun', :at)"
                " ON CONFLICT (run, step) DO UPDATE SET move = :move, at = :at",
                run=run,
                step=step,
                move=move,
                at=_text(at),
            )

    def mark_step(self, run: str, step: int, move: str, at: datetime) -> None:
        """Record a step that touches nothing outside, unless its beginning is on record."""
        with self._open() as store:
            store.execute(
                "INSERT INTO steps (run, step, move, state, at) VALUES (:run, :step, :move, 'begun', :at)"
                " ON CONFLICT DO NOTHING",
                run=run,
                step=step,
                move=move,
                at=_text(at),
            )

    def end_step(self, run: str, step: int, outcome: str) -> None:
        """Record what came of it."""
        with self._open() as store:
            store.execute(
                "UPDATE steps SET state = 'done', outcome = :outcome WHERE run = :run AND step = :step",
                run=run,
                step=step,
                outcome=outcome,
            )

    def drop_step(self, run: str, step: int) -> None:
        """Take back a step that began and of which nothing was done."""
        with self._open() as store:
            store.execute("DELETE FROM steps WHERE run = :run AND step = :step AND state = 'begun'", run=run, step=step)

    def steps(self, run: str) -> list[dict[str, Any]]:
        """A run's steps in order."""
        with self._open() as store:
            return store.query("SELECT * FROM steps WHERE run = :run ORDER BY step", run=run)

    # --- approvals ---

    def ask(self, approval: Approval) -> Approval:
        """Record a call that waits for a person; the one already waiting, where there is one and it still counts."""
        with self._open() as store, store.tx():
            # One that ran out of time makes room for a new question.
            store.execute(
                "UPDATE approvals SET state = 'denied', comment = 'expired'"
                " WHERE run = :run AND action_digest = :digest"
                " AND state IN ('pending', 'approved') AND expires_at <= :now",
                run=approval.run,
                digest=approval.action_digest,
                now=_text(approval.requested_at),
            )
            store.execute(
                "INSERT INTO approvals (id, run, agent, chain, tool, arguments, tool_digest, policy_digest,"
                " action_digest, owner, requested_at, expires_at, state, version, preview, because, why) VALUES (:id,"
                " :run, :agent, :chain, :tool, :arguments, :tool_digest, :policy_digest, :action_digest, :owner,"
                " :requested_at, :expires_at, 'pending', :version, :preview, :because, :why) ON CONFLICT DO NOTHING",
                id=approval.id,
                run=approval.run,
                agent=approval.agent,
                chain=json.dumps(approval.chain),
                tool=approval.tool,
                arguments=json.dumps(approval.arguments, sort_keys=True),
                tool_digest=approval.tool_digest,
                policy_digest=approval.policy_digest,
                action_digest=approval.action_digest,
                owner=approval.owner,
                requested_at=_text(approval.requested_at),
                expires_at=_text(approval.expires_at),
                version=approval.version,
                preview=approval.preview,
                because=approval.because,
                why=approval.why,
            )
            # What was asked of an older version of the data can no longer be carried out.
            store.execute(
                "UPDATE approvals SET state = 'denied', comment = 'changed since' WHERE run = :run AND tool = :tool"
                " AND arguments = :arguments AND version != :version AND state IN ('pending', 'approved')",
                run=approval.run,
                tool=approval.tool,
                arguments=json.dumps(approval.arguments, sort_keys=True),
                version=approval.version,
            )
            (row,) = store.query(
                "SELECT * FROM approvals WHERE run = :run AND action_digest = :digest"
                " AND state IN ('pending', 'approved')",
                run=approval.run,
                digest=approval.action_digest,
            )
            return _approval(row, approval.requested_at)

    def approval(self, identity: str, now: datetime) -> Approval | None:
        """One approval, as it stands now."""
        with self._open() as store:
            rows = store.query("SELECT * FROM approvals WHERE id = :id", id=identity)
            return _approval(rows[0], now) if rows else None

    def approvals(self, now: datetime, *, run: str | None = None) -> list[Approval]:
        """Those that wait for a decision, oldest first; of one run alone where it is named."""
        with self._open() as store:
            rows = store.query("SELECT * FROM approvals WHERE state = 'pending' ORDER BY requested_at, id")
            found = [_approval(row, now) for row in rows if run is None or row["run"] == run]
            return [approval for approval in found if approval.state == "pending"]

    def asked(self, root: str, now: datetime) -> list[str]:
        """The digests of calls of a run tree that wait for a person."""
        with self._open() as store:
            rows = store.query(
                "SELECT action_digest FROM approvals JOIN runs ON runs.id = approvals.run WHERE runs.root = :root"
                " AND approvals.state = 'pending' AND approvals.expires_at > :now",
                root=root,
                now=_text(now),
            )
            return [row["action_digest"] for row in rows]

    def decide(self, identity: str, *, approve: bool, by: str, comment: str | None, now: datetime) -> bool:
        """Approve or deny one that waits and has not expired; False where it no longer does."""
        with self._open() as store:
            decided = store.execute(
                "UPDATE approvals SET state = :state, decided_by = :by, decided_at = :now, comment = :comment"
                " WHERE id = :id AND state = 'pending' AND expires_at > :now AND requested_at <= :now",
                state="approved" if approve else "denied",
                by=by,
                comment=comment,
                id=identity,
                now=_text(now),
            )
            return decided == 1

    def consume(self, run: str, action_digest: str, policy_digest: str, tool_digest: str, now: datetime) -> bool:
        """Use an approval up: True for exactly one caller, and only while it holds for exactly this call."""
        with self._open() as store:
            used = store.execute(
                "UPDATE approvals SET state = 'consumed' WHERE run = :run AND action_digest = :action"
                " AND policy_digest = :policy AND tool_digest = :tool AND state = 'approved' AND expires_at > :now"
                " AND requested_at <= :now",
                run=run,
                action=action_digest,
                policy=policy_digest,
                tool=tool_digest,
                now=_text(now),
            )
            return used == 1

    def standing(self, run: str, action_digest: str, now: datetime) -> Approval | None:
        """The last word on an action of a run, as it stands now."""
        with self._open() as store:
            rows = store.query(
                "SELECT * FROM approvals WHERE run = :run AND action_digest = :digest"
                " ORDER BY requested_at DESC, id DESC LIMIT 1",
                run=run,
                digest=action_digest,
            )
            return _approval(rows[0], now) if rows else None

    # --- links to the page of a decision ---

    def links(self, clock: Clock) -> Tickets:
        """Secrets that open the page of a run tree, once."""
        return Tickets(self._open, clock)

    # --- facts, escalations, attempts, the switch ---

    def add_facts(self, root: str, kinds: Iterable[str], version: str) -> None:
        """Keep what was proved of one version of the data, for one run tree."""
        with self._open() as store, store.tx():
            for kind in kinds:
                store.execute(
                    "INSERT INTO facts (root, kind, version) VALUES (:root, :kind, :version) ON CONFLICT DO NOTHING",
                    root=root,
                    kind=kind,
                    version=version,
                )

    def facts(self, root: str, version: str) -> frozenset[str]:
        """What is proved of this version."""
        with self._open() as store:
            rows = store.query("SELECT kind FROM facts WHERE root = :root AND version = :v", root=root, v=version)
        return frozenset(row["kind"] for row in rows)

    def drop_facts(self, root: str, version: str) -> None:
        """Forget what was proved of data whose versions nobody names: something may have changed it."""
        with self._open() as store:
            store.execute("DELETE FROM facts WHERE root = :root AND version = :v", root=root, v=version)

    def attempt(self, line: Mapping[str, Any], at: datetime) -> None:
        """Put one attempt on record, whatever became of it."""
        with self._open() as store:
            store.execute(
                "INSERT INTO attempts (id, run, agent, kind, tool, arguments, verdict, rule, version, at)"
                " VALUES (:id, :run, :agent, :kind, :tool, :arguments, :verdict, :rule, :version, :at)",
                **line,
                at=_text(at),
            )

    def attempts(self, run: str | None = None, most: int = 1000) -> list[dict[str, Any]]:
        """Attempts of one run, or of all, oldest first."""
        with self._open() as store:
            return store.query(
                "SELECT * FROM attempts WHERE :run IS NULL OR run = :run ORDER BY at, id LIMIT :most",
                run=run,
                most=most,
            )

    def escalate(self, identity: str, run: str, agent: str, target: str, event: str, reason: str, at: datetime) -> None:
        """Keep one escalation."""
        with self._open() as store:
            store.execute(
                "INSERT INTO escalations (id, run, agent, target, event, reason, at)"
                " VALUES (:id, :run, :agent, :target, :event, :reason, :at)",
                id=identity,
                run=run,
                agent=agent,
                target=target,
                event=event,
                reason=reason,
                at=_text(at),
            )

    def escalations(self, run: str) -> list[dict[str, Any]]:
        """A run's escalations, oldest first."""
        with self._open() as store:
            return store.query("SELECT * FROM escalations WHERE run = :run ORDER BY at, id", run=run)

    def latest_escalations(self, most: int) -> list[dict[str, Any]]:
        """Those of all runs, newest first."""
        with self._open() as store:
            return store.query("SELECT * FROM escalations ORDER BY at DESC, id DESC LIMIT :most", most=most)

    def stopped(self) -> bool:
        """Whether the kill switch is on."""
        with self._open() as store:
            return bool(store.query("SELECT 1 FROM switch WHERE name = 'stop'"))

    def stop(self, by: str, now: datetime) -> None:
        """Stop every agent call from now on."""
        with self._open() as store:
            store.execute(
                "INSERT INTO switch (name, set_by, at) VALUES ('stop', :by, :at) ON CONFLICT DO NOTHING",
                by=by,
                at=_text(now),
            )

    def start(self) -> None:
        """Let agents work again."""
        with self._open() as store:
            store.execute("DELETE FROM switch WHERE name = 'stop'")

    @contextmanager
    def _open(self) -> "Iterator[Store]":
        with self._host.store() as store:
            yield store


def _approval(row: Mapping[str, Any], now: datetime) -> Approval:
    state = row["state"]
    if state in ("pending", "approved") and not _instant(row["requested_at"]) <= now < _instant(row["expires_at"]):
        state = "expired"
    return Approval(
        id=row["id"],
        run=row["run"],
        agent=row["agent"],
        chain=tuple(json.loads(row["chain"])),
        tool=row["tool"],
        arguments=json.loads(row["arguments"]),
        tool_digest=row["tool_digest"],
        policy_digest=row["policy_digest"],
        action_digest=row["action_digest"],
        owner=row["owner"],
        requested_at=_instant(row["requested_at"]),
        expires_at=_instant(row["expires_at"]),
        state=state,
        version=row["version"],
        preview=row["preview"],
        because=row["because"],
        why=row["why"],
        decided_by=row["decided_by"],
        decided_at=_instant(row["decided_at"]) if row["decided_at"] else None,
        comment=row["comment"],
    )


def _text(at: datetime) -> str:
    """Always with microseconds, so that the order of texts is that of instants."""
    return at.isoformat(timespec="microseconds")


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)
