"""A pack's entry for the public MCP registry: ``server.json``.

The format is the schema of 2025-12-11 (modelcontextprotocol/registry). The
registry keeps descriptions and no files: an entry says where the package is
and how to start it. That the publisher of an entry owns the package is proved
by a line ``mcp-name: NAME`` in the package's README.
"""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from packhorse.compose.packs import PROJECT, core_version
from packhorse.errors import UserError
from packhorse.publish.about import About, Field
from packhorse.schema.places import cut

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

# The limits and the pattern are the schema's.
_LONGEST_DESCRIPTION = 100
_LONGEST_NAME = 200
_NAME = re.compile(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+")
_PROOF = re.compile(r"mcp-name:\s*(?P<name>[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+)")
_GITHUB = re.compile(r"https?://github\.com/(?P<owner>[A-Za-z0-9-]+)/")
_FORMATS = {"number": "number", "boolean": "boolean", "file": "filepath", "folder": "filepath"}


@dataclass(frozen=True, slots=True)
class Download:
    """A bundle as it can be downloaded."""

    url: str
    content: bytes

    def __post_init__(self) -> None:
        _check_url(self.url, "--bundle-url")


def name_for(about: About, given: str | None = None) -> str:
    """The server's name: as given, else as the pack's README claims, else from its repository on GitHub.

    Raises:
        UserError: it has no such form, or there is nothing to make it from.
    """
    claimed = _PROOF.search(about.readme)
    owner = _GITHUB.match(about.urls.get("repository", "") + "/")
    made = f"io.github.{owner['owner']}/{about.distribution}" if owner else None
    name = given or (claimed["name"] if claimed else None) or made
    if name is None:
        raise UserError(
            f"packhorse cannot find the pack's registry name: the README of {about.distribution} has no line"
            " 'mcp-name: NAME', and project.urls in its metadata has no GitHub repository. Give it: --name"
            f" io.github.USER/{about.distribution}",
            code="REGISTRY_NAME",
        )
    if not _NAME.fullmatch(name) or not 3 <= len(name) <= _LONGEST_NAME:
        raise UserError(
            f"A registry name has the form io.github.USER/{about.distribution}: the parts of a domain in reverse order,"
            f" a slash, and the pack's name, 3 to {_LONGEST_NAME} characters in total. Give it with --name.",
            code="REGISTRY_NAME",
        )
    return name


def entry(about: About, name: str, *, download: Download | None = None, remote: str | None = None) -> dict[str, Any]:
    """``server.json``: the pack as a package on PyPI, or as the bundle given instead, and served at ``remote``."""
    repository = about.urls.get("repository")
    host = re.match(r"https?://(github|gitlab)\.com/", repository or "")
    if remote is not None:
        _check_url(remote, "--remote")
    return {
        "$schema": SCHEMA,
        "name": name,
        "title": cut(about.title, _LONGEST_DESCRIPTION),
        "description": cut(about.summary, _LONGEST_DESCRIPTION),
        "version": about.version,
        **({"websiteUrl": about.urls["homepage"]} if "homepage" in about.urls else {}),
        **({"repository": {"url": repository, "source": host[1]}} if repository and host else {}),
        "packages": [_from_index(about) if download is None else _from_bundle(about, download)],
        **({"remotes": [{"type": "streamable-http", "url": remote}]} if remote else {}),
    }


def unproved(about: About, name: str) -> str | None:
    """Why the registry would refuse an entry for a package on PyPI; None when the README has its line."""
    if about.distribution not in about.scripts:
        return (
            f"the entry starts the package {PROJECT}, whose README must hold the line 'mcp-name: {name}' as published."
            f" To start {about.distribution} itself, add to its pyproject.toml, under [project.scripts]:"
            f' {about.distribution} = "packhorse.cli:main"'
        )
    if name not in {found["name"] for found in _PROOF.finditer(about.readme)}:
        return (
            f"the README of {about.distribution} must hold the line 'mcp-name: {name}' as published:"
            " the registry looks for it there"
        )
    return None


def _from_index(about: About) -> dict[str, Any]:
    """How uvx starts it: by the pack's own script, where it has one of its name, else by the host's."""
    package: dict[str, Any] = {"registryType": "pypi", "identifier": about.distribution, "version": about.version}
    if about.distribution not in about.scripts:
        package |= {"identifier": PROJECT, "version": core_version()}
        beside = {"type": "named", "name": "--with", "value": f"{about.distribution}=={about.version}"}
        package |= {"runtimeArguments": [beside]}
    words = ("serve", about.pack, "--transport=stdio")
    return package | {
        "runtimeHint": "uvx",
        "transport": {"type": "stdio"},
        "packageArguments": [{"type": "positional", "value": word} for word in words],
        **({"environmentVariables": [_variable(field) for field in about.fields]} if about.fields else {}),
    }


def _from_bundle(about: About, download: Download) -> dict[str, Any]:
    return {
        "registryType": "mcpb",
        "identifier": download.url,
        "version": about.version,
        "fileSha256": sha256(download.content).hexdigest(),
        "transport": {"type": "stdio"},
    }


def _variable(field: Field) -> dict[str, Any]:
    as_list = ' A list, as JSON: ["one", "two"].' if field.several else ""
    default = field.default
    return {
        "name": field.variable,
        "description": field.description + as_list,
        "format": "string" if field.several else _FORMATS.get(field.kind, "string"),
        "isRequired": field.required,
        "isSecret": field.secret,
        **({"default": default if isinstance(default, str) else json.dumps(default)} if default is not None else {}),
        **({"choices": list(field.choices)} if field.choices and not field.several else {}),
    }


def _check_url(url: str, option: str) -> None:
    if not re.fullmatch(r"https://[^\s/]+(/\S*)?", url):
        raise UserError(f"{option} must be a public https:// address.", code="REGISTRY_URL")
