"""``packhorse packs`` and ``packhorse tools``: what is here, without a client and without the protocol SDK."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from packhorse.cli.options import deployed, url_options
from packhorse.compose.packs import configured, core_version
from packhorse.contract.principal import ANONYMOUS, Principal
from packhorse.door.catalogue import HOST
from packhorse.errors import PackError
from packhorse.errors.nearest import did_you_mean
from packhorse.terminal import apart, config_option, json_option, show

_NONE = "These packs offer no tools."


@click.command()
@json_option
@config_option
def packs(as_json: bool, config: Path | None) -> None:
    """List the installed packs, and what is wrong with broken packs.

    If one pack is broken, the other packs are still served.
    """
    from packhorse.compose.deployment import compose

    settings, found = configured(config)
    rows: list[dict[str, Any]] = []
    hosts_own: list[str] = []
    for pack in found:
        # Each alone: packs that clash are not served together, and are listed all the same.
        alone = settings.model_copy(update={"packs": {pack.name: settings.pack(pack.name)}})
        served: list[str] = []
        reason: str | None = None
        instructions = ""
        try:
            with apart():
                catalogue = compose(alone.serving(packs=(pack.name,), mounts=(), strict=False), found).catalogue
            served = [name for name, tool in catalogue.tools.items() if tool.pack == pack.name]
            instructions = "".join(loaded.pack.instructions for loaded in catalogue.packs)
            hosts_own = hosts_own or [name for name, tool in catalogue.tools.items() if tool.pack == HOST]
            reason = next((broken.reason for broken in catalogue.broken), None)
        except PackError as exc:
            reason = str(exc)
        rows.append(
            {
                "name": pack.name,
                "version": pack.version,
                "distribution": pack.distribution,
                "summary": pack.summary,
                "instructions": instructions,
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
    listed = [(row["name"], row["version"], row["reason"], len(row["tools"]), row["summary"]) for row in rows]
    if hosts_own:
        listed.append(
            (HOST, core_version(), None, len(hosts_own), f"Tools of packhorse itself: {', '.join(hosts_own)}")
        )
    name_width, version_width = (max(len(str(row[column])) for row in listed) for column in (0, 1))
    count_width = max(len(_count(row[3])) for row in listed)
    for name, version, reason, count, summary in listed:
        about = f"BROKEN: {reason}" if reason else f"{_count(count):<{count_width}}  {summary}".rstrip()
        click.echo(f"{name:<{name_width}}  {version:<{version_width}}  {about}")


def _count(tools: int) -> str:
    return f"{tools} tool{'' if tools == 1 else 's'}"


@click.command()
@click.argument("names", metavar="[PACK]...", nargs=-1)
@click.option(
    "--as", "roles", metavar="ROLE", multiple=True, help="Only the tools that a caller with this role sees; repeatable."
)
@click.option("--as-anonymous", is_flag=True, help="Only the tools that a caller without a token sees.")
@url_options
@json_option
@config_option
def tools(
    names: tuple[str, ...],
    roles: tuple[str, ...],
    as_anonymous: bool,
    url: str | None,
    token: str | None,
    login: bool,
    as_json: bool,
    config: Path | None,
) -> None:
    """List the tools that a server would offer with the packs that you name, or with all.

    PACK may be the path of a file, such as ./weather.py, or the name of a mounted
    server. With --url: list the tools of the server at that URL.
    """
    if roles and as_anonymous:
        raise click.UsageError("Give --as or --as-anonymous, not both: a caller without a token has no roles.")
    if url is not None:
        if names or roles or as_anonymous:
            raise click.UsageError("Give --url alone: the server there has its packs, and the token says who asks.")
        _tools_there(url, token, login, as_json)
        return
    deployment = deployed(config, names)
    catalogue = deployment.catalogue
    if roles or as_anonymous:
        _note_unknown(roles, {role for entry in catalogue.tools.values() for role in entry.offer.roles})
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
                    "words": tool.offer.words,
                    "level": tool.offer.level,
                    "inputSchema": tool.arguments.schema,
                    "outputSchema": tool.answers.schema,
                }
                for tool in catalogue.tools.values()
            ]
        )
        return
    for broken in catalogue.broken:
        click.echo(f"The pack {broken.found.name} is not served: {broken.reason}", err=True)
    if not catalogue.tools and (not catalogue.broken or catalogue.packs):
        click.echo("These packs offer no tools to this caller." if roles or as_anonymous else _NONE)
    for tool in catalogue.tools.values():
        _print_tool(tool.name, tool.arguments.schema, tool.description, tool.pack)


def _note_unknown(roles: Sequence[str], known: Collection[str]) -> None:
    for role in roles:
        if role not in known:
            named = f"Roles: {', '.join(sorted(known))}." if known else "They name no roles."
            click.echo(f"No tool of these packs names the role {role!r}.{did_you_mean(role, known)} {named}", err=True)


def _tools_there(url: str, token: str | None, login: bool, as_json: bool) -> None:
    import anyio

    from packhorse.client import remote

    server, listed = anyio.run(remote.tools, url, token, login)
    if as_json:
        show([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed])
        return
    if not listed:
        click.echo(f"The server offers no tools to this caller.{remote.known_as(url, token, login)}")
    for tool in listed:
        _print_tool(tool.name, tool.input_schema, tool.description or "", server)


def _print_tool(name: str, schema: Mapping[str, Any], description: str, owner: str) -> None:
    required = schema.get("required", [])
    listed = [argument if argument in required else f"[{argument}]" for argument in schema.get("properties", {})]
    first = " ".join(description.split("\n\n", 1)[0].split())
    click.echo(f"{name} ({', '.join(listed)})")
    click.echo(f"    {first}  [{owner}]")
