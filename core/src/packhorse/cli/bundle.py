"""``packhorse bundle``: a pack as one file that a desktop app installs."""

from pathlib import Path

import click

from packhorse.cli.naming import pack_argument
from packhorse.cli.options import apart, json_option, show
from packhorse.errors import UserError


@click.command()
@pack_argument
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="The file to write; DISTRIBUTION-VERSION.mcpb in this folder when absent. One that is there is replaced.",
)
@click.option("--author", help="Who the bundle is by; what the pack's metadata says when absent.")
@json_option
def bundle(pack: str, output: Path | None, author: str | None, as_json: bool) -> None:
    """Make an MCP bundle (.mcpb) of PACK, for Claude Desktop and other apps.

    A person installs it with a double click and needs no Python: the app brings
    uv, which makes an environment for it. The file holds the pack and packhorse
    as they are installed here, and asks for the pack's settings in a form. What
    they depend on is downloaded when the app first starts it.
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
    click.echo(f"  Inside: {', '.join(wheel.name for wheel in wheels)}")
    if facts.fields:
        click.echo(f"  The app asks for: {', '.join(field.key for field in facts.fields)}")
    click.echo("Open it with Claude Desktop to install it.")
