"""The tools: convert in, ask the desk, convert out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from attrs import frozen

from packhorse import Context, Embedded, Reply, Text
from packhorse_scheduling.domain.insight.wording import idle_words, warned
from packhorse_scheduling.errors import invalid
from packhorse_scheduling.models import ContingencyQuestion, SwapQuestion, ValidateQuestion
from packhorse_scheduling.models.changes import SwapWanted
from packhorse_scheduling.models.watch import ResolutionQuestion
from packhorse_scheduling.service import RosterDesk

if TYPE_CHECKING:
    from packhorse_scheduling.domain.rules.opened import Opened


@frozen
class RosterTools:
    """What a client's model may ask about rosters."""

    desk: RosterDesk

    def validate_schedule(self, question: ValidateQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Check a schedule against every rule of duty hours, call, supervision, staffing, credentials and leave.

        Each violation has person, days, value, limit and whose limit it is.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.briefly import MOST_FINDINGS
        from packhorse_scheduling.convert.warnings import warnings_words

        codes = convert.codes_from(question.validation_rules)
        opened = self.desk.newest(self.desk.opened(question.schedule_id))
        body = convert.validation_from(opened, codes, strict=question.strict_mode, at=self.desk.now())
        words = convert.verdict_words(body)
        if codes is None:
            ahead = warnings_words(opened, self.desk.today())
            words += ahead or (" All of them are on past days." if body["summary"]["warning_count"] else "")
        first = next(iter(body["violations"]), None)
        if first is not None and first["date_range"]["end"] >= body["validated_at"][:10]:
            words += f" The first: {first['message']}"
        return self._reply("validation://result", "validate_schedule", ctx, words, body, MOST_FINDINGS)

    def check_swap_feasibility(self, question: SwapQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Check whether a swap of half-days would break a rule; nothing changes.

        ABSORB: the other takes them over; without target_person_id it looks for takers. A night moves whole.
        """
        body = swap_body(self.desk.current(), question, at=self.desk.now())
        if body["is_feasible"]:
            told = [row["message"] for row in body["compliance_check"]["violations"]]
            words = f"The swap is feasible and breaks no rule.{warned(told)}"
        else:
            words = "The swap is not feasible. " + " ".join(body["blocking_reasons"])
        if body["suggestions"]:
            words += f" Best candidate: {body['suggestions'][0]['candidate_name']}."
        return self._reply("swap://feasibility", "check_swap_feasibility", ctx, words, body)

    def analyze_contingency(self, question: ContingencyQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Count which half-days of the next four weeks nobody could fill without any one person (N-1) or two (N-2)."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.briefly import MOST_LOSSES
        from packhorse_scheduling.domain.insight.contingency import Contingency
        from packhorse_scheduling.domain.insight.outlook import with_losses
        from packhorse_scheduling.service.insight import without

        opened = self.desk.current()
        losses = [
            (
                convert.person_from(opened.kernel, loss.person_id),
                convert.day_from("start_date", loss.start_date),
                convert.day_from("end_date", loss.end_date),
            )
            for loss in question.scenario.simulated_losses
        ]
        kernel, grid = without(opened, losses)
        days = with_losses(kernel, kernel.day_of(self.desk.today()), [kernel.day_of(end) for *_, end in losses])
        analysis = Contingency(kernel, grid, *days)
        body = convert.contingency_from(
            opened,
            analysis,
            kind=question.analysis_type,
            mitigate=question.include_mitigation_strategies,
            at=self.desk.now(),
        )
        words = f"{convert.contingency_words(body)} {convert.losses_words(body)}"
        return self._reply("contingency://analysis", "analyze_contingency", ctx, words, body, MOST_LOSSES)

    def suggest_resolution(self, question: ResolutionQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Suggest single reassignments, swaps or removals that end a conflict, each tried on every rule.

        None helps? repair_schedule may.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.resolution import resolution_from
        from packhorse_scheduling.domain.change.resolution import conflicts, resolve

        opened = self.desk.current()
        kernel, asked = opened.kernel, question.constraints
        persons = [convert.person_from(kernel, given) for given in dict.fromkeys(question.affected_persons)]
        only = (opened, persons[0]) if len(persons) == 1 else None
        slots = convert.slots_from(kernel, question.affected_blocks, only)
        if question.conflict_type == "SWAP_NEEDED" and not persons:
            raise invalid(
                "affected_persons", "`affected_persons` is required for SWAP_NEEDED. Give the people who want the swap."
            )
        among = None
        if asked.available_persons is not None:
            among = [convert.person_from(kernel, given) for given in dict.fromkeys(asked.available_persons)]
        found = conflicts(opened, question.conflict_type, slots)
        if persons:
            found = [violation for violation in found if violation.person is None or violation.person in persons]
        suggestions = resolve(
            opened,
            question.conflict_type,
            slots,
            found,
            persons=persons,
            among=among,
            lawful=asked.must_maintain_compliance,
            fewest=asked.prefer_minimal_changes,
            most=question.max_suggestions,
        )
        body = resolution_from(opened, question.conflict_type, found, suggestions, at=self.desk.now())
        words = f"{convert.counted_or_none(len(suggestions), 'suggestion')} for {question.conflict_type}."
        if suggestions:
            words += f" The best: {body['suggestions'][0]['title']}."
        else:
            words += f" {body['conflict_summary']['description']}"
        return self._reply("resolution://suggestions", "suggest_resolution", ctx, words[:1].upper() + words[1:], body)

    def _reply(
        self,
        scheme: str,
        tool: str,
        ctx: Context,
        words: str,
        body: Mapping[str, Any],
        most: Mapping[str, int] | None = None,
    ) -> Reply[dict[str, Any]]:
        """The answer with the lists in ``most`` cut; the whole is kept at the URI that stands beside it."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.briefly import cut_words, shortened

        uri = self.desk.keep(scheme, tool, ctx.principal.subject, body)
        brief = shortened(body, most or {})
        words += cut_words(body, brief, uri)
        return Reply(brief, (Text(words), Embedded(uri, convert.body_of(brief), "application/json")))


def swap_body(opened: Opened, question: SwapQuestion | SwapWanted, *, at: datetime) -> dict[str, Any]:
    """What check_swap_feasibility says of one swap.

    Raises:
        UserError: somebody or some block is unknown, or the swap is with oneself.
    """
    from packhorse_scheduling import convert

    kernel = opened.kernel
    requester = convert.person_from(kernel, question.requester_id)
    if question.swap_type == "ONE_TO_ONE" and question.target_person_id is None:
        raise invalid("target_person_id", "`target_person_id` is required for ONE_TO_ONE swaps.")
    target = None
    if question.target_person_id is not None:
        target = convert.person_from(kernel, question.target_person_id)
    if target == requester:
        raise invalid("target_person_id", "`target_person_id` must be another person than `requester_id`.")
    slots = convert.slots_from(kernel, question.block_ids, (opened, requester))
    blocking = []
    today = kernel.day_of(at.date())
    if any(day < today for day, _ in slots):
        blocking.append("One of these blocks has passed and cannot be swapped.")
    idle = [slot for slot in slots if opened.grid[requester, slot[0], slot[1]] < 0]
    if idle:
        blocking.append(idle_words(kernel, requester, *idle[0]))
    return convert.swap_from(
        opened,
        swap=question.swap_type,
        requester=requester,
        target=target,
        slots=slots,
        blocking=blocking,
        at=at,
    )
