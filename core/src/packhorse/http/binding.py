"""Where the server may listen, and which Host and Origin headers it then answers to."""

from mcp.server.transport_security import TransportSecuritySettings

from packhorse.errors import PackError
from packhorse.settings import ServerSettings
from packhorse.settings.security import is_loopback

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def check_bind(settings: ServerSettings, *, authenticated: bool) -> None:
    """Refuse to listen beyond this machine for anybody who asks.

    Raises:
        PackError: with the two cures.
    """
    if not is_loopback(settings.host) and not authenticated and not settings.allow_anonymous:
        raise PackError(
            f"listening on {settings.host} would serve anybody who can reach this machine. Listen on 127.0.0.1,"
            " install a pack that authenticates callers, or write allow_anonymous = true under [server]"
        )


def security_of(settings: ServerSettings) -> TransportSecuritySettings:
    """The Host and Origin headers to accept: set for every address, since the SDK only does so for loopback."""
    names = list(_LOOPBACK)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    if host not in (*names, "0.0.0.0", "[::]"):  # noqa: S104 - compared with, not bound to
        names.append(host)
    hosts = [form for name in names for form in (name, f"{name}:*")]
    origins = [f"http://{form}" for form in hosts]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*hosts, *settings.allowed_hosts],
        allowed_origins=[*origins, *settings.allowed_origins],
    )
