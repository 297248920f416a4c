"""Putting a deployment together: settings, the packs it serves, and the one door to them."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from threading import Event
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pluggy
from packaging.utils import canonicalize_name
from pydantic import ValidationError

from packhorse.compose import packs
from packhorse.compose.access import check_safe, granted, reserved
from packhorse.compose.collect import collect, with_builtin, with_faults
from packhorse.compose.data_folder import DataFolder
from packhorse.compose.derived import with_skills_open, with_views
from packhorse.compose.fence import check_fence, with_fence
from packhorse.compose.file_packs import with_files
from packhorse.compose.locking import check_lock
from packhorse.compose.packs import reason_of
from packhorse.compose.replicas import check_processes
from packhorse.contract.clock import Clock, steady_clock, system_clock
from packhorse.contract.host import Host
from packhorse.contract.principal import Principal
from packhorse.door.authorization import Callers
from packhorse.door.call_log import Accounts
from packhorse.door.catalogue import HOST, Broken, Catalogue, Found, Loaded
from packhorse.door.dispatch import Dispatcher
from packhorse.door.limits import Limit, Limiter
from packhorse.errors import PackError, PackhorseError
from packhorse.errors.nearest import did_you_mean
from packhorse.settings import PackTable, ServerSettings, Settings, problems
from packhorse.store.permissions import private_umask

if TYPE_CHECKING:
    from packhorse.audit.keys import Keys
    from packhorse.audit.masking import Mask
    from packhorse.contract.observers import ObservedCall
    from packhorse.jobs.engine import Engine

logger = logging.getLogger("packhorse.deployment")

Pseudonym = Callable[[Principal], str | None]


@dataclass(frozen=True, slots=True)
class Deployment:
    """Some packs, composed under one set of settings."""

    settings: Settings
    manager: pluggy.PluginManager
    catalogue: Catalogue
    dispatcher: Dispatcher
    hosts: Mapping[str, Host]
    host: Host
    """That of the built-in packs."""
    clock: Clock = system_clock
    limits: Mapping[str, tuple[Limit, frozenset[str]]] = field(default_factory=dict)
    """By pack: what one address may call over HTTP, and of which tools taken together."""
    limiter: Limiter = field(default_factory=Limiter.memory)
    """Counts calls, of addresses and of callers alike."""
    jobs: "Engine | None" = None
    """Works on long-running jobs, where a tool starts any."""
    listening: Event = field(default_factory=Event)
    """Set while a server over HTTP takes new callers."""

    @property
    def counts(self) -> bool:
        return bool(self.limits) or any(entry.limit for entry in self.catalogue.tools.values())

    @property
    def ready(self) -> bool:
        """Whether callers should come: there is a server, it can record what it must, and a pack takes calls."""
        return self.listening.is_set() and self._recording and not self._all_unwell

    @property
    def _recording(self) -> bool:
        return self.dispatcher.accounts.available or all(tool.offer.read_only for tool in self.catalogue.tools.values())

    @property
    def _all_unwell(self) -> bool:
        packs = {entry.pack for entry in self.catalogue.entries} - {HOST}
        return bool(packs) and packs <= set(self.dispatcher.overdue.unwell)

    def callers(self) -> Callers:
        return Callers(self.catalogue.verifiers)

    def mask(self) -> "Mask":
        """Takes secrets, and the personal data that the packs declare, out of texts.

        Raises:
            PackError: two packs declare different patterns under one name, or one that is wrong.
        """
        from packhorse.audit.masking import Mask

        patterns: dict[str, str] = {}
        for pack in self.catalogue.packs:
            for name, pattern in pack.pack.patterns.items():
                if patterns.setdefault(name, pattern) != pattern:
                    raise PackError(
                        f"pack {pack.found.name!r} has a pattern of personal data called {name!r}, and another pack"
                        " has a different pattern of this name: rename one of the patterns"
                    )
        return Mask(patterns)

    @contextmanager
    def running(self, *, works: bool = True) -> Iterator[None]:
        """Open the observers and start the packs; at the end stop those that started, in reverse, whatever happened.

        One that does not work on jobs leaves those that it starts to a server.
        What an older version left readable for other accounts is closed to
        them, and whatever is created meanwhile is from its first moment.
        """
        with private_umask():
            DataFolder.of(self.settings, self.hosts).tighten()
            with self._observed():
                yield from self._started(works)

    async def close(self) -> None:
        """Close what is open on the event loop that served, before it ends: connections of packs, and of the limits."""
        for pack in (*self.catalogue.packs, *self.catalogue.builtin):
            if pack.pack.close is not None:
                try:
                    await pack.pack.close(self.hosts.get(pack.found.name, self.host))
                except Exception:
                    # One pack's failure to close must not keep the others from closing.
                    logger.exception("pack %s failed to close", pack.found.name)
        await self.limiter.close()

    def approvals_at(self) -> str:
        """The address of the console's page of approvals; empty while no server over HTTP has one."""
        served = self.listening.is_set() and self.catalogue.has("console")
        return f"{self.settings.address}/console/approvals" if served else ""

    def note(self, call: "ObservedCall") -> None:
        """Tell the observers of what a person did outside of any call: where no server runs, at a terminal, the record.

        What was done is done: a record that cannot be written is said in the log.
        """
        accounts = self.dispatcher.accounts
        if accounts.record is not None:
            accounts.noted(call)
            return
        for observer in accounts.observers:
            if observer.essential:
                try:
                    with private_umask():
                        observer.open(self)
                        observer.noted(call)
                        observer.close()
                except PackhorseError as exc:
                    logger.error("%s is not on record: %s", call.name, exc)  # noqa: TRY400  # said in words

    @contextmanager
    def _observed(self) -> Iterator[None]:
        with ExitStack() as opened:
            for observer in self.catalogue.observers:
                observer.open(self)
                opened.callback(observer.close)
            opened.callback(self.dispatcher.accounts.close)
            yield

    def _started(self, works: bool) -> Iterator[None]:
        started: list[Loaded] = []
        try:
            for pack in self.catalogue.packs:
                if pack.pack.start is not None:
                    try:
                        pack.pack.start(self.hosts[pack.found.name])
                    except Exception as exc:
                        # Whatever a pack's start may raise: the deployer has to hear whose it was.
                        raise PackError(f"pack {pack.found.name!r} could not start: {reason_of(exc)}") from exc
                started.append(pack)
            if self.jobs is not None:
                self.jobs.begin(works=works)
            yield
        finally:
            if self.jobs is not None:
                self.jobs.close()
            for pack in reversed(started):
                if pack.pack.stop is not None:
                    try:
                        pack.pack.stop(self.hosts[pack.found.name])
                    except Exception:
                        # One pack's failure to stop must not keep the others from stopping.
                        logger.exception("pack %s failed to stop", pack.found.name)


def compose(
    settings: Settings,
    found: Sequence[Found],
    *,
    modules: Mapping[str, ModuleType] | None = None,
    clock: Clock = system_clock,
    clashes: list[str] | None = None,
    part: bool = False,
    faults: bool = True,
) -> Deployment:
    """Load the packs that ``settings`` ask for and collect their offers.

    Where ``clashes`` is a list, names that two packs offer are added to it and
    left out: for commands that only look, which a server must not be. So is
    ``part``: some packs of a deployment, whose [auth.roles] name others' offers.
    Without ``faults`` the packs are not asked what of them cannot be served: a
    pack's own command may be what corrects it.

    Raises:
        PackError: a wanted pack is absent, two offers clash, the configuration
            is unsafe or wrong, or a pack is broken and the deployment strict.
    """
    found, wanted = with_files(_allowed(found, settings.server.distributions), settings.server.packs)
    for name in settings.packs:
        if name not in {pack.name for pack in found}:
            installed = ", ".join(pack.name for pack in found) or "none"
            near = did_you_mean(name, [pack.name for pack in found])
            raise PackError(f"[packs.{name}] is for a pack that is not installed.{near} Installed packs: {installed}.")
    chosen = packs.choose(found, wanted)
    manager, loaded, broken = packs.load(chosen, modules=modules)
    hosts: dict[str, Host] = {}
    pseudonym = _pseudonym(settings)
    for pack in list(loaded):
        try:
            hosts[pack.found.name] = _host(pack, settings, clock, pseudonym)
        except PackError:
            raise
        except Exception as exc:
            # A pack's settings model may raise anything of its own; the other packs serve on.
            loaded.remove(pack)
            broken.append(Broken(pack.found, reason_of(exc), judges=packs.judges(pack.module)))
    check_fence(settings, hosts)
    catalogue = reserved(collect(manager, loaded, broken, hosts, settings.pack, clashes), hosts)
    for one in catalogue.broken:
        if one.found.file is not None:  # somebody named this very file, and most often no other pack
            raise PackError(f"{one.found.file}: {one.reason}")
        logger.error("pack %s %s is not served: %s", one.found.name, one.found.version, one.reason)
    jobs = None
    if any(entry.offer.job for entry in catalogue.tools.values()):
        jobs = _jobs(settings, clock)
    host = Host("packhorse", data_dir=settings.data_dir, settings=settings, clock=clock, pseudonym=pseudonym, jobs=jobs)
    catalogue = _with_builtin(catalogue, settings, host, clashes)
    if faults:
        catalogue = with_faults(catalogue, hosts, host)
    catalogue = with_views(with_skills_open(granted(catalogue, settings.auth.roles, part=part)))
    check_safe(settings, catalogue)
    if settings.server.lock is not None:
        check_lock(catalogue, settings.server.lock)
    limiter = _limiter(settings.server, clock)
    dispatcher = Dispatcher(
        catalogue,
        settings.server,
        limiter=limiter,
        clock=clock,
        data_versions={
            pack.found.name: partial(pack.pack.data_version, hosts[pack.found.name])
            for pack in catalogue.packs
            if pack.pack.data_version is not None
        },
        jobs=jobs,
        accounts=Accounts(catalogue.observers, pseudonym),
    )
    limits = _limits(settings, catalogue)
    if jobs is not None:
        jobs.describe = partial(_described, settings, catalogue)
        jobs.finished = dispatcher.accounts.job_ended
    made = Deployment(settings, manager, catalogue, dispatcher, hosts, host, clock, limits, limiter, jobs)
    check_processes(settings, catalogue, counts=made.counts)
    for own in hosts.values():
        own.noted, own.approvals_at = made.note, made.approvals_at
    return made


def _with_builtin(
    catalogue: Catalogue,
    settings: Settings,
    host: Host,
    clashes: list[str] | None,
) -> Catalogue:
    manager, loaded, broken = packs.load(packs.without(settings.server.without))
    if broken:
        raise PackError(f"the built-in pack {broken[0].found.name!r} cannot be served: {broken[0].reason}")
    return with_builtin(catalogue, manager, loaded, {pack.found.name: host for pack in loaded}, clashes)


def _pseudonym(settings: Settings) -> Pseudonym:
    """Names a caller in the log: the same in every process and after every start where [audit] has a key."""

    @lru_cache(maxsize=1)
    def keys() -> "Keys":
        from packhorse.audit.keys import Keys

        return Keys(settings.audit.secret)

    @lru_cache(maxsize=1024)
    def named(subject: str) -> str:
        return keys().digest(f"subject {subject}".encode())[:16]

    def pseudonym(principal: Principal) -> str | None:
        if principal.subject is None:
            return None
        return named(f"{principal.claims.get('iss', '')} {principal.subject}")

    return pseudonym


def _described(settings: Settings, catalogue: Catalogue, tool: str) -> Mapping[str, Any] | None:
    """What the host of a tool's pack is made from, for the process of a job."""
    from packhorse.jobs.running import describe

    entry = catalogue.tools.get(tool)
    for pack in catalogue.packs:
        if entry is not None and pack.found.name == entry.pack:
            return describe(
                entry.pack,
                pack.module.__name__,
                data_dir=settings.data_dir,
                own=settings.pack(entry.pack).own,
                database=settings.server.database_url,
            )
    return None


def _jobs(settings: Settings, clock: Clock) -> "Engine":
    from packhorse.jobs.engine import Databases, Engine

    return Engine(Databases.of(settings), limits=settings.jobs, clock=clock)


def _limiter(settings: ServerSettings, clock: Clock) -> Limiter:
    if settings.limits == "memory":
        return Limiter.memory(clock=steady_clock if clock is system_clock else clock)
    return Limiter.redis(settings.limits, prefix=f"packhorse:{settings.name}", clock=clock)


def _allowed(found: Sequence[Found], distributions: Sequence[str] | None) -> list[Found]:
    """The packs of those distributions: any other's code is never run."""
    if distributions is None:
        return list(found)
    allowed = {canonicalize_name(name) for name in distributions}
    return [pack for pack in found if canonicalize_name(pack.distribution) in allowed]


def _host(pack: Loaded, settings: Settings, clock: Clock, pseudonym: Pseudonym) -> Host:
    name = pack.found.name
    own = settings.pack(name).own
    model = pack.pack.settings
    where = settings.source or "the environment"
    filled: Any = None
    if model is None:
        if own:
            key = sorted(own)[0]
            near = did_you_mean(key, PackTable.model_fields.keys() - {"own"})
            raise PackError(
                f"{where} [packs.{name}] has the key {key!r}, but this pack has no settings of its own.{near}"
            )
    else:
        try:
            # A misspelt key would otherwise be passed over in silence.
            own = with_fence(own, model, settings)
            filled = model.model_validate(own, extra=model.model_config.get("extra", "forbid"))
        except ValidationError as exc:
            # Without the cause: it shows the values, and one may be a secret.
            raise PackError(f"{where} [packs.{name}]: " + "; ".join(problems(exc, model))) from None
    return Host(
        name,
        data_dir=settings.data_dir,
        settings=filled,
        migrations=pack.pack.migrations,
        clock=clock,
        database=settings.server.database_url,
        pseudonym=pseudonym,
    )


def _limits(settings: Settings, catalogue: Catalogue) -> dict[str, tuple[Limit, frozenset[str]]]:
    limits = {}
    for pack in catalogue.packs:
        name = pack.found.name
        chosen = settings.pack(name).limit_by_address
        text = pack.pack.limit_by_address if chosen is None else chosen
        tools = frozenset(tool.name for tool in catalogue.tools.values() if tool.pack == name)
        if text is None or text == "none" or not tools:
            continue
        try:
            limits[name] = (Limit.parse(text), tools)
        except PackError as exc:
            raise PackError(f"pack {name!r}: {exc}") from exc
    return limits
