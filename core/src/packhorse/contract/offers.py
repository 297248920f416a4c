"""What hooks return for callers: tools, resources, prompts, pages and endpoints.

All are frozen values. Checks made here concern one offer alone; clashes
between packs are the catalogue's business.
"""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from packhorse.contract.principal import Principal
from packhorse.contract.views import View
from packhorse.errors import PackError

if TYPE_CHECKING:
    from packhorse.contract.context import Context

# The protocol's own rule for tool names (revision 2025-11-25, "Tool Names").
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_PATH = re.compile(r"/|(?:/(?:[A-Za-z0-9._~-]|\{[A-Za-z_]\w*\})+)+")

MAX_WORDS = 400
"""Characters of the first line of a tool's search words, which some clients carry with every description."""

MAX_MORE_WORDS = 800
"""Characters of a tool's search words altogether."""

Complete = Callable[[str], Sequence[str] | Awaitable[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Icon:
    """A picture for a client's list. ``src`` is an https or data URI; ``sizes`` such as ``48x48``."""

    src: str
    mime_type: str | None = None
    sizes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """One call and what it gives: documentation that the contract test runs.

    ``gives`` is compared with the keys it names in the structured answer;
    ``refused`` is the code of the refusal that is expected instead.
    """

    arguments: Mapping[str, Any]
    gives: Mapping[str, Any] = field(default_factory=dict)
    refused: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Access:
    """Who may see and use an offer: everybody, holders of a role, or (neither) only where no auth is configured.

    ``answer_limit_bytes`` is for what is larger than other answers and cannot
    be asked for in parts: it holds where it is above the deployment's own.
    ``mount`` is the name of the mounted server that it is of, if it is of one,
    and ``own_name`` what that server calls it.
    """

    roles: Collection[str] = ()
    public: bool = False
    answer_limit_bytes: int | None = None
    mount: str | None = None
    own_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(_Access):
    """A function that a client's model may call.

    Name, description and schemas come from the function unless given. With
    ``input_schema`` the schema is published verbatim and arguments are checked
    against it; ``output_schema`` likewise. ``self_argument`` names the argument
    that may equal the caller's verified subject instead of a role.
    ``timeout`` is in seconds and ``concurrency`` in calls at a time (both:
    None takes the deployment's). ``refusals`` maps a failed argument
    (``name``), keyword (``maxLength``) or both (``name.maxLength``) to the
    pack's own refusal code.

    ``limit``, such as ``30/hour``, is how often one caller may call it.
    ``slow_on`` names refusal codes that mean that an outside source fails:
    each halves what callers may do until calls succeed again.
    Of a ``read_only`` tool, answers are kept for ``ttl`` seconds and given to
    callers who ask the same and may see the same (with ``per_caller``, to the
    same caller alone).
    With ``view`` a client that shows more than text draws the structured
    answer on that page; the answer itself is the same for every client.
    With ``reserved_for``, a pack's name, that pack alone sees it and may call
    it; the host fills it from ``Pack.reserves`` too.
    An ``expert`` tool is not listed unless the deployer asks for that level; it
    is called and searched for all the same. ``words`` are what people say who
    need the tool, for a search: words that its description lacks, and two or
    three short sentences. Clients that search themselves are listed the first
    line; further lines are for the host's own search.
    With ``job`` its function returns `packhorse.jobs.Work`: the tool answers
    with a handle at once, and ``output_schema`` is that of the job's result.

    ``preview`` says in words what a call would change, and changes nothing: a
    person who approves it reads that. It raises the refusals of the call itself.
    ``version`` names the data that a call acts on as it is now. Both get the
    context and the validated arguments; the person who asks first hands the version
    on, and the tool compares it (`expected_version`) as it writes.
    """

    fn: Callable[..., Any]
    name: str | None = None
    title: str | None = None
    description: str | None = None
    level: Literal["normal", "expert"] = "normal"
    words: str = ""
    preview: "Callable[[Context, Mapping[str, Any]], str] | None" = None
    version: "Callable[[Context, Mapping[str, Any]], str] | None" = None
    self_argument: str | None = None
    timeout: float | None = None
    concurrency: int | None = None
    limit: str | None = None
    slow_on: Collection[str] = ()
    ttl: float = 0
    per_caller: bool = False
    job: bool = False
    view: View | None = None
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False
    input_schema: Mapping[str, Any] | None = None
    output_schema: Mapping[str, Any] | None = None
    refusals: Mapping[str, str] = field(default_factory=dict)
    examples: Sequence[Example] = ()
    icons: Sequence[Icon] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    reserved_for: str | None = None

    def __post_init__(self) -> None:
        name = self.name or name_of(self.fn)
        _check_name("tool", name)
        check_several(f"tool {name!r}: roles", self.roles)
        if self.timeout is not None and not self.timeout > 0:
            raise PackError(f"tool {name!r}: timeout must be above 0 seconds")
        if self.concurrency is not None and self.concurrency < 1:
            raise PackError(f"tool {name!r}: concurrency must be at least 1")
        check_several(f"tool {name!r}: slow_on", self.slow_on)
        if self.slow_on and self.limit is None:
            raise PackError(f"tool {name!r}: slow_on lowers the tool's limit, but the tool has no limit")
        first = self.words.partition("\n")[0]
        for words, of, most in ((first, "the first line of ", MAX_WORDS), (self.words, "", MAX_MORE_WORDS)):
            if len(words) > most:
                raise PackError(f"tool {name!r}: {of}its search words are {len(words)} characters; at most {most}")
        if self.job and self.view:
            raise PackError(
                f"tool {name!r} starts a job and has no result to show yet, so it cannot have a view: remove `view`"
            )
        if self.job and self.ttl:
            raise PackError(f"tool {name!r}: the answer of a tool that starts a job cannot be cached; remove its ttl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource(_Access):
    """Something to read, at a fixed URI or an RFC 6570 template.

    The function takes the template's variables by name (and a `Context` if it
    asks for one) and returns text, bytes, a JSON value, or `Text`/`Embedded`.
    Values that could leave a folder (``..``, absolute paths, NUL) are refused
    unless named in ``unchecked``. ``ttl`` is how many seconds a client, and the
    host for other callers who may see the same (``per_caller``: for the same
    one alone), may keep the answer; ``complete`` gives completions of a variable.
    """

    uri: str
    fn: Callable[..., Any]
    name: str | None = None
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    ttl: float = 0
    per_caller: bool = False
    subscribable: bool = False
    unchecked: Collection[str] = ()
    complete: Mapping[str, Complete] = field(default_factory=dict)
    icons: Sequence[Icon] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if "://" not in self.uri:
            raise PackError(f"resource {self.uri!r}: write a URI with a scheme, such as facts://moon")
        check_several(f"resource {self.uri!r}: roles", self.roles)
        check_several(f"resource {self.uri!r}: unchecked", self.unchecked)


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """A cookie of a browser that has signed in: its name, and whose it is; None for one that holds no more.

    ``entrance`` is the path where a browser without one signs in; it takes as
    ``to`` the page that was asked for. Without it the browser asks for a token.
    """

    cookie: str
    whose: Callable[[str], Principal | None]
    entrance: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route(_Access):
    """A page for programs that speak no MCP (a calendar, a browser), read by GET behind the same doors as a call.

    A variable of ``path``, such as ``{secret}`` in ``/calendars/{secret}.ics``,
    stands for text without a slash. The function takes the variables by name
    (and a `Context` if it asks for one) and returns text, bytes, a JSON value
    or a `Page`; a `UserError` is answered with its HTTP status. Logs and the
    record have the path with the names of its variables, never what a caller
    wrote there. Only a server over HTTP has routes.

    ``sign_in`` is for a page that people open in a browser: the browser asks
    for a token, as the password of its sign-in box, and without roles the page
    is for every caller who has one. ``probe`` is for a program that asks every
    few seconds: a public route that answers however many calls are running,
    and of which no observer hears.

    ``form`` takes what a form on the page sends by POST to the same path: its
    fields as the argument ``form``, a mapping of texts. A GET changes nothing.
    ``query`` names arguments of the function that an address may give behind
    its ``?``, as text. ``session`` is how a browser shows that it has signed in
    before. An open page may ask every few seconds for what is ``polled``: no
    observer hears of it. ``timeout`` is in seconds; None takes the deployment's.
    """

    path: str
    fn: Callable[..., Any]
    form: Callable[..., Any] | None = None
    query: Collection[str] = ()
    session: "BrowserSession | None" = None
    polled: bool = False
    timeout: float | None = None
    title: str | None = None
    description: str | None = None
    mime_type: str = "text/plain; charset=utf-8"
    sign_in: bool = False
    probe: bool = False

    def __post_init__(self) -> None:
        if not _PATH.fullmatch(self.path):
            raise PackError(f"route {self.path!r}: write an absolute path, such as /calendars/{{secret}}.ics")
        check_several(f"route {self.path!r}: roles", self.roles)
        check_several(f"route {self.path!r}: query", self.query)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A path that a pack answers by itself, as an ASGI application: for a protocol with rules of its own, as OAuth.

    It is for everybody, by every method, and from pages of any origin: the
    host looks at the Host header, the size of the body and ``limit_by_address``
    (such as ``60/minute``, of all endpoints of the pack taken together), and
    nothing else. No observer hears of it.
    """

    path: str
    app: Callable[..., Awaitable[None]]
    limit_by_address: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(_Access):
    """A conversation starter.

    The function takes text arguments by name and returns a string, a
    `Message`, or several of either. ``arguments`` describes them in words.
    """

    fn: Callable[..., Any]
    name: str | None = None
    title: str | None = None
    description: str | None = None
    arguments: Mapping[str, str] = field(default_factory=dict)
    complete: Mapping[str, Complete] = field(default_factory=dict)
    icons: Sequence[Icon] = ()

    def __post_init__(self) -> None:
        name = self.name or name_of(self.fn)
        _check_name("prompt", name)
        check_several(f"prompt {name!r}: roles", self.roles)


OfferKind = Literal["tool", "resource", "prompt"]


def name_of(fn: Callable[..., Any]) -> str:
    """What a function is called; an object that can be called, by its class."""
    return getattr(fn, "__name__", type(fn).__name__)


def check_several(what: str, names: Collection[str]) -> None:
    """Refuse a text for a list: it is one of its letters, and a guard for "age" would guard the tools a, g and e."""
    if isinstance(names, str):
        raise PackError(f"{what} must be a list of names, not the text {names!r}")


def _check_name(kind: OfferKind, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise PackError(f"{kind} {name!r}: a name has 1 to 128 characters: letters, digits, '_', '.' and '-'")
