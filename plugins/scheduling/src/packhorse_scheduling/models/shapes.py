"""Short words for writing JSON schemas of answers."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

UUID_PATTERN = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
DATE_PATTERN = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"

Id = Annotated[str, Field(pattern=UUID_PATTERN, json_schema_extra={"format": "uuid"})]
Who = Annotated[str, Field(min_length=1, max_length=120)]
"""A person by name, key or id: find_person says so once, for all tools."""
HalfDay = Annotated[str, Field(min_length=10, max_length=40, examples=["2026-08-04 AM"])]
In = Field(default=None, description="In force by default.")
"""A schedule's id, where none means the published one."""
Thing = Annotated[str, Field(min_length=1, max_length=200)]
"""A service by name, code or id; an assignment by id, or by who and when."""
_UUID = {"format": "uuid"}
SpecifiedWho = Annotated[Who, Field(json_schema_extra=_UUID, description="Name or id.")]
SpecifiedHalfDay = Annotated[HalfDay, Field(json_schema_extra=_UUID, description="2026-08-04 AM")]
SpecifiedThing = Annotated[Thing, Field(json_schema_extra=_UUID)]
"""The same where the specification publishes an id: names and dates are taken all the same."""
Page = Annotated[int, Field(ge=1)]
Day = Annotated[str, Field(pattern=DATE_PATTERN, json_schema_extra={"format": "date"})]


def _without_words(schema: dict[str, Any]) -> None:
    """The docstring of a model is for who reads the code: an assistant chooses by the tool's own words."""
    schema.pop("description", None)


class Exact(BaseModel):
    """A question in which unknown names are refused."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=_without_words)


PERSON = {"x-packhorse-person": True}
"""The mark of a question, or of a field, that a person must give: no agent may, whatever it was granted."""


def _of_person(schema: dict[str, Any]) -> None:
    _without_words(schema)
    schema.update(PERSON)


class OfPerson(Exact):
    """A question that only a person may ask, such as what people say for themselves."""

    model_config = ConfigDict(json_schema_extra=_of_person)


def record(required: str = "", /, **properties: Any) -> dict[str, Any]:
    """An object schema with these properties; ``required`` are names separated by spaces."""
    found: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        found["required"] = required.split()
    return found


def rows(items: dict[str, Any]) -> dict[str, Any]:
    """An array of these."""
    return {"type": "array", "items": items}


def choice(*values: str) -> dict[str, Any]:
    """One of these texts."""
    return {"type": "string", "enum": list(values)}


TEXT, WHOLE, REAL, YES = {"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"}
ID, DAY, INSTANT = ({"type": "string", "format": kind} for kind in ("uuid", "date", "date-time"))
COUNT = {"type": "integer", "minimum": 0}
SHARE = {"type": "number", "minimum": 0, "maximum": 1}
SEVERITY = choice("WARNING", "ERROR", "CRITICAL")
DAYS = record(start=DAY, end=DAY)
