"""Pages to read: the schemas, and what a project has established."""

from pathlib import Path
from typing import Any

from packhorse import View
from packhorse_discovery.errors import refusal
from packhorse_discovery.service.deferred import OnProjects

PROJECT_VIEW = View(Path(__file__).with_name("views") / "project.js", title="A project")


class InterviewPages(OnProjects):
    """What clients may read by URI."""

    def library(self) -> dict[str, Any]:
        """The schemas of this deployment, and the files that could not be used."""
        shelf = self.services.projects.shelf()
        return {
            "eads": [
                {"id": one.id, "title": one.title, "version": one.version, "domain": one.domain, "origin": one.origin}
                for one in shelf.eads
            ],
            "skipped": [{"file": one.file, "reason": one.reason} for one in shelf.skipped],
        }

    def eads(self, domain: str, name: str) -> dict[str, Any]:
        """One schema as it was written."""
        found = self.services.projects.shelf().get(f"{domain}/{name}")
        if found is None:
            raise refusal("EADS_UNKNOWN", "name", "is not the name of a schema: read eads://library for the list")
        return dict(found.document)

    def format(self) -> dict[str, Any]:
        """JSON Schema of the authoring format packhorse-eads/1."""
        from packhorse_discovery.domain.schema.schema_document import SCHEMA

        return dict(SCHEMA)

    def scr(self, project_id: str) -> dict[str, Any]:
        """Everything a project has established, with sources."""
        from packhorse_discovery import convert

        return convert.scr_data(self.services.casefile.scr(project_id))

    def process(self, project_id: str) -> str:
        """The process as a Mermaid flow chart."""
        from packhorse_discovery.domain.case import exports

        return exports.to_mermaid(self.services.casefile.scr(project_id))

    def model(self, project_id: str) -> str:
        """The last MiniZinc program of a project."""
        return self.services.modeller.program(project_id)

    def formulation(self, project_id: str) -> dict[str, Any]:
        """The last formulation of a project, with its answer."""
        found = self.services.casefile.formulation(project_id)
        if not found:
            raise refusal("NO_FORMULATION", "project_id", "has no formulation yet: call solve_formulation")
        return found

    def example(self, name: str) -> dict[str, Any]:
        """The form of a formulation, or an example of it."""
        from packhorse_discovery.service.formulating import shown

        return shown(name)

    def examples(self, start: str) -> list[str]:
        """Completions of an example's name."""
        from packhorse_discovery.service.formulating import EXAMPLES

        return [each for each in ("form", *EXAMPLES) if each.startswith(start)]

    def gantt(self, project_id: str) -> dict[str, Any]:
        """The Gantt chart of a project's last schedule, as rows of bars."""
        from packhorse_discovery.service.scheduling import Scheduler

        return Scheduler(self.services.modeller).chart(project_id)

    def page(self, project_id: str) -> str:
        """The process and the last schedule of a project, drawn on a page that loads nothing (HTML)."""
        from packhorse_discovery import convert

        casefile = self.services.casefile
        return PROJECT_VIEW.page(convert.drawing(casefile.scr(project_id), casefile.last_model(project_id)))

    def names(self, start: str) -> list[str]:
        """Completions of a schema's name."""
        return [
            one.id.partition("/")[2]
            for one in self.services.projects.shelf().eads
            if one.id.partition("/")[2].startswith(start)
        ]
