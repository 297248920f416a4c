"""A schema's own Python: what it may say, and that it cannot end an interview."""

import sys
from types import ModuleType
from typing import Any

import pytest
from attrs import evolve

from packhorse_discovery.domain.interview.structure import Structure
from packhorse_discovery.service import hooks
from packhorse_discovery.service.library import library

EADS = library().get("process/warm-up-with-challenges")


@pytest.fixture
def hooked(monkeypatch: pytest.MonkeyPatch) -> Any:
    def install(**functions: Any) -> Any:
        module = ModuleType("ferry_hooks")
        for name, function in functions.items():
            setattr(module, name, function)
        monkeypatch.setitem(sys.modules, "ferry_hooks", module)
        hooks._loaded.cache_clear()
        return evolve(EADS, hooks="ferry_hooks", origin="harbour")

    yield install
    hooks._loaded.cache_clear()


def test_it_may_find_faults_end_a_pursuit_and_put_a_question_in_other_words(hooked: Any) -> None:
    eads = hooked(
        validate=lambda structure: ["no ferry"], complete=lambda structure: True, question=lambda _, text: text.upper()
    )

    assert hooks.validate(eads, {}).value == ("no ferry",)
    assert hooks.complete(eads, {}).value is True
    assert hooks.question(eads, Structure(), "which?").value == "WHICH?"


def test_one_that_fails_is_told_and_is_otherwise_as_if_it_were_not_there(hooked: Any) -> None:
    eads = hooked(validate=lambda structure: 1 / 0)

    found = hooks.validate(eads, {})

    assert found.value == ()
    assert found.errors == ("the schema's own validate failed (ZeroDivisionError)",)
    assert hooks.complete(eads, {}).value is False


def test_a_proposed_schema_runs_no_python(hooked: Any) -> None:
    eads = evolve(hooked(complete=lambda structure: True), origin="proposed")

    assert hooks.complete(eads, {}).value is False
