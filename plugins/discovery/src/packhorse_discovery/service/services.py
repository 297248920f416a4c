"""All services on one host's projects."""

from attrs import frozen

from packhorse import Host
from packhorse_discovery.service.answering import Answering
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.correcting import Correcting
from packhorse_discovery.service.formulating import Formulator
from packhorse_discovery.service.interview import Interview
from packhorse_discovery.service.modelling import Modeller
from packhorse_discovery.service.owners import Owners
from packhorse_discovery.service.projects import Projects


@frozen
class Services:
    """One of each."""

    projects: Projects
    interview: Interview
    answering: Answering
    correcting: Correcting
    casefile: Casefile
    owners: Owners
    modeller: Modeller
    formulator: Formulator

    @classmethod
    def on(cls, host: Host) -> "Services":
        """The services on the projects that this host keeps."""
        projects = Projects(host)
        answering, casefile = Answering(projects), Casefile(projects)
        return cls(
            projects,
            Interview(projects),
            answering,
            Correcting(answering),
            casefile,
            Owners(projects),
            Modeller(casefile),
            Formulator(projects),
        )
