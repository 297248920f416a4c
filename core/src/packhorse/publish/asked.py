"""What a command line of ``packhorse install`` asks for, and the entries that come of it."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path

import click

from packhorse.publish.wanted import AnyEntry, entries, env_from, remote
from packhorse.terminal import options

entry_options = options(
    click.argument("packs", nargs=-1, metavar="[PACK]..."),
    click.option(
        "--separate",
        is_flag=True,
        help="Make an entry for each pack, so that each runs in a server of its own. Cannot be used with --one-entry.",
    ),
    click.option(
        "--one-entry",
        metavar="NAME",
        help="Make a single entry, with this name.",
    ),
    click.option(
        "--reload/--no-reload",
        default=None,
        help="Restart the server when a pack's file changes. Use it for packs that you write. Without either option, an"
        " existing entry keeps its setting.",
    ),
    click.option(
        "--env",
        "pairs",
        multiple=True,
        metavar="NAME=VALUE",
        help="A variable for the server, stored in clear text. Repeatable. Each entry that this command writes"
        " gets these variables, and keeps its earlier variables.",
    ),
    click.option(
        "--config",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        envvar="PACKHORSE_CONFIG",
        show_envvar=True,
        help="The packhorse.toml that the server uses. Without this option: packhorse.toml in your configuration"
        " folder ('packhorse check' prints its path).",
    ),
)
remote_options = options(
    click.option(
        "--url",
        help="Instead of packs, add the running server at this URL, such as https://packs.example.org/mcp.",
    ),
    click.option(
        "--token-env",
        metavar="VARIABLE",
        help="The environment variable in which the client finds the token for --url. The token itself is not stored.",
    ),
)


def entries_asked_for(
    packs: Sequence[str],
    separate: bool,
    one_entry: str | None,
    reload: bool | None,
    pairs: Sequence[str],
    config: Path | None,
    url: str | None = None,
    token_env: str | None = None,
) -> Sequence[AnyEntry]:
    """The entries that a command line asks for; a pack may be the path of a file."""
    from packhorse.compose.file_packs import found_file, is_file

    if url is not None:
        if packs or separate or reload or pairs:
            raise click.UsageError("--url names a server that runs already: leave out packs and their options.")
        return [remote(url, name=one_entry, token_variable=token_env)]
    if separate and one_entry is not None:
        raise click.UsageError("Give --separate or --one-entry, not both.")
    if token_env is not None:
        raise click.UsageError("--token-env is for a server that runs already: give its --url too.")
    found = {pack: found_file(pack) for pack in packs if is_file(pack)}
    env = env_from(pairs)
    installed = {point.name for point in entry_points(group="packhorse")}
    if (separate and not packs) or not installed.issuperset(packs):
        installed.update(_mounted(found, config, env))
    return entries(
        [found[pack].name if pack in found else pack for pack in packs],
        installed=installed,
        files={one.name: str(one.file) for one in found.values()},
        # Made absolute and no more: resolving a virtual environment's link would leave the environment.
        interpreter=str(Path(sys.executable).absolute()),
        one_entry=one_entry,
        separate=separate,
        reload=reload,
        config=None if config is None else str(config.absolute()),
        env=env,
    )


def _mounted(files: Iterable[str], config: Path | None, env: Mapping[str, str]) -> Sequence[str]:
    """The mounted servers that a server with these variables has.

    Raises:
        PackError: one of the files of packs cannot be served. Nobody reads what a client's server says when it ends.
    """
    from packhorse.compose.deployment import compose
    from packhorse.compose.packs import configured, serving

    before = dict(os.environ)
    os.environ.update(env)
    try:
        settings, found = configured(config)
        for file in files:
            compose(serving(settings, found, [file], strict=True), found)
        return settings.mounted
    finally:
        os.environ.clear()
        os.environ.update(before)
