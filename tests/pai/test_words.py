"""What a mission names, and what of a text is an address: spellings that stand beside a value are another value."""

import pytest

from packhorse_pai.domain.conversation import move_of
from packhorse_pai.domain.deriving import derived
from packhorse_pai.domain.grants import Layer, Verdict, World, judge
from packhorse_pai.domain.grants_toml import grant_from
from packhorse_pai.domain.moves import Wish
from packhorse_pai.domain.words import Words, links

MISSION = Words(
    "Send ann@office.example the agenda at https://office.example/agenda, and 120.50 to DE89370400440532013000."
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("eve@@evil.example", ["evil.example"]),
        ("xGB29NWBK60161331926819", ["gb29nwbk60161331926819"]),
        ("x12345678y", ["12345678"]),
        ("mail ann@office.example, see v1.2 of 2026-03-04", ["ann@office.example"]),
        ("nothing here", []),
    ],
)
def test_an_address_is_seen_inside_a_longer_word_too(text, found):
    assert list(links(text)) == found


@pytest.mark.parametrize("value", [" https://office.example/agenda", "ann@office.example ", "", " "])
def test_a_value_with_space_around_it_is_not_named(value):
    assert not MISSION.names(value)


@pytest.mark.parametrize(
    "value", [{"cc": "eve@evil.example"}, {"https://evil.example": 1}, {"x": [["GB29NWBK60161331926819"]]}, 12345678901]
)
def test_an_address_inside_an_object_is_held(value):
    grant = derived("update_event", {"properties": {"extra": {}}}, read_only=False)
    world = World(Words("update the event"), True)
    assert judge([Layer.of([grant])], "update_event", {"extra": value}, world).verdict is Verdict.ASK
    assert judge([Layer.of([grant])], "update_event", {"extra": {"room": "7"}}, world).verdict is Verdict.ALLOW


@pytest.mark.parametrize("given", [{"x": float("nan")}, {"x": "\ud800"}, {"x": object()}, {"\ud800": 1}])
def test_what_json_cannot_carry_is_no_move(given):
    assert move_of(Wish("1", "send_mail", given)) is None
    assert move_of(Wish("1", "\ud800", {})) is None


def test_a_read_of_the_web_is_bound_to_the_addresses_of_the_mission():
    grant = derived("open_page", {"properties": {"url": {}, "page": {}}}, read_only=True)
    layers = [Layer.of([grant])]
    named = {"url": "https://office.example/agenda", "page": 2}
    assert judge(layers, "open_page", named, World(MISSION, True)).verdict is Verdict.ALLOW
    assert judge(layers, "open_page", {"url": "https://evil.example"}, World(MISSION, True)).verdict is Verdict.ASK


@pytest.mark.parametrize("text", ["Pay this account\nDE89370400440532013000", "DE89370400440532013000\nis the account"])
def test_a_value_on_a_line_of_its_own_stands_there_whole(text):
    assert Words(text).names("DE89370400440532013000")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("write to anna@gmail.com", False),
        ("see gmail.com.", True),
        ("see gmail.com.evil", False),
        ("see a.gmail.com", False),
        ("it ends. gmail.com", True),
        ("see .gmail.com", True),
        ("see gmail.com", True),
        ("xgmail.com or gmail.com", True),
        ("gmail.com._", False),
    ],
)
def test_a_value_beside_a_mark_of_addresses_is_part_of_something_else(text, named):
    assert Words(text).names("gmail.com") is named


@pytest.mark.parametrize(
    ("mission", "verdict", "because"),
    [
        ("Write the note milk into the file list.txt", Verdict.ALLOW, ""),
        (
            "Look at the file list.txt",
            Verdict.ASK,
            "the mission does not say write",
        ),
        (
            "Write to ann",
            Verdict.ASK,
            "the mission does not say document, documents, file, files, list, note, notes or report",
        ),
    ],
)
def test_a_tools_prefix_is_no_word_that_a_mission_must_say_and_what_it_must_say_is_told(mission, verdict, because):
    grant = derived("nextcloud_write_file", {"properties": {}}, read_only=False, own_name="write_file")
    found = judge([Layer.of([grant])], "nextcloud_write_file", {}, World(Words(mission), True))
    assert (found.verdict, found.because) == (verdict, because)


@pytest.mark.parametrize(
    ("words", "because"),
    [
        ([], "the mission does not say a word of a list that is empty, which none can"),
        (["swap"], "the mission does not say swap"),
        (["swap", "carry"], "the mission does not say carry or swap"),
        (
            list("abcdefghi"),
            "the mission does not say one of a, b, c, d, e, f, g, h and the like",
        ),
    ],
)
def test_the_words_that_a_mission_lacks_are_said_however_many_they_are(words, because):
    grant = grant_from({"tool": "move", "when": [words]})
    assert judge([Layer.of([grant])], "move", {}, World(Words("z"), True)).because == because


def test_what_is_quoted_has_no_blanks_at_its_ends_and_so_is_named_too():
    words = Words("Send bob ' all clear ' and \"  \"")
    assert words.quoted == {"all clear"}
    assert all(words.names(part) for part in words.quoted)
