"""Offers that follow from others: the views of tools, and who may read the skills."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from types import MappingProxyType

from packhorse.contract.offers import Resource, Tool
from packhorse.contract.principal import AUTHENTICATED
from packhorse.contract.views import MIME_TYPE, NO_NETWORK, View
from packhorse.door.catalogue import Catalogue, Entry, ResourceEntry, ToolEntry
from packhorse.errors import PackError
from packhorse.present.skills import Skill
from packhorse.schema.parameters import parameters_of

_TTL_SECONDS = 3600
"""How long a client may keep a page: it changes with a new version of its pack alone."""


def with_views(catalogue: Catalogue) -> Catalogue:
    """The same catalogue with each tool's view beside it, open to callers who may use one of its tools.

    Raises:
        PackError: two views, or a view and a resource, have one address; or
            a tool's ``meta`` says another than that of its view.
    """
    shown: dict[str, tuple[View, list[ToolEntry]]] = {}
    for entry in catalogue.tools.values():
        view = entry.offer.view
        if view is None:
            continue
        if "resourceUri" in entry.offer.meta.get("ui", {}):
            raise PackError(
                f"tool {entry.name!r}: the view's address in `meta` is not its real address:"
                " remove `resourceUri` from `meta`"
            )
        uri = _uri(entry, view)
        known, entries = shown.setdefault(uri, (view, []))
        if known != view:
            raise PackError(
                f"pack {entry.pack!r} has two views named {view.name!r}: rename one of the two script files"
            )
        if uri in catalogue.resources:
            raise PackError(f"pack {entry.pack!r} has a resource and a view at {uri}: give the resource another URI")
        entries.append(entry)
    if not shown:
        return catalogue
    return replace(
        catalogue,
        tools=MappingProxyType({name: _bound(entry) for name, entry in catalogue.tools.items()}),
        resources=MappingProxyType(
            {**catalogue.resources, **{uri: _served(uri, view, tools) for uri, (view, tools) in shown.items()}}
        ),
    )


def _uri(entry: ToolEntry, view: View) -> str:
    return f"ui://{entry.pack}/{view.name}"


def _bound(entry: ToolEntry) -> ToolEntry:
    """The tool with its view's address where clients look for it."""
    view, meta = entry.offer.view, entry.offer.meta
    if view is None:
        return entry
    return replace(
        entry,
        offer=replace(entry.offer, meta={**meta, "ui": {**meta.get("ui", {}), "resourceUri": _uri(entry, view)}}),
    )


def _served(uri: str, view: View, tools: Sequence[ToolEntry]) -> ResourceEntry:
    async def page() -> str:
        return view.page()

    offers = [entry.offer for entry in tools]
    public = any(offer.public for offer in offers)
    roles = {role for offer in offers for role in offer.roles}
    if any(offer.roles and offer.self_argument for offer in offers):
        roles.add(AUTHENTICATED)  # callers who may call it for themselves may see what it answers
    closed = not public and all(offer.roles for offer in offers)
    offer = Resource(
        uri=uri,
        fn=page,
        name=view.name,
        title=view.title,
        description=view.description or f"Shows the answers of {' and '.join(entry.name for entry in tools)}.",
        mime_type=MIME_TYPE,
        public=public,
        roles=sorted(roles) if closed else (),
        ttl=_TTL_SECONDS,
        meta={"ui": dict(NO_NETWORK)},
    )
    return ResourceEntry(tools[0].pack, view.name, offer, offer.description, parameters_of(page), is_async=True)


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
