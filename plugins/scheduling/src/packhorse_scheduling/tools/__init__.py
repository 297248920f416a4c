"""The tools: convert in, ask the desk, convert out."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from attrs import frozen

from packhorse import Context, Embedded, Reply, Text
from packhorse_scheduling.errors import invalid
from packhorse_scheduling.models import ContingencyQuestion, SwapQuestion, ValidateQuestion
from packhorse_scheduling.models.resolution import ResolutionQuestion
from packhorse_scheduling.service import RosterDesk

if TYPE_CHECKING:
    from packhorse_scheduling.domain.opened import Opened


@frozen
class RosterTools:
    """What a client's model may ask about rosters."""

    desk: RosterDesk

    def validate_schedule(self, question: ValidateQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Check a roster against every rule: hours, days off, rest, call, supervision, staffing, credentials, leave.

        Choose it before publishing, after an import, or to answer "is this legal?". Each violation names the person,
        the days, the value, the limit and whose limit it is (CPR, specialty or institution). Without schedule_id it
        looks at the published schedule.
        """
        from packhorse_scheduling import convert

        codes = convert.codes_from(question.validation_rules)
        opened = self.desk.opened(question.schedule_id)
        body = convert.validation_from(opened, codes, strict=question.strict_mode, at=self.desk.now())
        words = convert.verdict_words(body)
        if body["violations"]:
            words += f" The first: {body['violations'][0]['message']}"
        return self._reply("validation://result", "validate_schedule", ctx, words, body)

    def check_swap_feasibility(self, question: SwapQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Say whether a swap of half-days would keep every rule, before anybody requests it; nothing is changed.

        ONE_TO_ONE needs target_person_id; ABSORB without it looks for everybody who could take the blocks over.
        Where the swap cannot be, the answer gives the reasons and people with whom it could, each verified. Nights
        are passed on whole.
        """
        body = swap_body(self.desk.current(), question, at=self.desk.now())
        if body["is_feasible"]:
            words = "The swap is feasible and breaks no rule."
        else:
            words = "The swap is not feasible. " + " ".join(body["blocking_reasons"])
        if body["suggestions"]:
            words += f" Best candidate: {body['suggestions'][0]['candidate_name']}."
        return self._reply("swap://feasibility", "check_swap_feasibility", ctx, words, body)

    def analyze_contingency(self, question: ContingencyQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Count what breaks in the published schedule when any one person is lost (N-1), or any two (N-2).

        Exact, half-day by half-day: which blocks would fall below minimum or supervision, and which could not be
        filled by anybody in reserve. simulated_losses assumes people away first.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.domain.contingency import Contingency

        opened = self.desk.current()
        kernel = opened.kernel
        grid = opened.grid
        losses = question.scenario.simulated_losses
        if losses:
            kernel, grid = self._without(opened, losses)
        analysis = Contingency(kernel, grid, kernel.tail, kernel.D - 1)
        body = convert.contingency_from(
            opened,
            analysis,
            kind=question.analysis_type,
            mitigate=question.include_mitigation_strategies,
            at=self.desk.now(),
        )
        parts = []
        for key, name in (("n_minus_1_result", "one person (N-1)"), ("n_minus_2_result", "two people (N-2)")):
            if key in body:
                parts.append(
                    f"{'vulnerable' if body[key]['is_vulnerable'] else 'not vulnerable'} to the loss of {name}"
                )
        return self._reply(
            "contingency://analysis", "analyze_contingency", ctx, f"The schedule is {' and '.join(parts)}.", body
        )

    def suggest_resolution(self, question: ResolutionQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Suggest ways out of a conflict in some blocks of the published schedule, each tried against every rule.

        Choose it when validate_schedule or detect_conflicts has found something, or somebody needs a swap. Nothing is
        changed. An empty list means that no single reassignment, swap or removal resolves it: repair_schedule may.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.resolution import resolution_from
        from packhorse_scheduling.domain.resolution import conflicts, resolve

        opened = self.desk.current()
        kernel, asked = opened.kernel, question.constraints
        slots = convert.slots_from(kernel, question.affected_blocks)
        persons = [convert.person_from(kernel, given) for given in dict.fromkeys(question.affected_persons)]
        if question.conflict_type == "SWAP_NEEDED" and not persons:
            raise invalid("affected_persons", "affected_persons is required for SWAP_NEEDED: who wants the swap?")
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

    def _without(self, opened: Any, losses: Any) -> Any:
        from attrs import evolve

        from packhorse_scheduling import convert
        from packhorse_scheduling.domain.kernel import FREE, Kernel
        from packhorse_scheduling.domain.requests import Leave

        kernel, grid = opened.kernel, opened.grid.copy()
        leaves = list(opened.programme.leaves)
        for loss in losses:
            p = convert.person_from(kernel, loss.person_id)
            first, last = convert.day_from("start_date", loss.start_date), convert.day_from("end_date", loss.end_date)
            if last < first:
                raise invalid("end_date", f"A simulated loss ends on {last}, before it starts on {first}.")
            if last < opened.programme.year.start or first > opened.programme.year.end:
                raise invalid(
                    "start_date", f"A simulated loss from {first} to {last} lies outside the programme's year."
                )
            grid[p, max(0, kernel.day_of(first)) : kernel.day_of(last) + 1] = FREE
            leaves.append(Leave(opened.programme.people[p].key, first, last, "deployment"))
        return Kernel(evolve(opened.programme, leaves=tuple(leaves)), opened.schedule.plan), grid

    def _reply(
        self, scheme: str, tool: str, ctx: Context, words: str, body: Mapping[str, Any]
    ) -> Reply[dict[str, Any]]:
        from packhorse_scheduling import convert

        uri = self.desk.keep(scheme, tool, ctx.principal.subject, body)
        return Reply(dict(body), (Text(words), Embedded(uri, convert.body_of(body), "application/json")))


def swap_body(opened: "Opened", question: SwapQuestion, *, at: datetime) -> dict[str, Any]:
    """What check_swap_feasibility says of one swap.

    Raises:
        UserError: somebody or some block is unknown, or the swap is with oneself.
    """
    from packhorse_scheduling import convert

    kernel = opened.kernel
    requester = convert.person_from(kernel, question.requester_id)
    if question.swap_type == "ONE_TO_ONE" and question.target_person_id is None:
        raise invalid("target_person_id", "target_person_id is required for ONE_TO_ONE swaps.")
    target = None
    if question.target_person_id is not None:
        target = convert.person_from(kernel, question.target_person_id)
    if target == requester:
        raise invalid("target_person_id", "A swap needs two people, and target_person_id is the requester's own.")
    slots = convert.slots_from(kernel, question.block_ids)
    blocking = []
    today = kernel.day_of(at.date())
    if any(day < today for day, _ in slots):
        blocking.append("A block that has passed cannot be swapped.")
    idle = [slot for slot in slots if opened.grid[requester, slot[0], slot[1]] < 0]
    if idle:
        day, half = idle[0]
        blocking.append(
            f"The requester is not assigned on {kernel.date_of(day)} {'PM' if half else 'AM'}: only own blocks can be"
            " swapped."
        )
    return convert.swap_from(
        opened,
        swap=question.swap_type,
        requester=requester,
        target=target,
        slots=slots,
        blocking=blocking,
        at=at,
    )
