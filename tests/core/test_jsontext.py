"""Edits of JSON text: strict about what they read, invisible outside what they change."""

import json
import re
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse.publish.jsontext import JsonError, drop, put, read, scan

pytestmark = pytest.mark.python

ENTRY = {"command": "/opt/python", "args": ["-m", "packhorse"]}
AT = ("mcpServers", "moon")


def refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def strict(text: str) -> Any:
    """The standard library's reading, without its leave for NaN and Infinity: an independent judge."""
    return json.loads(text, parse_constant=refuse)


def with_servers(text: str) -> str:
    """The text as it was, or with an empty object where it had none for the servers."""
    return text if "mcpServers" in strict(text) else put(text, AT[:1], {})


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        pytest.param("", 1, "ends too early", id="nothing"),
        pytest.param('{"a": 1', 1, "ends too early", id="cut short"),
        pytest.param("[]", 1, "one object", id="a list"),
        pytest.param('{\n  "a": 1,\n}', 2, "a comma may not stand", id="comma before a brace"),
        pytest.param('{\r\n  "a": 1\r\n  "b": 2}', 3, "','", id="CRLF is one break"),
        pytest.param('{\r"a" 1}', 2, "':'", id="CR is a break"),
        pytest.param("{'a': 1}", 1, "double quotes", id="single quotes"),
        pytest.param('{"a": 1} x', 1, "more after the end", id="something after it"),
        pytest.param("{\n  // mine\n}", 2, "comments", id="comment"),
        pytest.param('{"a": /* mine */ 1}', 1, "comments", id="comment before a value"),
        pytest.param('{"a": NaN}', 1, "NaN is not JSON", id="NaN"),
        pytest.param('{"a": 01}', 1, "','", id="leading zero"),
        pytest.param('{"a": True}', 1, "value", id="Python's True"),
        pytest.param('{"a": "C:\\Users"}', 1, "escape", id="a Windows path with single backslashes"),
        pytest.param('{"é": "x\n"}', 1, "control character", id="a string over two lines"),
        pytest.param('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", 1, "too deeply", id="too deep"),
    ],
)
def test_text_that_is_no_json_object_is_refused_with_its_place(text, line, problem):
    with pytest.raises(JsonError, match=re.escape(problem)) as refused:
        scan(text)

    assert refused.value.line == line


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param('{"mcpServers": {}, "mcpServers": {}}', 'column 20: the key "mcpServers"', id="twice"),
        pytest.param('{"mcpServers": {}, "mcp\\u0053ervers": {}}', 'column 20: the key "mcpServers"', id="escaped"),
        pytest.param('{"mcpServers": {"moon": 1, "moon": 2}}', 'column 28: the key "moon"', id="our own name twice"),
        pytest.param('{"mcpServers": []}', 'column 16: "mcpServers" must be an object', id="a list"),
        pytest.param('{"mcpServers": null}', 'column 16: "mcpServers" must be an object', id="null"),
    ],
)
@pytest.mark.parametrize("edit", [lambda text: put(text, AT, ENTRY), lambda text: drop(text, AT)], ids=["put", "drop"])
def test_a_place_that_is_ambiguous_or_no_object_is_refused(edit, text, problem):
    with pytest.raises(JsonError, match=re.escape(problem)):
        edit(text)


def test_a_key_that_stands_twice_elsewhere_is_its_owners_business():
    text = '{"theme": 1, "theme": 2, "mcpServers": {"a": {"x": 1, "x": 2}}}'

    assert drop(put(text, AT, ENTRY), AT) == text


def test_reading_survives_numbers_longer_than_python_converts():
    assert read('{"moon": {"n": ' + "9" * 5000 + "}}", ("moon",)) == {"n": float("inf")}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            '{\n    "theme": "dark"\n}\n',
            '{\n    "theme": "dark",\n    "mcpServers": {\n        "moon": {\n            "command": "x"\n        }\n'
            "    }\n}\n",
            id="four spaces, no servers yet",
        ),
        pytest.param(
            '{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}',
            '{\r\n\t"mcpServers": {\r\n\t\t"a": {},\r\n\t\t"moon": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}',
            id="tabs and CRLF",
        ),
        pytest.param('{"mcpServers":{}}', '{"mcpServers":{"moon":{"command":"x"}}}', id="minified"),
        pytest.param(
            '{"mcpServers":{"a":1}}', '{"mcpServers":{"a":1,"moon":{"command":"x"}}}', id="minified, a neighbour"
        ),
        pytest.param('{"a": 1}', '{"a": 1, "mcpServers": {"moon": {"command": "x"}}}', id="one line, no servers yet"),
        pytest.param(
            '{\n  "mcpServers": {"a": {}}\n}',
            '{\n  "mcpServers": {"a": {}, "moon": {"command": "x"}}\n}',
            id="servers on one line of many",
        ),
        pytest.param(
            '{\n  "mcpServers": { }\n}',
            '{\n  "mcpServers": { \n    "moon": {\n      "command": "x"\n    }\n  }\n}',
            id="an empty object with a space in it",
        ),
        pytest.param(
            "{}",
            '{\n  "mcpServers": {\n    "moon": {\n      "command": "x"\n    }\n  }\n}',
            id="an empty file of one object",
        ),
        pytest.param(
            '  {\n    "a": 1\n  }',
            '  {\n    "a": 1,\n    "mcpServers": {\n      "moon": {\n        "command": "x"\n      }\n    }\n  }',
            id="everything indented",
        ),
        pytest.param(
            '{\n"mcpServers": {\n"a": 1\n}\n}',
            '{\n"mcpServers": {\n"a": 1,\n"moon": {\n"command": "x"\n}\n}\n}',
            id="no indentation at all",
        ),
    ],
)
def test_what_is_added_looks_like_its_neighbours_and_comes_out_again(before, after):
    assert put(before, AT, {"command": "x"}) == after
    assert drop(after, AT) == with_servers(before)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param('{"s": {"moon": 1, "b": 2}}', '{"s": {"b": 2}}', id="first"),
        pytest.param('{"s": {"a": 1 , "moon": 2\n, "c": 3}}', '{"s": {"a": 1\n, "c": 3}}', id="middle"),
        pytest.param('{"s": {"a": 1,\n "moon": 2 }}', '{"s": {"a": 1 }}', id="last"),
        pytest.param('{"s": {\n  "moon": 1\n}}', '{"s": {}}', id="only one"),
        pytest.param('{"s": {"moo\\u006e": 1}}', '{"s": {}}', id="its name spelt with an escape"),
        pytest.param('{"s": {"a": 1}}', '{"s": {"a": 1}}', id="not there"),
        pytest.param('{"t": 1}', '{"t": 1}', id="nor its object"),
    ],
)
def test_a_member_leaves_with_its_comma(before, after):
    assert drop(before, ("s", "moon")) == after


def test_a_value_that_is_there_already_keeps_its_spelling():
    text = '{"moon": {"name": "\\u0061", "n": 1.50}}'

    assert put(text, ("moon",), {"n": 1.5, "name": "a"}) == text


def test_a_value_is_replaced_in_place():
    before = '{\n\t"moon": {\n\t\t"args": ["a"],\n\t\t"n": 1e0\n\t}\n}'

    assert put(before, ("moon", "args"), ["b", "é"]) == (
        '{\n\t"moon": {\n\t\t"args": [\n\t\t\t"b",\n\t\t\t"é"\n\t\t],\n\t\t"n": 1e0\n\t}\n}'
    )
    assert put(before, ("moon", "n"), True).endswith('"n": true\n\t}\n}')


# Laws

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=5)
)
SPELT = st.sampled_from(["1.50", "-0", "1E+2", "9" * 400, '"\\u00e9\\/"', '"\\ud800"', '"\\t"', "true", "[]", "[ {} ]"])
BLANK = st.text(" \t\r\n", max_size=4)
# Members that a configuration might have, our own place among them or not.
KEYS = st.one_of(st.sampled_from(["theme", "a", "b", "env"]), st.text(max_size=3))


@st.composite
def objects(draw: st.DrawFn, *, servers: bool = True) -> str:
    """An object as text, with any whitespace JSON allows and spellings no writer would choose."""
    parts: list[str] = []
    for key in draw(st.lists(KEYS.filter(lambda key: key not in AT), max_size=3, unique=True)):
        value = draw(st.one_of(SPELT, SCALARS.map(json.dumps)))
        parts.append(json.dumps(key, ensure_ascii=draw(st.booleans())) + draw(BLANK) + ":" + draw(BLANK) + value)
    if servers and draw(st.booleans()):
        at = draw(st.integers(0, len(parts)))
        parts.insert(at, '"mcpServers"' + draw(BLANK) + ":" + draw(BLANK) + draw(objects(servers=False)))
    return "{" + draw(BLANK) + (draw(BLANK) + "," + draw(BLANK)).join(parts) + draw(BLANK) + "}"


@st.composite
def printed(draw: st.DrawFn) -> str:
    """An object as a JSON writer prints it: indentation, separators, escapes and line breaks of its choice."""
    plain = st.dictionaries(KEYS, st.one_of(SCALARS, st.dictionaries(KEYS, SCALARS, max_size=2)), max_size=3)
    value: dict[str, Any] = {key: part for key, part in draw(plain).items() if key not in AT}
    if draw(st.booleans()):
        value["mcpServers"] = {key: part for key, part in draw(plain).items() if key not in AT}
    text = json.dumps(
        value,
        indent=draw(st.sampled_from([None, 0, 2, 4, "\t"])),
        separators=draw(st.sampled_from([None, (",", ":"), (", ", ": ")])),
        ensure_ascii=draw(st.booleans()),
    )
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))) + draw(st.sampled_from(["", "\n", "\r\n"]))


def without_ours(text: str) -> Any:
    value = strict(text)
    value.get("mcpServers", {}).pop("moon", None)
    return value


@given(st.one_of(objects(), printed()))
def test_putting_in_and_taking_out_gives_the_same_text(text):
    once = put(text, AT, ENTRY)

    assert strict(once)["mcpServers"]["moon"] == ENTRY
    assert without_ours(once) == {"mcpServers": {}} | strict(text)
    assert put(once, AT, ENTRY) == once
    assert drop(once, AT) == with_servers(text)


@given(objects(), st.data())
def test_what_is_accepted_is_what_the_standard_library_accepts(text, data):
    at = data.draw(st.integers(1, len(text)))
    text = (
        text[:at]
        + data.draw(st.sampled_from(['"', "{", "}", "]", ",", ":", "\\", "1", "x", " ", "\0", "/", ""]))
        + text[at:]
    )
    try:
        pairs = json.loads(text, object_pairs_hook=list, parse_constant=refuse)
    except ValueError:
        with pytest.raises(JsonError):
            scan(text)
    else:
        found = [(member.key, text[member.value.start : member.value.end]) for member in scan(text).members or ()]
        assert [(key, json.loads(value, object_pairs_hook=list)) for key, value in found] == pairs
