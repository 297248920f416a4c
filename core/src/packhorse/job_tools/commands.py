"""``packhorse jobs``: what long work there is, and ending it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from packhorse.errors import PackError
from packhorse.terminal import config_option, json_option, show

if TYPE_CHECKING:
    from packhorse.jobs import Job, Owner
    from packhorse.jobs.engine import Engine
    from packhorse.jobs.work import Ended


@click.group()
def jobs() -> None:
    """List, show and cancel long-running jobs."""


@jobs.command("list")
@click.option("--all", "every", is_flag=True, help="Also list finished jobs.")
@click.option(
    "--count", default=50, type=click.IntRange(1, 1000), help="Maximum number of jobs to list; 50 by default."
)
@json_option
@config_option
def list_command(every: bool, count: int, as_json: bool, config: Path | None) -> None:
    """List the jobs that are waiting or running, newest first."""
    found = _engine(config).latest(count, unfinished=not every)
    if as_json:
        show({"jobs": [_fields(job) for job in found]})
        return
    for job in found:
        click.echo(f"{job.id}  {job.status:<14}  {job.tool}  {job.owner.subject or '-'}  {job.created_at}")
    if not found:
        click.echo("There are no jobs." if every else "No job is waiting or running; --all also lists finished jobs.")


@jobs.command("show")
@click.argument("job_id", metavar="ID")
@json_option
@config_option
def show_command(job_id: str, as_json: bool, config: Path | None) -> None:
    """Show a job: its owner, its progress and how it ended.

    It does not show the job's arguments and result: they belong to its owner.
    """
    job = _engine(config).get(job_id, _operator())
    fields = _fields(_known(job))
    if as_json:
        show(fields)
        return
    for key, value in fields.items():
        click.echo(f"{key:<12} {'-' if value is None else value}")


@jobs.command("cancel")
@click.argument("job_id", metavar="ID")
@json_option
@config_option
def cancel_command(job_id: str, as_json: bool, config: Path | None) -> None:
    """Cancel a job that is waiting or running."""
    engine = _engine(config)
    with _recorded(config) as ended:
        engine.finished = ended
        job = _known(engine.cancel(job_id, _operator()))
    if as_json:
        show(_fields(job))
    elif job.status in ("completed", "failed"):
        click.echo(f"The job is already {job.status}.")
    else:
        click.echo("Cancelled." if job.is_finished else "Cancel requested.")


@contextmanager
def _recorded(config: Path | None) -> "Iterator[Ended]":
    """Enters the end of a job in the audit record, as a server does for those that it ends."""
    from packhorse.audit.masking import Mask
    from packhorse.audit.observer import Audit
    from packhorse.compose.packs import configured
    from packhorse.contract.clock import system_clock
    from packhorse.door.call_log import Accounts
    from packhorse.observe.pack import CallLines

    settings, _ = configured(config)
    audit = Audit(settings, system_clock)
    if settings.audit.enabled:
        audit.open_masked(Mask())
    try:
        yield Accounts([CallLines(lambda principal: None), audit]).job_ended
    finally:
        audit.close()


def _engine(config: Path | None) -> "Engine":
    from packhorse.compose.packs import configured
    from packhorse.jobs.engine import Databases, Engine

    settings, _ = configured(config)
    return Engine(Databases.of(settings))


def _operator() -> "Owner":
    from packhorse.jobs import Owner

    return Owner("operator", "", sees_all=True)


def _known(job: "Job | None") -> "Job":
    if job is None:
        raise PackError("there is no job with this id; 'packhorse jobs list --all' lists all jobs")
    return job


def _fields(job: "Job") -> dict[str, Any]:
    error = (job.error or {}).get("refused") or (job.error or {}).get("protocol")
    return {
        "job_id": job.id,
        "tool": job.tool,
        "status": job.status,
        "issuer": job.owner.issuer,
        "subject": job.owner.subject or None,
        "priority": job.priority,
        "progress": [job.progress.done, job.progress.total, job.progress.message] if job.progress else None,
        "executor": job.executor,
        "epoch": job.epoch,
        "request_id": job.request_id,
        "created_at": job.created_at,
        "updated_at": job.updated_at,
        "finished_at": job.finished_at,
        "error": error.get("code") if error else None,
    }
