"""Runs: who acts for whom, what was used, and what was decided; held in memory while they work, and kept as rows."""

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from attrs import asdict, define, evolve, field, frozen

from packhorse import Context, Foresight, Host, Principal, Reply, UserError
from packhorse_pai.domain.budgets import Ledger, child_limits
from packhorse_pai.domain.cards import Card
from packhorse_pai.domain.compliance import RULES_OF_SCOPE, validation_within
from packhorse_pai.domain.decision import Reason
from packhorse_pai.domain.grants import Layer
from packhorse_pai.domain.moves import Denied, Done, Noted, Outcome, Refused, Said, Wish
from packhorse_pai.domain.playbooks import Mission
from packhorse_pai.domain.policy import Limits, Policy
from packhorse_pai.domain.seen import Seen
from packhorse_pai.service import acting
from packhorse_pai.service.library import Library
from packhorse_pai.store.records import Records

CLIENT, PLAYBOOK, SAMPLING, MODEL = "client", "playbook", "sampling", "model"
"""What drives a run: the client's own model by acts, a playbook, the client's model by sampling, a provider's."""

Tell = Callable[[float, float | None, str], Awaitable[None]]
"""Says how far a run is: calls and starts made in its whole tree, of how many at most, and what was done last."""

Alert = Callable[[str], Awaitable[None]]
"""Tells those who subscribed to a resource that it has changed."""

Provide = Callable[[str, Mapping[str, Any]], Awaitable[Reply[Any]]]
"""Calls a tool as the person who started the run: for what the host does on its own account, never for an agent."""

_OUTCOMES = {kind.__name__: kind for kind in (Done, Refused, Denied, Said, Noted)}


@frozen
class Order:
    """What a caller asks of an agent."""

    agent: str
    mission: Mission
    supervised: bool = False
    reading: bool = False
    spawning: bool = True
    driver: str = "client"
    task: str | None = None
    by_person: bool = False
    """Whether a person stands behind the mission's words."""


@frozen
class Wanted:
    """A call that was not made for want of an approval: its arguments as validated, defaults included."""

    tool: str
    arguments: Mapping[str, Any]
    action: str
    because: str


@define(eq=False)
class Run:
    """One agent at one mission. ``chain`` is nearest first and begins with this agent."""

    id: str
    agent: str
    card: Card
    chain: tuple[str, ...]
    person: Principal
    owner: str
    mission: Mission
    policy: Policy
    ledger: Ledger
    driver: str
    task: str | None = None
    by_person: bool = False
    seen: Seen = field(factory=Seen)
    foreseen: tuple[str, Foresight] | None = None
    """The tool that is about to be called, and what it said beforehand."""
    subjects: Mapping[str, frozenset[str]] = field(factory=dict)
    """By fact that this call needs, the versions of what it names on which that may have been proved."""
    why: str = ""
    """What the model says of its next move."""
    parent: "Run | None" = None
    supervised: bool = False
    reading: bool = False
    provide: Provide | None = None
    ahead: Context | None = None
    """The context of the person who started the run, to ask tools what a call would do."""
    tell: Tell | None = None
    alert: Alert | None = None
    wanted: "Wanted | None" = None
    spawning: bool = True
    outcomes: list[Outcome] = field(factory=list)
    log: list[str] = field(factory=list)
    tools_used: list[str] = field(factory=list)
    escalations: list[dict[str, str]] = field(factory=list)
    denials: list[Reason] = field(factory=list)

    @property
    def root(self) -> str:
        """The id of the run that a person started."""
        return self.id if self.parent is None else self.parent.root

    @property
    def narrowed(self) -> "tuple[Layer, ...]":
        """What the caller's own words about scope allow: a run of an audit checks the rules of its scope alone."""
        rules = RULES_OF_SCOPE.get(str(self.top.mission.context.get("audit_scope")))
        return () if rules is None else (validation_within(rules),)

    @property
    def top(self) -> "Run":
        """The run that a person started."""
        return self if self.parent is None else self.parent.top

    @property
    def line(self) -> "Iterator[Run]":
        """This run and those above it."""
        run: Run | None = self
        while run is not None:
            yield run
            run = run.parent

    @property
    def ledgers(self) -> tuple[Ledger, ...]:
        """The accounts that a use of this run counts in."""
        return tuple(run.ledger for run in self.line)


def written(outcome: Outcome) -> str:
    """An outcome as a row keeps it."""
    fields = asdict(outcome, recurse=isinstance(outcome, Said))
    return json.dumps({"kind": type(outcome).__name__, **fields}, ensure_ascii=False)


def read(text: str) -> Outcome:
    """The outcome of a row."""
    data: dict[str, Any] = json.loads(text)
    if "wishes" in data:
        data["wishes"] = tuple(Wish(**wish) for wish in data["wishes"])
    return _OUTCOMES[data.pop("kind")](**data)


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
        same = ("id", "root", "agent", "owner", "task")
        flags = ("supervised", "reading", "spawning")
        self._records.add_run(
            {
                **{name: getattr(run, name) for name in same},
                **{name: int(getattr(run, name)) for name in flags},
                "parent": run.parent.id if run.parent else None,
                "parent_step": len(run.parent.outcomes) if run.parent else None,
                "chain": json.dumps(run.chain),
                "mission": run.mission.text,
                "context": json.dumps(dict(run.mission.context)),
                "constraints": json.dumps(run.mission.constraints),
                "mind": run.driver,
                "mission_by": "person" if run.by_person else "client",
                "used": json.dumps(run.ledger.used),
                "seconds": 0.0,
                "status": "running",
                "log": json.dumps([[], [], []]),
                "policy": run.policy.digest,
                "started": self._host.clock().isoformat(),
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
