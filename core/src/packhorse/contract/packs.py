"""A pack as a whole, who may call it, what of it waits for people, and what it sees of other packs' tools."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from packhorse.contract.offers import check_several
from packhorse.contract.principal import Principal
from packhorse.errors import PackError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from packhorse.contract.context import Context
    from packhorse.contract.host import Host
    from packhorse.contract.measures import Measure

HOSTS_OWN_SETTINGS = frozenset({"prefix", "exclude", "limit_by_address", "limits"})
"""Keys of ``[packs.<name>]`` that the host reads; a pack's settings model has none of these names."""

MAX_INSTRUCTIONS = 300
"""Characters of a pack's instructions, about 60 tokens: every client's model reads those of all packs."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a guard judges: the tool, its validated, frozen arguments, and whether it only reads.

    ``defaulted`` names those of the arguments that the caller did not give: their values are the tool's defaults.
    """

    tool: str
    pack: str
    arguments: Mapping[str, Any]
    read_only: bool = False
    defaulted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool as this deployment serves it. ``digest`` changes with its name, words, schemas or marks.

    ``own_name`` is its name within its pack, or on the mounted server that it is of: without any prefix. ``codes`` are
    those of all refusals of its pack's and the host's; none where the pack does not list them.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    read_only: bool
    destructive: bool
    digest: str
    open_world: bool = False
    output_schema: Mapping[str, Any] | None = None
    title: str | None = None
    words: str = ""
    pack: str = ""
    own_name: str = ""
    codes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Foresight:
    """What a call would do: its preview in words and the version of its data, where the tool gives them.

    ``arguments`` are those of the call as validated, defaults included.
    """

    preview: str | None = None
    version: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that waits for a person: which, what it would do in words, and until when."""

    id: str
    title: str
    preview: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Approvals:
    """What of a pack waits for people. For pages and terminals: no tool lists or decides it.

    ``pending`` lists what a person may decide, all of it where there is no
    person. ``show`` gives one in full, as text. ``decide`` takes the person, the
    id, yes or no, and why; it refuses what that person may not decide. A person
    is the context of their page. ``elsewhere``, where there is one, says in a
    sentence what of a person's own waits for somebody else; empty for nothing.
    """

    pending: "Callable[[Context | None], Sequence[Waiting]]"
    show: Callable[[str], str]
    decide: "Callable[[Context, str, bool, str | None], None]"
    elsewhere: "Callable[[Context], str] | None" = None


@dataclass(frozen=True, slots=True)
class Verifier:
    """Turns a bearer credential into a `Principal`, or None when it is not this verifier's.

    Raise ``UserError`` for one that is this verifier's and is not valid.
    ``nearby``, where there is one, is asked instead over stdio and on an
    address of this machine alone.
    """

    verify: Callable[[str], Principal | Awaitable[Principal | None] | None]
    nearby: Callable[[str], Principal | Awaitable[Principal | None] | None] | None = None


@dataclass(frozen=True, slots=True)
class Guard:
    """A judgement before each call of ``tools`` (all of the deployment's when empty).

    ``judge`` returns None to allow, or the reason for denying. Any denial
    wins; an exception is a denial. ``hides`` keeps a tool out of a caller's
    list, given the call without arguments; it denies nothing by itself.
    ``bars`` judges as ``judge`` does, at once and without arguments, before
    their shape is looked at: who may not call a tool at all learns nothing of it.
    """

    judge: Callable[[Principal, Call], str | Awaitable[str | None] | None]
    tools: Collection[str] = ()
    hides: Callable[[Principal, Call], bool] | None = None
    bars: Callable[[Principal, Call], str | None] | None = None

    def __post_init__(self) -> None:
        check_several("guard: tools", self.tools)


@dataclass(frozen=True, slots=True)
class Scene:
    """The pack's part of ``packhorse demo``: calls on real sample data, and how to say what came back.

    ``calls`` are (tool, arguments) pairs; ``tell`` turns the structured answers
    into lines for a person. The scene is played in a data folder of its own,
    empty but for what ``prepare`` puts there, and thrown away afterwards.
    """

    title: str
    calls: Sequence[tuple[str, Mapping[str, Any]]]
    tell: Callable[[Sequence[Mapping[str, Any]]], Sequence[str]]
    prepare: "Callable[[Host], None] | None" = None


@dataclass(frozen=True, slots=True)
class Fault:
    """Something of a pack that cannot be served while the rest can: what, why, and what its operator does about it."""

    name: str
    reason: str
    cure: str


@dataclass(frozen=True, slots=True)
class Pack:
    r"""What belongs to a pack as a whole: the optional module value ``pack``.

    ``settings`` is a pydantic model filled from ``[packs.<name>]`` and the
    environment. ``migrations`` are SQL scripts, applied in order to the pack's
    own store; never edit one that has shipped. ``limit_by_address``, such as
    ``100/hour``, is how many calls one address may make over HTTP, of all the
    pack's tools taken together; the deployer may set another. ``start`` and
    ``stop`` run once around serving. ``close`` is awaited on the event loop that served, before it ends: a pack closes
    there what it opened there. ``faults``, asked once at the start, names what of the pack cannot be served: the log,
    `packhorse check` and the host's pages show it, and with ``strict = true`` the server does not start.

    ``patterns`` are regular expressions, by name, of the personal data that
    the pack deals in, such as ``{"a-number": r"\bA[- ]?\d{8,9}\b"}``: what
    they find is masked in the log and the audit record. ``data_version`` says
    which state of its data answers come from; an answer kept for its ``ttl``
    is given no more once that has changed.

    ``reserves`` names tools of other packs that this pack alone may call, with
    `Context.as_pack`: nobody else sees them or may use them, whatever their own
    roles say.

    ``instructions`` are two or three sentences for every client's model: what
    the pack is for, which call comes first, what to beware of.

    ``codes`` are the codes of its tools' refusals, separated by spaces, all of them but the host's: then a wrong code
    in somebody's rules can be named.

    ``skills`` is the folder of the pack's package that holds its skills:
    ``skills/<name>/SKILL.md`` teaches an assistant to do the pack's work.
    """

    title: str
    limit_by_address: str | None = None
    settings: "type[BaseModel] | None" = None
    migrations: Sequence[str] = ()
    demo: Scene | None = None
    start: "Callable[[Host], None] | None" = None
    stop: "Callable[[Host], None] | None" = None
    close: "Callable[[Host], Awaitable[None]] | None" = None
    faults: "Callable[[Host], Sequence[Fault]] | None" = None
    patterns: Mapping[str, str] = field(default_factory=dict)
    data_version: "Callable[[Host], str] | None" = None
    measures: "Callable[[Host], Sequence[Measure]] | None" = None
    skills: str = "skills"
    instructions: str = ""
    codes: str = ""
    reserves: "Callable[[Host], Collection[str]] | None" = None

    def __post_init__(self) -> None:
        if len(self.instructions) > MAX_INSTRUCTIONS:
            raise PackError(
                f"pack {self.title!r}: its instructions are {len(self.instructions)} characters; at most"
                f" {MAX_INSTRUCTIONS}"
            )
