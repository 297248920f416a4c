"""The specification's six pages, and answers given earlier."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from packhorse import Context, RequestError
from packhorse_scheduling.domain.insight.wording import violation_words
from packhorse_scheduling.models.access import PLANNERS
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.pages import Pages

if TYPE_CHECKING:
    from packhorse_scheduling.domain.rules.opened import Opened

AUTHORIZATION = -32001


@frozen
class RosterPages:
    """Pages by URI. What is the same for every caller comes from the shelf where it is fresh."""

    desk: RosterDesk
    kept: Pages

    def current(self) -> str:
        """The published schedule of the academic year, with every assignment."""
        return self.kept.page("schedule://current", lambda: text_of(self._current()))

    def _current(self) -> dict[str, Any]:
        from packhorse_scheduling import convert

        opened = self.desk.current()
        year, schedule = opened.programme.year, opened.schedule
        assignments = convert.assignments_from(opened)
        return {
            "academic_year": year.name,
            "start_date": year.start.isoformat(),
            "end_date": year.end.isoformat(),
            "total_blocks": len(year.blocks),
            "assignments": assignments,
            "metadata": {
                "generated_at": convert.instant(schedule.created_at),
                "total_assignments": len(assignments),
                "unique_persons": len({cell[0] for cell in schedule.cells}),
                "compliance_status": schedule.compliance,
                "schedule_id": schedule.id,
                "version": schedule.version,
            },
        }

    def person(self, id: str, ctx: Context) -> dict[str, Any]:  # noqa: A002 - the name in the URI template
        """One person's assignments, hours and compliance; for coordinators, administrators and the person."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.inbox import request_from
        from packhorse_scheduling.domain.insight import workload

        opened = self.desk.current()
        number = person_for(ctx, opened, id)
        kernel, person = opened.kernel, opened.programme.people[number]
        found = workload.statistics(kernel, opened.worked, number)
        breaches = [v for v in opened.violations() if v.person == number]
        told = [
            {
                "rule": violation.rule,
                "description": violation_words(kernel, violation),
                "severity": violation.severity,
                "date_range": convert.days_from(kernel, violation),
            }
            for violation in breaches
        ]
        body: dict[str, Any] = {
            "person": {"id": person.id, "name": person.name, "email": person.email, "role": person.role},
            "assignments": convert.assignments_from(opened, person.key),
            "statistics": found,
            "compliance": {
                "is_compliant": not any(violation.blocks for violation in breaches),
                "violations": [row for row in told if row["rule"] in _LISTED],
                "additional_violations": [row for row in told if row["rule"] not in _LISTED],
            },
        }
        if person.pgy is not None:
            body["person"]["pgy_level"] = person.pgy
        reports = [one for one in self.desk.actual_records() if one.is_live and one.person == person.key]
        if reports:
            body["actual_hours"] = [request_from(opened, one) for one in reports]
        return body

    def blocks(self) -> str:
        """Every half-day of the published schedule's year; 730, or 732 in a leap year."""
        return self.kept.page("schedule://blocks", lambda: text_of(self._blocks()))

    def _blocks(self) -> dict[str, Any]:
        from packhorse_scheduling import convert

        published = self.desk.published()
        # What is imported for the next year has other blocks; before anything is published, they are all there is.
        return convert.blocks_from(self.desk.programme()[1] if published is None else published.programme)

    def fairness(self) -> str:
        """How evenly hours and services lie over people, by role and by service."""
        return self.kept.page("analytics://fairness", lambda: text_of(self._fairness()))

    def _fairness(self) -> dict[str, Any]:
        from packhorse_scheduling.convert.health import fairness_from

        return fairness_from(self.desk.current(), at=self.desk.now())

    def workload(self) -> str:
        """Hours, runs, weekends and their trend, person by person."""
        return self.kept.page("analytics://workload", lambda: text_of(self._workload()))

    def _workload(self) -> dict[str, Any]:
        from packhorse_scheduling.convert.health import workload_from

        return workload_from(self.desk.current(), at=self.desk.now())

    def health(self) -> str:
        """The next four weeks: utilisation, coverage, and whose loss could not be covered."""
        return self.kept.page("resilience://health", lambda: text_of(self._health()))

    def _health(self) -> dict[str, Any]:
        from packhorse_scheduling.convert.health import health_from

        return health_from(self.desk.current(), at=self.desk.now())

    def validation(self, id: str, ctx: Context) -> Any:  # noqa: A002 - the name in the URI template
        """A validation made earlier."""
        return self._answer(f"validation://result/{id}", ctx)

    def feasibility(self, id: str, ctx: Context) -> Any:  # noqa: A002 - the name in the URI template
        """A swap check made earlier."""
        return self._answer(f"swap://feasibility/{id}", ctx)

    def analysis(self, id: str, ctx: Context) -> Any:  # noqa: A002 - the name in the URI template
        """A contingency analysis made earlier."""
        return self._answer(f"contingency://analysis/{id}", ctx)

    def suggestions(self, id: str, ctx: Context) -> Any:  # noqa: A002 - the name in the URI template
        """Suggestions made earlier."""
        return self._answer(f"resolution://suggestions/{id}", ctx)

    def report(self, id: str, ctx: Context) -> Any:  # noqa: A002 - the name in the URI template
        """A coverage report made earlier."""
        return self._answer(f"coverage://report/{id}", ctx)

    def _answer(self, uri: str, ctx: Context) -> Any:
        by, body = self.desk.answer(uri)
        caller = ctx.principal
        if not caller.has_any(PLANNERS) and (by is None or by != caller.subject):
            raise RequestError(
                AUTHORIZATION, "authorization", "Results are for the person who asked, coordinators and admins."
            )
        return body


_LISTED = frozenset({"80_HOUR_RULE", "1_IN_7_RULE", "SUPERVISION_RATIO"})


def person_for(ctx: Context, opened: Opened, given: str) -> int:
    """The number of the person with this id, for whoever may look at them.

    Raises:
        RequestError: it is somebody else; the same whether or not the id exists, so that nobody learns who is here.
        UserError: nobody has this id, for those who may know.
    """
    from packhorse_scheduling import convert
    from packhorse_scheduling.convert.references import is_own

    caller = ctx.principal
    if not caller.has_any(PLANNERS) and not is_own(opened.programme.people, given, caller.subject):
        raise RequestError(AUTHORIZATION, "authorization", "This caller may read only their own schedule.")
    return convert.person_from(opened.kernel, given)


def text_of(body: Mapping[str, Any]) -> str:
    """A page as JSON text."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))
