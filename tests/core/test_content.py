"""Values of ours as the protocol's types, one by one."""

import base64
from pathlib import Path
from typing import Any

import mcp_types as wire
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.seeds import pack_of

from packhorse import Audio, Embedded, Image, Message, Resource, Text
from packhorse.door.catalogue import PromptEntry, ResourceEntry
from packhorse.testing import deployment_for
from packhorse.wire import content


def prompt_entry() -> PromptEntry:
    def ask() -> str:
        """Ask something."""
        return ""

    (entry,) = deployment_for(data_dir=Path("unused"), seed=pack_of(prompts=[ask])).catalogue.prompts.values()
    return entry


def resource_entry(**offer: Any) -> ResourceEntry:
    resource = Resource(uri="seed://one", fn=lambda: "", name="one", **offer)
    (entry,) = deployment_for(data_dir=Path("unused"), seed=pack_of(resources=[resource])).catalogue.resources.values()
    return entry


@given(st.binary(max_size=300))
def test_bytes_survive_the_way_to_the_client(data):
    image, sound = content.block(Image(data)), content.block(Audio(data))
    embedded = content.block(Embedded("seed://x", data))

    assert isinstance(image, wire.ImageContent)
    assert isinstance(sound, wire.AudioContent)
    assert isinstance(embedded, wire.EmbeddedResource)
    assert isinstance(embedded.resource, wire.BlobResourceContents)
    assert {base64.b64decode(piece) for piece in (image.data, sound.data, embedded.resource.blob)} == {data}


@pytest.mark.parametrize(
    ("value", "turns"),
    [
        pytest.param("hello", [("user", "hello")], id="a string"),
        pytest.param(Text("hello"), [("user", "hello")], id="content"),
        pytest.param(Message("hello", "assistant"), [("assistant", "hello")], id="a message"),
        pytest.param(
            ["one", Message(Text("two"), "assistant"), Text("three")],
            [("user", "one"), ("assistant", "two"), ("user", "three")],
            id="several of each",
        ),
        pytest.param((), [], id="none"),
    ],
)
def test_a_prompt_is_said_in_turns(value, turns):
    result = content.prompt_result(prompt_entry(), value)

    assert result.description == "Ask something."
    assert [(turn.role, turn.content.text) for turn in result.messages] == turns


@pytest.mark.parametrize(
    ("value", "mime", "expected"),
    [
        pytest.param("<p>", "text/html", ("text/html", "<p>"), id="text of the kind that was promised"),
        pytest.param({"a": 1}, "application/geo+json", ("application/geo+json", '{"a":1}'), id="JSON of its own kind"),
        pytest.param(None, None, ("application/json", "null"), id="nothing is null"),
        pytest.param(True, None, ("application/json", "true"), id="a truth"),
        pytest.param(
            Embedded("seed://y", "#", "text/markdown"), "text/plain", ("text/markdown", "#"), id="its own kind"
        ),
    ],
)
def test_a_reading_is_of_the_kind_that_was_promised(value, mime, expected):
    (read,) = content.read_result(resource_entry(mime_type=mime), "seed://one", value).contents

    assert isinstance(read, wire.TextResourceContents)
    assert (read.mime_type, read.text) == expected
    assert read.uri == "seed://one"
