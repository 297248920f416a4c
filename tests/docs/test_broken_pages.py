"""A page that does not do what it shows is found out: each check of the pages, seen to fail."""

import sys

import pytest

from desk import Desk
from shell import Done, Shell, Step, difference, steps_of


def page(label, body, before=""):
    return f"# A page\n\n{before}\n```{label}\n{body}\n```\n"


GOOD = "\n".join(
    [
        page("python", "def test_that_two_is_two():\n    assert 2 == 2"),
        page("console", "$ echo one; echo two; echo three\none\n...\nthree\n$ echo 'some  words'\nso...ds"),
        page("console", "$ false || echo Error: no\nError: no\n$ ls missing; echo Error >&2; false\n...\nError"),
        page("toml", '[server]\nname = "x"'),
        page("json", '{"a": 1}'),
        page("text", "$ reboot", "(Shown, not run by the tests: it ends them.)"),
    ]
)


def test_a_page_that_does_what_it_shows_passes(tmp_path):
    path = tmp_path / "good.md"
    path.write_text(GOOD)
    with Desk.set_up(tmp_path) as desk:
        desk.play(path)
    assert desk.played == {"python": 1, "console": 2, "toml": 1, "json": 1, "text": 1}
    assert desk.not_run == ["good.md:50: reboot (it ends them)"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param(page("python", "1 / 0"), "division by zero", id="python that raises"),
        pytest.param(page("python", "def test_it():\n    assert 1 == 2"), "", id="a test that fails"),
        pytest.param(page("python", "async def test_it():\n    raise KeyError(8)"), "8", id="an async test that fails"),
        pytest.param(page("python", "import nothing_here", "<!-- save: my.py -->"), "nothing_here", id="a saved file"),
        pytest.param(page("console", "$ echo one\ntwo"), "but the page shows", id="another output"),
        pytest.param(page("console", "$ echo one; echo two\none"), "but the page shows", id="a line too few"),
        pytest.param(page("console", "$ echo one"), "but the page shows", id="an output that is not shown"),
        pytest.param(page("console", "$ false"), "ended with status 1", id="a command that fails unseen"),
        pytest.param(page("console", "$ echo x; false\n..."), "ended with status 1", id="one whose output is left out"),
        pytest.param(page("console", "echo one"), "begins with a command", id="a console block without a command"),
        pytest.param(page("", "echo one"), "labelled ''", id="a block without a label"),
        pytest.param(page("bash", "echo one"), "labelled 'bash'", id="a label that nothing runs"),
        pytest.param(page("python skip", "1 / 0"), "labelled 'python skip'", id="a block that asks to be skipped"),
        pytest.param(page("sh", "tox run"), "only README", id="sh outside README"),
        pytest.param(page("toml", "a = "), "no TOML", id="toml that does not parse"),
        pytest.param(page("toml", "[server]\nnmae = 'x'"), "unknown key 'nmae'", id="a key that there is not"),
        pytest.param(page("toml", "[server]\nport = 70000"), "port", id="a value out of range"),
        pytest.param(page("toml", "[project]\nname = 'x'"), "is saved", id="a manifest that is not saved"),
        pytest.param(
            page("toml", "[project]\nname = 'x'", "<!-- save: pyproject.toml -->"),
            "entry point",
            id="a manifest of no pack",
        ),
        pytest.param(
            page("toml", "[project.entry-points.packhorse]\na = 'b'", "<!-- save: pyproject.toml -->"),
            "no module that the page saved",
            id="a manifest of a module that is not there",
        ),
        pytest.param(page("json", "{'a': 1}"), "no JSON", id="json that does not parse"),
        pytest.param(page("js", "show({})"), "a file of a pack", id="a script that is not saved"),
        pytest.param(page("mermaid", "  a[A]\n  a --> b"), "no box: b", id="a picture with a loose arrow"),
        pytest.param(page("text", "$ reboot"), "not run by the tests", id="a skipped command without a reason"),
        pytest.param(
            page("text", "$ reboot", "(Not run by the tests.)"), "not run by the tests", id="a reason that is empty"
        ),
        pytest.param(page("python", "pass") + "```python\n", "3 fences, 2 blocks", id="a fence that is not closed"),
        pytest.param(2 * page("toml", "[server]", "<!-- save: a.toml -->"), "saved twice", id="one file saved twice"),
    ],
)
def test_a_page_that_does_not_is_found_out(text, complaint, tmp_path):
    path = tmp_path / "bad.md"
    path.write_text(text)
    with Desk.set_up(tmp_path) as desk, pytest.raises(Exception) as caught:  # noqa: PT011 - any kind that fails a test
        desk.play(path)
    assert complaint in str(caught.value)


def test_a_desk_leaves_no_module_and_no_path_behind(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(page("python", "here = True", "<!-- save: left_behind.py -->"))
    before = list(sys.path)
    with Desk.set_up(tmp_path) as desk:
        desk.play(path)
        assert "left_behind" in sys.modules
    assert "left_behind" not in sys.modules
    assert sys.path == before


def test_a_console_block_falls_into_commands_and_what_they_print():
    block = "$ one \\\n  --more\nprinted\n\n$ two\n$ three\n> printed\n"
    assert list(steps_of(block)) == [
        Step("one \\\n  --more", "printed\n"),
        Step("two", ""),
        Step("three", "> printed"),
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a", "a\n", True),
        ("a", "b\n", False),
        ("a\n...\nz", "a\nz\n", True),
        ("a\n...\nz", "a\nb\nc\nz\n", True),
        ("a\n...\nz", "a\nb\n", False),
        ("x ... z", "x y z", True),
        ("x ... z", "x\nz", False),
        ("a.b", "axb", False),
        ("a   b", "a      b", True),
        ("  a", "    a", True),
        ("b\n  a", "b\n    a", False),
        ("", "", True),
    ],
)
def test_what_is_printed_is_compared_line_by_line(shown, printed, same):
    assert (difference(Step("x", shown), Done(printed, 0)) is None) is same


def test_a_shell_keeps_what_was_set_and_closes_over_what_still_runs(tmp_path):
    shell = Shell(tmp_path, {"PATH": "/usr/bin:/bin"})
    shell.run('export NAME=moon; ask() { echo "$NAME $1"; }')
    assert shell.run("ask 'rises'; false") == Done("moon rises\n", 1)
    assert shell.run("cat") == Done("", 0)
    shell.run("tail -f /dev/null &")
    shell.close()  # it waits for everybody who holds its output


def test_a_command_that_does_not_end_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr("shell.PATIENCE_SECONDS", 0.2)
    with pytest.raises(AssertionError, match="did not end; it printed:\nfirst"):
        Shell(tmp_path, {"PATH": "/usr/bin:/bin"}).run("echo first; tail -f /dev/null")
