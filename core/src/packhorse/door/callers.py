"""Who is calling, from the credential they show."""

import logging
from collections.abc import Awaitable, Sequence

from packhorse.contract.offers import Verifier
from packhorse.contract.principal import ANONYMOUS, Principal
from packhorse.errors import AUTHENTICATION, RequestError, UserError

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
        raise RequestError(AUTHENTICATION, "authentication", "This credential is not one that the server knows.")
