"""``packhorse bundle``, ``registry`` and ``new``: a pack as others get it, and the files of a new one."""

from importlib.metadata import entry_points
from pathlib import Path

import click

from packhorse.errors import UserError
from packhorse.terminal import apart, json_option, options, show


def _installed(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """What a shell offers for the argument: reading the names costs no import of a pack."""
    return sorted({found.name for found in entry_points(group="packhorse") if found.name.startswith(incomplete)})


pack_argument = options(click.argument("pack", metavar="PACK", shell_complete=_installed))


@click.command(short_help="Make a file that a desktop app can use to install a pack.")
@pack_argument
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="The file to write, replaced if it exists. Without this option: DISTRIBUTION-VERSION.mcpb in the current"
    " folder.",
)
@click.option("--author", help="The bundle's author. Without this option: the author in the pack's metadata.")
@json_option
def bundle(pack: str, output: Path | None, author: str | None, as_json: bool) -> None:
    """Make an MCP bundle (.mcpb) of PACK, for Claude Desktop and other apps.

    A user installs the bundle with a double click and needs no Python: the app
    brings it. The bundle contains the pack and packhorse as they are installed
    here. The app asks for the pack's settings in a form. When the pack starts
    for the first time, the app downloads the packages that it needs.
    """
    from packhorse.publish import bundle as made
    from packhorse.publish.about import about

    with apart():
        facts = about(pack)
    wheels = made.wheels_for(facts)
    content = made.bundle(facts, wheels, author)
    file = output or Path(f"{facts.distribution}-{facts.version}.mcpb")
    try:
        file.write_bytes(content)
    except OSError as exc:
        raise UserError(
            f"{file} cannot be written ({exc.strerror}). Choose another file with --output.", code="BUNDLE_FILE"
        ) from exc
    if as_json:
        report = {"file": str(file), "bytes": len(content), "wheels": [wheel.name for wheel in wheels]}
        show({**report, "settings": [field.key for field in facts.fields]})
        return
    click.echo(f"Wrote {file} ({len(content) / 1000:.0f} kB): {facts.title} {facts.version}.")
    click.echo(f"  Contents: {', '.join(wheel.name for wheel in wheels)}")
    if facts.fields:
        click.echo(f"  The app asks for: {', '.join(field.key for field in facts.fields)}")
    click.echo("Open it with Claude Desktop to install it.")


@click.command(short_help="Print a pack's entry for the MCP registry.")
@pack_argument
@click.option(
    "--name",
    help="The pack's name in the registry, such as io.github.USER/packhorse-moon. Without"
    " this option: the name in the pack's metadata.",
)
@click.option(
    "--bundle",
    "bundle_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The pack's bundle, if the pack is on no package index. Also give --bundle-url.",
)
@click.option("--bundle-url", help="The URL of the bundle: a release on GitHub or GitLab.")
@click.option("--remote", metavar="URL", help="The URL of a public HTTP server with this pack.")
def registry(pack: str, name: str | None, bundle_file: Path | None, bundle_url: str | None, remote: str | None) -> None:
    """Print PACK's server.json, its entry for the MCP registry.

    The entry is made from the pack's own metadata and settings. Save it as
    server.json and publish it with the registry's own tool, mcp-publisher.
    """
    if (bundle_file is None) != (bundle_url is None):
        raise click.UsageError(
            "Give --bundle and --bundle-url together: the file, and the URL where people download it."
        )
    from packhorse.publish import registry as made
    from packhorse.publish.about import about

    with apart():
        facts = about(pack)
    called = made.name_for(facts, name)
    download = made.Download(bundle_url, bundle_file.read_bytes()) if bundle_file and bundle_url else None
    show(made.entry(facts, called, download=download, remote=remote))
    missing = made.unproved(facts, called) if download is None else None
    if missing:
        click.echo(f"Before you publish: {missing}.", err=True)


@click.command(short_help="Create a pack from a template.")
@click.argument("name", metavar="NAME")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to create, which must be new or empty. Without this option: packhorse-NAME in the current folder.",
)
@json_option
@click.pass_context
def new(context: click.Context, name: str, folder: Path | None, as_json: bool) -> None:
    """Create a pack called NAME from a template.

    The pack has one tool, a pyproject.toml, a README and tests. Replace the tool with your own.
    """
    from packhorse.compose import packs
    from packhorse.publish import scaffold

    key = scaffold.checked(name)
    root = context.find_root()
    if isinstance(root.command, click.Group) and key in root.command.list_commands(root):
        raise UserError(f"{key!r} is a command of packhorse: choose another name for the pack.", code="PACK_NAME")
    for found in packs.find():
        if found.name == key:
            raise UserError(
                f"A pack {key!r} is already installed ({found.distribution} {found.version}): choose another name.",
                code="PACK_NAME",
            )
    target = folder or Path(scaffold.distribution_of(key))
    written = scaffold.write(key, packs.core_version(), target)
    if as_json:
        show({"folder": str(target), "files": [file.as_posix() for file in written], "pack": key})
        return
    click.echo(f"{target}")
    for file in written:
        click.echo(f"  {file.as_posix()}")
    click.echo(
        f"Next:\n  cd {target}\n  pip install --editable .\n  pip install pytest\n  pytest\n"
        f'  packhorse call {scaffold.tool_of(key)} \'{{"name": "Ada"}}\''
    )
