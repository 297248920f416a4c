"""The fields at the beginning of a Markdown file, as any other reader has them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse.present import frontmatter as module
from packhorse.present.frontmatter import frontmatter


def page(*lines: str, end: str = "\n") -> str:
    return end.join(["---", *lines, "---", "# Body", ""])


@pytest.mark.parametrize(
    ("lines", "fields"),
    [
        pytest.param(["name: plan"], {"name": "plan"}, id="plain words"),
        pytest.param(["name: a-b", "description: Say: it, once."], None, id="a colon and a blank are refused"),
        pytest.param(['description: "Say: it"'], {"description": "Say: it"}, id="quoted"),
        pytest.param(["description: one # two"], {"description": "one"}, id="a comment"),
        pytest.param(["description: one#two"], {"description": "one#two"}, id="no comment"),
        pytest.param(["description: >-", "  one", "  two"], {"description": "one two"}, id="folded"),
        pytest.param(["description: one", "  two"], {"description": "one two"}, id="over two lines"),
        pytest.param(["name: yes"], None, id="yes is not a text to all"),
        pytest.param(["name: true"], None, id="nor is true"),
        pytest.param(["name: null"], None, id="nor is null"),
        pytest.param(["since: 2026-01-02"], None, id="nor is a date"),
        pytest.param(["v: 1.10"], None, id="nor is a number"),
        pytest.param(['v: "1.10"'], {"v": "1.10"}, id="in quotes it is a text"),
        pytest.param(["metadata:", '  version: "1"'], {"metadata": {"version": "1"}}, id="below another"),
        pytest.param(["name: a", "name: b"], None, id="one name twice"),
        pytest.param(["1: a"], None, id="a name that is no text"),
        pytest.param(["- a"], None, id="a list"),
        pytest.param(["v: .nan"], None, id="what JSON cannot say"),
        pytest.param(["v: !!python/object:os.system x"], None, id="no code"),
        pytest.param(["a: &x [*x]"], None, id="itself within itself"),
        pytest.param(['a: "\\ud800"'], None, id="half a character"),
        pytest.param(["a: ["], None, id="no YAML"),
    ],
)
def test_fields_are_texts_to_every_reader_of_yaml(lines, fields):
    if fields is None:
        with pytest.raises(ValueError, match="its fields"):
            frontmatter(page(*lines))
    else:
        assert frontmatter(page(*lines)) == fields


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_either_end_of_line_will_do(end):
    assert frontmatter(page("name: a", "description: b", end=end)) == {"name": "a", "description": "b"}


@pytest.mark.parametrize("text", ["", "# Title\n", "\ufeff---\nname: a\n---\n", "---\nname: a\n", "---\n---\n"])
def test_a_file_without_fields_is_refused(text):
    with pytest.raises(ValueError, match="does not begin"):
        frontmatter(text)


@given(st.text(st.sampled_from("aZ9 :#-'\"\t&*!%@`{}[],|>é\u00a0\u2028\\"), min_size=1, max_size=30))
def test_what_is_read_without_yaml_is_what_yaml_makes_of_it(value):
    block = f"description: {value}"
    quick = module._plainly(block)
    if quick is not None:
        assert quick == module._by_yaml(block)


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)


@given(st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), WORDS | st.lists(WORDS, max_size=2), min_size=1))
def test_what_json_writes_is_read_again(fields):
    lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    assert frontmatter(page(*lines)) == fields
