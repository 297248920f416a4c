"""Putting a deployment together: settings, the packs it serves, and the one door to them."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pluggy
from pydantic import ValidationError

from packhorse import packs
from packhorse.catalogue import Catalogue, collect
from packhorse.clock import Clock, system_clock
from packhorse.dispatch import Dispatcher
from packhorse.errors import PackError
from packhorse.host import Host
from packhorse.limits import Limit
from packhorse.packs import Broken, Found, Loaded, reason_of
from packhorse.settings import Settings, problems

logger = logging.getLogger("packhorse.deployment")


@dataclass(frozen=True, slots=True)
class Deployment:
    """Some packs, composed under one set of settings."""

    settings: Settings
    manager: pluggy.PluginManager
    catalogue: Catalogue
    dispatcher: Dispatcher
    hosts: Mapping[str, Host]
    clock: Clock = system_clock
    limits: Mapping[str, tuple[Limit, frozenset[str]]] = field(default_factory=dict)
    """By pack: what one address may call over HTTP, and of which tools taken together."""

    @contextmanager
    def running(self) -> Iterator[None]:
        """Start the packs, and stop those that started, in reverse, whatever happens between."""
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
            yield
        finally:
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
) -> Deployment:
    """Load the packs that ``settings`` ask for and collect their offers.

    Raises:
        PackError: a wanted pack is absent, two offers clash, the configuration
            is unsafe or wrong, or a pack is broken and the deployment strict.
    """
    for name in settings.packs:
        if name not in {pack.name for pack in found}:
            installed = ", ".join(pack.name for pack in found) or "none"
            raise PackError(f"[packs.{name}] is about a pack that is not installed. Installed packs: {installed}.")
    chosen = packs.choose(found, settings.server.packs)
    manager, loaded, broken = packs.load(chosen, modules=modules)
    hosts: dict[str, Host] = {}
    for pack in list(loaded):
        try:
            hosts[pack.found.name] = _host(pack, settings, clock)
        except PackError:
            raise
        except Exception as exc:
            # A pack's settings model may raise anything of its own; the other packs serve on.
            loaded.remove(pack)
            broken.append(Broken(pack.found, reason_of(exc), judges=packs.implements(pack.module, "register_auth")))
    catalogue = collect(manager, loaded, broken, hosts, settings.pack)
    for one in catalogue.broken:
        logger.error("pack %s %s is not served: %s", one.found.name, one.found.version, one.reason)
    _check_safe(settings, catalogue)
    dispatcher = Dispatcher(catalogue, settings.server)
    return Deployment(settings, manager, catalogue, dispatcher, hosts, clock, _limits(settings, catalogue))


def _host(pack: Loaded, settings: Settings, clock: Clock) -> Host:
    name = pack.found.name
    own = settings.pack(name).own
    model = pack.pack.settings
    where = settings.source or "the environment"
    filled: Any = None
    if model is None:
        if own:
            raise PackError(f"{where} [packs.{name}] has {sorted(own)[0]!r}, and this pack has no settings of its own")
    else:
        try:
            # A misspelt key would otherwise be passed over in silence.
            filled = model.model_validate(own, extra=model.model_config.get("extra", "forbid"))
        except ValidationError as exc:
            # Without the cause: it shows the values, and one may be a secret.
            raise PackError(f"{where} [packs.{name}]: " + "; ".join(problems(exc, model))) from None
    return Host(name, data_dir=settings.data_dir, settings=filled, migrations=pack.pack.migrations, clock=clock)


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


def _check_safe(settings: Settings, catalogue: Catalogue) -> None:
    broken: Sequence[Broken] = catalogue.broken
    if broken and settings.server.strict:
        reasons = "; ".join(f"{one.found.name} {one.found.version}: {one.reason}" for one in broken)
        raise PackError(f"the deployment is strict, and these packs cannot be served: {reasons}")
    for one in broken:
        if one.judges:
            raise PackError(
                f"pack {one.found.name!r} {one.found.version} guards this deployment, and cannot be served:"
                f" {one.reason}. Mend it, or take it out of the packs to be served."
            )
    if not catalogue.verifiers:
        return
    for entry in catalogue.entries:
        if not entry.offer.public and not entry.offer.roles:
            raise PackError(
                f"authentication is configured, and {entry.name!r} of pack {entry.pack!r} says neither who may use it"
                " nor that everybody may: give it roles=... or public=True, or exclude it"
            )
