"""The role table of the scheduling specification as a pack of its own, and those who call it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from packhorse.tokens import Issuer, mint

SECRET = "0123456789abcdef-canary-of-the-ward"
AUTH = f'[auth]\nsecret = "{SECRET}"\nfailures_by_address = "none"'

ISSUER = Issuer(iss="packhorse", audience="packhorse", secret=SECRET.encode(), local=True)

COORDINATING = {"COORDINATOR", "ADMIN"}
TOOLS = {
    "validate_schedule": COORDINATING,
    "check_swap_feasibility": {"FACULTY", *COORDINATING},
    "analyze_contingency": COORDINATING,
    "suggest_resolution": COORDINATING,
    "generate_schedule": COORDINATING,
}
RESOURCES = {
    "schedule://current": {"AUTHENTICATED"},
    "schedule://blocks": {"AUTHENTICATED"},
    "resilience://health": COORDINATING,
    "analytics://fairness": COORDINATING,
    "analytics://workload": COORDINATING,
}
"""Who may, by name; ``schedule://person/{id}`` and the tool ``person`` are for COORDINATOR, ADMIN, or self."""

WARD = f'''
from packhorse import *

TOOLS = {TOOLS!r}
RESOURCES = {RESOURCES!r}
LEDGER = []


def tool(name):
    async def act(note: str = "") -> str:
        LEDGER.append(name)
        return name

    changes = name == "generate_schedule"
    return Tool(fn=act, name=name, description="An act of the ward, by its name in the specification.",
                roles=TOOLS[name], read_only=not changes)


def person(person_id: str) -> str:
    """Show one person's schedule: a coordinator anybody's, everybody else their own."""
    return person_id


def ledger() -> list[str]:
    """Say which acts were really carried out, in their order."""
    return LEDGER


def whoami(ctx: Context) -> dict[str, str]:
    """Say who is calling, as the server has verified it."""
    who = ctx.principal
    return {{"kind": who.kind, "subject": who.subject or "", "roles": ",".join(sorted(who.roles))}}


def text() -> str:
    return "so it is"


@hookimpl
def register_tools():
    return [
        *map(tool, TOOLS),
        Tool(fn=person, roles=["COORDINATOR", "ADMIN"], self_argument="person_id", read_only=True),
        Tool(fn=ledger, public=True, read_only=True),
        Tool(fn=whoami, public=True, read_only=True),
    ]


@hookimpl
def register_resources():
    return [Resource(uri=uri, fn=text, roles=roles) for uri, roles in RESOURCES.items()]
'''


def token_of(subject: str, *roles: str, ttl: int = 600) -> str:
    """A token of the ward's own issuer."""
    return mint(ISSUER, subject, roles, ttl)


@asynccontextmanager
async def client_at(url: str, protocol: str, token: str | None = None) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    mode = protocol if protocol == "2026-07-28" else "legacy"
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client
