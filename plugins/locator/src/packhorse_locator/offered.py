"""What the pack offers, as data: who may call each tool, how often, with one example or more."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packhorse import Example, Host, Prompt, Resource, Scene, Tool, View
from packhorse_locator import prompts
from packhorse_locator.models.published import SCHEMAS
from packhorse_locator.models.questions import LocatorSettings
from packhorse_locator.resources import LocatorPages
from packhorse_locator.tools.bulk import BulkTool
from packhorse_locator.tools.facilities import FacilityTools
from packhorse_locator.tools.people import ADVOCATES, PeopleTools
from packhorse_locator.tools.query import QueryTool
from packhorse_locator.tools.watches import AdvocateTools

if TYPE_CHECKING:
    from packhorse_locator.service.locator import Locator

KEPT_SECONDS = 3_600.0
"""How long an answer is kept for the same caller: the specification's hour, and not beyond a change of the data."""

PEOPLE_LIMIT = "120/hour"
"""Searches for a person by one caller: a family needs a few, an advocate with ten clients a dozen."""

A_NUMBERS = {
    # As people write them: with or without the A, in groups of three or in one.
    "a-number": r"\b[Aa][-# ]?\d{3}[- .]?\d{3}[- .]?\d{1,3}\b",
    "a-number-bare": r"\b\d{3}[- .]?\d{3}[- .]?\d{3}\b",
}

_PEOPLE_VIEW = View(
    Path(__file__).with_name("views") / "people.js",
    title="Search for a person",
    description="Each record found: where the person is held, and how sure the name is.",
    parts=("chart",),
)
_NAMES = {"minLength": "NAME_TOO_SHORT", "maxLength": "NAME_TOO_LONG"}


def _say(answers: Sequence[Mapping[str, Any]]) -> list[str]:
    found, where = answers
    best = found["results"][0]
    facility = where["facility"]
    return [
        "A mother asks for Jose Hernandes Marques, whose name is spelt otherwise here (all people are invented).",
        f"Found: {best['name']}, at {best['facility_name']}, with {best['confidence_score']:.0%} for the name.",
        f"The facility's telephone: {facility['contact']['phone']} (list of {facility['list_as_of']}).",
    ]


SCENE = Scene(
    title="Where is my son?",
    calls=(
        ("search_by_name", {"first_name": "Jose Guadalupe", "last_name": "Hernandes Marques"}),
        ("get_facility_info", {"facility_id": "STWRTGA"}),
    ),
    tell=_say,
)


def settings_of(host: Host) -> LocatorSettings:
    """``[packs.locator]``, or its defaults."""
    return host.settings if isinstance(host.settings, LocatorSettings) else LocatorSettings()


def locator_of(host: Host) -> "Locator":
    """The deployment's own, made at first use."""
    from packhorse_locator.service.locator import Choices, Locator

    return host.own(lambda own: Locator.of(own, Choices(**dict(settings_of(own)))))


def close(host: Host) -> None:
    """Close what was opened; nothing, where nobody asked anything."""
    if host.owned is not None:
        host.owned.registry.close()


def tools_of(host: Host) -> list[Tool]:
    """The six tools of the specification, and those for advocates."""
    settings, locator = settings_of(host), partial(locator_of, host)
    # Answers that hold a remote source's part are not kept: the source has a memory of its own.
    ttl = 0.0 if settings.sources else KEPT_SECONDS
    people, facilities, bulk = PeopleTools(locator), FacilityTools(locator), BulkTool(locator)
    return [
        Tool(
            fn=people.search_by_name,
            words=(
                "ICE immigration detained arrested taken missing relative family custody locate detenido "
                "familiar husband wife cousin nephew daughter brother held spelled; where is my brother, ICE "
                "took my husband, find my son, is he in detention\n"
                "border patrol picked up took agents raid family heard nothing friend father mother son "
                "sister uncle wife boyfriend neighbour client lost contact where find whereabouts born "
                "country"
            ),
            limit=PEOPLE_LIMIT,
            slow_on={"TIMEOUT", "SOURCE_DOWN"},
            ttl=ttl,
            per_caller=True,
            title="Find a person by name",
            public=True,
            read_only=True,
            idempotent=True,
            input_schema=SCHEMAS["search_by_name"],
            view=_PEOPLE_VIEW,
            refusals={
                **_NAMES,
                "first_name.type": "INVALID_NAME_FORMAT",
                "last_name.type": "INVALID_NAME_FORMAT",
                "middle_name.type": "INVALID_NAME_FORMAT",
                "country_of_birth": "INVALID_ARGUMENTS",
                "confidence_threshold": "CONFIDENCE_OUT_OF_RANGE",
            },
            examples=(
                Example({"first_name": "Olena", "last_name": "Kovalenko"}),
                Example({"first_name": "Jhon%", "last_name": "Perez"}, refused="INVALID_NAME_FORMAT"),
                Example({"first_name": "J", "last_name": "Perez"}, refused="NAME_TOO_SHORT"),
                Example(
                    {"first_name": "Juan", "last_name": "Perez", "confidence_threshold": 1.5},
                    refused="CONFIDENCE_OUT_OF_RANGE",
                ),
            ),
        ),
        Tool(
            fn=people.search_by_alien_number,
            words=(
                "A# alien registration number digits case file papers ICE nine id; I have his A-number, look "
                "up this number, where is the person with this number\n"
                "A- alien identification USCIS only have this digits lookup check status A number"
            ),
            limit=PEOPLE_LIMIT,
            slow_on={"TIMEOUT", "SOURCE_DOWN"},
            ttl=ttl,
            per_caller=True,
            title="Find a person by A-number",
            public=True,
            read_only=True,
            idempotent=True,
            input_schema=SCHEMAS["search_by_alien_number"],
            view=_PEOPLE_VIEW,
            refusals={"alien_number": "INVALID_ALIEN_NUMBER"},
            examples=(
                Example({"alien_number": "A900100028"}),
                Example({"alien_number": "A12"}, refused="INVALID_ALIEN_NUMBER"),
                Example({"alien_number": "000000000"}, refused="VALIDATION_FAILED"),
                Example({"alien_number": "A999999998"}, refused="ALIEN_NUMBER_NOT_FOUND"),
            ),
        ),
        Tool(
            fn=facilities.search_by_facility,
            words=(
                "detention center jail prison near me close held inmates detainees how many state city "
                "people; which detention centers are near Houston, who is held there\n"
                "nearest closest around county immigration jail zip town which places where are there "
                "facility map list"
            ),
            limit="240/hour",
            ttl=KEPT_SECONDS,
            per_caller=True,
            title="Find facilities, and who is there",
            public=True,
            read_only=True,
            idempotent=True,
            input_schema=SCHEMAS["search_by_facility"],
            refusals={"state": "INVALID_STATE_CODE", "zip_code": "INVALID_ZIP_CODE"},
            examples=(
                Example({"city": "Lumpkin", "state": "GA"}),
                Example({"city": "Lumpkin", "state": "ZZ"}, refused="INVALID_STATE_CODE"),
                Example({"zip_code": "1234"}, refused="INVALID_ZIP_CODE"),
                Example({"facility_name": "Xanadu Dungeon"}, refused="FACILITY_NOT_FOUND"),
                Example({"facility_name": "Florence"}, refused="LOCATION_AMBIGUOUS"),
            ),
        ),
        Tool(
            fn=bulk.bulk_search,
            words=(
                "several many people names relatives clients batch spreadsheet each list together; look up "
                "all five of them, check my whole list\n"
                "six ten names on paper sheet run them table CSV everyone group families at the same time "
                "multiple"
            ),
            limit="60/hour",
            title="Several searches at once",
            public=True,
            read_only=True,
            idempotent=True,
            timeout=settings.batch_timeout_seconds + 5,
            input_schema=SCHEMAS["bulk_search"],
            refusals={
                "searches.maxItems": "TOO_MANY_SEARCHES",
                "enum": "INVALID_SEARCH_TYPE",
                "max_concurrent": "CONCURRENT_LIMIT_EXCEEDED",
            },
            examples=(
                Example(
                    {
                        "searches": [
                            {"id": "one", "type": "name", "first_name": "Olena", "last_name": "Kovalenko"},
                            {"id": "two", "type": "alien_number", "alien_number": "A900100028"},
                            {"id": "three", "type": "facility", "city": "Lumpkin", "state": "GA"},
                        ]
                    }
                ),
                Example({"searches": [{"type": "face"}]}, refused="INVALID_SEARCH_TYPE"),
            ),
        ),
        Tool(
            fn=facilities.get_facility_info,
            words=(
                "phone call telephone contact visit visiting hours mail money beds full jail prison center "
                "who runs where location; what is the phone number there, how many beds, can I visit, how do "
                "I send money\n"
                "operates operator company private GEO CoreCivic number address directions commissary deposit "
                "talk to someone inside capacity ICE centre rules"
            ),
            limit="240/hour",
            ttl=KEPT_SECONDS,
            title="What is known of a facility",
            public=True,
            read_only=True,
            idempotent=True,
            input_schema=SCHEMAS["get_facility_info"],
            examples=(
                Example({"facility_id": "KRO", "include_visitation": True}),
                Example({"facility_name": "Stewart Detention Center"}),
                Example({"facility_id": "NOWHERE"}, refused="FACILITY_NOT_FOUND"),
            ),
        ),
        Tool(
            fn=QueryTool(locator).parse_natural_query,
            words=(
                "own words Spanish unsure mother brother father dónde está hijo hermana esposo detenido "
                "migra; busco a mi hermano, se llevaron a mi papá, no sé dónde está, ayuda por favor\n"
                "agarraron primo prima tío tía sobrino hija papá mamá amigo detuvieron arrestaron migración "
                "encontrar buscar contesta llevaron donde quien inglés español describe help family"
            ),
            title="A search in one's own words",
            public=True,
            read_only=True,
            idempotent=True,
            limit="240/hour",
            input_schema=SCHEMAS["parse_natural_query"],
            refusals={
                "query": "PARSE_FAILED",
                "confidence_threshold": "CONFIDENCE_OUT_OF_RANGE",
                "language": "UNSUPPORTED_LANGUAGE",
            },
            examples=(
                Example({"query": "Find Olena Kovalenko at Northwest ICE Processing Center"}),
                Example(
                    {"query": "busco a mi hijo brayan orellana de honduras", "language": "es", "auto_execute": True}
                ),
                Example({"query": "who is at the place"}, refused="PARSE_FAILED"),
                Example({"query": "Show me detainees in Texas"}, refused="AMBIGUOUS_QUERY"),
                Example({"query": "wo ist mein Sohn", "language": "de"}, refused="UNSUPPORTED_LANGUAGE"),
                Example({"query": "Find Olena Kovalenko", "confidence_threshold": 0.99}, refused="CONFIDENCE_TOO_LOW"),
            ),
        ),
        *_for_advocates(AdvocateTools(locator)),
    ]


def _for_advocates(tools: AdvocateTools) -> list[Tool]:
    """What only advocates, administrators and the local principal see."""
    roles = sorted(ADVOCATES)
    return [
        Tool(
            fn=tools.watch_person,
            words=(
                "follow notify alert transfer track monitor keep an eye transferred released news update "
                "inform; tell me if he is moved, let me know when something changes\n"
                "ping message email location changes subscribe stay informed warn deported hearing sign up"
            ),
            title="Watch a person's record",
            roles=roles,
            idempotent=True,
            limit=PEOPLE_LIMIT,
            examples=(
                Example({"record_id": "S0015"}, gives={"record_id": "S0015", "status": "TRANSFERRED"}),
                Example({"record_id": "nobody"}, refused="RECORD_NOT_FOUND"),
            ),
        ),
        Tool(
            fn=tools.review_watches,
            words=(
                "updates news transferred released moved clients alerts persons follow happened list; has "
                "anything changed, was anybody transferred\n"
                "movement overnight tracking today latest check my watches anyone moved"
            ),
            title="What has changed for those I watch",
            roles=roles,
            examples=(Example({}, gives={"changed": 0}),),
        ),
        Tool(
            fn=tools.stop_watching,
            words=(
                "unfollow remove cancel alert notices released unsubscribe no longer; I need no more news of "
                "him, stop following her\n"
                "drop end quit no more released home closed case"
            ),
            title="End a watch",
            roles=roles,
            destructive=True,
            idempotent=True,
            examples=(Example({"watch_id": "none"}, gives={"ended": False}),),
        ),
        Tool(
            fn=tools.print_search_record,
            words=(
                "document proof evidence affidavit habeas lawyer attorney judge court letter certificate; I "
                "need a paper for the lawyer, prove that we searched\n"
                "paper today's date petition printed PDF official record not found show I looked file with "
                "court statement"
            ),
            title="A dated record of a search",
            roles=roles,
            read_only=True,
            idempotent=True,
            limit=PEOPLE_LIMIT,
            refusals=_NAMES,
            examples=(
                Example({"first_name": "Olena", "last_name": "Kovalenko", "language": "es"}),
                Example({"first_name": "O", "last_name": "Kovalenko"}, refused="NAME_TOO_SHORT"),
            ),
        ),
    ]


def resources_of(host: Host) -> list[Resource]:
    """Health, freshness, and what to do next in four languages."""
    pages = LocatorPages(partial(locator_of, host))
    return [
        Resource(
            uri="locator://health",
            fn=pages.health,
            name="locator_health",
            title="Is the registry in order?",
            mime_type="application/json",
            public=True,
        ),
        Resource(
            uri="locator://freshness",
            fn=pages.freshness,
            name="locator_freshness",
            title="How old are the data?",
            mime_type="application/json",
            public=True,
        ),
        Resource(
            uri="guidance://{language}/{topic}",
            fn=pages.guidance,
            name="locator_guidance",
            title="What to do next, in English, Spanish, Portuguese or Haitian Creole",
            mime_type="text/markdown",
            complete={"language": pages.languages, "topic": pages.topics},
            public=True,
        ),
    ]


PROMPTS = (
    Prompt(
        fn=prompts.find_family_member,
        title="I am looking for a family member / Busco a un familiar",
        arguments=prompts.ARGUMENTS,
        complete={"language": prompts.languages},
        public=True,
    ),
    Prompt(
        fn=prompts.attorney_intake,
        title="Attorney intake / Admisión de un caso",
        arguments=prompts.ARGUMENTS,
        complete={"language": prompts.languages},
        public=True,
    ),
)
