"""The hooks of the locator pack: its table of contents."""

from typing import TYPE_CHECKING

from packhorse import Host, Pack, Prompt, Resource, Tool, hookimpl
from packhorse_locator import offered
from packhorse_locator.models.questions import LocatorSettings
from packhorse_locator.offered import locator_of, settings_of
from packhorse_locator.service.measures import measures_of
from packhorse_locator.store.tables import MIGRATIONS

if TYPE_CHECKING:
    import click

pack = Pack(
    title="Locator",
    instructions="Finds people in immigration detention, and facilities. With an A-number: search_by_alien_number;"
    " with a name in any spelling: search_by_name. Not found does not mean that the person is not detained:"
    " pass the summary on.",
    settings=LocatorSettings,
    migrations=MIGRATIONS,
    stop=offered.close,
    patterns=offered.A_NUMBERS,
    data_version=lambda host: locator_of(host).registry.version(),
    measures=lambda host: measures_of(locator_of(host)),
    reserves=lambda host: settings_of(host).sources,
    demo=offered.SCENE,
    codes="ALIEN_NUMBER_NOT_FOUND AMBIGUOUS_QUERY BAD_FILE BAD_MAPPING BAD_SOURCE BATCH_TIMEOUT"
    " CONCURRENT_LIMIT_EXCEEDED CONFIDENCE_OUT_OF_RANGE CONFIDENCE_TOO_LOW FACILITY_NOT_FOUND"
    " INVALID_ALIEN_NUMBER INVALID_NAME_FORMAT INVALID_SEARCH_TYPE INVALID_STATE_CODE INVALID_ZIP_CODE"
    " LOCATION_AMBIGUOUS NAME_TOO_LONG NAME_TOO_SHORT NOTHING_LOADED PARSE_FAILED RATE_LIMITED RECORD_NOT_FOUND"
    " REGISTRY_UNAVAILABLE ROWS_REJECTED TOO_MANY_SEARCHES TOO_MANY_WATCHES UNSUPPORTED_LANGUAGE"
    " VALIDATION_FAILED",
)


@hookimpl
def register_tools(host: Host) -> list[Tool]:
    """The six tools of the specification, and those for advocates."""
    return offered.tools_of(host)


@hookimpl
def register_resources(host: Host) -> list[Resource]:
    """Health, freshness and guidance."""
    return offered.resources_of(host)


@hookimpl
def register_prompts() -> list[Prompt]:
    """For a family, and for an attorney."""
    return list(offered.PROMPTS)


@hookimpl
def register_commands(host: Host) -> "list[click.Command]":
    """``packhorse locator import`` and its neighbours."""
    from packhorse_locator.commands import commands_of

    return commands_of(locator_of(host).registry)
