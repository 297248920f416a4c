"""The answers of the tools. What is not known is absent, never null."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict  # pydantic asks for this one below Python 3.12

Count = Annotated[int, Field(ge=0)]


class FuzzyComponents(TypedDict, total=False):
    """Likeness of each part of the name, 0 to 1."""

    first_name: float
    last_name: float
    middle_name: float


class MatchDetails(TypedDict):
    """Why a record was found."""

    name_similarity: Annotated[float, Field(description="Likeness of the two names as written, 0 to 1.")]
    phonetic_match: bool
    fuzzy_components: FuzzyComponents
    exact: bool
    homonyms: Annotated[Count, Field(description="Records with exactly this name, this one included.")]
    reasons: Annotated[list[str], Field(description="What agreed, what faces it, and what is left over, word by word.")]


class _Person(TypedDict, total=False):
    name: str
    status: str
    facility_name: str
    facility_phone: str
    booking_date: str
    alien_number: Annotated[str, Field(description="Masked, unless the caller brought it.")]
    last_updated: Annotated[str, Field(description="The day that the source's data describe.")]
    record_id: Annotated[
        str,
        Field(
            description="The source's own key; for advocates and administrators alone.",
            json_schema_extra={"x-packhorse-id": "record"},
        ),
    ]
    source: str


class NameResult(_Person, total=False):
    """A record that may have the name."""

    confidence_score: Annotated[
        float, Field(description="Probability that this record has the searched name; for most its band: .8, .5, .05.")
    ]
    country_of_birth: str
    differs: Annotated[list[str], Field(description="Words of the search that another word of the record faces.")]
    match_details: Annotated[MatchDetails, Field(description="For advocates and administrators alone.")]


class SourcePart(TypedDict, total=False):
    """A remote source's part in the answer."""

    name: str
    state: Annotated[Literal["answered", "kept", "missing"], Field(description="kept: cached from an earlier answer.")]
    as_of: str


class SearchMetadata(TypedDict, total=False):
    """How the answer came about."""

    query_time: str
    total_results: Count
    search_type: str
    processing_time_ms: Count
    data_as_of: Annotated[str, Field(description="The oldest day that a source describes.")]
    stale_days: Annotated[Count, Field(description="Age in days, where the data are older than the deployer wants.")]
    sample_data: Annotated[bool, Field(description="True where the records are the pack's invented sample.")]
    index_behind: Annotated[bool, Field(description="True while a large import is still being indexed.")]
    partial: Annotated[bool, Field(description="True where a source did not answer.")]
    sources: list[SourcePart]


class NameAnswer(TypedDict, total=False):
    """The answer of search_by_name."""

    summary: str
    results: list[NameResult]
    ask_for: Annotated[list[str], Field(description="Arguments that would tell people of one name apart.")]
    search_metadata: SearchMetadata


class Transfer(TypedDict, total=False):
    """A facility from a date on."""

    facility_name: str
    transfer_date: str
    reason: str


class NumberResult(_Person, total=False):
    """The record with the number."""

    transfer_history: list[Transfer]


class NumberAnswer(TypedDict, total=False):
    """The answer of search_by_alien_number."""

    summary: str
    results: list[NumberResult]
    search_metadata: SearchMetadata


class Capacity(TypedDict, total=False):
    """Figures, each with its date and what it counts."""

    total_capacity: int
    total_capacity_as_of: str
    total_capacity_is: str
    current_population: Annotated[int, Field(description="Rounded; what it counts is in current_population_is.")]
    average_daily_population: float
    current_population_as_of: str
    current_population_is: str
    occupancy_rate: Annotated[float, Field(description="Percent; only where both figures are of one year.")]
    last_updated: str


class PlaceResult(TypedDict, total=False):
    """A facility of a place."""

    name: str
    facility_id: str
    type: str
    address: str
    phone: str
    people: Annotated[Count, Field(description="Records that this registry has there.")]
    capacity: Capacity
    list_as_of: str


class PersonAtPlace(_Person, total=False):
    """A person last recorded at a facility."""


class PlaceAnswer(TypedDict, total=False):
    """The answer of search_by_facility."""

    summary: str
    facilities: list[PlaceResult]
    results: Annotated[list[PersonAtPlace], Field(description="The 25 newest; for advocates and administrators alone.")]
    search_metadata: SearchMetadata


class Address(TypedDict, total=False):
    """Where a facility is."""

    street: str
    city: str
    state: str
    zip_code: str
    country: str


class Contact(TypedDict, total=False):
    """How to reach it."""

    phone: str
    fax: str
    email: str
    website: str


class Visitation(TypedDict, total=False):
    """When visits are possible; absent where it is not known."""

    schedule: str
    requirements: list[str]
    restrictions: list[str]


class Facility(TypedDict, total=False):
    """What is known of a facility."""

    name: str
    facility_id: str
    type: str
    operator: str
    field_office: str
    address: Address
    capacity: Capacity
    contact: Contact
    services: list[str]
    visitation: Visitation
    list_as_of: str


class FacilityAnswer(TypedDict, total=False):
    """The answer of get_facility_info."""

    summary: str
    facility: Facility
    not_known: Annotated[list[str], Field(description="What was asked for and this list does not have.")]
    search_metadata: SearchMetadata


class BulkResult(TypedDict, total=False):
    """What became of one search."""

    id: str
    status: Literal["success", "error", "timeout"]
    data: dict[str, Any]
    error: str
    error_code: str
    processing_time_ms: Count


class BulkSummary(TypedDict):
    """All of them together."""

    total_searches: Count
    successful_searches: Count
    failed_searches: Count
    not_found: Annotated[Count, Field(description="Failed searches that only found nothing.")]
    total_results: Count
    total_time_ms: Count
    average_time_ms: float


class BulkAnswer(TypedDict, total=False):
    """The answer of bulk_search, in the order of the question."""

    answer: Annotated[str, Field(description="What the results mean, once for all of them.")]
    results: list[BulkResult]
    summary: BulkSummary


class Position(TypedDict):
    """Characters of the query, ``end`` exclusive."""

    start: Count
    end: Count


class Entity(TypedDict):
    """Something recognised in the query."""

    type: str
    value: str
    confidence: float
    position: Position


class Reading(TypedDict):
    """One way to read the query."""

    search_type: str
    parameters: dict[str, Any]
    confidence: float


class ParsedQuery(Reading):
    """The best way to read it."""

    entities_found: list[Entity]


class ParseAnswer(TypedDict, total=False):
    """The answer of parse_natural_query."""

    summary: str
    parsed_query: ParsedQuery
    alternatives: list[Reading]
    suggestions: list[str]
    execution_result: dict[str, Any]


class WatchAnswer(TypedDict, total=False):
    """A watch that is kept."""

    summary: str
    watch_id: str
    record_id: str
    name: str
    since: str
    facility_name: str
    status: str


class WatchReport(TypedDict, total=False):
    """What changed for one watched person since the last review."""

    watch_id: str
    record_id: str
    name: str
    since: str
    change: Literal["none", "moved", "status", "gone"]
    before: str
    now: str
    phone: str
    status: str
    history: list[Transfer]
    last_updated: str


class WatchList(TypedDict, total=False):
    """Every watch of the caller."""

    summary: str
    watches: list[WatchReport]
    changed: Count
    search_metadata: SearchMetadata


class WatchEnded(TypedDict):
    """A watch that is no more."""

    watch_id: str
    ended: bool


class SearchRecord(TypedDict):
    """A dated page to print or file."""

    summary: str
    made_at: str
    data_version: str
    page: Annotated[str, Field(description="Markdown, ready to print.")]
    results: list[NameResult]
