"""Fixtures of the pai tests."""

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from packhorse_pai.domain.cards import Reading, parse

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[1].parent / "shared" / "pai"


def _load(name: str) -> ModuleType:
    """A module beside the tests: they are no package, and several folders have modules of one name."""
    full = f"pai_{name}"
    if full not in sys.modules:
        spec = importlib.util.spec_from_file_location(full, HERE / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[full] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[full]


_load("strategies")
_load("houses")
_load("attackers")
_load("operator_script")
_load("mutants")
_load("wards")


@pytest.fixture
def ward() -> Any:
    """The tools that agents use, and what became of them."""
    return _load("wards").Ward()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The known cards and governance files."""
    if not SHARED.is_dir():
        pytest.skip("no shared/pai beside the checkout")
    return SHARED


@pytest.fixture(scope="session")
def expected(shared: Path) -> dict[str, Any]:
    """The fields that each known card must give."""
    found: dict[str, Any] = json.loads((shared / "expected_identities.json").read_text())
    return found


@pytest.fixture(scope="session")
def known(shared: Path) -> dict[str, Reading]:
    """The known cards, read."""
    return dict(_readings(shared / "identities"))


def _readings(folder: Path) -> Iterator[tuple[str, Reading]]:
    for path in sorted(folder.glob("*.identity.md")):
        stem = path.name.removesuffix(".identity.md")
        if stem != "TEMPLATE":
            yield stem, parse(path.read_bytes(), stem=stem)
