"""Who may read the skills of a deployment."""

from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType

from packhorse.contract.offers import Tool
from packhorse.contract.principal import AUTHENTICATED
from packhorse.door.catalogue import Catalogue, Entry
from packhorse.present.skills import Skill


def with_skills_open(catalogue: Catalogue) -> Catalogue:
    """The same catalogue with each skill open to callers who may use anything of its pack.

    A skill that the deployer's table names is for those roles alone, with all
    of its files; so is a single file that it names.
    """
    if not catalogue.skills:
        return catalogue
    resources = dict(catalogue.resources)
    of_skills = {file.uri for skill in catalogue.skills for file in skill.files}
    named = {uri for uri in of_skills if resources[uri].offer.roles}  # by the deployer's table
    # The inner ones first: a file that two of them share is for whom the outer one is, unless the table named it.
    for skill in reversed(catalogue.skills):
        public, roles = _readers(catalogue, skill, of_skills)
        own = [file for file in skill.files if file.uri == skill.uri or file.uri not in named]
        if skill.uri in named:
            named.update(file.uri for file in skill.files)
        for file in own:
            entry = resources[file.uri]
            resources[file.uri] = replace(entry, offer=replace(entry.offer, public=public, roles=roles))
    return replace(catalogue, resources=MappingProxyType(resources))


def _readers(catalogue: Catalogue, skill: Skill, of_skills: Iterable[str]) -> tuple[bool, tuple[str, ...]]:
    """Whether a skill is for everybody, and if not, for which roles."""
    given = catalogue.resources[skill.uri].offer.roles
    if given:
        return False, tuple(given)
    taught: list[Entry] = [
        *(tool for tool in catalogue.tools.values() if tool.pack == skill.pack),
        *(prompt for prompt in catalogue.prompts.values() if prompt.pack == skill.pack),
        *(one for uri, one in catalogue.resources.items() if one.pack == skill.pack and uri not in of_skills),
    ]
    if any(entry.offer.public for entry in taught):
        return True, ()
    roles = {role for entry in taught for role in entry.offer.roles}
    if any(isinstance(entry.offer, Tool) and entry.offer.self_argument for entry in taught if entry.offer.roles):
        roles.add(AUTHENTICATED)
    return False, tuple(sorted(roles))
