"""The pages on which a person decides. Looking changes nothing; a decision is sent by the page's own form."""

import html
from collections.abc import Mapping, Sequence

from attrs import frozen

from packhorse import Approvals, Context, Page, Principal, UserError, Waiting
from packhorse.contract import design
from packhorse_pai import convert
from packhorse_pai.service.agents import AgentService
from packhorse_pai.store import Approval

LIST = "/pai/approvals"
"""The page of a person who signed in."""


@frozen
class DecisionPages:
    """What waits, each with two buttons: by a link that the host opened, or for people who signed in."""

    service: AgentService

    def by_link(self, key: str) -> Page:
        """What waits in the run that the link is for."""
        return self._page(self.service.approving.of_tree(self.service.approving.opened(key)), {})

    def decide_by_link(self, key: str, form: Mapping[str, str]) -> Page:
        """Take a person's decisions from the page of a link, which is used up."""
        approving = self.service.approving
        waiting = {one.id for one in approving.of_tree(approving.opened(key))}
        if not any(name in waiting and word in _WORDS for name, word in form.items()):
            raise UserError("Choose yes or no for at least one call.", code="NOTHING_DECIDED")
        approving.spend(key)
        return self._taken(form, waiting, "local::page")

    def listed(self, ctx: Context) -> Page:
        """What this person may decide."""
        approvals = self._of(ctx)
        keys = {one.id: self.service.approving.link(one.id) for one in approvals}
        return self._page(approvals, keys)

    def decide_listed(self, ctx: Context, form: Mapping[str, str]) -> Page:
        """Take the decisions of a person who signed in; each form that was shown works once."""
        approving = self.service.approving
        mine = {one.id for one in self._of(ctx)}
        for name in [name for name, word in form.items() if name in mine and word in _WORDS]:
            if approving.spend(form.get(f"key-{name}", "")) != name:
                raise UserError("That form is of another call. Look again.", code="NO_LINK")
        return self._taken(form, mine, approving.by_of(ctx.principal))

    def approvals(self) -> Approvals:
        """The same for the host's own pages and its terminal."""
        return Approvals(self._waiting, self._shown, self._decide)

    def _of(self, ctx: Context) -> list[Approval]:
        tools = {tool.name for tool in ctx.offered()}
        by = self.service.approving.by_of(ctx.principal)
        return [
            one
            for one in self.service.approving.pending()
            if one.tool in tools and not (self.service.approving.needs_two(one.owner) and one.owner == by)
        ]

    def _waiting(self, principal: Principal | None) -> Sequence[Waiting]:
        return [
            Waiting(one.id, f"{one.agent}: {one.tool}", one.preview or self._words(one), one.expires_at)
            for one in self.service.approving.pending()
        ]

    def _shown(self, approval: str) -> str:
        found = self.service.records.approval(approval, self.service.now())
        if found is None:
            raise UserError("There is no approval with that id.", code="UNKNOWN_APPROVAL")
        return self._words(found)

    def _decide(self, principal: Principal, approval: str, approve: bool) -> None:  # as `Approvals` has it
        by = self.service.approving.by_of(principal)
        if principal.kind == "agent":
            raise UserError("No agent decides whether an agent may.", code="NOT_YOURS")
        self.service.approving.decide(approval, approve=approve, by=by)

    def _words(self, approval: Approval) -> str:
        mission, by_person = self.service.approving.mission(approval)
        return convert.question(approval, mission, by_person=by_person)

    def _taken(self, form: Mapping[str, str], among: set[str], by: str) -> Page:
        done = []
        for name, word in form.items():
            if name in among and word in _WORDS:
                found = self.service.approving.decide(name, approve=word == "yes", by=by)
                done.append(f"{_WORDS[word]}: {found.tool} for {found.agent} ({name}).")
        said = "".join(f"<p>{html.escape(line)}</p>" for line in done)
        return _whole(f"{said}<p>Nothing has run yet: the agent makes its call again.</p>")

    def _page(self, approvals: Sequence[Approval], keys: Mapping[str, str]) -> Page:
        if not approvals:
            return _whole("<p>Nothing waits for a decision.</p>")
        parts = []
        for one in approvals:
            first, *rest = self._words(one).split("\n")
            lines = "".join(f"<p>{html.escape(line)}</p>" for line in rest)
            key = f'<input type="hidden" name="key-{one.id}" value="{keys[one.id]}">' if one.id in keys else ""
            choices = "".join(
                f'<label><input type="radio" name="{one.id}" value="{word}"> {said}</label> '
                for word, said in (("yes", "Approve, once"), ("no", "Deny"))
            )
            until = f"<p>Until {one.expires_at:%Y-%m-%d %H:%M} UTC.</p>"
            parts.append(f"<section><h2>{one.id}: {html.escape(first)}</h2>{lines}{until}{key}{choices}</section>")
        return _whole(f'<form method="post">{"".join(parts)}<p><button>Decide</button></p></form>')


_WORDS: Mapping[str, str] = {"yes": "Approved", "no": "Denied"}


def _whole(body: str) -> Page:
    styles = design.stylesheet()
    title = "Agents ask"
    text = design.document(title, f"<main><h1>{title}</h1>{body}</main>", styles=styles, forms=True)
    return Page(text, styles=styles, forms=True)
