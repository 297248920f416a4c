"""Where the answer of a sign-in may be sent."""

from urllib.parse import SplitResult, urlsplit

from packhorse.settings.security import is_loopback

SCHEMES = frozenset({"cursor", "vscode", "vscode-insiders"})
"""Schemes of programs that should have a dot (RFC 8252, section 7.1) and have none, as their vendors document them."""

MOST_CHARACTERS = 500


def fault_of(uri: str) -> str | None:
    """What is wrong with a redirect URI; None where it may be used."""
    try:
        parts = urlsplit(uri)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "it is not a URI"
    if len(uri) > MOST_CHARACTERS or not uri.isascii() or not uri.isprintable() or " " in uri or "\\" in uri:
        return f"write at most {MOST_CHARACTERS} ASCII characters, without blanks"
    if "#" in uri or "@" in parts.netloc:
        return "it must have neither a fragment nor a user name"
    if parts.scheme in ("http", "https"):
        if not host or (parts.scheme == "http" and not is_loopback(host)):
            return "write https:// (http:// is for the person's own machine alone)"
        return None
    if "." in parts.scheme or parts.scheme in SCHEMES:
        return None
    return "write https://, http://127.0.0.1, or a scheme that is a domain name written backwards"


def matches(uri: str, registered: str) -> bool:
    """Whether a redirect URI is the registered one: exactly, but for the port on the person's own machine.

    A program listens there on whatever port is free (RFC 8252, section 7.3).
    """
    return uri == registered or (_is_own_machine(uri) and _without_port(uri) == _without_port(registered))


def place_of(uri: str) -> str:
    """Where a redirect URI leads, for a person."""
    parts = urlsplit(uri)
    if _is_own_machine(uri):
        return f"a program on your own computer ({parts.hostname})"
    return parts.netloc if parts.scheme == "https" else f"the program on your computer that opens {parts.scheme}: links"


def _is_own_machine(uri: str) -> bool:
    parts = urlsplit(uri)
    return parts.scheme == "http" and is_loopback(parts.hostname or "")


def _without_port(uri: str) -> SplitResult:
    parts = urlsplit(uri)
    return parts._replace(netloc=parts.hostname or "")
