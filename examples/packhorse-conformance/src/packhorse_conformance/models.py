"""The forms that the fixtures ask a person to fill in."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.alias_generators import to_camel


class Contact(BaseModel):
    """Two required fields of text."""

    username: str = Field(description="User's response")
    email: str = Field(description="User's email address")


class Defaults(BaseModel):
    """A default for each primitive type (SEP-1034)."""

    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


Option = Literal["option1", "option2", "option3"]


def _titled(noun: str) -> list[JsonValue]:
    return [
        {"const": f"value{number}", "title": f"{ordinal} {noun}"}
        for number, ordinal in enumerate(("First", "Second", "Third"), start=1)
    ]


class Choices(BaseModel):
    """The five ways to offer a choice (SEP-1330)."""

    model_config = ConfigDict(alias_generator=to_camel)

    untitled_single: Option
    titled_single: str = Field(json_schema_extra={"oneOf": _titled("Option")})
    untitled_multi: list[Option]
    titled_multi: list[str] = Field(json_schema_extra={"items": {"anyOf": _titled("Choice")}})
    # Names beside the values: the spelling that SEP-1330 deprecates and clients still read.
    legacy_enum: Literal["opt1", "opt2", "opt3"] = Field(
        json_schema_extra={"enumNames": ["Option One", "Option Two", "Option Three"]}
    )


class Name(BaseModel):
    """Somebody's name."""

    name: str


class Colour(BaseModel):
    """A colour, under the suite's spelling."""

    color: str


class Confirmation(BaseModel):
    """Yes or no."""

    ok: bool


class Consent(BaseModel):
    """Whether to go on."""

    confirm: bool


class Background(BaseModel):
    """What a prompt should bear in mind."""

    context: str
