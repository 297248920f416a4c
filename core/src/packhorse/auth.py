"""Who is calling, from the credential they show."""

from collections.abc import Awaitable, Sequence

from packhorse.errors import AUTHENTICATION, RequestError, UserError
from packhorse.offers import Verifier
from packhorse.principal import ANONYMOUS, Principal


async def identify(verifiers: Sequence[Verifier], credential: str | None) -> Principal:
    """The caller; `ANONYMOUS` without a credential. The first verifier that knows a credential decides.

    Raises:
        RequestError: a credential that is shown and does not hold.
    """
    if credential is None:
        return ANONYMOUS
    for verifier in verifiers:
        try:
            verdict = verifier.verify(credential)
            principal = await verdict if isinstance(verdict, Awaitable) else verdict
        except UserError as exc:
            raise RequestError(AUTHENTICATION, "authentication", exc.message) from exc
        if principal is not None:
            return principal
    raise RequestError(AUTHENTICATION, "authentication", "This credential is not one that the server knows.")
