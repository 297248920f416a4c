"""Who calls, by the credential that is shown, and who may do what: what a caller sees, and may call."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

import anyio

from packhorse.contract.content import frozen
from packhorse.contract.offers import Prompt, Resource, Route, Tool
from packhorse.contract.packs import Call, Guard, Verifier
from packhorse.contract.principal import ANONYMOUS, Principal
from packhorse.door.catalogue import Catalogue, Entry, ToolEntry
from packhorse.door.execution import Requester, bug, is_caller_gone
from packhorse.errors import AUTHENTICATION, AUTHORIZATION, RequestError, UserError

logger = logging.getLogger("packhorse.dispatch")


LACKS_ROLE = (
    "This caller may not use that. It needs a role that this caller does not have: ask the operator of this server."
)


def lacks_role(principal: Principal) -> str:
    """What a caller hears that has not the role for something: who they are here, and with which roles."""
    if principal.subject is None:
        return LACKS_ROLE
    return f"{LACKS_ROLE} The caller is {known_as(principal)}."


def known_as(principal: Principal) -> str:
    """A caller as it is known here: ada here, with the roles CLERK."""
    roles = ", ".join(sorted(principal.roles))
    return f"{principal.subject} here, with {f'the roles {roles}' if roles else 'no role'}"


_UNDECIDED = "A guard of this server could not decide."
_NOT_ASKED = (
    "This needs a role, and authentication is off on this server, so nobody can use it here. Its operator can set"
    " `secret` under [auth] or add [[auth.issuers]], or serve over stdio."
)


class Judge:
    """Decides by roles, the caller's own self, and the packs' guards. Any denial wins; a failure to decide is one.

    ``authenticated`` says whether callers can prove who they are: then an
    offer without roles that is not public is shown to nobody.
    """

    def __init__(self, catalogue: Catalogue, *, authenticated: bool, timeout_seconds: float) -> None:
        self.authenticated = authenticated
        self._timeout = timeout_seconds
        self._guards = {
            name: tuple(guard for guard in catalogue.guards if not guard.tools or name in guard.tools)
            for name in catalogue.tools
        }
        self._bars = {
            name: found
            for name, guards in self._guards.items()
            if (found := tuple(guard.bars for guard in guards if guard.bars is not None))
        }

    def visible(self, principal: Principal, offer: Tool | Resource | Prompt | Route) -> bool:
        if isinstance(offer, Tool) and offer.reserved_for is not None:
            return principal.kind == "pack" and principal.subject == f"pack:{offer.reserved_for}"
        if offer.public or principal.holds_every_role:
            return True
        if not offer.roles:
            signed_in = isinstance(offer, Route) and offer.sign_in and principal.kind != "anonymous"
            return signed_in or not self.authenticated
        if principal.has_any(frozenset(offer.roles)):
            return True
        return isinstance(offer, Tool) and offer.self_argument is not None and principal.subject is not None

    def hidden(self, principal: Principal, entry: ToolEntry) -> bool:
        call = Call(entry.name, entry.pack, {}, entry.offer.read_only)
        return any(guard.hides is not None and guard.hides(principal, call) for guard in self._guards[entry.name])

    def admit(self, request: Requester, entry: Entry) -> None:
        """Let a caller in who sees the offer, and whom no guard bars from it whatever the arguments.

        Raises:
            RequestError: this caller may not use it, or must first say who it is.
        """
        if self.visible(request.principal, entry.offer):
            if self._bars and isinstance(entry, ToolEntry):
                self._bar(request, entry)
            return
        if request.principal.kind != "anonymous":
            raise _denied(request, entry.name, "role", lacks_role(request.principal))
        if not self.authenticated:
            raise _denied(request, entry.name, "role", _NOT_ASKED)
        raise RequestError(
            AUTHENTICATION,
            "authentication",
            "This needs a signed-in caller: send a bearer token.",
            details={"name": entry.name},
        )

    def _bar(self, request: Requester, entry: ToolEntry) -> None:
        call = Call(entry.name, entry.pack, {}, entry.offer.read_only)
        for bars in self._bars.get(entry.name, ()):
            try:
                reason = _reason(bars(request.principal, call))
            except Exception:
                # A guard that fails cannot have allowed anything.
                logger.exception("a guard failed", extra={"request_id": request.id, "tool": entry.name})
                reason = _UNDECIDED
            if reason is not None:
                raise _denied(request, entry.name, "guard", reason)

    async def judge(
        self, request: Requester, entry: ToolEntry, bound: Mapping[str, Any], given: Mapping[str, Any]
    ) -> None:
        """Ask self and the guards about validated arguments, which were ``given`` or are the tool's defaults.

        Raises:
            RequestError: a denial, with a guard's reason.
            UserError: the arguments cannot be shown to who judges.
        """
        offer, principal = entry.offer, request.principal
        needs_self = (
            bool(offer.roles)
            and offer.reserved_for is None
            and not offer.public
            and not principal.has_any(frozenset(offer.roles))
        )
        guards = self._guards[entry.name]
        if not needs_self and not guards:
            return
        try:
            arguments = entry.arguments.seen(bound)
        except Exception as exc:
            # A type of the pack's own may fail to be written as JSON; what cannot be judged is not run.
            raise bug(request.id, entry, "has arguments that cannot be judged") from exc
        # The verified subject, exactly: never a name or an address.
        itself = offer.self_argument is not None and principal.subject is not None
        if needs_self and not (itself and arguments.get(str(offer.self_argument)) == principal.subject):
            raise _denied(request, entry.name, "self")
        defaulted = frozenset(arguments.keys() - given.keys())
        call = Call(entry.name, entry.pack, frozen(arguments), offer.read_only, defaulted)
        for guard in guards:
            reason = await self._verdict(request, guard, call)
            if reason is not None:
                raise _denied(request, entry.name, "guard", reason)

    async def _verdict(self, request: Requester, guard: Guard, call: Call) -> str | None:
        try:
            verdict = guard.judge(request.principal, call)
            if not isinstance(verdict, Awaitable):
                return _reason(verdict)
            with anyio.move_on_after(self._timeout):
                return _reason(await verdict)
            logger.error("a guard did not decide in time", extra={"request_id": request.id, "tool": call.tool})
        except (Exception, SystemExit, asyncio.CancelledError) as exc:
            if is_caller_gone(exc):
                raise
            # A guard that fails cannot have allowed anything.
            logger.exception("a guard failed", extra={"request_id": request.id, "tool": call.tool})
        return _UNDECIDED


def _denied(request: Requester, name: str, why: str, reason: str | None = None) -> RequestError:
    logger.debug("denied %s by %s", name, why, extra={"request_id": request.id})
    return RequestError(
        AUTHORIZATION, "authorization", reason or "This caller may not use that.", details={"name": name}
    )


def _reason(verdict: Any) -> str | None:
    """A guard's reason for denying. Whatever is neither None nor words denies without one."""
    return verdict if verdict is None or isinstance(verdict, str) else ""


logger = logging.getLogger("packhorse.auth")


class Callers:
    """Tells who shows a credential: the verifiers are asked in the order in which their packs are served."""

    def __init__(self, verifiers: Sequence[Verifier]) -> None:
        self._verifiers = [(one.verify, one.nearby or one.verify) for one in verifiers]

    async def identify(self, credential: str | None, *, lenient: bool = False) -> Principal:
        """The caller; `ANONYMOUS` without a credential. The first verifier that knows a credential decides.

        ``lenient`` is for stdio and loopback: see `Verifier.nearby`.

        Raises:
            RequestError: a credential that is shown and does not hold.
        """
        if credential is None:
            return ANONYMOUS
        for verify, nearby in self._verifiers:
            try:
                verdict = (nearby if lenient else verify)(credential)
                principal = await verdict if isinstance(verdict, Awaitable) else verdict
            except RequestError:
                raise
            except UserError as exc:
                raise RequestError(AUTHENTICATION, "authentication", exc.message) from exc
            except Exception as exc:
                # Whatever a pack's verifier may raise: it has let nobody in.
                logger.exception("a verifier failed")
                raise RequestError(
                    AUTHENTICATION, "authentication", "This server cannot verify credentials at present."
                ) from exc
            if principal is not None:
                return principal
        raise RequestError(AUTHENTICATION, "authentication", "This server does not accept this credential.")
