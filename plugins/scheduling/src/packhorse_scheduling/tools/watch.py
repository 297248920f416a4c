"""The tools that agents watch the roster with. Each figure is counted; what cannot be counted is not told."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from attrs import frozen

from packhorse import Context, Reply, Text
from packhorse_scheduling.domain.insight.wording import counted, role_words
from packhorse_scheduling.errors import ended, invalid, not_found
from packhorse_scheduling.models.watch import (
    CandidatesQuestion,
    ConflictsQuestion,
    DefenseQuestion,
    HubsQuestion,
    LossQuestion,
    NothingAsked,
    PolicyQuestion,
    SacrificeQuestion,
    UtilizationQuestion,
)
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.tools.insight import days_of

MOST_CONFLICTS = 8
"""On a page, and of one loss."""
MOST_HUBS = 8
MOST_DAYS_LISTED = 14


@frozen
class WatchTools:
    """Conflicts, losses, levels, hubs, fallbacks, sacrifice and policy."""

    desk: RosterDesk

    def detect_conflicts(self, question: ConflictsQuestion) -> Reply[dict[str, Any]]:
        """List violations and warnings of the published schedule between two days, by kind."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.briefly import page_of, page_words
        from packhorse_scheduling.convert.references import chosen
        from packhorse_scheduling.domain.rules.codes import CLASH_OF, CLASHES

        opened = self.desk.current()
        first, last = days_of(opened, question.start_date, question.end_date)
        asked = question.conflict_types or CLASHES
        wanted = tuple(chosen(f"conflict_types.{n}", kind, CLASHES) for n, kind in enumerate(asked))
        found = [
            (CLASH_OF[one.rule], one)
            for one in opened.violations()
            if one.first <= last and one.last >= first and CLASH_OF[one.rule] in wanted
        ]
        shown, pages = page_of(found, question.page, MOST_CONFLICTS)
        body = {
            "checked_at": convert.instant(self.desk.now()),
            "total_conflicts": len(found),
            "by_type": {kind: count for kind in wanted if (count := sum(kind == clash for clash, _ in found))},
            **pages,
            "conflicts": [{"conflict_type": clash, **convert.finding_from(opened.kernel, one)} for clash, one in shown],
        }
        lines = [f"{convert.counted_or_none(len(found), 'conflict')}. {page_words(pages)}".strip()]
        lines += [f"{clash}: {convert.violation_words(opened.kernel, one)}" for clash, one in shown]
        return Reply(body, (Text("\n".join(lines)[:1].upper() + "\n".join(lines)[1:]),), in_words=True)

    def analyze_swap_candidates(self, question: CandidatesQuestion) -> Reply[dict[str, Any]]:
        """Rank who could take an assignment over or exchange it without breaking a rule."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.changes import candidates_words
        from packhorse_scheduling.convert.references import is_day
        from packhorse_scheduling.domain.change import swaps
        from packhorse_scheduling.domain.roster.roster import assignment_id_of
        from packhorse_scheduling.service.swapping import SwapDesk

        opened = self.desk.current()
        kernel, people = opened.kernel, opened.programme.people
        requester = convert.person_from(kernel, question.requester_person_id)
        key = people[requester].key
        slots = [
            (kernel.day_of(day), h)
            for p, day, h, _ in opened.schedule.cells
            if p == key and assignment_id_of(p, day, h) == question.assignment_id
        ]
        if not slots and is_day(question.assignment_id):
            slots = convert.slots_from(kernel, [question.assignment_id], (opened, requester))
        if not slots:
            raise not_found(
                "assignment of this person with the id", question.assignment_id, "show_roster lists the ids"
            )
        found = SwapDesk(self.desk).candidates(opened, requester, slots, field="assignment_id")
        body = {
            "analyzed_at": convert.instant(self.desk.now()),
            "total_candidates": len(found),
            "weights": dict(swaps.WEIGHTS),
            "candidates": [
                {
                    "candidate_person_id": people[one.person].id,
                    "candidate_name": people[one.person].name,
                    "swap_type": one.swap,
                    "match_score": one.score,
                    "factors": one.factors,
                    "warnings": [convert.violation_words(kernel, two) for two in one.verdict.violations],
                }
                for one in found[: question.max_candidates]
            ],
        }
        return Reply(body, (Text(candidates_words(body)),), in_words=True)

    def run_contingency_analysis(self, question: LossQuestion) -> Reply[dict[str, Any]]:
        """Count what the loss of these people on these days would leave unmet."""
        from attrs import evolve

        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.briefly import page_of, page_words
        from packhorse_scheduling.domain.insight.explain import crowded_days
        from packhorse_scheduling.domain.programme.requests import Leave
        from packhorse_scheduling.domain.roster.arrays import FREE
        from packhorse_scheduling.domain.rules.kernel import Kernel

        opened = self.desk.current()
        first, last = days_of(opened, question.start_date, question.end_date)
        kernel, people = opened.kernel, opened.programme.people
        lost = sorted({convert.person_from(kernel, given) for given in question.affected_person_ids})
        role = {"faculty_absence": "FACULTY", "resident_absence": "RESIDENT"}.get(question.scenario)
        stray = next((people[p] for p in lost if role is not None and people[p].role != role), None)
        if stray is not None:
            raise invalid(
                "scenario",
                f"{question.scenario} is only for {role_words(role or '', 2)}, but {stray.name} has the role"
                f" {stray.role}. Use"
                " emergency_coverage or mass_absence.",
            )
        cells = [
            (p, d, h, FREE)
            for p in lost
            for d in range(first, last + 1)
            for h in (0, 1)
            if opened.grid[p, d, h] != FREE
        ]
        gaps = [
            one
            for one in opened.board().breaks(cells)
            if one.rule in ("MINIMUM_STAFFING", "SUPERVISION_RATIO", "WHOLE_NIGHT_RULE")
        ]
        shown, pages = page_of(gaps, question.page, MOST_CONFLICTS)
        start, end = kernel.date_of(first), kernel.date_of(last)
        leaves = [Leave(people[p].key, start, end, "emergency_leave") for p in lost]
        without = Kernel(evolve(opened.programme, leaves=(*opened.programme.leaves, *leaves)), opened.schedule.plan)
        beyond = [without.date_of(d).isoformat() for d in crowded_days(without, first, last)]
        next_step = "repair_schedule makes a draft for these absences with the fewest changes."
        body = {
            "analyzed_at": convert.instant(self.desk.now()),
            "scenario": question.scenario,
            "impact": {
                "assignments_lost": len(cells),
                "gaps": len(gaps),
                "days_beyond_help_count": len(beyond),
                "days_beyond_help": beyond[:MOST_DAYS_LISTED],
            },
            **pages,
            "violations": [convert.finding_from(kernel, one) for one in shown],
            "next_step": next_step,
        }
        words = f"{counted(len(cells), 'half-day is', 'half-days are')} left empty,"
        words += f" {counted(len(gaps), 'gap')} by it; {counted(len(beyond), 'day')} beyond help."
        lines = [f"{words} {page_words(pages)}".strip(), *(convert.violation_words(kernel, one) for one in shown)]
        return Reply(body, (Text("\n".join([*lines, next_step])),), in_words=True)

    def check_utilization_threshold(self, question: UtilizationQuestion) -> dict[str, Any]:
        """Calculate how much of a capacity is needed, the level of alarm, and what is left below 80 percent."""
        from packhorse_scheduling.domain.insight.levels import SAFE_SHARE, Load

        capacity = int(question.available_faculty * question.blocks_per_faculty_per_day * question.days_in_period)
        load = Load(question.required_blocks, capacity)
        body: dict[str, Any] = {
            "level": load.level,
            "utilization_rate": round(load.rate, 4),
            "threshold": SAFE_SHARE,
            "above_threshold": load.rate >= SAFE_SHARE,
            "total_capacity": capacity,
            "safe_maximum": load.safe_maximum,
            "buffer_blocks": load.spare,
        }
        if load.wait_multiplier is not None:
            body["wait_multiplier"] = round(load.wait_multiplier, 4)
        return body

    def get_defense_level(self, question: DefenseQuestion) -> dict[str, Any]:
        """Tell the level of defence that a coverage calls for, and what is done there."""
        from packhorse_scheduling.domain.insight import outlook
        from packhorse_scheduling.domain.insight.levels import COVERAGE_BARS, DEFENSE_ACTIONS, DEFENSES, defense_of

        coverage, source = question.coverage_rate, "given"
        if coverage is None:
            opened = self.desk.current()
            coverage = outlook.coverage(opened.kernel, opened.grid, *self._ahead(opened))
            source = "published schedule, next four weeks"
        level = defense_of(coverage)
        return {
            "coverage_rate": round(coverage, 4),
            "source": source,
            "recommended_level": level,
            "actions": list(DEFENSE_ACTIONS[level]),
            "thresholds": dict(zip(DEFENSES, (*COVERAGE_BARS, 0.0), strict=True)),
        }

    def get_static_fallbacks(self, question: NothingAsked) -> dict[str, Any]:
        """List the schedules prepared for a scenario (snapshot_schedule), and how they stand today."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.store.exchanges import Exchanges

        with self.desk.rosters() as rosters:
            rows = Exchanges(rosters.store).fallbacks()
        fallbacks = []
        for row in rows:
            broken = sum(one.blocks for one in self.desk.opened(row["schedule"]).violations())
            fallbacks.append(
                {
                    "schedule_id": row["schedule"],
                    "label": row["label"],
                    "scenario": row["scenario"],
                    "version": row["version"],
                    "prepared_at": convert.instant(datetime.fromisoformat(row["taken_at"])),
                    "violations": broken,
                }
            )
        return {
            "checked_at": convert.instant(self.desk.now()),
            "available_count": len(fallbacks),
            "fallbacks": fallbacks,
        }

    def analyze_hub_centrality(self, question: HubsQuestion) -> Reply[dict[str, Any]]:
        """Rank people by half-days of the next four weeks that nobody in reserve could fill."""
        from packhorse_scheduling.convert.briefly import page_of, page_words
        from packhorse_scheduling.convert.insight import hub_words, hubs_from
        from packhorse_scheduling.domain.insight import hubs

        opened, at = self.desk.current(), self.desk.now()
        found = hubs.hubs(opened.kernel, opened.grid, *self._ahead(opened))
        shown, pages = page_of(found, question.page, MOST_HUBS)
        body = hubs_from(opened, shown, at=at) | pages
        words = f"{counted(len(found), 'person has', 'people have')} duty in the next four weeks."
        lines = [f"{words} {page_words(pages)}".strip(), *map(hub_words, body["hubs"])]
        return Reply(body, (Text("\n".join(lines)),), in_words=True)

    def execute_sacrifice_hierarchy(self, question: SacrificeQuestion, ctx: Context) -> dict[str, Any]:
        """Count what suspending work at a level would free in four weeks; patient care is never touched."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.domain.change.sacrifice import SUSPENDED, suspend
        from packhorse_scheduling.service.changes import ChangeDesk

        opened = self.desk.current()
        days = self._ahead(opened)
        freed, grid = suspend(opened.kernel, opened.grid, question.target_level, *days)
        body = {
            "evaluated_at": convert.instant(self.desk.now()),
            "target_level": question.target_level,
            "simulated": question.simulate_only,
            "start_date": opened.kernel.date_of(days[0]).isoformat(),
            "end_date": opened.kernel.date_of(days[1]).isoformat(),
            "suspended": [
                {"category": one.category, "half_days_freed": one.half_days, "hours_freed": one.hours} for one in freed
            ],
            "protected": [
                category
                for category in (*SUSPENDED["BLACK"], "patient_safety")
                if category not in SUSPENDED[question.target_level]
            ],
            "half_days_freed": sum(one.half_days for one in freed),
        }
        if not question.simulate_only:
            draft = ChangeDesk(self.desk).keep_draft(opened, grid, ctx.principal.subject, "work suspended")
            body |= {"schedule_id": draft.schedule.id, "compliance_status": draft.schedule.compliance}
        return body

    def rag_search(self, question: PolicyQuestion) -> dict[str, Any]:
        """Find passages on duty-hour rules and in the institution's own policies, each with its source."""
        from packhorse_scheduling import search
        from packhorse_scheduling.service.policies import passages as kept

        passages = [one for one in kept(self.desk) if question.doc_type in (None, one.kind)]
        hits = search.find(passages, question.query, most=question.top_k, least=question.min_similarity)
        return {
            "query": question.query,
            "total": len(hits),
            "documents": [
                {
                    "id": hit.passage.id,
                    "title": hit.passage.title,
                    "doc_type": hit.passage.kind,
                    "source": hit.passage.source,
                    "text": hit.passage.text,
                    "similarity": round(hit.similarity, 4),
                }
                for hit in hits
            ],
        }

    def _ahead(self, opened: Any) -> tuple[int, int]:
        from packhorse_scheduling.domain.insight import outlook

        days = outlook.ahead(opened.kernel, opened.kernel.day_of(self.desk.now().date()))
        if days is None:
            raise ended(opened.programme.year.end)
        return days
