"""``packhorse new``: a pack that works before a line of it has been written by hand."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.core.seeds import install

from packhorse.cli import cli
from packhorse.cli.completion import completion
from packhorse.errors import UserError
from packhorse.publish.commands import new
from packhorse.publish.scaffold import checked, write


def run(*words):
    return CliRunner().invoke(new, [str(word) for word in words], catch_exceptions=False)


@pytest.mark.parametrize(
    ("name", "key"),
    [("demo_pack", "demo_pack"), ("tide-table", "tide_table"), ("packhorse-tides", "tides"), ("a1", "a1")],
)
def test_a_name_may_be_written_as_the_pack_or_as_the_distribution(name, key):
    assert checked(name) == key


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Tides",
        "1tide",
        "tide table",
        "tide__table",
        "_tide",
        "tide_",
        "../tide",
        "packhorse-",
        "été",
        "t" * 33,
        "a\n",
    ],
)
def test_a_name_that_is_no_name_of_a_pack_is_refused_with_the_form(name):
    with pytest.raises(UserError, match="1 to 32 lower-case letters"):
        checked(name)


def test_a_pack_is_written_against_this_hosts_minor_version(tmp_path):
    write("tides", "0.7.2", tmp_path)
    manifest = tomllib.loads((tmp_path / "pyproject.toml").read_text())

    assert manifest["project"]["dependencies"] == ["packhorse>=0.7,<0.8"]
    assert manifest["project"]["entry-points"] == {"packhorse": {"tides": "packhorse_tides.pack"}}
    assert manifest["project"]["scripts"] == {"packhorse-tides": "packhorse.cli:main"}


def test_the_new_pack_installs_passes_its_contract_tests_and_answers_a_call(tmp_path):
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv is None:
        pytest.skip("uv is not here: it installs a folder without the network")
    folder = tmp_path / "packhorse-demo-pack"
    report = json.loads(run("demo_pack", "--folder", folder, "--json").stdout)
    assert sorted(report["files"]) == sorted(
        file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()
    )

    site = tmp_path / "site"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PACKHORSE"))}
    surroundings = {**kept, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1", "XDG_DATA_HOME": str(tmp_path)}

    def command(*words):
        done = subprocess.run(words, cwd=folder, env=surroundings, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    command(uv, "pip", "install", "--offline", "--no-deps", "--python", sys.executable, "--target", str(site), ".")
    tested = command(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    answered = command(sys.executable, "-m", "packhorse", "call", "demo_pack_greeting", '{"name": "Ada"}')

    assert "failed" not in tested
    assert "passed" in tested
    assert answered == "Welcome, Ada.\n"


def test_the_next_steps_are_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = run("demo_pack").output

    assert (tmp_path / "packhorse-demo-pack" / "src" / "packhorse_demo_pack" / "pack.py").is_file()
    assert "cd packhorse-demo-pack\n" in told
    assert "packhorse call demo_pack_greeting" in told


def test_a_folder_with_something_in_it_is_left_as_it_is(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")

    with pytest.raises(UserError, match="nothing was written"):
        run("demo_pack", "--folder", tmp_path)

    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_a_folder_that_cannot_be_made_is_refused_with_the_option(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(UserError, match="--folder"):
        run("demo_pack", "--folder", tmp_path / "file" / "below")


def test_a_pack_is_not_called_what_a_command_is_called(tmp_path):
    for name in ("serve", "bundle"):
        ran = CliRunner().invoke(cli, ["new", name, "--folder", str(tmp_path / "new")])
        assert f"{name!r} is a command of packhorse" in str(ran.exception)


def test_a_pack_is_not_called_what_an_installed_one_is_called(tmp_path, monkeypatch):
    install(tmp_path, "ebb", "")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(UserError, match=r"packhorse-ebb 0\.1"):
        run("ebb", "--folder", tmp_path / "new")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell_and_a_word_beside_it(shell):
    result = CliRunner().invoke(completion, [shell], catch_exceptions=False)

    assert f"_PACKHORSE_COMPLETE={shell}_complete" in result.stdout
    assert "To have it always" in result.stderr


def test_completion_takes_the_shell_that_is_in_use():
    result = CliRunner().invoke(completion, [], env={"SHELL": "/usr/bin/fish"}, catch_exceptions=False)

    assert "fish_complete" in result.stdout


def test_completion_in_an_unknown_shell_asks_which():
    with pytest.raises(UserError, match="bash, zsh, fish"):
        CliRunner().invoke(completion, [], env={"SHELL": "/bin/ksh"}, catch_exceptions=False)


def test_a_shell_is_offered_our_commands():
    offered = subprocess.run(
        [sys.executable, "-c", "import sys; sys.argv[0] = 'packhorse'; from packhorse.cli import main; main()"],
        env={**os.environ, "_PACKHORSE_COMPLETE": "bash_complete", "COMP_WORDS": "packhorse de", "COMP_CWORD": "1"},
        capture_output=True,
        text=True,
    ).stdout.splitlines()

    assert offered == ["plain,demo", "plain,desktop"]


def test_a_shell_is_offered_the_installed_packs(tmp_path, monkeypatch):
    from click.shell_completion import ShellComplete

    from packhorse.publish.commands import registry

    for name in ("ebb", "flow"):
        install(tmp_path, name, "")
    monkeypatch.syspath_prepend(tmp_path)

    offered = ShellComplete(registry, {}, "registry", "_X").get_completions([], "eb")

    assert [item.value for item in offered] == ["ebb"]
