"""``packhorse packs`` and ``packhorse tools``: what is here, without a client and without the protocol SDK."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from packhorse.cli.options import apart, config_option, configured, deployed, json_option, show
from packhorse.errors import PackError
from packhorse.principal import ANONYMOUS, Principal

_NONE = "These packs offer no tools."


@click.command()
@json_option
@config_option
def packs(as_json: bool, config: Path | None) -> None:
    """List the installed packs, and what is wrong with a broken one.

    A broken pack does not keep the others from being served.
    """
    from packhorse.deployment import compose

    settings, found = configured(config)
    rows: list[dict[str, Any]] = []
    for pack in found:
        # Each alone: packs that clash are not served together, and are listed all the same.
        alone = settings.model_copy(update={"packs": {pack.name: settings.pack(pack.name)}})
        served: list[str] = []
        reason: str | None = None
        try:
            with apart():
                catalogue = compose(alone.serving(packs=(pack.name,), strict=False), found).catalogue
            served = list(catalogue.tools)
            reason = next((broken.reason for broken in catalogue.broken), None)
        except PackError as exc:
            reason = str(exc)
        rows.append(
            {
                "name": pack.name,
                "version": pack.version,
                "distribution": pack.distribution,
                "status": "broken" if reason else "ok",
                "reason": reason,
                "tools": served,
            }
        )
    if as_json:
        show(rows)
        return
    if not rows:
        click.echo("No packs are installed. Install one with pip, for example packhorse-circadian.")
        return
    name_width = max(len(str(row["name"])) for row in rows)
    version_width = max(len(str(row["version"])) for row in rows)
    for row in rows:
        count = len(row["tools"])
        about = f"BROKEN: {row['reason']}" if row["reason"] else f"{count} tool{'' if count == 1 else 's'}"
        click.echo(f"{row['name']:<{name_width}}  {row['version']:<{version_width}}  {about}")


@click.command()
@click.argument("names", metavar="[PACK]...", nargs=-1)
@click.option("--as", "roles", metavar="ROLE", multiple=True, help="Only what a caller of this role sees; repeatable.")
@click.option("--as-anonymous", is_flag=True, help="Only what a caller without a token sees.")
@json_option
@config_option
def tools(
    names: tuple[str, ...], roles: tuple[str, ...], as_anonymous: bool, as_json: bool, config: Path | None
) -> None:
    """List the tools that a server of these packs would offer (all packs when none is named)."""
    if roles and as_anonymous:
        raise click.UsageError("A caller without a token has no roles: give --as or --as-anonymous.")
    deployment = deployed(config, names)
    catalogue = deployment.catalogue
    if roles or as_anonymous:
        caller = Principal("human", roles=frozenset(roles)) if roles else ANONYMOUS
        seen = {
            name: entry for name, entry in catalogue.tools.items() if deployment.dispatcher.visible(caller, entry.offer)
        }
        catalogue = replace(catalogue, tools=seen)
    if as_json:
        show(
            [
                {
                    "name": tool.name,
                    "pack": tool.pack,
                    "title": tool.offer.title,
                    "description": tool.description,
                    "inputSchema": tool.arguments.schema,
                    "outputSchema": tool.answers.schema,
                }
                for tool in catalogue.tools.values()
            ]
        )
        return
    for broken in catalogue.broken:
        click.echo(f"The pack {broken.found.name} is not served: {broken.reason}", err=True)
    if not catalogue.tools:
        click.echo("These packs offer no tools to such a caller." if roles or as_anonymous else _NONE)
    for tool in catalogue.tools.values():
        required = tool.arguments.schema.get("required", [])
        listed = [name if name in required else f"[{name}]" for name in tool.arguments.schema.get("properties", {})]
        first = " ".join(tool.description.split("\n\n")[0].split())
        click.echo(f"{tool.name} ({', '.join(listed)})")
        click.echo(f"    {first}  [{tool.pack}]")
