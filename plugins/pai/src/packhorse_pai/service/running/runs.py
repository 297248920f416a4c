"""Runs at work: who acts for whom, what was used, and what was decided. Held in memory while they run."""

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

from attrs import asdict, define, field, frozen

from packhorse import Context, Foresight, Principal, Reply
from packhorse_pai.domain.budgets import Ledger
from packhorse_pai.domain.cards import Card
from packhorse_pai.domain.compliance import RULES_OF_SCOPE, validation_within
from packhorse_pai.domain.decision import Reason
from packhorse_pai.domain.grants import Layer
from packhorse_pai.domain.moves import Denied, Done, Noted, Outcome, Refused, Said, Wish
from packhorse_pai.domain.playbooks import Mission
from packhorse_pai.domain.policy import Policy
from packhorse_pai.domain.seen import Seen

Tell = Callable[[float, float | None, str], Awaitable[None]]
"""Says how far a run is: calls and starts made in its whole tree, of how many at most, and what was done last."""

Alert = Callable[[str], Awaitable[None]]
"""Tells those who subscribed to a resource that it has changed."""

ESCALATIONS = "pai://escalations"
"""The resource of what was escalated last."""

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


def plain(value: Any) -> Any:
    """A validated answer as plain JSON values."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
