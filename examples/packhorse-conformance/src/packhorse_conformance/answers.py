"""Tools that only answer: each kind of content, a refusal, and two special input schemas."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from pydantic import Field

from packhorse import Audio, Embedded, Image, Text, Tool, UserError
from packhorse_conformance.media import red_dot, silence


def test_simple_text() -> Text:
    """Answer with one fixed sentence."""
    return Text("This is a simple text response for testing.")


def test_image_content() -> Image:
    """Answer with a picture: a PNG of one red pixel."""
    return Image(red_dot(), "image/png")


def test_audio_content() -> Audio:
    """Answer with a sound: a WAV of a moment's silence."""
    return Audio(silence(), "audio/wav")


def test_embedded_resource() -> Embedded:
    """Answer with a resource carried inside the answer."""
    return Embedded("test://embedded-resource", "This is an embedded resource content.", "text/plain")


def test_multiple_content_types() -> list[Text | Image | Embedded]:
    """Answer with a sentence, a picture and a resource together."""
    return [
        Text("Multiple content types test:"),
        Image(red_dot(), "image/png"),
        Embedded("test://mixed-content-resource", '{"test": "data", "value": 123}', "application/json"),
    ]


def test_error_handling() -> Text:
    """Refuse, always."""
    raise UserError("This tool intentionally returns an error for testing.", code="ALWAYS_REFUSED")


def test_x_mcp_header(
    region: Annotated[str, Field(description="Any region", json_schema_extra={"x-mcp-header": "Region"})] = "<none>",
) -> Text:
    """Repeat the region, which HTTP clients must also send as the header Mcp-Param-Region (SEP-2243)."""
    return Text(f"region: {region}")


def json_schema_2020_12_tool(**arguments: Any) -> Text:
    """Take an address card whose schema uses the conditional and composed parts of JSON Schema 2020-12."""
    return Text("Received: " + ", ".join(sorted(arguments)))


# SEP-1613 and SEP-2106: every keyword here must reach the client as written.
ADDRESS_CARD = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

TOOLS: Sequence[Tool | Callable[..., Any]] = (
    test_simple_text,
    test_image_content,
    test_audio_content,
    test_embedded_resource,
    test_multiple_content_types,
    test_error_handling,
    test_x_mcp_header,
    Tool(fn=json_schema_2020_12_tool, input_schema=ADDRESS_CARD),
)
