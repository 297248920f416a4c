"""``packhorse check``: look for what would go wrong, and say how to mend it."""

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from packhorse.cli.options import apart, config_option, json_option, show
from packhorse.errors import PackhorseError

if TYPE_CHECKING:
    from packhorse.deployment import Deployment


@dataclass(frozen=True)
class Finding:
    """One thing looked at. ``cure`` is empty where nothing is wrong."""

    subject: str
    found: str
    cure: str = ""


@click.command()
@json_option
@config_option
def check(as_json: bool, config: Path | None) -> None:
    """Look for what would go wrong, and say how to mend it.

    Ends with status 1 when something is wrong.
    """
    findings = list(_findings(config))
    wrong = [finding for finding in findings if finding.cure]
    if as_json:
        show({"ok": not wrong, "findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            click.echo(f"{'WRONG' if finding.cure else 'ok':<6}{finding.subject}: {finding.found}")
            if finding.cure:
                click.echo(f"      {finding.cure}")
        click.echo("Nothing is wrong." if not wrong else f"{len(wrong)} to mend.")
    if wrong:
        raise click.exceptions.Exit(1)


def _findings(config: Path | None) -> Iterator[Finding]:
    from packhorse import packs, settings
    from packhorse.deployment import compose
    from packhorse.principal import LOCAL
    from packhorse.server.adapter import Adapter

    yield Finding("packhorse", f"{packs.core_version()} on Python {sys.version.split()[0]}")
    try:
        found = packs.find()
    except PackhorseError as exc:
        yield Finding("packs", str(exc), "Uninstall one of the two distributions.")
        return
    try:
        chosen = settings.load(config, installed=[pack.name for pack in found])
    except PackhorseError as exc:
        yield Finding("configuration", str(exc), "Mend that line, or point --config at another file.")
        return
    yield Finding("configuration", str(chosen.source) if chosen.source else "none, so the defaults hold")
    try:
        with apart():
            deployment = compose(chosen.serving(strict=False), found)
            Adapter(deployment, lambda ctx: LOCAL)  # what only shows when it is put on the wire
    except PackhorseError as exc:
        yield Finding("deployment", str(exc), "As it stands a server would not start.")
        return
    for loaded in deployment.catalogue.packs:
        yield Finding(f"pack {loaded.found.name}", f"{loaded.found.version}, served")
    for broken in deployment.catalogue.broken:
        name = f"{broken.found.distribution} {broken.found.version}"
        yield Finding(
            f"pack {broken.found.name}",
            broken.reason,
            f"Mend, update or uninstall {name}; the others serve without it.",
        )
    yield _listening(deployment)
    yield _data_folder(chosen.data_dir)


def _listening(deployment: "Deployment") -> Finding:
    import anyio

    from packhorse.server.http import Service

    server = deployment.settings.server
    if server.transport == "stdio":
        return Finding("transport", "stdio")
    try:
        anyio.run(Service(deployment).check)
    except PackhorseError as exc:
        return Finding("transport", str(exc), "As it stands a server would not start over HTTP.")
    return Finding("transport", f"{server.transport} on {server.host}:{server.port}, paths {', '.join(server.paths)}")


def _data_folder(folder: Path) -> Finding:
    existing = folder
    while not existing.exists():
        existing = existing.parent
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        return Finding("data", f"{folder} cannot be written", "Make it writable, or set data_dir under [server].")
    return Finding("data", str(folder))
