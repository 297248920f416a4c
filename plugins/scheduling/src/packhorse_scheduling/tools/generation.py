"""Making a roster: as a job of the host in a process of its own, or within the call."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from attrs import frozen

from packhorse import Context, Reply, Text
from packhorse.jobs import Running, Work
from packhorse_scheduling.domain.insight.wording import counted
from packhorse_scheduling.models import GenerateQuestion
from packhorse_scheduling.service import RosterDesk

Progress = Callable[[int, int, str], None]


@frozen
class GenerationTools:
    """One tool, two ways of running."""

    desk: RosterDesk

    def generate_schedule(self, question: GenerateQuestion, ctx: Context) -> Work | Reply[dict[str, Any]]:
        """Make a draft roster for these days that keeps every rule and seeks wishes and fairness.

        FULL fills all days again, PARTIAL the gaps, OPTIMIZATION improves what is published. A search that ends early
        keeps its best draft and says how far it goes.
        """
        self._check(question)
        by = ctx.principal.subject
        if question.background and has_jobs():
            from packhorse_scheduling.convert.jobs import started_from

            asked = question.model_dump(by_alias=True)
            return Work(
                "packhorse_scheduling.tools.generation:run",
                {"asked": asked, "by": by},
                handle=started_from(self.desk.public_url),
            )

        def progress(done: int, total: int, words: str) -> None:
            ctx.wait(ctx.report_progress, done, total, words)

        from packhorse_scheduling.convert.rotations import churn_words
        from packhorse_scheduling.convert.weighing import notes_words, publish_words, weighed_words
        from packhorse_scheduling.convert.wishes import wishes_words

        body = made(self.desk, question, by, progress=progress, cancelled=lambda: ctx.cancelled)
        words = (
            f"A draft with {counted(body['statistics']['total_assignments'], 'assignment')} for"
            f" {counted(body['statistics']['total_persons'], 'person', 'people')} was stored as {body['schedule_id']}:"
            f" {body['statistics']['compliance_status']}. {publish_words(body)}"
            f"{notes_words(body)}{churn_words(body)}{weighed_words(body)}{wishes_words(body)}"
        )
        if body["violation_count"]:
            told = " ".join(one["message"] for one in body["validation_results"]["violations"][:3])
            words += f" {counted(body['violation_count'], 'violation')} in it: {told}"
        if question.background:
            words += " This server has no background jobs, so the call waited for it."
        return Reply(body, (Text(words),), in_words=True)

    def _check(self, question: GenerateQuestion) -> None:
        """Refuse at once what a job would only refuse later."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.service.generating import Generator

        start = convert.day_from("start_date", question.start_date)
        end = convert.day_from("end_date", question.end_date)
        Generator(self.desk).start(
            question.academic_year,
            start,
            end,
            question.generation_mode,
            enforce=question.constraints.enforce_acgme_compliance,
        )


def _locked(desk: RosterDesk, given: list[str]) -> list[str]:
    from packhorse_scheduling.convert.references import assignments_named

    return assignments_named(desk.current().kernel, given) if given else []


def has_jobs() -> bool:
    """Whether the host can run jobs here: packhorse[jobs] is installed."""
    return find_spec("dbos") is not None


def run(running: Running, *, asked: dict[str, Any], by: str | None) -> dict[str, Any]:
    """The job. The draft has the job's id, so that a second run finds what the first has stored."""
    from packhorse_scheduling import convert

    desk = RosterDesk(running.host)
    stored = desk.generated(running.job_id)
    if stored is not None and stored.opened.schedule.until is None:
        return convert.generation_from(stored, at=stored.opened.schedule.created_at, seconds=None)
    return made(
        desk, GenerateQuestion.model_validate(asked), by, progress=running.report_progress, schedule_id=running.job_id
    )


def made(
    desk: RosterDesk,
    question: GenerateQuestion,
    by: str | None,
    *,
    progress: Progress,
    cancelled: Callable[[], bool] = lambda: False,
    schedule_id: str | None = None,
) -> dict[str, Any]:
    """Generate, store, and say what came of it."""
    from packhorse_scheduling import convert
    from packhorse_scheduling.domain.solve.wishes import Aims

    asked = question.constraints
    began = time.monotonic()
    generated = desk.generate(
        start=convert.day_from("start_date", question.start_date),
        end=convert.day_from("end_date", question.end_date),
        mode=question.generation_mode,
        aims=Aims(asked.target_utilization, asked.prioritize_fairness, asked.respect_preferences),
        enforce=asked.enforce_acgme_compliance,
        locked=_locked(desk, asked.locked_assignments),
        by=by,
        academic_year=question.academic_year,
        progress=progress,
        cancelled=cancelled,
        schedule_id=schedule_id,
    )
    return convert.generation_from(generated, at=desk.now(), seconds=time.monotonic() - began)
