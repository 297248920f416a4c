"""What the function of a job may say while it runs, in its child process."""

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from packhorse.contract.host import Host
from packhorse.contract.packs import Pack
from packhorse.contract.questions import Accepted, Cancelled, Declined, Elicit, Outcome
from packhorse.errors import UserError
from packhorse.schema.schemas import published

Send = Callable[[Mapping[str, Any]], None]
Receive = Callable[[], Mapping[str, Any]]


class Running:
    """The job being run: the first argument of its function.

    ``job_id`` names what the job changes, so that a second run changes the
    same thing.
    """

    def __init__(
        self, job_id: str, send: Send, receive: Receive, *, described: Mapping[str, Any] | None = None
    ) -> None:
        self.job_id = job_id
        self._described = described
        self._send = send
        self._receive = receive

    @property
    def host(self) -> Host:
        """The pack's host: its settings, its data folder, and its store, which the job opens and closes."""
        if self._described is None:
            raise RuntimeError("this job was started by no tool of a pack, and so has no host")

        return host_of(self._described)

    def report_progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Say how far the work is, in units of its own; as often as you like."""
        self._send({"progress": [done, total, message]})

    def ask(self, questions: Mapping[str, Elicit[Any]]) -> Mapping[str, Outcome]:
        """Put questions to the caller and wait for the answers, by the same keys.

        A job that runs again, after its machine died, has the answers that
        were given before at once.
        """
        asked = {
            key: {"message": question.message, "schema": published(question.schema.model_json_schema(), closed=False)}
            for key, question in questions.items()
        }
        self._send({"ask": asked})
        given = self._receive()
        return {key: _outcome(question, given[key]) for key, question in questions.items()}


def _outcome(question: Elicit[Any], answer: Mapping[str, Any]) -> Outcome:
    from pydantic import ValidationError  # only where there are models: most work has none to wait for

    match answer.get("action"):
        case "accept":
            try:
                return Accepted(question.schema.model_validate(answer.get("content") or {}))
            except ValidationError as exc:
                raise UserError(
                    "One of this job's questions got an answer of the wrong kind, so the job was stopped. Start"
                    " it again to be asked again.",
                    code="NO_ANSWER",
                ) from exc
        case "decline":
            return Declined()
        case _:
            return Cancelled()


def describe(
    pack: str, module: str, *, data_dir: Path, own: Mapping[str, Any], database: str | None = None
) -> dict[str, Any]:
    """What `host_of` needs: the pack's name and module, its settings as the deployer wrote them, and where data is."""
    return {"pack": pack, "module": module, "data_dir": str(data_dir), "own": dict(own), "database": database}


def host_of(described: Mapping[str, Any]) -> Host:
    """The host that the pack's hooks were given, as far as a job may use it."""
    pack = getattr(importlib.import_module(described["module"]), "pack", None) or Pack(title=described["pack"])
    more: dict[str, Any] = {"database": described["database"]} if described["database"] else {}
    return Host(
        described["pack"],
        data_dir=Path(described["data_dir"]),
        settings=pack.settings.model_validate(described["own"]) if pack.settings is not None else None,
        migrations=pack.migrations,
        **more,
    )
