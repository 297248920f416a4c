"""Everything of one deployment that its tools, resources and commands share."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from attrs import frozen

from packhorse import Host
from packhorse_locator.service.budget import Budget
from packhorse_locator.service.people import People
from packhorse_locator.service.places import Places
from packhorse_locator.service.registry import Registry
from packhorse_locator.service.remote import RemoteSources, ToolSource
from packhorse_locator.service.seats import Seats
from packhorse_locator.service.sentences import Sentences
from packhorse_locator.service.telemetry import Telemetry
from packhorse_locator.service.watches import Watches

ATTEMPTS = 3
"""How often a remote source is asked: the specification's number."""


@frozen(kw_only=True)
class Choices:
    """What the deployer decides, as ``[packs.locator]`` has it."""

    suppression_file: Path | None
    people_an_hour: int
    keep_without_birth_date: bool
    sample: bool
    stale_after_days: int
    sources: tuple[str, ...]
    source_timeout_seconds: float
    source_keep_hours: float
    batch_timeout_seconds: float


@frozen
class Locator:
    """The services of one deployment; `Host.own` keeps it."""

    choices: Choices
    registry: Registry
    people: People
    places: Places
    watches: Watches
    sentences: Sentences
    remote: RemoteSources
    seats: Seats
    telemetry: Telemetry

    @classmethod
    def of(cls, host: Host, choices: Choices) -> Locator:
        """The services for a host."""
        registry = Registry(
            host,
            suppression=choices.suppression_file,
            sample=choices.sample and not choices.sources,
            stale_after_days=choices.stale_after_days,
            keeps_undated=choices.keep_without_birth_date,
        )
        budget = Budget(host, choices.people_an_hour)
        attempt = choices.source_timeout_seconds / ATTEMPTS
        remote = RemoteSources(
            registry,
            [ToolSource(name, attempt) for name in choices.sources],
            keep=timedelta(hours=choices.source_keep_hours),
        )
        return cls(
            choices,
            registry,
            People(registry, budget),
            Places(registry, budget),
            Watches(registry),
            Sentences(registry),
            remote,
            Seats(),
            Telemetry(),
        )
