"""Commands for a person at a terminal: ``packhorse discovery lint|preview|import|export|model|solve``."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import click

from packhorse import UserError
from packhorse_discovery import convert
from packhorse_discovery.domain.interview.questions import plan
from packhorse_discovery.domain.schema.linting import lint
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.library import parse
from packhorse_discovery.service.modelling import Modeller
from packhorse_discovery.service.projects import Projects
from packhorse_discovery.service.scheduling import AT_THE_TERMINAL, Scheduler, SolverName


def commands(projects: Projects) -> list[click.Command]:
    """The pack's commands."""
    modeller = Modeller(Casefile(projects))
    return [_lint(projects), _preview(projects), _import(), _export(projects), _model(modeller), _solve(modeller)]


def _lint(projects: Projects) -> click.Command:
    @click.command("lint")
    @click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    def command(paths: tuple[Path, ...], *, as_json: bool) -> None:
        """Check schema files, in any supported format (JSON or EDN).

        The exit status is 1 if a file has an error.
        """
        known = {one.id for one in projects.shelf().eads}
        found = [_linted(file, known) for file in _files(paths)]
        if as_json:
            click.echo(json.dumps(found, indent=1))
        else:
            for one in found:
                mark = "ok  " if one["ok"] else "BAD "
                click.echo(f"{mark} {one['file']}  {one['id'] or ''}  {len(one['questions'])} questions")
                for problem in one["problems"]:
                    click.echo(f"       {problem['severity']}: {problem['message']}")
        if not all(one["ok"] for one in found):
            raise SystemExit(1)

    return command


def _preview(projects: Projects) -> click.Command:
    @click.command("preview")
    @click.argument("schema")
    def command(schema: str) -> None:
        """Print every question that SCHEMA would ask, and how much of the interview's budget each uses.

        SCHEMA is a file, or the id of a schema of the pack.
        """
        path = Path(schema)
        try:
            eads = (
                parse(path.read_text(encoding="utf-8"), path.name, "file")
                if path.is_file()
                else projects.shelf().get(schema)
            )
        except ValueError as exc:
            raise click.ClickException(f"{path.name}: {exc}") from exc
        if eads is None:
            raise click.ClickException(f"There is no file and no library schema {schema[:80]!r}.")
        questions = plan(eads)
        click.echo(f"{eads.id} {eads.version}: {eads.title}")
        click.echo(f"budget {eads.budget.total:g}, {eads.budget.per_question:g} a question\n")
        for place, one in enumerate(questions, 1):
            click.echo(f"{place}. [{one.finer}, {one.cost:g}] {one.text}")
            if one.template:
                click.echo("\n".join(f"     {line}" for line in one.template.splitlines()))
            if one.help:
                click.echo(f"     {one.help}")

    return command


def _import() -> click.Command:
    @click.command("import")
    @click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
    def command(file: Path) -> None:
        """Convert a schema file in an older format (JSON or EDN) to the current format.

        Old ids are changed to the new ones.
        """
        try:
            eads = parse(file.read_text(encoding="utf-8"), file.name, "file")
        except ValueError as exc:
            raise click.ClickException(f"{file.name}: {exc}") from exc
        click.echo(json.dumps({**eads.document, "packhorse-id": eads.id}, indent=1, ensure_ascii=False))

    return command


def _export(projects: Projects) -> click.Command:
    @click.command("export")
    @click.argument("project")
    @click.option(
        "--format", "form", default="markdown", show_default=True, type=click.Choice(get_args(convert.Form)),
        help="The format; excel is printed in base 64.",
    )  # fmt: skip
    @click.option("--conversation", default="main", show_default=True, help="The interview to print.")
    def command(project: str, form: convert.Form, conversation: str) -> None:
        """Print a project in another format."""
        casefile = Casefile(projects)
        try:
            activities = casefile.history(project, conversation)["activities"]
            text = convert.document(
                form, casefile.scr(project), casefile.structures(project), activities, casefile.formulation(project)
            )
        except UserError as exc:
            raise click.ClickException(exc.message) from exc
        click.echo(text, nl=False)

    return command


def _model(modeller: Modeller) -> click.Command:
    @click.command("model")
    @click.argument("project")
    def command(project: str) -> None:
        """Print the MiniZinc program of a project."""
        try:
            click.echo(modeller.generate(project)["minizinc"], nl=False)
        except UserError as exc:
            raise click.ClickException(exc.message) from exc

    return command


def _solve(modeller: Modeller) -> click.Command:
    @click.command("solve")
    @click.argument("project")
    @click.option("--seconds", default=60.0, show_default=True, help="The most seconds to search.")
    @click.option("--seed", default=0, show_default=True, help="The same seed gives the same schedule.")
    @click.option("--solver", default="cp-sat", show_default=True, type=click.Choice(get_args(SolverName)))
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    def command(project: str, *, seconds: float, seed: int, solver: SolverName, as_json: bool) -> None:
        """Compute the schedule of a project."""
        try:
            found = Scheduler(modeller).solve(
                project, seconds=seconds, seed=seed, solver=solver, computed=AT_THE_TERMINAL
            )
        except UserError as exc:
            raise click.ClickException(exc.message) from exc
        if as_json:
            click.echo(json.dumps(found, indent=1))
            return
        click.echo(found["summary"])
        for rule in found["not_kept"]:
            click.echo(f"not kept: {rule['rule']} ({rule['said']})")
        click.echo(f"{found['status']}: {found['goals']} in ticks of {found['tick'] or '-'} ({found['seconds']} s)")
        for line in found["explanation"]:
            click.echo(line)
        for row in found["gantt"].get("rows", ()):
            for bar in row["bars"]:
                click.echo(f"{row['resource']}: {bar['job']}, {bar['step']}: {bar['starts']} to {bar['ends']}")

    return command


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(one for one in path.rglob("*") if one.suffix in {".json", ".edn"})
        else:
            yield path


def _linted(file: Path, known: set[str]) -> dict[str, Any]:
    try:
        eads = parse(file.read_text(encoding="utf-8"), file.name, "file")
    except ValueError as exc:
        problem = {"severity": "error", "path": "", "message": str(exc)}
        return {"file": str(file), "id": None, "ok": False, "problems": [problem], "questions": []}
    problems = lint(eads, known)
    return {
        "file": str(file),
        "id": eads.id,
        "ok": not any(one.severity == "error" for one in problems),
        "problems": [{"severity": one.severity, "path": one.path, "message": one.words} for one in problems],
        "questions": [one.text for one in plan(eads)],
    }
