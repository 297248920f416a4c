"""The host's check of arguments and the schema that it publishes are one: neither takes what the other refuses."""

from collections.abc import Callable
from datetime import date, datetime, time
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from pydantic import BaseModel, Field
from tests.contract.schema_strategies import Fault, one_fault, valid

from packhorse.errors import UserError
from packhorse.schema.arguments import Arguments
from packhorse.schema.parameters import parameters_of

quick = settings(
    max_examples=100,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


class Role(Enum):
    ADMIN = "ADMIN"
    FACULTY = "FACULTY"


class Wishes(BaseModel):
    melatonin: bool = True
    caffeine: bool = True


class Branch(BaseModel):
    name: Annotated[str, Field(max_length=5)]
    branches: list["Branch"] = []


def patterns(
    number: Annotated[str, Field(pattern="^A?[0-9]{8,9}$")],
    country: Annotated[str, Field(pattern="^[A-Z]{2}$", max_length=2)] = "AB",
    day: Annotated[str | None, Field(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")] = None,
): ...


def lengths(place: Annotated[str, Field(min_length=1, max_length=64, examples=["Paris"])], tag: str = ""): ...


def numbers(
    days: Annotated[int, Field(ge=1, le=7)],
    hours: Annotated[float, Field(gt=0, lt=24)] = 1.0,
    fives: Annotated[int, Field(multiple_of=5)] = 0,
    quarters: Annotated[float, Field(multiple_of=0.25)] = 0,
    whole: int = 0,
): ...


def moments(day: date, at: datetime | None = None, hour: time | None = None, person: UUID | None = None): ...


def choices(role: Role = Role.ADMIN, kind: Literal["a", "b", 1] = "a", either: int | str | None = None): ...


def nested(wishes: Wishes, more: Wishes | None = None, sure: bool = True): ...


def lists(
    tags: Annotated[list[Literal["a", "b"]], Field(min_length=1, max_length=3)], rows: list[Wishes] | None = None
): ...


def tables(counts: dict[str, int], anything: dict[str, Any] | None = None): ...


def model(question: Branch): ...


def nothing(): ...


KINDS = [patterns, lengths, numbers, moments, choices, nested, lists, tables, model, nothing]


def refusal(arguments: Arguments, value: dict[str, Any]) -> UserError | None:
    try:
        arguments.bind(value)
    except UserError as found:
        return found
    return None


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_schema_accepts_is_accepted(kind: Callable[..., None]):
    arguments = Arguments(kind.__name__, parameters_of(kind))

    @quick
    @given(valid(arguments.schema))
    def check(value: dict[str, Any]):
        assert refusal(arguments, value) is None

    check()


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_schema_refuses_is_refused_in_words(kind: Callable[..., None]):
    arguments = Arguments(kind.__name__, parameters_of(kind))

    @quick
    @given(one_fault(arguments.schema).filter(lambda fault: isinstance(fault.value, dict)))
    def check(fault: Fault):
        found = refusal(arguments, fault.value)
        assert found is not None, f"accepted: {fault.what}"
        assert found.message
        assert found.details["faults"]

    check()
