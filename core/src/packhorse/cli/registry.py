"""``packhorse registry``: a pack's entry for the public MCP registry."""

from pathlib import Path

import click

from packhorse.cli.naming import pack_argument
from packhorse.cli.options import apart, show


@click.command()
@pack_argument
@click.option("--name", help="Its name there, such as io.github.USER/packhorse-moon; what the pack says when absent.")
@click.option(
    "--bundle",
    "bundle_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A bundle of the pack, for an entry that needs no package index; needs --bundle-url.",
)
@click.option("--bundle-url", help="Where the bundle is downloaded from: a release on GitHub or GitLab.")
@click.option("--remote", metavar="URL", help="Where a server with this pack is served over HTTP, if it is.")
def registry(pack: str, name: str | None, bundle_file: Path | None, bundle_url: str | None, remote: str | None) -> None:
    """Print PACK's server.json, its entry for the MCP registry.

    The entry is made from the pack's own metadata and settings. Save it as
    server.json and publish it with the registry's own tool, mcp-publisher.
    """
    if (bundle_file is None) != (bundle_url is None):
        raise click.UsageError("--bundle and --bundle-url belong together: the file, and where people download it.")
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
