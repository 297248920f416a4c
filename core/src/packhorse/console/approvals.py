"""What waits for a person: what it would do in words, and yes or no. No tool lists or decides it."""

from collections.abc import Mapping

import anyio.to_thread

from packhorse.console.site import PEOPLE, Site
from packhorse.contract.content import Page
from packhorse.contract.context import Context
from packhorse.errors import AUTHORIZATION, RequestError, UserError

MOST_WORDS = 500
"""Characters of a reason."""


class ApprovalPages:
    """What the reader may decide: the packs that ask say which that is."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def shown(self, ctx: Context) -> Page:
        return await self._site.made(lambda: self._page(ctx))

    async def decided(self, ctx: Context, form: Mapping[str, str]) -> Page:
        self._site.check_form(ctx.principal, form)
        if ctx.principal.kind not in PEOPLE:
            raise RequestError(AUTHORIZATION, "authorization", "Only a person decides: sign in as one.")
        word, pack, which = form.get("decision", ""), form.get("pack", ""), form.get("approval", "")
        if word not in ("approve", "deny"):
            raise UserError("Choose to approve or to deny.", code="NOTHING_DECIDED")
        reason = form.get("reason", "").strip()[:MOST_WORDS] or None
        offered = [one for name, one in self._site.deployment.catalogue.approvals if name == pack]
        if not offered:
            raise UserError("No pack of that name asks for approvals.", code="UNKNOWN_APPROVAL")

        def decide() -> tuple[str, str]:
            mine = {one.id: (one, from_) for from_ in offered for one in from_.pending(ctx)}
            if which not in mine:
                return "bad", "That does not wait for your decision: it was decided, or has run out."
            waiting, from_ = mine[which]
            from_.decide(ctx, which, word == "approve", reason)
            if word == "approve":
                return "good", f"Approved: {waiting.title}. The agent may now make that call, once."
            return "good", f"Denied: {waiting.title}."

        try:
            tone, words = await anyio.to_thread.run_sync(decide)
        except UserError as error:
            tone, words = "bad", error.message
        return await self._site.made(lambda: self._page(ctx, tone, words))

    def part(self, ctx: Context) -> str:
        return self._site.part("waiting", token=self._site.form_token(ctx.principal), **self._values(ctx))

    def _page(self, ctx: Context, tone: str = "", words: str = "") -> Page:
        return self._site.page(
            ctx,
            "approvals",
            "Approvals",
            tone=tone,
            words=words,
            may_decide=ctx.principal.kind in PEOPLE,
            offered=bool(self._site.deployment.catalogue.approvals),
            **self._values(ctx),
        )

    def _values(self, ctx: Context) -> dict[str, object]:
        approvals = self._site.deployment.catalogue.approvals
        shows = dict(approvals)
        return {
            "pending": [(pack, one, shows[pack].show(one.id)) for pack, one in self._site.waiting(ctx)],
            "elsewhere": [said for _, one in approvals if one.elsewhere is not None and (said := one.elsewhere(ctx))],
        }
