"""Pages to read: the schemas, and what a project has established."""

from pathlib import Path
from typing import Any

from attrs import frozen

from packhorse import View
from packhorse_discovery import convert
from packhorse_discovery.domain.case import exports
from packhorse_discovery.domain.schema.schema_document import SCHEMA
from packhorse_discovery.errors import refusal
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.formulating import EXAMPLES, shown
from packhorse_discovery.service.modelling import Modeller
from packhorse_discovery.service.projects import Projects
from packhorse_discovery.service.scheduling import Scheduler

PROJECT_VIEW = View(Path(__file__).with_name("views") / "project.js", title="A project")


@frozen
class InterviewPages:
    """What clients may read by URI."""

    projects: Projects

    def library(self) -> dict[str, Any]:
        """The schemas of this deployment, and the files that could not be used."""
        shelf = self.projects.shelf()
        return {
            "eads": [
                {"id": one.id, "title": one.title, "version": one.version, "domain": one.domain, "origin": one.origin}
                for one in shelf.eads
            ],
            "skipped": [{"file": one.file, "reason": one.reason} for one in shelf.skipped],
        }

    def eads(self, domain: str, name: str) -> dict[str, Any]:
        """One schema as it was written."""
        found = self.projects.shelf().get(f"{domain}/{name}")
        if found is None:
            raise refusal("EADS_UNKNOWN", "name", "is not the name of a schema: read eads://library for the list")
        return dict(found.document)

    def format(self) -> dict[str, Any]:
        """JSON Schema of the authoring format packhorse-eads/1."""
        return dict(SCHEMA)

    def scr(self, project_id: str) -> dict[str, Any]:
        """Everything a project has established, with sources."""
        return convert.scr_data(Casefile(self.projects).scr(project_id))

    def process(self, project_id: str) -> str:
        """The process as a Mermaid flow chart."""
        return exports.to_mermaid(Casefile(self.projects).scr(project_id))

    def model(self, project_id: str) -> str:
        """The last MiniZinc program of a project."""
        return Modeller(Casefile(self.projects)).program(project_id)

    def formulation(self, project_id: str) -> dict[str, Any]:
        """The last formulation of a project, with its answer."""
        found = Casefile(self.projects).formulation(project_id)
        if not found:
            raise refusal("NO_FORMULATION", "project_id", "has no formulation yet: call solve_formulation")
        return found

    def example(self, name: str) -> dict[str, Any]:
        """The form of a formulation, or an example of it."""
        return shown(name)

    def examples(self, start: str) -> list[str]:
        """Completions of an example's name."""
        return [each for each in ("form", *EXAMPLES) if each.startswith(start)]

    def gantt(self, project_id: str) -> dict[str, Any]:
        """The Gantt chart of a project's last schedule, as rows of bars."""
        return Scheduler(Modeller(Casefile(self.projects))).chart(project_id)

    def page(self, project_id: str) -> str:
        """The process and the last schedule of a project, drawn on a page that loads nothing (HTML)."""
        casefile = Casefile(self.projects)
        return PROJECT_VIEW.page(convert.drawing(casefile.scr(project_id), casefile.last_model(project_id)))

    def names(self, start: str) -> list[str]:
        """Completions of a schema's name."""
        return [
            one.id.partition("/")[2] for one in self.projects.shelf().eads if one.id.partition("/")[2].startswith(start)
        ]
