"""What a deployer may set under ``[packs.scheduling]``."""

import os
from typing import Literal, Self
from zoneinfo import available_timezones

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

PAGES = (
    "schedule://current",
    "schedule://blocks",
    "resilience://health",
    "analytics://fairness",
    "analytics://workload",
    "analytics://burnout-risk",
    "analytics://trends",
    "analytics://forecasting",
)
"""The pages that are kept for a while; those of one person are not."""


def _enabled() -> Literal["off", "memory"]:
    return "off" if os.environ.get("ENABLE_CACHE", "true").strip().lower() in ("false", "0", "no", "off") else "memory"


def _seconds() -> int:
    given = os.environ.get("CACHE_TTL_SECONDS", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 7 else 300


class SchedulingSettings(BaseModel):
    """The pack's own settings. ``ENABLE_CACHE``, ``CACHE_TTL_SECONDS`` and ``BACKEND_API_URL`` are the specification's
    names for some of them."""  # noqa: D205, D209 - one sentence

    model_config = ConfigDict(extra="forbid", frozen=True)

    cache: Literal["off", "memory", "redis"] = Field(
        default_factory=_enabled, description="Where pages are kept: nowhere, in this process, or in Redis."
    )
    redis_url: SecretStr | None = Field(None, description="Which Redis, such as redis://localhost:6379/0.")
    cache_ttl_seconds: int = Field(
        default_factory=_seconds, ge=1, le=86_400, description="How long a page is kept; a change ends it at once."
    )
    ttl: dict[str, int] = Field({}, description="Other seconds for single pages, by their URI.")
    public_url: str | None = Field(
        default_factory=lambda: os.environ.get("BACKEND_API_URL") or None,
        validate_default=True,
        pattern=r"^https?://[^\s?#]+$",
        description="Where clients reach this server over HTTP: status_url starts with it.",
    )

    timezone: str | None = Field(
        None, description="The hospital's time zone, such as America/New_York, for calendars; floating times without."
    )

    highest_pgy: int = Field(
        3, ge=1, le=7, description="The highest year of training that a programme may have; the specification's is 3."
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.timezone is not None and self.timezone not in available_timezones():
            raise ValueError(f"timezone {self.timezone!r} is none: write an IANA name such as America/New_York")
        if self.cache == "redis" and self.redis_url is None:
            raise ValueError("cache = 'redis' needs redis_url")
        unknown = [uri for uri in self.ttl if uri not in PAGES]
        if unknown:
            raise ValueError(f"ttl names {unknown[0]!r}, and the pages that are kept are {', '.join(PAGES)}")
        if any(not 1 <= seconds <= 86_400 for seconds in self.ttl.values()):
            raise ValueError("each ttl is from 1 to 86400 seconds")
        return self
