"""Fixtures of the locator tests."""

import csv
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.locator.factories import NOVEMBER, SHARED

from packhorse.contract.host import Host
from packhorse.contract.principal import LOCAL, Principal
from packhorse.settings import PackTable
from packhorse.testing import connected, deployment_for
from packhorse_locator import pack
from packhorse_locator.service.registry import Registry
from packhorse_locator.store.tables import MIGRATIONS


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """The pack's own surroundings: the same folder that `client` serves from."""
    return Host("locator", data_dir=tmp_path / "data", migrations=MIGRATIONS, clock=NOVEMBER)


@pytest.fixture
def registry(host: Host) -> Iterator[Registry]:
    """A registry with the sample in it."""
    made = Registry(host, suppression=None, sample=True, stale_after_days=3)
    yield made
    made.close()


@pytest.fixture
def empty(host: Host) -> Iterator[Registry]:
    """A registry with nothing in it."""
    made = Registry(host, suppression=None, sample=False, stale_after_days=3)
    yield made
    made.close()


@pytest.fixture
def client(tmp_path: Path) -> Callable[..., AbstractAsyncContextManager[Any]]:
    """A client of the pack on this test's folder; settings of the pack by name, other packs as ``beside``."""

    def connect(
        principal: Principal = LOCAL, beside: dict[str, ModuleType] | None = None, **settings: Any
    ) -> AbstractAsyncContextManager[Any]:
        deployment = deployment_for(
            data_dir=tmp_path / "data",
            tables={"locator": PackTable(own=settings)},
            clock=NOVEMBER,
            locator=pack,
            **(beside or {}),
        )
        return connected(deployment, principal=principal)

    return connect


@pytest.fixture
def row() -> Callable[..., dict[str, str]]:
    """A sound row, with what the test is about overridden."""

    def build(**changed: str) -> dict[str, str]:
        return {
            "record_id": "P1",
            "first_name": "Ana",
            "middle_name": "",
            "last_name": "Quispe Mamani",
            "country_of_birth": "Bolivia",
            "birth_year": "1990",
            "alien_number": "A900200300",
            "booking_date": "2026-10-10",
            "status": "IN_CUSTODY",
            "facility_id": "KRO",
            **changed,
        }

    return build


@pytest.fixture
def people_file(tmp_path: Path) -> Callable[..., Path]:
    """A CSV file of the given rows."""

    def write(*rows: dict[str, str], name: str = "people.csv") -> Path:
        path = tmp_path / name
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        return path

    return write


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared data beside the checkout."""
    if not (SHARED / "facilities.csv").exists():
        pytest.skip(f"no shared locator data at {SHARED}")
    return SHARED
