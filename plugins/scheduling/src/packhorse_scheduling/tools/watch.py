"""The tools that agents watch the roster with. Each figure is counted; what cannot be counted is not told."""

from datetime import datetime
from typing import Any

from attrs import frozen

from packhorse import Context, Reply, Text
from packhorse_scheduling.domain.wording import role_words
from packhorse_scheduling.errors import ended, invalid, not_found
from packhorse_scheduling.models.watch import (
    CandidatesQuestion,
    ConflictsQuestion,
    DefenseQuestion,
    LossQuestion,
    NothingAsked,
    PolicyQuestion,
    SacrificeQuestion,
    UtilizationQuestion,
)
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.changes import ChangeDesk
from packhorse_scheduling.tools.insight import days_of

MOST_CONFLICTS = 200


@frozen
class WatchTools:
    """Conflicts, losses, levels, hubs, fallbacks, sacrifice and policy."""

    desk: RosterDesk

    def detect_conflicts(self, question: ConflictsQuestion) -> dict[str, Any]:
        """List what is wrong in the published schedule between two days, by kind, warnings included.

        double_booking is always 0: a person's half-day holds one service. suggest_resolution says what to do.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.domain.clashes import CLASH_OF, CLASHES

        opened = self.desk.current()
        first, last = days_of(opened, question.start_date, question.end_date)
        wanted = question.conflict_types or CLASHES
        found = [
            (CLASH_OF[one.rule], one)
            for one in opened.violations()
            if one.first <= last and one.last >= first and CLASH_OF[one.rule] in wanted
        ]
        return {
            "checked_at": convert.instant(self.desk.now()),
            "total_conflicts": len(found),
            "by_type": {kind: sum(kind == clash for clash, _ in found) for kind in wanted},
            "conflicts": [
                {"conflict_type": clash, **convert.violation_from(opened.kernel, one)}
                for clash, one in found[:MOST_CONFLICTS]
            ],
        }

    def analyze_swap_candidates(self, question: CandidatesQuestion) -> Reply[dict[str, Any]]:
        """Rank everybody who could take an assignment over or exchange it, each checked against every rule.

        The score is shown with its factors and weights. How likely somebody is to agree is not known, and not guessed.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.changes import candidates_words
        from packhorse_scheduling.domain import swaps
        from packhorse_scheduling.domain.roster import assignment_id_of

        opened = self.desk.current()
        kernel, people = opened.kernel, opened.programme.people
        requester = convert.person_from(kernel, question.requester_person_id)
        key = people[requester].key
        slots = [
            (kernel.day_of(day), h)
            for p, day, h, _ in opened.schedule.cells
            if p == key and assignment_id_of(p, day, h) == question.assignment_id
        ]
        if not slots:
            raise not_found("assignment of this person", question.assignment_id)
        found = ChangeDesk(self.desk).candidates(opened, requester, slots, field="assignment_id")
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
                }
                for one in found[: question.max_candidates]
            ],
        }
        return Reply(body, (Text(candidates_words(body)),))

    def run_contingency_analysis(self, question: LossQuestion) -> dict[str, Any]:
        """Count what the loss of these people on these days would leave unmet in the published schedule.

        gaps are the violations of staffing and supervision that their empty half-days would newly make.
        days_beyond_help are days on which no reassignment at all could meet minimum demand.
        """
        from attrs import evolve

        from packhorse_scheduling import convert
        from packhorse_scheduling.domain.explain import crowded_days
        from packhorse_scheduling.domain.kernel import FREE, Kernel
        from packhorse_scheduling.domain.requests import Leave

        opened = self.desk.current()
        first, last = days_of(opened, question.start_date, question.end_date)
        kernel, people = opened.kernel, opened.programme.people
        lost = sorted({convert.person_from(kernel, given) for given in question.affected_person_ids})
        role = {"faculty_absence": "FACULTY", "resident_absence": "RESIDENT"}.get(question.scenario)
        stray = next((people[p] for p in lost if role is not None and people[p].role != role), None)
        if stray is not None:
            raise invalid(
                "scenario",
                f"{question.scenario} is of {role_words(role or '', 2)}, and {stray.name} is {stray.role}: use"
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
        start, end = kernel.date_of(first), kernel.date_of(last)
        leaves = [Leave(people[p].key, start, end, "emergency_leave") for p in lost]
        without = Kernel(evolve(opened.programme, leaves=(*opened.programme.leaves, *leaves)), opened.schedule.plan)
        return {
            "analyzed_at": convert.instant(self.desk.now()),
            "scenario": question.scenario,
            "impact": {
                "assignments_lost": len(cells),
                "gaps": len(gaps),
                "days_beyond_help": [without.date_of(d).isoformat() for d in crowded_days(without, first, last)],
            },
            "violations": [convert.violation_from(kernel, one) for one in gaps[:MOST_CONFLICTS]],
            "next_step": "repair_schedule makes a draft for each person's absence with the fewest changes.",
        }

    def check_utilization_threshold(self, question: UtilizationQuestion) -> dict[str, Any]:
        """Say how much of a capacity is needed, at which level of alarm, and how much is left below 80 percent.

        A calculation from the numbers given, not from a roster: resilience://health counts the roster's own.
        """
        from packhorse_scheduling.domain.levels import SAFE_SHARE, Load

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
        """Say which level of defence a coverage calls for, and what is done there.

        Without coverage_rate it is counted from the next four weeks of the published schedule.
        """
        from packhorse_scheduling.domain import outlook
        from packhorse_scheduling.domain.levels import COVERAGE_BARS, DEFENSE_ACTIONS, DEFENSES, defense_of

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
        """List the schedules that were prepared and kept for a scenario (snapshot_schedule), with how they stand today.

        Empty where nobody has prepared any: none is made up on the spot.
        """
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

    def analyze_hub_centrality(self, question: NothingAsked) -> dict[str, Any]:
        """Rank people by how much of the next four weeks hangs on them, with the formula's parts.

        Counts who is assigned to what: somebody central is somebody to back up, not somebody at fault.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.domain import hubs

        opened = self.desk.current()
        people, services = opened.programme.people, opened.programme.services
        found = hubs.hubs(opened.kernel, opened.grid, *self._ahead(opened))
        return {
            "analyzed_at": convert.instant(self.desk.now()),
            "weights": dict(hubs.WEIGHTS),
            "method": "Each factor is divided by its largest value among the people, so that somebody always stands at"
            " the top: scores rank people within this roster, and compare no two rosters. Where all can do the same,"
            " all score alike.",
            "hubs": [
                {
                    "person_id": people[hub.person].id,
                    "person_name": people[hub.person].name,
                    "composite_score": round(hub.score, 4),
                    "factors": {name: round(value, 4) for name, value in hub.parts.items()},
                    "risk_level": hub.risk,
                    "unique_services": [services[s].name for s in hub.sole],
                }
                for hub in found
            ],
        }

    def execute_sacrifice_hierarchy(self, question: SacrificeQuestion, ctx: Context) -> dict[str, Any]:
        """Count what suspending work at a level would free in the next four weeks, patient care never touched.

        By default nothing is changed; with simulate_only false a draft without the suspended work is kept.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.domain.sacrifice import SUSPENDED, suspend

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
        """Find policy passages by words: our short summary of the duty-hour rules, and the institution's own texts.

        Each passage has its source. similarity is bm25 mapped to 0..1, and compares passages within one search only.
        """
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
        from packhorse_scheduling.domain import outlook

        days = outlook.ahead(opened.kernel, opened.kernel.day_of(self.desk.now().date()))
        if days is None:
            raise ended(opened.programme.year.end)
        return days
