"""Which template a URI fits, and whether its variables are safe to use in a path."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from mcp.server.mcpserver.resources import ResourceSecurity
from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate

from packhorse.door.catalogue import ResourceEntry
from packhorse.errors import PackError, UserError


@lru_cache(maxsize=1024)
def parsed(uri: str) -> UriTemplate:
    """The parsed template."""
    return UriTemplate.parse(uri)


def check(entry: ResourceEntry) -> None:
    """Make sure that URIs can be matched with ``entry``'s template.

    Raises:
        PackError: it is no RFC 6570 template that the SDK can match.
    """
    try:
        parsed(entry.offer.uri)
    except InvalidUriTemplate as exc:
        raise PackError(
            f"resource {entry.offer.uri!r} of pack {entry.pack!r} is not a valid URI template: {exc}"
        ) from exc


def match(entry: ResourceEntry, uri: str) -> Mapping[str, Any] | None:
    """The variables of ``entry``'s template in ``uri``; None where it does not fit.

    Raises:
        UserError: a value could leave a folder (``..``, an absolute path, NUL).
    """
    variables = parsed(entry.offer.uri).match(uri)
    if variables is None:
        return None
    unsafe = ResourceSecurity(exempt_params=frozenset(entry.offer.unchecked)).validate(variables)
    if unsafe is not None:
        raise UserError(
            f"`{unsafe}` must be a plain name or a path inside the resource's folder: no '..', no absolute path,"
            " no NUL.",
            code="UNSAFE_PATH",
        )
    return variables
