"""Claude Desktop's configuration: found on every system, edited with care, refused when unclear."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest

from packhorse.errors import PackError, UserError
from packhorse.publish.clients import DESKTOP
from packhorse.publish.desktop import FILE_NAME, locations, names_in
from packhorse.publish.edits import Edit, apply
from packhorse.publish.wanted import Entry, entries, env_from, secrets_in

GOLDEN = Path(__file__).parent / "golden" / "desktop"
NOW = datetime(2026, 3, 1, 9, 30, 5, tzinfo=UTC)
INSTALLED = {"circadian", "locator"}
MAC = "/Users/ana/packs/bin/python"
WINDOWS = r"C:\Users\Ana\packs\Scripts\python.exe"
LINUX = "/home/josé/packs/bin/python"

MACOS_FILE = f"Library/Application Support/Claude/{FILE_NAME}"
CLASSIC_FILE = f"AppData/Roaming/Claude/{FILE_NAME}"
MSIX_FILE = f"AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/{FILE_NAME}"
LINUX_FILE = f".config/Claude/{FILE_NAME}"


def entry(name: str = "circadian", **changes: Any) -> Entry:
    return Entry(**{"name": name, "command": LINUX, "args": ("-m", "packhorse", "serve", name), **changes})


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@dataclass(frozen=True)
class Case:
    """A home folder, what is asked for, and the files that it must hold afterwards."""

    platform: str
    interpreter: str
    golden: Mapping[str, str]
    folders: tuple[str, ...] = ()
    packs: tuple[str, ...] = ("circadian", "locator")
    options: Mapping[str, Any] = field(default_factory=dict)


CASES = {
    "macos-fresh": Case("darwin", MAC, {MACOS_FILE: "macos-fresh"}),
    "macos-foreign": Case("darwin", MAC, {MACOS_FILE: "macos-foreign"}),
    "macos-composed": Case(
        "darwin", MAC, {MACOS_FILE: "macos-composed"}, options={"one_entry": "travel", "env": {"TZ": "UTC"}}
    ),
    "windows-classic-fresh": Case("win32", WINDOWS, {CLASSIC_FILE: "windows-fresh"}),
    "windows-classic-foreign": Case("win32", WINDOWS, {CLASSIC_FILE: "windows-classic-foreign"}),
    "windows-msix-fresh": Case(
        "win32",
        WINDOWS,
        {MSIX_FILE: "windows-fresh"},
        folders=("AppData/Local/Packages/Claude_pzs8sxrjxfjjc", "AppData/Local/Packages/Clipchamp_8wekyb"),
    ),
    "windows-msix-foreign": Case("win32", WINDOWS, {MSIX_FILE: "windows-msix-foreign"}),
    "windows-both": Case(
        "win32",
        WINDOWS,
        {MSIX_FILE: "windows-msix-foreign", CLASSIC_FILE: "windows-fresh"},
        folders=("AppData/Roaming/Claude",),
    ),
    "linux-fresh": Case("linux", LINUX, {LINUX_FILE: "linux-fresh"}),
    "linux-foreign": Case("linux", LINUX, {LINUX_FILE: "linux-foreign"}),
    "linux-composed": Case(
        "linux",
        LINUX,
        {LINUX_FILE: "linux-composed"},
        packs=(),
        options={"one_entry": "packhorse", "config": "/home/josé/packhorse.toml"},
    ),
    "linux-update": Case(
        "linux", LINUX, {LINUX_FILE: "linux-update"}, packs=("circadian",), options={"env": {"B": "2", "C": "3"}}
    ),
}


def home_of(case: Case, root: Path) -> list[Path]:
    """Set up the home folder as it is before; give the files that the app reads there."""
    for folder in case.folders:
        (root / folder).mkdir(parents=True)
    for path, name in case.golden.items():
        if (before := GOLDEN / f"{name}.before.json").exists():
            (root / path).parent.mkdir(parents=True)
            (root / path).write_bytes(before.read_bytes())
    return [Path(place.path) for place in locations(case.platform, {}, root, names_in)]


def wanted_of(case: Case) -> tuple[Entry, ...]:
    return entries(case.packs, installed=INSTALLED, interpreter=case.interpreter, **{"separate": True, **case.options})


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_installing_gives_the_golden_file_and_again_changes_nothing(case, tmp_path):
    files = home_of(case, tmp_path)

    apply([DESKTOP.plan_install(file, wanted_of(case)) for file in files], NOW)

    after = {path: data for path, data in tree(tmp_path).items() if not path.endswith(".bak")}
    assert after == {path: (GOLDEN / f"{name}.after.json").read_bytes() for path, name in case.golden.items()}
    assert not any(DESKTOP.plan_install(file, wanted_of(case)).changed for file in files)


def test_editing_the_file_needs_neither_the_protocol_nor_a_model_nor_a_command_line():
    code = "import sys, packhorse.publish.clients; print(*{'mcp', 'pydantic', 'click'} & set(sys.modules))"

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == ""


# Where the file is


@pytest.mark.parametrize(
    ("env", "folders", "expected"),
    [
        pytest.param({}, {}, [r"windows C:\Users\Ana\AppData\Roaming\Claude"], id="no installation: the classic place"),
        pytest.param(
            {"APPDATA": r"D:\Roam", "LOCALAPPDATA": r"D:\Local"},
            {r"D:\Local\Packages": ["Claude_x"]},
            [r"windows-msix D:\Local\Packages\Claude_x\LocalCache\Roaming\Claude"],
            id="a package, folders moved to another drive",
        ),
        pytest.param(
            {},
            {
                r"C:\Users\Ana\AppData\Local\Packages": ["claude_b", "Claude", "ClaudeNot_c", "Claude_a"],
                r"C:\Users\Ana\AppData\Roaming\Claude": [],
            },
            [
                r"windows-msix C:\Users\Ana\AppData\Local\Packages\Claude_a\LocalCache\Roaming\Claude",
                r"windows-msix C:\Users\Ana\AppData\Local\Packages\claude_b\LocalCache\Roaming\Claude",
                r"windows C:\Users\Ana\AppData\Roaming\Claude",
            ],
            id="two packages and a classic one: all",
        ),
    ],
)
def test_windows_reads_the_package_s_own_copy_where_there_is_a_package(env, folders, expected):
    found = locations("win32", env, PureWindowsPath(r"C:\Users\Ana"), lambda folder: folders.get(str(folder)))

    assert [f"{place.installation} {place.path.parent}" for place in found] == expected
    assert {place.path.name for place in found} == {FILE_NAME}


@pytest.mark.parametrize(
    ("platform", "env", "expected"),
    [
        pytest.param("darwin", {}, "/h/Library/Application Support/Claude", id="macOS"),
        pytest.param("linux", {}, "/h/.config/Claude", id="Linux"),
        pytest.param("linux", {"XDG_CONFIG_HOME": "/x/conf"}, "/x/conf/Claude", id="Linux, configuration elsewhere"),
        pytest.param("linux", {"XDG_CONFIG_HOME": "conf"}, "/h/.config/Claude", id="Linux, a relative path is void"),
        pytest.param("freebsd14", {}, "/h/.config/Claude", id="another Unix is like Linux"),
    ],
)
def test_elsewhere_there_is_one_place(platform, env, expected):
    (place,) = locations(platform, env, PurePosixPath("/h"), lambda folder: None)

    assert place.path == PurePosixPath(expected) / FILE_NAME


# What an entry says


@pytest.mark.parametrize(
    ("packs", "entry"),
    [
        pytest.param(["locator"], ("locator", ("serve", "locator")), id="one"),
        pytest.param(["locator", "circadian"], ("packhorse", ("serve", "locator", "circadian")), id="two"),
        pytest.param([], ("packhorse", ("serve",)), id="whatever is installed"),
    ],
)
def test_there_is_one_entry_called_after_its_pack_or_packhorse(packs, entry):
    (one,) = entries(packs, installed=INSTALLED, interpreter=MAC)

    assert (one.name, one.args[3:]) == entry


def test_each_pack_can_have_an_entry_of_its_own_once():
    found = entries(["locator", "circadian", "locator"], installed=INSTALLED, interpreter=MAC, separate=True)

    assert [(one.name, one.args[3:]) for one in found] == [
        ("locator", ("serve", "locator")),
        ("circadian", ("serve", "circadian")),
    ]


def test_with_no_pack_installed_the_refusal_says_what_to_do():
    with pytest.raises(PackError, match="Install one first"):
        entries([], installed=set(), interpreter=MAC)


@pytest.mark.parametrize("name", ["", "a/b", "a\\b", "a\n", " a", "x" * 65, "é"])
def test_a_name_that_cannot_name_a_log_file_is_refused(name):
    with pytest.raises(UserError, match="1 to 64 letters"):
        entries([], installed=INSTALLED, interpreter=MAC, one_entry=name)


def test_variables_are_read_and_a_value_may_hold_anything():
    assert env_from(["A=1", "B_2=x=y z", "A=", "C="]) == {"A": "", "B_2": "x=y z", "C": ""}


@pytest.mark.parametrize("pair", ["hunter2", "=hunter2", "1A=hunter2", "A B=hunter2", "A=hunter2\0"])
def test_a_faulty_variable_is_refused_without_repeating_it(pair):
    with pytest.raises(UserError, match="--env option at position 2 does not have the form NAME=VALUE") as refused:
        env_from(["A=1", pair])

    assert "hunter2" not in str(refused.value)


def test_names_of_secrets_are_recognised():
    names = ["PACKHORSE_TOKEN", "jwt_secret_key", "PASSWORD", "KEYBOARD", "TOKENS_PER_DAY", "TZ", "MONKEY"]

    assert secrets_in(names) == ["PACKHORSE_TOKEN", "jwt_secret_key", "PASSWORD"]


# What becomes of the file


def file_with(folder: Path, content: bytes) -> Path:
    file = folder / FILE_NAME
    file.write_bytes(content)
    return file


@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf \r\n"], ids=["no byte", "a line break", "a mark only"])
def test_a_blank_file_is_filled(content, tmp_path):
    edit = DESKTOP.plan_install(file_with(tmp_path, content), [entry()])

    assert json.loads((edit.after or b"").decode("utf-8-sig")) == {"mcpServers": {"circadian": entry().as_json()}}
    assert edit.after is not None
    assert edit.after.startswith(b"\xef\xbb\xbf") == content.startswith(b"\xef\xbb\xbf")


def test_changes_are_told_apart(tmp_path):
    file = tmp_path / FILE_NAME
    apply([DESKTOP.plan_install(file, [entry("a"), entry("b")])], NOW)

    again = DESKTOP.plan_install(file, [entry("a"), entry("b", command="/new"), entry("c")])
    gone = DESKTOP.plan_remove(file, ["b", "z"])

    assert again.changes == {"a": "unchanged", "b": "updated", "c": "added"}
    assert gone.changes == {"b": "removed", "z": "absent"}


def test_an_entry_s_own_variables_and_keys_survive_an_update_as_they_are_spelt(tmp_path):
    ours = '{"command":"old","disabled" : false,"args":["-m","packhorse"],"env":{"A":"\\u0031"},"n":1.50}'
    file = file_with(tmp_path, ('{"mcpServers":{"circadian":' + ours + "}}").encode())

    after = DESKTOP.plan_install(file, [entry(command="/new", args=("-m", "packhorse"), env={"B": "2"})]).after

    assert after == (
        b'{"mcpServers":{"circadian":{"command":"/new","disabled" : false,"args":["-m","packhorse"],'
        b'"env":{"A":"\\u0031","B":"2"},"n":1.50}}}'
    )


def test_removing_all_takes_only_entries_that_start_packhorse(tmp_path):
    servers = {
        "other": {"command": "npx", "args": ["-y", "packhorse"]},
        "module": {"command": "/x/python", "args": ["-P", "-m", "packhorse", "serve"]},
        "script": {"command": "C:\\venv\\Scripts\\packhorse.EXE"},
        "odd": ["-m", "packhorse"],
    }
    file = file_with(tmp_path, json.dumps({"mcpServers": servers}).encode())

    edit = DESKTOP.plan_remove(file)

    assert edit.changes == {"module": "removed", "script": "removed"}
    assert list(json.loads(edit.after or b"")["mcpServers"]) == ["other", "odd"]


@pytest.mark.parametrize("server", ['{"command": "npx", "args": ["pai"]}', "null", '"x"'])
@pytest.mark.parametrize(
    "plan", [lambda file: DESKTOP.plan_install(file, [entry()]), lambda file: DESKTOP.plan_remove(file, ["circadian"])]
)
def test_another_program_s_entry_of_the_same_name_is_left_alone(plan, server, tmp_path):
    file = file_with(tmp_path, b'{"mcpServers": {"circadian": ' + server.encode() + b"}}")

    with pytest.raises(UserError, match='an entry "circadian" that runs another program'):
        plan(file)


@pytest.mark.parametrize("names", [(), ("circadian",)], ids=["all", "one"])
@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"mcpServers": {"x": {"command": "npx"}}}'])
def test_removing_what_is_not_there_changes_nothing(content, names, tmp_path):
    file = tmp_path / FILE_NAME if content is None else file_with(tmp_path, content)

    edit = DESKTOP.plan_remove(file, names)

    assert edit == Edit(file, content, content, dict.fromkeys(names, "absent"))
    assert not edit.changed


@pytest.mark.parametrize(
    ("content", "place"),
    [
        pytest.param(b'{\n  "mcpServers": {\n  },\n}', "line 3, column 4: a comma", id="comma too many"),
        pytest.param(b'{"mcpServers": {}, "mcpServers": {}}', "line 1, column 20: the key", id="mcpServers twice"),
        pytest.param(b'{\r\n "mcpServers": []}', 'line 2, column 16: "mcpServers" must be', id="mcpServers is a list"),
        pytest.param(b'\xef\xbb\xbf{"a" 1}', "line 1, column 6: Expecting ':'", id="behind a byte order mark"),
        pytest.param(b'{"a": 1,\n"b": "\xff"}', "byte 16 is not UTF-8", id="not UTF-8"),
        pytest.param('{"a": 1}'.encode("utf-16"), "byte 1 is not UTF-8", id="UTF-16"),
    ],
)
@pytest.mark.parametrize(
    "plan", [lambda file: DESKTOP.plan_install(file, [entry()]), DESKTOP.plan_remove], ids=["install", "remove"]
)
def test_a_file_that_is_unclear_is_named_with_the_place_and_left_alone(plan, content, place, tmp_path):
    file = file_with(tmp_path, content)

    with pytest.raises(UserError) as refused:
        plan(file)

    assert str(refused.value).startswith(f"{file}: {place}")
    assert "Nothing was changed" in str(refused.value)
    assert tree(tmp_path) == {FILE_NAME: content}


def test_when_the_second_of_two_files_fails_the_first_is_named(tmp_path):
    first, second = tmp_path / "one" / FILE_NAME, tmp_path / "two" / FILE_NAME
    edits = [DESKTOP.plan_install(first, [entry()]), DESKTOP.plan_install(second, [entry()])]
    second.parent.mkdir()
    second.write_bytes(b"{}")

    with pytest.raises(UserError, match="was changed by another program") as refused:
        apply(edits, NOW)

    assert f"Already changed: {first}." in str(refused.value)
    assert second.read_bytes() == b"{}"


def test_a_path_that_is_no_text_is_refused_in_words(tmp_path):
    with pytest.raises(UserError, match="not valid text"):
        DESKTOP.plan_install(tmp_path / FILE_NAME, [entry(command="/home/\udcff/python")])
