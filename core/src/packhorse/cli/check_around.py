"""What the host does not meet when it starts, and its deployer or its callers meet later."""

import json
import os
import socket
import stat
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packhorse.errors.extras import install

if TYPE_CHECKING:
    from packhorse.compose.deployment import Deployment
    from packhorse.settings import Settings

_SECOND = 1.0
_CONNECT_SECONDS = 5


@dataclass(frozen=True)
class Finding:
    """One thing looked at. ``cure`` is empty where nothing is wrong; ``look`` asks a person to judge."""

    subject: str
    found: str
    cure: str = ""
    look: bool = False


def readable_secrets(settings: "Settings") -> Iterator[Finding]:
    """Secrets in a configuration file that other accounts of this machine may read."""
    source = settings.source
    if source is None or os.name != "posix":
        return
    mode = stat.S_IMODE(source.stat().st_mode)
    held = _secrets_in(tomllib.loads(source.read_text("utf-8-sig")))
    if held and mode & (stat.S_IRGRP | stat.S_IROTH):
        yield Finding(
            "file mode",
            f"{source} holds {', '.join(held)}, and other accounts may read it (mode {mode:04o})",
            f"chmod 600 {source}",
        )


def _secrets_in(table: Mapping[str, Any], above: str = "") -> list[str]:
    from packhorse.publish.wanted import secrets_in

    found: list[str] = []
    for key, value in table.items():
        name = f"{above}{key}"
        if isinstance(value, Mapping):
            found += _secrets_in(value, f"{name}.")
        elif isinstance(value, list):
            found += [one for item in value if isinstance(item, Mapping) for one in _secrets_in(item, f"{name}.")]
        elif isinstance(value, str) and (secrets_in([key.upper()]) or (key == "database" and "@" in value)):
            found.append(name)
    return found


def database(settings: "Settings") -> Iterator[Finding]:
    """A PostgreSQL that cannot be reached."""
    secret = settings.server.database
    if secret is None:
        return
    if find_spec("psycopg") is None:
        cure = f"{install('postgres')}, or take database out of [server]."
        yield Finding("database", "PostgreSQL is asked for, and psycopg is not installed", cure)
        return
    import psycopg

    try:
        psycopg.connect(secret.get_secret_value(), connect_timeout=_CONNECT_SECONDS).close()
    except psycopg.Error as exc:
        # Neither the address nor the driver's words: either may hold the password.
        yield Finding(
            "database",
            f"the PostgreSQL server in the setting `database` cannot be reached ({type(exc).__name__})",
            "Start it, and see that the address and the account under [server] are right.",
        )
    else:
        yield Finding("database", "PostgreSQL answers")


def jobs(deployment: "Deployment") -> Iterator[Finding]:
    """Tools that start jobs where nothing can work on them."""
    names = [name for name, entry in deployment.catalogue.tools.items() if entry.offer.job]
    if names and find_spec("dbos") is None:
        yield Finding("jobs", f"{', '.join(names)} need jobs, and dbos is not installed", install("jobs"))


def key_sets(deployment: "Deployment") -> Iterator[Finding]:
    """Issuers whose keys cannot be had from here, so that no token of theirs would hold."""
    auth = deployment.settings.auth
    if not auth.issuers or not deployment.catalogue.has("tokens"):
        return
    import anyio

    from packhorse.tokens.fetch import FetchError, document_at
    from packhorse.tokens.keys import members_of, signing_keys
    from packhorse.tokens.local import issuers_of

    for issuer in issuers_of(auth):
        if issuer.jwks_url is None:
            continue
        try:
            document = anyio.run(partial(document_at, issuer.jwks_url, private=issuer.private_network))
            keys = len(signing_keys(members_of(document), issuer.algorithm))
        except FetchError as exc:
            cure = (
                "Write private_network = true under that issuer, if its address is meant to be private."
                if "not public" in str(exc)
                else "See that this machine reaches jwks_url, and that its answer is a key set (RFC 7517)."
            )
            yield Finding("keys", f"the keys of issuer {issuer.iss!r} cannot be fetched: {exc}", cure)
            continue
        if keys:
            yield Finding("keys", f"issuer {issuer.iss!r} publishes {keys} for {issuer.algorithm}")
        else:
            cure = "Write the algorithm that it signs with, RS256 or ES256, or another jwks_url."
            yield Finding("keys", f"issuer {issuer.iss!r} publishes no key for {issuer.algorithm}", cure)


def sign_in(settings: "Settings") -> Iterator[Finding]:
    """Whether the provider at which people sign in can be used."""
    import anyio

    login = settings.auth.login
    if login is None:
        return
    from packhorse.contract.clock import system_clock
    from packhorse.login.provider import CALLBACK, Provider, ProviderError

    callback = settings.auth.origin + CALLBACK
    if login.client_secret is None:
        without = "[auth.login] has no client_secret: providers give web servers one, and refuse a sign-in without it"
        yield Finding("sign-in", f"{without}. It can be in PACKHORSE_AUTH_LOGIN_CLIENT_SECRET.", look=True)
    try:
        anyio.run(Provider(login, callback, system_clock).described)
    except ProviderError as exc:
        cure = "Correct `issuer` under [auth.login], or find out why it does not answer this machine."
        yield Finding("sign-in", f"the provider {login.issuer} cannot be used: {exc}", cure)
    else:
        yield Finding("sign-in", f"the provider {login.issuer} answers; the redirect URI to register there: {callback}")


def token(deployment: "Deployment", variable: str) -> Iterator[Finding]:
    """A token for stdio that proves nothing."""
    import anyio

    from packhorse.errors import RequestError, UserError

    shown = os.environ.get(variable)
    if shown is None:
        return
    if not deployment.dispatcher.authenticated:
        yield Finding(
            "token",
            f"{variable} is set, but nothing checks tokens here",
            f"Unset {variable}, or set `secret` under [auth].",
        )
        return

    async def identify() -> None:
        await deployment.callers().identify(shown, lenient=True)

    try:
        anyio.run(identify)
    except (RequestError, UserError) as exc:
        yield Finding(
            "token", f"the token in {variable} is not valid: {exc.message}", "Set it to a new token: packhorse token"
        )


def port(settings: "Settings") -> Iterator[Finding]:
    """An address that somebody else listens on. A server of packhorse may: it is likely to be this very one."""
    server = settings.server
    if server.transport == "stdio" or server.port == 0:
        return
    try:
        with closing(socket.create_connection((_reached(server.host), server.port), timeout=_SECOND)):
            pass
    except OSError:
        return  # nobody answers
    where = f"{server.host}:{server.port}"
    if not _is_packhorse(f"http://{_reached(server.host)}:{server.port}/healthz"):
        yield Finding("port", f"another program listens on {where}", "Stop it, or write another port under [server].")


def _reached(host: str) -> str:
    return "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104 - compared with, not bound to


def _is_packhorse(url: str) -> bool:
    import httpx2

    try:
        answer = httpx2.get(url, timeout=_SECOND)
    except httpx2.HTTPError:
        return False
    return answer.status_code == 200 and answer.text == "ok\n"


def desktop(installed: Sequence[str]) -> Iterator[Finding]:
    """Entries of Claude Desktop that it could not start."""
    from packhorse.publish.desktop import locations, names_in
    from packhorse.publish.listed import is_ours

    for place in locations(sys.platform, os.environ, Path.home(), names_in):
        path = Path(place.path)
        try:
            servers = json.loads(path.read_text("utf-8-sig")).get("mcpServers", {})
        except FileNotFoundError:
            continue
        except (OSError, ValueError, AttributeError) as exc:
            cure = "Correct that file; until then Claude Desktop starts none of its servers."
            yield Finding("desktop", f"{path} cannot be read as JSON ({exc})", cure)
            continue
        for name, server in servers.items() if isinstance(servers, dict) else ():
            if is_ours(server):
                yield from _entry(path, name, server, installed)


def _entry(path: Path, name: str, server: Mapping[str, Any], installed: Sequence[str]) -> Iterator[Finding]:
    from packhorse.publish.listed import serves

    again = f"packhorse desktop install {name}" if name in installed else f"packhorse desktop remove {name}"
    command, args = str(server.get("command")), [str(one) for one in server.get("args") or ()]
    if not Path(command).is_file():
        yield Finding("desktop", f"{path}: {name} starts {command}, but this file does not exist", f"Run: {again}")
        return
    named = args[args.index("serve") + 1 :] if "serve" in args else []
    config = named.index("--config") if "--config" in named else len(named)
    if config + 1 < len(named) and not Path(named[config + 1]).is_file():
        found = f"{path}: {name} has the configuration {named[config + 1]}, but this file does not exist"
        yield Finding("desktop", found, f"Run: {again}")
    own = Path(command).absolute() == Path(sys.executable).absolute()
    if own and (lost := [one for one in serves(server) if one not in installed and not Path(one).is_file()]):
        yield Finding("desktop", f"{path}: {name} serves {', '.join(lost)}, which is not installed", f"Run: {again}")
