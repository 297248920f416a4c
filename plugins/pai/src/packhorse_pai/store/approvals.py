"""Rows of calls that wait for a person, and the links to their page."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from attrs import asdict, fields, frozen

from packhorse.contract.clock import Clock
from packhorse.store.tickets import Tickets
from packhorse_pai.store.rows import Rows, insertion, plain

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


class ApprovalRows(Rows):
    """Asked once for one call, decided once, and used up once."""

    def ask(self, approval: Approval) -> Approval:
        """Record a call that waits for a person; the one already waiting, where there is one and it still counts."""
        row = plain({**asdict(approval, recurse=False), "state": "pending"})
        row |= {"chain": json.dumps(approval.chain), "arguments": json.dumps(approval.arguments, sort_keys=True)}
        same = {name: row[name] for name in ("run", "action_digest")}
        alike = {name: row[name] for name in ("run", "tool", "arguments", "version")}
        with self.opened() as store, store.tx():
            # One that ran out of time makes room for a new question.
            store.execute(
                "UPDATE approvals SET state = 'denied', comment = 'expired' WHERE run = :run AND"
                " action_digest = :action_digest AND state IN ('pending', 'approved') AND expires_at <= :now",
                **same,
                now=row["requested_at"],
            )
            store.execute(f"{insertion('approvals', row)} ON CONFLICT DO NOTHING", **row)
            # What was asked of an older version of the data can no longer be carried out.
            store.execute(
                "UPDATE approvals SET state = 'denied', comment = 'changed since' WHERE run = :run AND tool = :tool"
                " AND arguments = :arguments AND version != :version AND state IN ('pending', 'approved')",
                **alike,
            )
            (waiting,) = store.query(
                "SELECT * FROM approvals WHERE run = :run AND action_digest = :action_digest"
                " AND state IN ('pending', 'approved')",
                **same,
            )
            return _approval(waiting, approval.requested_at)

    def approval(self, identity: str, now: datetime) -> Approval | None:
        """One approval, as it stands now."""
        row = self.row("SELECT * FROM approvals WHERE id = :id", id=identity)
        return _approval(row, now) if row else None

    def approvals(self, now: datetime, *, run: str | None = None) -> list[Approval]:
        """Those that wait for a decision, oldest first; of one run alone where it is named."""
        rows = self.rows("SELECT * FROM approvals WHERE state = 'pending' ORDER BY requested_at, id")
        found = [_approval(row, now) for row in rows if run is None or row["run"] == run]
        return [approval for approval in found if approval.state == "pending"]

    def asked(self, root: str, now: datetime) -> list[str]:
        """The digests of calls of a run tree that wait for a person."""
        rows = self.rows(
            "SELECT action_digest FROM approvals JOIN runs ON runs.id = approvals.run WHERE runs.root = :root"
            " AND approvals.state = 'pending' AND approvals.expires_at > :now",
            root=root,
            now=now,
        )
        return [row["action_digest"] for row in rows]

    def decide(self, identity: str, *, approve: bool, by: str, comment: str | None, now: datetime) -> bool:
        """Approve or deny one that waits and has not expired; False where it no longer does.

        The decision and its line of the trail are written together, or neither is.
        """
        told = plain({"state": "approved" if approve else "denied", "by": by, "comment": comment, "now": now})
        with self.opened() as store, store.tx():
            decided = store.execute(
                "UPDATE approvals SET state = :state, decided_by = :by, decided_at = :now, comment = :comment"
                " WHERE id = :id AND state = 'pending' AND expires_at > :now AND requested_at <= :now",
                id=identity,
                **told,
            )
            if decided != 1:
                return False
            (row,) = store.query("SELECT * FROM approvals WHERE id = :id", id=identity)
            line = {name: row[name] for name in ("run", "agent", "tool", "version")}
            line |= {"id": self._host.new_id(), "kind": "decision", "rule": "person", "approval": identity}
            line |= {"arguments": row["action_digest"][:16], "verdict": told["state"], "at": told["now"]}
            line |= {"caller": by, "said": comment or ""}
            store.execute(insertion("attempts", line), **line)
            return True

    def consume(self, run: str, action_digest: str, policy_digest: str, tool_digest: str, now: datetime) -> bool:
        """Use an approval up: True for exactly one caller, and only while it holds for exactly this call."""
        used = self.change(
            "UPDATE approvals SET state = 'consumed' WHERE run = :run AND action_digest = :action"
            " AND policy_digest = :policy AND tool_digest = :tool AND state = 'approved' AND expires_at > :now"
            " AND requested_at <= :now",
            run=run,
            action=action_digest,
            policy=policy_digest,
            tool=tool_digest,
            now=now,
        )
        return used == 1

    def standing(self, run: str, action_digest: str, now: datetime) -> Approval | None:
        """The last word on an action of a run, as it stands now."""
        row = self.row(
            "SELECT * FROM approvals WHERE run = :run AND action_digest = :digest"
            " ORDER BY requested_at DESC, id DESC LIMIT 1",
            run=run,
            digest=action_digest,
        )
        return _approval(row, now) if row else None

    def links(self, clock: Clock) -> Tickets:
        """Secrets that open the page of a run tree, once."""
        return Tickets(self.opened, clock)


def _approval(row: Mapping[str, Any], now: datetime) -> Approval:
    given = {one.name: row[one.name] for one in fields(Approval)}
    given |= {"chain": tuple(json.loads(row["chain"])), "arguments": json.loads(row["arguments"])}
    for name in ("requested_at", "expires_at", "decided_at"):
        given[name] = datetime.fromisoformat(row[name]) if row[name] else None
    if row["state"] in ("pending", "approved") and not given["requested_at"] <= now < given["expires_at"]:
        given["state"] = "expired"
    return Approval(**given)
