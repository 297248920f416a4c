"""``packhorse desktop`` as a person or a script at a terminal meets it."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.core.seeds import install

from packhorse.errors import PackError, UserError
from packhorse.publish.desktop import FILE_NAME
from packhorse.publish.install_commands import desktop

PYTHON = str(Path(sys.executable).absolute())


@pytest.fixture(autouse=True)
def installed(tmp_path, monkeypatch):
    """Two packs as pip leaves them: found by their metadata, and impossible to import."""
    for name in ("ebb", "flow"):
        install(tmp_path / "site", name, "raise ImportError('this pack must not be imported')")
    monkeypatch.syspath_prepend(tmp_path / "site")


@pytest.fixture
def file(tmp_path):
    folder = tmp_path / "Claude"
    folder.mkdir()
    return folder / FILE_NAME


def run(*args: str | Path, **env: str) -> Result:
    return CliRunner().invoke(desktop, [str(arg) for arg in args], env={"PACKHORSE_CONFIG": None, **env})


def done(*args: str | Path, **env: str) -> Result:
    result = run(*args, **env)
    assert result.exit_code == 0, (result.output, result.exception)
    return result


def servers(file: Path) -> Any:
    return json.loads(file.read_text())["mcpServers"]


def test_installing_says_what_changed_where_and_what_to_do_next(file):
    file.write_text('{"theme": "dark"}')

    told = done("install", "ebb", "--config-file", file).output

    (backup,) = file.parent.glob("*.bak")
    assert backup.read_text() == '{"theme": "dark"}'
    assert told == (
        f"{file}\n  Added ebb\n  Copy of the file before the change: {backup}\n"
        "Quit and reopen Claude Desktop: it reads this file only when it starts.\n"
    )
    assert servers(file) == {"ebb": {"command": PYTHON, "args": ["-P", "-m", "packhorse", "serve", "ebb"]}}


def test_installing_again_says_that_all_is_as_asked(file):
    done("install", "ebb", "--config-file", file)

    assert done("install", "ebb", "--config-file", file).output == (
        f"{file}\n  Already in the file, unchanged: ebb\n  The file stays as it is.\n"
    )
    assert list(file.parent.iterdir()) == [file]


def test_the_file_is_found_where_the_system_keeps_it(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")

    result = done("install", "ebb", XDG_CONFIG_HOME=str(tmp_path / "conf"))

    assert "ebb" in servers(tmp_path / "conf" / "Claude" / FILE_NAME)
    assert "The file is new." in result.stdout
    assert "is Claude Desktop installed?" in result.stderr


def test_both_installations_on_windows_get_the_entry_and_that_is_said(tmp_path, monkeypatch):
    (tmp_path / "Local" / "Packages" / "Claude_x").mkdir(parents=True)
    (tmp_path / "Roaming" / "Claude").mkdir(parents=True)
    monkeypatch.setattr(sys, "platform", "win32")

    result = done("install", "ebb", APPDATA=str(tmp_path / "Roaming"), LOCALAPPDATA=str(tmp_path / "Local"))

    assert "installed 2 times" in result.stdout
    assert "ebb" in servers(tmp_path / "Roaming" / "Claude" / FILE_NAME)
    assert "ebb" in servers(
        tmp_path / "Local" / "Packages" / "Claude_x" / "LocalCache" / "Roaming" / "Claude" / FILE_NAME
    )


@pytest.mark.parametrize("by", ["option", "variable"])
def test_the_settings_file_goes_into_the_entry_as_an_absolute_path(by, file, tmp_path, monkeypatch):
    (tmp_path / "my.toml").touch()
    monkeypatch.chdir(tmp_path)

    if by == "option":
        done("install", "ebb", "--config-file", file, "--config", "my.toml")
    else:
        done("install", "ebb", "--config-file", file, PACKHORSE_CONFIG="my.toml")

    assert servers(file)["ebb"]["args"][-2:] == ["--config", str(tmp_path / "my.toml")]


def test_variables_are_stored_and_a_secret_is_warned_of_but_not_shown(file):
    result = done("install", "ebb", "--env", "TZ=UTC", "--env", "JWT_SECRET_KEY=hunter2", "--config-file", file)

    assert servers(file)["ebb"]["env"] == {"TZ": "UTC", "JWT_SECRET_KEY": "hunter2"}
    assert "Warning: JWT_SECRET_KEY looks like a secret" in result.stderr
    assert "clear text" in result.stderr
    assert "hunter2" not in result.output


@pytest.mark.parametrize("command", ["install", "remove"])
def test_a_dry_run_tells_and_writes_nothing(command, file):
    if command == "remove":
        done("install", "ebb", "--config-file", file)
    before = {path.name: path.read_bytes() for path in file.parent.iterdir()}

    told = done(command, "ebb", "--dry-run", "--config-file", file).output

    would = "add ebb" if command == "install" else "remove ebb\n  Nothing else was in the file: it would be deleted."
    assert told == f"{file}\n  Would {would}\nNothing was written: this was a dry run.\n"
    assert {path.name: path.read_bytes() for path in file.parent.iterdir()} == before


def test_removing_takes_ours_and_says_so(file):
    original = '{"mcpServers": {"other": {"command": "npx"}}}'
    file.write_text(original)
    done("install", "--separate", "--config-file", file)
    assert set(servers(file)) >= {"other", "ebb", "flow"}

    told = done("remove", "--config-file", file).output

    (removed,) = [line.split("Removed ")[1].split(", ") for line in told.splitlines() if "Removed" in line]
    assert {"ebb", "flow"} <= set(removed)
    assert "other" not in removed
    assert "Quit and reopen" in told
    assert file.read_text() == original


def test_removing_what_is_not_there_is_no_error(file):
    assert done("remove", "--config-file", file).output == (
        f"{file}\n  No entry here starts packhorse.\n  The file stays as it is.\n"
    )
    assert done("remove", "gone", "--config-file", file).output == (
        f"{file}\n  Not in the file: gone\n  The file stays as it is.\n"
    )
    assert not file.exists()


def test_printing_gives_what_installing_would_write_and_writes_nothing(file):
    result = done("print", "ebb", "flow", "--env", "TZ=UTC", "--config-file", file)

    assert not file.exists()
    assert f"Paste this into {file}" in result.stderr
    done("install", "ebb", "flow", "--env", "TZ=UTC", "--config-file", file)
    assert json.loads(result.stdout) == {"mcpServers": servers(file)}


def test_programs_get_one_json_object(file):
    file.write_text('{"theme": "dark"}')

    added = json.loads(done("install", "ebb", "--env", "A_KEY=1", "--json", "--config-file", file).stdout)
    dry = json.loads(done("remove", "ebb", "--dry-run", "--json", "--config-file", file).stdout)
    printed = json.loads(done("print", "ebb", "--json", "--config-file", file).stdout)

    (warning,) = added.pop("warnings")
    assert warning.startswith("A_KEY looks like a secret")
    (backup,) = file.parent.glob("*.bak")
    place = {"path": str(file), "installation": "chosen"}
    assert added == {
        "action": "install",
        "dry_run": False,
        "files": [{**place, "changed": True, "backup": str(backup), "entries": {"ebb": "added"}}],
        "restart": True,
    }
    assert dry == {
        "action": "remove",
        "dry_run": True,
        "files": [{**place, "changed": True, "backup": None, "entries": {"ebb": "removed"}}],
        "warnings": [],
        "restart": False,
    }
    entry = {"command": PYTHON, "args": ["-P", "-m", "packhorse", "serve", "ebb"]}
    assert printed == {"action": "print", "files": [place], "mcpServers": {"ebb": entry}}


@pytest.mark.parametrize("command", ["install", "print"])
def test_a_pack_that_is_not_installed_is_refused_with_those_that_are(command, file):
    result = run(command, "eb", "--config-file", file)

    assert isinstance(result.exception, PackError)
    assert "These packs are not installed" in str(result.exception)
    assert {"ebb", "flow"} <= set(str(result.exception).rpartition("Installed: ")[2].rstrip(".").split(", "))


def test_one_unclear_file_of_two_keeps_both_as_they_were(tmp_path, monkeypatch):
    (tmp_path / "Local" / "Packages" / "Claude_x").mkdir(parents=True)
    (tmp_path / "Roaming" / "Claude").mkdir(parents=True)
    (tmp_path / "Roaming" / "Claude" / FILE_NAME).write_text("{")
    monkeypatch.setattr(sys, "platform", "win32")

    result = run("install", "ebb", APPDATA=str(tmp_path / "Roaming"), LOCALAPPDATA=str(tmp_path / "Local"))

    assert isinstance(result.exception, UserError)
    assert not list((tmp_path / "Local").rglob("*.json"))


def test_the_interpreter_stays_in_its_virtual_environment(file, tmp_path, monkeypatch):
    link = tmp_path / "venv" / "bin" / "python"
    link.parent.mkdir(parents=True)
    link.symlink_to(PYTHON)
    monkeypatch.setattr(sys, "executable", str(link))

    done("install", "ebb", "--config-file", file)

    assert servers(file)["ebb"]["command"] == str(link)
