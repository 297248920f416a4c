"""A host with a tool that needs a role, where people sign in at a mock provider; both in processes of their own."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from live import Bench, Served
from seeds import install

HERE = Path(__file__).parent

SECRET = "0123456789abcdef-canary-of-sign-in"
STABLE = '''
from packhorse import *


def saddle(horse: str) -> str:
    """Saddle a horse."""
    return f"{horse} is saddled"


def whoami(ctx: Context) -> dict[str, str]:
    """Say who is calling, as the server has verified it."""
    return {"subject": ctx.principal.subject or "", "roles": ",".join(sorted(ctx.principal.roles))}


def groom(horse: str) -> str:
    """Groom a horse."""
    return f"Groom {horse}."


@hookimpl
def register_prompts():
    return [Prompt(fn=groom, roles=["AUTHENTICATED"])]


def hours() -> str:
    """Say when the stable is open."""
    return "from 8 to 18"


@hookimpl
def register_tools():
    return [
        Tool(fn=hours, public=True, read_only=True),
        Tool(fn=saddle, roles=["ADMIN"], read_only=True),
        Tool(fn=whoami, roles=["AUTHENTICATED"], read_only=True),
    ]
'''


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class Place:
    """A host that signs people in."""

    served: Served
    bench: Bench
    provider: str

    @property
    def address(self) -> str:
        return self.served.address


@contextmanager
def provider_running(*method: str) -> Iterator[str]:
    """The mock provider's address; with a ``method`` it takes clients' secrets in that way alone."""
    port = free_port()
    command = [sys.executable, str(HERE / "hostile_provider.py"), str(port), *method]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()


def login_table(provider: str, **more: Any) -> str:
    """[auth.login] for the provider, as TOML; ``more`` are further keys."""
    given = {
        "issuer": provider,
        "client_id": "packhorse",
        "client_secret": "the-secret-of-packhorse-at-the-provider",
        "allow": ["*@example.org"],
        "requests_by_address": "none",
        **more,
    }
    return "\n".join(["[auth.login]", *(f"{key} = {json.dumps(value)}" for key, value in given.items())])


def stable_in(folder: Path, provider: str, port: int, text: str = "", **login: Any) -> Bench:
    """The host's bench, with settings that name its port; ``text`` follows [auth.login]."""
    bench = Bench(folder)
    if not bench.packs.exists():
        install(bench.packs, "stable", STABLE)
    auth = f'[auth]\nsecret = "{SECRET}"\nresource = "http://127.0.0.1:{port}/mcp"\nfailures_by_address = "none"'
    roles = '[auth.login.roles]\n"ada@*" = ["ADMIN"]'
    bench.configure(f"{auth}\n{login_table(provider, **login)}\n{roles}\n{text}")
    return bench


@contextmanager
def place_with(
    folder: Path, provider: str, text: str = "", *, env: dict[str, str] | None = None, port: int = 0, **login: Any
) -> Iterator[Place]:
    """The host of `stable_in`, running."""
    port = port or free_port()
    bench = stable_in(folder, provider, port, text, **login)
    with bench.serving("stable", env=env, port=port) as served:
        yield Place(served, bench, provider)
