"""The conformance pack offers what the suite asks for by name, and nothing of it needs the protocol SDK.

The suite itself accepts almost any answer from some tools, a missing one
included, so that a fixture could fall out of the pack unseen.
"""

import io
import subprocess
import sys
import wave
import zlib

import pytest

from packhorse import Accepted, Audio, Cancelled, Context, Declined, Embedded, Image, InputRequired, Text, UserError

pack = pytest.importorskip("packhorse_conformance.pack", reason="packhorse-conformance is not installed here")

from packhorse_conformance import answers, media, models, prompts, questions, rounds  # noqa: E402 - after the skip


def name_of(offer):
    return getattr(offer, "name", None) or getattr(offer, "fn", offer).__name__


def test_every_tool_of_the_suite_is_offered_once():
    names = [name_of(tool) for tool in pack.register_tools()]

    assert sorted(names) == sorted(
        [
            "confirm_delete",
            "failing_job",
            "greet",
            "json_schema_2020_12_tool",
            "multi_input",
            "protocol_error_job",
            "slow_compute",
            "test_audio_content",
            "test_elicitation",
            "test_elicitation_sep1034_defaults",
            "test_elicitation_sep1330_enums",
            "test_embedded_resource",
            "test_error_handling",
            "test_image_content",
            "test_input_required_result_capabilities",
            "test_input_required_result_elicitation",
            "test_input_required_result_list_roots",
            "test_input_required_result_multi_round",
            "test_input_required_result_multiple_inputs",
            "test_input_required_result_request_state",
            "test_input_required_result_sampling",
            "test_input_required_result_tampered_state",
            "test_logging_tool",
            "test_missing_capability",
            "test_multiple_content_types",
            "test_reconnection",
            "test_sampling",
            "test_simple_text",
            "test_streaming_elicitation",
            "test_tool_with_logging",
            "test_tool_with_progress",
            "test_tool_with_task",
            "test_trigger_prompt_change",
            "test_trigger_tool_change",
            "test_x_mcp_header",
        ]
    )


def test_every_prompt_of_the_suite_is_offered_once():
    assert sorted(name_of(prompt) for prompt in pack.register_prompts()) == [
        "test_input_required_result_prompt",
        "test_prompt_with_arguments",
        "test_prompt_with_embedded_resource",
        "test_prompt_with_image",
        "test_simple_prompt",
    ]


def test_every_resource_of_the_suite_is_offered_once():
    assert sorted(resource.uri for resource in pack.register_resources()) == [
        "test://static-binary",
        "test://static-text",
        "test://template/{id}/data",
        "test://watched-resource",
    ]


def test_the_pack_is_written_without_the_protocol_sdk():
    looked = (
        "import sys, packhorse_conformance.pack; print([m for m in sys.modules if m.split('.')[0].startswith('mcp')])"
    )
    seen = subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True)

    assert seen.stdout.strip() == "[]"


def test_the_picture_is_a_png_of_one_red_pixel():
    data = media.red_dot()

    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert zlib.decompress(data[data.index(b"IDAT") + 4 : data.index(b"IEND") - 8]) == b"\x00\xff\x00\x00"
    assert data.endswith(b"IEND\xaeB`\x82")  # the CRC of an empty IEND chunk, the same in every PNG


def test_the_sound_is_a_wav_of_ten_milliseconds_of_silence():
    with wave.open(io.BytesIO(media.silence())) as sound:
        assert sound.getnframes() / sound.getframerate() == 0.01
        assert set(sound.readframes(sound.getnframes())) == {0}


def test_each_kind_of_content_is_answered_as_itself():
    assert answers.test_simple_text() == Text("This is a simple text response for testing.")
    assert answers.test_image_content() == Image(media.red_dot(), "image/png")
    assert answers.test_audio_content() == Audio(media.silence(), "audio/wav")
    assert answers.test_embedded_resource().uri == "test://embedded-resource"
    assert [type(piece) for piece in answers.test_multiple_content_types()] == [Text, Image, Embedded]


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        pytest.param(
            Accepted(models.Contact(username="ann", email="ann@example.com")),
            'action=accept, content={"username":"ann","email":"ann@example.com"}',
            id="accepted",
        ),
        pytest.param(Declined(), "action=decline, content={}", id="declined"),
        pytest.param(Cancelled(), "action=cancel, content={}", id="cancelled"),
    ],
)
def test_an_elicitation_says_what_became_of_it(outcome, said):
    assert questions.test_elicitation("Who?", outcome) == Text(f"User response: {said}")


class Client:
    """The client's side of a call, holding what it answered so far."""

    def __init__(self, answers, state=None):
        self.answers = answers
        self.state = state


def called(tool, answers=None, state=None):
    return tool(Context(None, "a request", wire=Client(answers or {}, state)))


def test_a_tool_asks_until_the_answer_has_the_form_it_asked_for():
    tool = rounds.test_input_required_result_elicitation

    assert isinstance(called(tool), InputRequired)
    assert isinstance(called(tool, {"someone_else": Accepted({"name": "Ann"})}), InputRequired)
    assert isinstance(called(tool, {"user_name": Accepted({"name": 7})}), InputRequired)
    assert called(tool, {"user_name": Accepted({"name": "Ann"})}) == Text("Hello, Ann!")


@pytest.mark.parametrize("no", [Declined(), Cancelled()], ids=["declined", "cancelled"])
def test_a_tool_that_is_not_answered_gives_up_rather_than_ask_for_ever(no):
    with pytest.raises(UserError, match="not answered"):
        called(rounds.test_input_required_result_elicitation, {"user_name": no})
    with pytest.raises(UserError, match="not answered"):
        called(prompts.test_input_required_result_prompt, {"user_context": no})


def test_rounds_carry_what_was_said_before_in_their_state():
    tool = rounds.test_input_required_result_multi_round
    second = called(tool, {"step1": Accepted({"name": "Ann"})}, state="nameless")

    assert list(second.questions) == ["step2"]
    assert called(tool, {"step2": Accepted({"color": "blue"})}, state=second.state) == Text("Ann likes blue")


def test_an_answer_without_its_state_is_refused():
    with pytest.raises(UserError, match="requestState"):
        called(rounds.test_input_required_result_request_state, {"confirm": Accepted({"ok": True})})
