"""``packhorse PACK ...``: the commands that a pack brings for a person at a terminal."""

import click

from packhorse.errors import PackError


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

    deployment = deployed(None, [name], strict=True)
    loaded = deployment.catalogue.packs[0]
    commands = contributions(deployment.manager, loaded, "register_commands", deployment.hosts[name])
    for command in commands:
        if not isinstance(command, click.Command):
            raise PackError(f"pack {name!r}: register_commands must return click commands")
    if not commands:
        raise PackError(f"the pack {name!r} has no commands of its own; see 'packhorse tools {name}' for its tools")
    group = click.Group(name, help=f"Commands of the pack {name} ({loaded.pack.title}).")
    for command in commands:
        group.add_command(command)
    return group
