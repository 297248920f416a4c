"""Runs as rows: begun, saved, and made again from what is on record."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from attrs import evolve

from packhorse import Context, Host, UserError
from packhorse_pai.domain.budgets import Ledger, child_limits
from packhorse_pai.domain.cards import Card
from packhorse_pai.domain.playbooks import Mission
from packhorse_pai.domain.policy import Limits, Policy
from packhorse_pai.domain.seen import Seen
from packhorse_pai.service import acting
from packhorse_pai.service.library import Library
from packhorse_pai.service.running.drivers import CLIENT, MODEL, PLAYBOOK
from packhorse_pai.service.running.runs import Order, Run, read
from packhorse_pai.store import Records


class Archive:
    """Makes runs, and keeps them."""

    def __init__(self, host: Host, library: Library, records: Records) -> None:
        self._host = host
        self._library = library
        self._records = records

    def new(self, ctx: Context, order: Order, parent: Run | None, policy: Policy) -> Run:
        """A run that begins now. Below a provider's model, agents are driven by it too; else they play."""
        card, now = self._library.readings[order.agent].card, self._host.clock()
        above = parent.ledgers if parent else ()
        return Run(
            id=self._host.new_id(),
            agent=order.agent,
            card=card,
            chain=(order.agent, *(parent.chain if parent else ())),
            person=acting.person_of(ctx.principal),
            owner=acting.owner_of(ctx.principal),
            mission=order.mission,
            policy=policy,
            ledger=Ledger(order.agent, child_limits(_limits(policy, card, order), above, now), now),
            driver=_below(parent, order),
            task=order.task,
            by_person=parent.top.by_person if parent is not None else order.by_person,
            seen=parent.top.seen if parent is not None else Seen(),
            parent=parent,
            supervised=order.supervised,
            reading=order.reading,
            spawning=order.spawning,
            ahead=parent.ahead if parent is not None else ctx,
            provide=parent.provide if parent is not None else ctx.call,
            tell=parent.tell if parent is not None else ctx.report_progress,
            alert=parent.alert if parent is not None else ctx.notify_resource_updated,
        )

    def begin(self, run: Run) -> None:
        """Put a new run on record."""
        self._records.add_run(
            {
                "id": run.id,
                "root": run.root,
                "parent": run.parent.id if run.parent else None,
                "parent_step": len(run.parent.outcomes) if run.parent else None,
                "agent": run.agent,
                "chain": json.dumps(run.chain),
                "owner": run.owner,
                "mission": run.mission.text,
                "context": json.dumps(dict(run.mission.context)),
                "constraints": json.dumps(run.mission.constraints),
                "supervised": int(run.supervised),
                "reading": int(run.reading),
                "spawning": int(run.spawning),
                "mind": run.driver,
                "task": run.task,
                "mission_by": "person" if run.by_person else "client",
                "used": json.dumps(run.ledger.used),
                "seconds": 0.0,
                "status": "running",
                "log": json.dumps([[], [], []]),
                "policy": run.policy.digest,
                "started": self._host.clock().isoformat(),
                "ended": None,
            }
        )

    def save(self, run: Run, status: str) -> None:
        """Keep how a run stands."""
        now = self._host.clock()
        self._records.save_run(
            run.id,
            status=status,
            used=json.dumps(run.ledger.used),
            seconds=run.ledger.limits.seconds - run.ledger.seconds_left(now),
            log=json.dumps([run.log, run.tools_used, run.escalations]),
            ended=now.isoformat(),
            **({"seen": json.dumps(run.seen.dumped())} if run.parent is None else {}),
        )

    def save_above(self, run: Run) -> None:
        """Keep what the runs above have used, and seen, by way of this one."""
        for above in run.line:
            if above is not run:
                changed = {"seen": json.dumps(above.seen.dumped())} if above.parent is None else {}
                self._records.save_run(above.id, used=json.dumps(above.ledger.used), **changed)

    def restored(
        self, ctx: Context, row: Mapping[str, Any], parent: Run | None, policy: Callable[[Context], Policy]
    ) -> Run:
        """A run as it was left, under the policy of now.

        Raises:
            UserError: its agent has no valid card any more.
        """
        mission = Mission(row["mission"], json.loads(row["context"]), tuple(json.loads(row["constraints"])))
        order = Order(
            row["agent"],
            mission,
            supervised=bool(row["supervised"]),
            reading=bool(row["reading"]),
            spawning=bool(row["spawning"]),
            driver=row["mind"],
            task=row["task"],
            by_person=row["mission_by"] == "person",
        )
        if self._library.card(order.agent) is None:
            raise UserError(
                f"The card of {order.agent} is no longer valid, so its run cannot continue. Correct the card.",
                code="NO_CARD",
            )
        run = self.new(ctx, order, parent, parent.policy if parent is not None else policy(ctx))
        run.id = row["id"]
        run.ledger.used.update(json.loads(row["used"]))
        used = timedelta(seconds=row["seconds"])
        if row["status"] == "open":  # its time goes on while nobody acts; it stands still while a person decides
            used += self._host.clock() - datetime.fromisoformat(row["ended"])
        run.ledger.started = self._host.clock() - used
        if parent is None:
            run.seen = Seen.loaded(json.loads(row["seen"] or "null"))
        run.log, run.tools_used, run.escalations = json.loads(row["log"])
        run.outcomes = [read(step["outcome"]) for step in self._records.steps(run.id) if step["state"] == "done"]
        return run


CLIENT_SECONDS = 1800
"""Time of a run that the client's model plays, where its card says none: a turn of a conversation takes minutes."""


def _limits(policy: Policy, card: Card, order: Order) -> Limits:
    limits = policy.limits[order.agent]
    if order.driver != CLIENT or "seconds" in card.limits:
        return limits
    return evolve(
        limits, seconds=CLIENT_SECONDS, calls=max(limits.calls, CLIENT_CALLS) if not card.limits else limits.calls
    )


CLIENT_CALLS = 40
"""Attempts of such a run, where its card says none: looking for what is right is not free of mistakes."""


def _below(parent: Run | None, order: Order) -> str:
    """What drives a run: a task its playbook; else what drives its parent, the client's model or a provider's."""
    if order.task is not None:
        return PLAYBOOK
    if parent is not None and parent.driver in (CLIENT, MODEL):
        return parent.driver
    return order.driver
