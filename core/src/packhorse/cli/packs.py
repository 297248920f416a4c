"""The commands that packs bring: ``packhorse PACK ...``, and those of the built-in packs at the root."""

import importlib
from collections.abc import Mapping
from importlib import metadata
from typing import Any

import click
import pluggy

from packhorse.contract import hookspecs
from packhorse.contract.observers import ObservedCall
from packhorse.contract.principal import LOCAL
from packhorse.errors import PackError, PackhorseError


def of_builtin() -> Mapping[str, tuple[str, click.Command]]:
    """The commands of the built-in packs by name, each with the name of its pack; no settings are read for it."""
    manager = pluggy.PluginManager("packhorse")
    manager.add_hookspecs(hookspecs)
    for point in metadata.distribution("packhorse").entry_points.select(group=hookspecs.BUILTIN):
        manager.register(importlib.import_module(point.value), point.name)
    made: dict[str, tuple[str, click.Command]] = {}
    for implementation in manager.hook.register_commands.get_hookimpls():
        commands: Any = implementation.function()
        made |= {command.name: (implementation.plugin_name, command) for command in commands}
    return made


def builtin_command(name: str) -> click.Command | None:
    """A command of a built-in pack; None when there is no such command.

    Raises:
        PackError: its pack is left out.
    """
    pack, command = of_builtin().get(name, ("", None))
    if command is not None and pack in _left_out():
        raise PackError(
            f"{name!r} is a command of the built-in pack {pack!r}, which is switched off: remove {pack!r} from"
            " the setting `without` under [server]"
        )
    return command


def _left_out() -> tuple[str, ...]:
    from packhorse import settings

    try:
        return settings.load(None).server.without
    except PackhorseError:
        return ()  # the command says what is wrong with the settings, if it reads them


def group_of(name: str) -> click.Command | None:
    """The commands of one installed pack; None when there is no such pack.

    Raises:
        PackError: the pack is broken, or brings no commands.
    """
    from packhorse.compose import packs

    if name not in {found.name for found in packs.find()}:
        return None
    from packhorse.cli.options import deployed
    from packhorse.compose.collect import contributions

    deployment = deployed(None, [name], faults=False, strict=True)
    host = deployment.hosts[name]
    host.served = lambda: deployed(None, faults=False).dispatcher.offered(LOCAL)

    def note(call: ObservedCall) -> None:
        try:
            deployed(None, faults=False).note(call)  # which knows the personal data of every pack
        except PackError:
            deployment.note(call)

    host.noted = note
    loaded = deployment.catalogue.packs[0]
    commands = contributions(deployment.manager, loaded, "register_commands", host)
    for command in commands:
        if not isinstance(command, click.Command):
            raise PackError(f"pack {name!r}: register_commands must return click commands")
    if not commands:
        raise PackError(f"the pack {name!r} has no commands of its own; see 'packhorse tools {name}' for its tools")
    group = click.Group(name, help=f"Commands of the pack {name} ({loaded.pack.title}).")
    for command in commands:
        group.add_command(command)
    return group
