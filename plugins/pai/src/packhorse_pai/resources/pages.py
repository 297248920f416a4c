"""The page on which a person decides, and what waits, for the host's own. Looking changes nothing."""

import html
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from packhorse import Approvals, Context, Host, Page, UserError, Waiting
from packhorse.contract import design
from packhorse_pai.domain.people import LINK
from packhorse_pai.service import OnAgents

if TYPE_CHECKING:
    from packhorse_pai.store.approvals import Approval


class DecisionPages(OnAgents):
    """What waits: on a page behind a link that the host opened, and for ``leaders`` on the host's own pages."""

    def __init__(self, host: Host, leaders: Collection[str]) -> None:
        super().__init__(host)
        self.leaders = leaders

    def by_link(self, key: str) -> Page:
        """What waits in the run that the link is for."""
        return self._page(self.service.approving.of_tree(self.service.approving.opened(key)))

    def decide_by_link(self, key: str, form: Mapping[str, str]) -> Page:
        """Take a person's decisions from the page of a link, which is used up."""
        approving = self.service.approving
        waiting = {one.id for one in approving.of_tree(approving.opened(key))}
        if not any(name in waiting and word in _WORDS for name, word in form.items()):
            raise UserError("Choose yes or no for at least one call.", code="NOTHING_DECIDED")
        approving.spend(key)
        return self._taken(form, waiting, LINK)

    def approvals(self) -> Approvals:
        """The same for the host's own pages."""
        return Approvals(self._waiting, self._shown, self._decide, self._elsewhere)

    def _of(self, person: Context) -> "list[Approval]":
        """What a person may decide: calls of tools that they may use themselves, and not alone of their own runs."""
        approving = self.service.approving
        if person.principal.kind == "agent" or not person.principal.has_any(frozenset(self.leaders)):
            return []
        tools, by = {tool.name for tool in person.offered()}, approving.by_of(person.principal)
        return [
            one
            for one in approving.pending()
            if one.tool in tools and not (approving.needs_two(one.owner) and one.owner == by)
        ]

    def _elsewhere(self, person: Context) -> str:
        """What of a person's own runs waits for others: they would look for it here, and find nothing."""
        approving = self.service.approving
        by, mine = approving.by_of(person.principal), {one.id for one in self._of(person)}
        others = [one for one in approving.pending() if one.owner == by and one.id not in mine]
        if not others:
            return ""
        calls, listed = len(others), ", ".join(f"{one.id} ({one.tool})" for one in others)
        runs = len({one.run for one in others})
        waits = "1 call of a run of yours waits" if calls == 1 else f"{calls} calls of {runs} of your runs wait"
        return f"{waits} for somebody else: {listed}."

    def _waiting(self, person: Context | None) -> Sequence[Waiting]:
        return [
            Waiting(one.id, f"{one.agent}: {one.tool}", one.preview or self._words(one), one.expires_at)
            for one in (self.service.approving.pending() if person is None else self._of(person))
        ]

    def _shown(self, approval: str) -> str:
        found = self.service.records.approval(approval, self.service.now())
        if found is None:
            raise UserError("There is no approval with this id.", code="UNKNOWN_APPROVAL")
        return self._words(found)

    def _decide(self, person: Context, approval: str, approve: bool, comment: str | None) -> None:
        approving = self.service.approving
        if approval not in {one.id for one in self._of(person)}:
            raise UserError(
                "This does not wait for your decision. It was decided, it has expired, or another person must decide.",
                code="NOT_YOURS",
            )
        approving.decide(approval, approve=approve, by=approving.by_of(person.principal), comment=comment)

    def _words(self, approval: "Approval") -> str:
        from packhorse_pai import convert

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

    def _page(self, approvals: "Sequence[Approval]") -> Page:
        if not approvals:
            return _whole("<p>Nothing waits for a decision.</p>")
        parts = []
        for one in approvals:
            first, *rest = self._words(one).split("\n")
            lines = "".join(f"<p>{html.escape(line)}</p>" for line in rest)
            choices = "".join(
                f'<label><input type="radio" name="{one.id}" value="{word}"> {said}</label> '
                for word, said in (("yes", "Approve, once"), ("no", "Deny"))
            )
            until = f"<p>Until {one.expires_at:%Y-%m-%d %H:%M} UTC.</p>"
            parts.append(f"<section><h2>{one.id}: {html.escape(first)}</h2>{lines}{until}{choices}</section>")
        return _whole(f'<form method="post">{"".join(parts)}<p><button>Decide</button></p></form>')


_WORDS: Mapping[str, str] = {"yes": "Approved", "no": "Denied"}


def _whole(body: str) -> Page:
    styles = design.stylesheet()
    title = "Agents ask"
    text = design.document(title, f"<main><h1>{title}</h1>{body}</main>", styles=styles, forms=True)
    return Page(text, styles=styles, forms=True)
