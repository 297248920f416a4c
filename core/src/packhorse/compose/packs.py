"""Finding packs by their entry points, and loading the chosen ones one by one.

A pack is found from metadata before anything of it is imported. One that
cannot be loaded is put aside with its reason, and the others serve on.
"""

import importlib
import inspect
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pluggy

from packhorse.compose.file_packs import NOT_PYTHON, import_file, is_file, is_path
from packhorse.contract import hookspecs
from packhorse.contract.packs import HOSTS_OWN_SETTINGS, Pack
from packhorse.door.catalogue import Broken, Found, Loaded
from packhorse.errors import PackError, PackhorseError
from packhorse.errors.nearest import did_you_mean
from packhorse.settings import Settings
from packhorse.settings import load as load_settings

GROUP = "packhorse"
PROJECT = "packhorse"

_OF_EVERY_PACK = ": a pack for the packhorse MCP host."
"""How the summaries of our own packs end, which says nothing beside other packs."""

logger = logging.getLogger("packhorse.packs")


def core_version() -> str:
    """The version of the installed host."""
    return metadata.version(PROJECT)


def find(entry_points: Iterable[metadata.EntryPoint] | None = None) -> list[Found]:
    """The installed packs, by name.

    Raises:
        PackError: two distributions offer a pack of one name.
    """
    points = metadata.entry_points(group=GROUP) if entry_points is None else entry_points
    packs: dict[str, Found] = {}
    for point in points:
        distribution = point.dist
        made = Found(
            point.name,
            re.split(r"[:\[]", point.value)[0].strip(),
            distribution.name if distribution else "unknown",
            distribution.version if distribution else "unknown",
            tuple(line for line in distribution.requires or () if line.lower().startswith(PROJECT))
            if distribution
            else (),
            _summary(distribution) if distribution else "",
        )
        other = packs.get(point.name)
        if other is not None and other != made:
            raise PackError(
                f"two installed distributions offer a pack named {point.name!r}: {other.distribution}"
                f" {other.version} and {made.distribution} {made.version}. Uninstall one of them."
            )
        packs[point.name] = made
    return [packs[name] for name in sorted(packs)]


def serving(settings: Settings, found: Sequence[Found], names: Sequence[str], **server: Any) -> Settings:
    """The settings with parts of ``[server]`` replaced. Where anything is named, that alone is served.

    A name is a pack's, a mounted server's, or the path of a pack's file. None of ``server`` leaves a part alone.

    Raises:
        PackError: a name is nearly a mounted server's.
    """
    if not names:
        return settings.serving(**server)
    own, mounted = {pack.name for pack in found}, settings.mounted
    for name in names:
        unknown = name not in own and name not in mounted and not is_file(name)
        if unknown and (near := did_you_mean(name, mounted)):
            raise PackError(f"there is no pack and no mounted server {name!r} here.{near}")
    return settings.serving(
        packs=tuple(name for name in names if name in own or name not in mounted),
        mounts=tuple(name for name in names if name in mounted),
        **server,
    )


def configured(config: Path | None) -> tuple[Settings, list[Found]]:
    """The settings, and the packs that are installed."""
    found = find()
    return load_settings(config, installed=[pack.name for pack in found]), found


@cache
def builtin() -> tuple[Found, ...]:
    """The packs that come with the host.

    Raises:
        PackError: its metadata names none: it is of an older version than its code.
    """
    points = [point for point in metadata.distribution(PROJECT).entry_points if point.group == hookspecs.BUILTIN]
    if not points:
        raise PackError("the installed metadata of packhorse names no built-in packs: install packhorse again")
    version = core_version()
    return tuple(Found(point.name, point.value, PROJECT, version) for point in points)


def without(names: Sequence[str]) -> list[Found]:
    """The built-in packs, but for those named.

    Raises:
        PackError: one of the names is no built-in pack's.
    """
    known = [pack.name for pack in builtin()]
    for name in names:
        if name not in known:
            raise PackError(
                f"the setting `without` under [server] lists {name!r}, but no built-in pack has this name."
                f"{did_you_mean(name, known)} Built-in packs: {', '.join(known)}."
            )
    return [pack for pack in builtin() if pack.name not in names]


def _summary(distribution: metadata.Distribution) -> str:
    (text,) = distribution.metadata.get_all("Summary") or [""]
    return " ".join(text.removesuffix(_OF_EVERY_PACK).split())


def choose(found: Sequence[Found], wanted: Sequence[str] | None) -> list[Found]:
    """The packs to serve, in the deployer's order; all of them when nothing is wanted in particular.

    Raises:
        PackError: naming a wanted pack that is not installed.
    """
    if wanted is None:
        return list(found)
    by_name = {pack.name: pack for pack in found}
    for name in wanted:
        if name not in by_name:
            if is_path(name):
                raise PackError(NOT_PYTHON.format(name))
            near = did_you_mean(name, by_name)
            raise PackError(
                f"there is no pack {name!r} here.{near} Installed packs: {', '.join(by_name) or 'none'}."
                + ("" if near else " To serve another pack, install the distribution that contains it.")
            )
    return [by_name[name] for name in dict.fromkeys(wanted)]


def load(
    chosen: Iterable[Found], *, modules: Mapping[str, ModuleType] | None = None
) -> tuple[pluggy.PluginManager, list[Loaded], list[Broken]]:
    """Import the chosen packs and register their hooks with a fresh plugin manager.

    ``modules`` gives packs that need no import, for tests.
    """
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    loaded: list[Loaded] = []
    broken: list[Broken] = []
    for found in chosen:
        module: Any = (modules or {}).get(found.name)
        try:
            if module is None:
                _check_needs(found)
                module = importlib.import_module(found.module) if found.file is None else import_file(found)
            loaded.append(_load_one(manager, found, module))
        except (Exception, SystemExit) as exc:
            # The boundary that keeps one pack's failure from the others: whatever its import may raise, or call.
            logger.debug("pack %s could not be loaded", found.name, exc_info=True)
            broken.append(Broken(found, reason_of(exc), judges=judges(module)))
    return manager, loaded, broken


def implements(module: Any, hook: str) -> bool:
    """Whether a pack's module has an implementation of ``hook``."""
    return hasattr(getattr(module, hook, None), f"{PROJECT}_impl")


def judges(module: Any) -> bool:
    """Whether others would be served unguarded or unrecorded without this pack."""
    return implements(module, "register_auth") or implements(module, "register_observers")


def reason_of(exc: BaseException) -> str:
    """Why a pack failed, for its deployer: our own words as they are, others with their kind."""
    if isinstance(exc, PackhorseError):
        return str(exc)
    return f"{type(exc).__name__}: {exc}".rstrip(": ")


def _load_one(manager: pluggy.PluginManager, found: Found, module: Any) -> Loaded:
    pack = getattr(module, "pack", None)
    if pack is not None and not isinstance(pack, Pack):
        pack = None  # a submodule or variable that merely has the name
    taken = HOSTS_OWN_SETTINGS.intersection(pack.settings.model_fields) if pack and pack.settings else ()
    if taken:
        raise PackError(f"its settings have the key {min(taken)!r}, which packhorse itself uses: rename it")
    try:
        manager.register(module, found.name)
        _check_hooks(manager, module, found)
    except Exception as exc:
        # Left in the manager, a misspelt hook would be held against every pack after this one.
        if manager.get_plugin(found.name) is module:
            manager.unregister(module)
        if isinstance(exc, pluggy.PluginValidationError):
            raise PackError(
                f"its hooks do not have the parameters that packhorse gives them: {' '.join(str(exc).split())}"
            ) from exc
        raise
    return Loaded(found, module, pack or Pack(title=found.name.replace("_", " ").replace("-", " ").capitalize()))


def _check_hooks(manager: pluggy.PluginManager, module: Any, found: Found) -> None:
    known = [name for name in vars(hookspecs) if name.startswith("register_")]
    for name in known:
        if inspect.isfunction(getattr(module, name, None)) and not implements(module, name):
            raise PackError(
                f"{found.module}.{name} has the name of a hook, but is not declared as one: decorate it with @hookimpl"
            )
    try:
        manager.check_pending()
    except pluggy.PluginValidationError as exc:
        wrong = [
            name for name, value in inspect.getmembers(module, callable)
            if hasattr(value, f"{PROJECT}_impl") and name not in known
        ]  # fmt: skip
        raise PackError(f"packhorse has no hook {', '.join(wrong)}; its hooks are {', '.join(known)}") from exc
    if not any(caller.name in known for caller in manager.get_hookcallers(module) or ()):
        raise PackError(f"{found.module} implements no hook: decorate one of {', '.join(known)} with @hookimpl")


def _needs(requires: Sequence[str]) -> str | None:
    """The versions of the core that are asked for; None when it names none."""
    if not requires:
        return None
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.utils import canonicalize_name

    for line in requires:
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            continue  # somebody's metadata is wrong; the import will tell whether the pack is
        applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if canonicalize_name(requirement.name) == PROJECT and applies:
            return str(requirement.specifier) or None
    return None


def _check_needs(found: Found) -> None:
    needs = _needs(found.requires)
    if needs is None:
        return
    from packaging.specifiers import SpecifierSet

    if not SpecifierSet(needs).contains(core_version(), prereleases=True):
        raise PackError(f"it needs packhorse {needs}, but this is packhorse {core_version()}")
