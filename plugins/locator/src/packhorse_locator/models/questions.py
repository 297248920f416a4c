"""The arguments of the tools, once the published schemas have been kept to."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from packhorse_locator.domain.allowances import PEOPLE_AN_HOUR


class _Exact(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NameSearch(_Exact):
    """Who is sought, and how freely names may be read."""

    first_name: str
    last_name: str
    middle_name: str | None = None
    fuzzy_match: bool = True
    confidence_threshold: float = 0.8
    phonetic_matching: bool = True
    cultural_variants: bool = True
    country_of_birth: str | None = None
    birth_year: int | None = None


class NumberSearch(_Exact):
    """The A-number that is sought."""

    alien_number: str
    validate_format: bool = True
    include_history: bool = False


class FacilitySearch(_Exact):
    """One facility by name, or all of a place."""

    facility_name: str | None = None
    city: str | None = None
    state: str | None = None
    zip_code: str | None = None
    facility_type: str | None = None
    include_capacity: bool = False
    active_only: bool = True


class BulkSearch(_Exact):
    """Up to ten searches."""

    searches: list[dict[str, Any]]
    max_concurrent: int = 3
    include_summary: bool = True
    stop_on_error: bool = False


class FacilityQuestion(_Exact):
    """Which facility, and what of it."""

    facility_name: str | None = None
    facility_id: str | None = None
    include_capacity: bool = True
    include_contact: bool = True
    include_services: bool = False
    include_visitation: bool = False


class NaturalQuery(_Exact):
    """A sentence to be read."""

    query: str
    auto_execute: bool = False
    confidence_threshold: float = 0.7
    language: str = "en"
    include_alternatives: bool = True


class WatchRequest(_Exact):
    """Whom to watch."""

    record_id: Annotated[str, Field(min_length=1, max_length=129)] = Field(
        description="The record_id of a search result.", examples=["S0002", "S0015"]
    )


class WatchEnd(_Exact):
    """Which watch to end."""

    watch_id: Annotated[str, Field(min_length=1, max_length=64)] = Field(
        description="The watch_id that review_watches gives."
    )


class RecordRequest(_Exact):
    """The search to be put on record."""

    first_name: Annotated[str, Field(min_length=1, max_length=50)] = Field(
        description="First name of the person sought, or FNU.", examples=["Juan", "Maria"]
    )
    last_name: Annotated[str, Field(min_length=1, max_length=50)] = Field(
        description="Last name of the person sought, or LNU.", examples=["Perez Lopez", "Gonzalez"]
    )
    middle_name: Annotated[str, Field(max_length=50)] | None = Field(
        default=None, description="Middle name or initial, if known.", examples=["Carlos", "E."]
    )
    country_of_birth: Annotated[str, Field(min_length=2, max_length=60)] | None = Field(
        default=None, description="Country of birth, if known.", examples=["Mexico", "Honduras"]
    )
    birth_year: Annotated[int, Field(ge=1900, le=2100)] | None = Field(
        default=None, description="Year of birth, if known."
    )
    confidence_threshold: Annotated[float, Field(ge=0, le=1)] = Field(
        default=0.8, description="Minimum confidence of a match."
    )
    language: Literal["en", "es"] = Field(default="en", description="Language of the page.")


class LocatorSettings(BaseModel):
    """``[packs.locator]``: what the deployer decides."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suppression_file: Path | None = Field(
        None, description="A text file of record ids and A-numbers, one a line, that no answer may show."
    )
    people_an_hour: int = Field(
        PEOPLE_AN_HOUR,
        ge=1,
        le=1000,
        description="Different people whom one caller without a role may be shown in an hour: by account, else by"
        " address. Each one more lets a stranger copy that much more of the registry; raise it where many families"
        " share one address.",
    )
    keep_without_birth_date: bool = Field(
        False,
        description="Keep people of whom no date or year of birth is known. Some of them may be under 18, and this"
        " registry then shows them.",
    )
    sample: bool = Field(True, description="Whether the invented sample is served while nothing has been imported.")
    stale_after_days: int = Field(3, ge=0, description="Age of the data from which answers warn.")
    sources: tuple[str, ...] = Field((), description="Tools of other packs that are asked for records too.")
    source_timeout_seconds: float = Field(5, gt=0, le=60, description="How long one such tool may take.")
    source_keep_hours: float = Field(1, gt=0, description="How long its answer is used again without asking.")
    batch_timeout_seconds: float = Field(30, gt=0, description="How long a bulk_search may take as a whole.")
