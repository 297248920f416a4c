"""Which mounted servers a server has: all, those that are named, and never once more those that it is mounted among."""

import sys

import pytest
from click.testing import CliRunner
from tests.core.mounts.hosting import deployment_of, folder_of

from packhorse.cli.look import tools
from packhorse.errors import PackError
from packhorse.mounts import accepted
from packhorse.mounts.accepted import Mount
from packhorse.mounts.nested import VARIABLE, check_serves_no_mount
from packhorse.mounts.served import mounts_of
from packhorse.publish.install_commands import install

PACKHORSE = (sys.executable, "-m", "packhorse", "serve")
FILE = 'def now() -> str:\n    """Say how it is."""\n    return "fine"\n'


@pytest.fixture
def weather(tmp_path):
    file = tmp_path / "weather.py"
    file.write_text(FILE)
    return str(file)


@pytest.mark.parametrize(
    ("named", "served"),
    [
        (("weather.py",), {"now"}),
        (("up",), {"up_echo"}),
        (("up", "weather.py"), {"now", "up_echo"}),
        (("up", "down"), {"up_echo", "down_echo"}),
    ],
    ids=["a pack", "a mount", "both", "two mounts"],
)
def test_where_anything_is_named_that_alone_is_served(tmp_path, weather, added, run, named, served):
    added(only=("echo",), resources=(), templates=(), prompts=())
    accepted.save(
        folder_of(tmp_path), "down", accepted.load(folder_of(tmp_path), "up").model_copy(update={"prefix": "down_"})
    )
    listed = run(*(weather if name == "weather.py" else name for name in named), command=tools).output

    assert {name for name in ("now", "up_echo", "down_echo") if f"{name} (" in listed} == served


@pytest.mark.parametrize(
    ("mounts", "served"), [(None, True), (("up",), True), ((), False)], ids=["by default", "named", "none"]
)
def test_a_deployment_chooses_among_its_mounts(tmp_path, added, mounts, served):
    added()

    assert ("up_echo" in deployment_of(tmp_path, {"mounts": mounts}).catalogue.tools) is served


def test_a_mount_that_is_not_there_cannot_be_chosen(tmp_path, added):
    with pytest.raises(PackError, match=r"no server of this name is mounted.*Mounts: none"):
        deployment_of(tmp_path, {"mounts": ("upp",)})
    added()
    with pytest.raises(PackError, match=r"lists 'upp'.*Did you mean 'up'"):
        deployment_of(tmp_path, {"mounts": ("upp",)})


def test_a_name_that_is_nearly_a_mounts_is_asked_back(tmp_path, added, run):
    added()
    accepted.save(folder_of(tmp_path), "papers", accepted.load(folder_of(tmp_path), "up"))

    assert "Did you mean 'papers'?" in str(run("paper", command=tools).exception)
    assert "there is no file paper.py" in str(run("paper.py", command=tools).exception)


def test_what_serves_the_mounts_is_not_accepted_by_the_console_either(tmp_path, added):
    added()
    deployment = deployment_of(tmp_path)
    (echo,) = [tool for tool in accepted.load(folder_of(tmp_path), "up").tools if tool["name"] == "echo"]
    now = Mount(prefix="up_", tools=({**echo, "name": "up_echo"},))

    with pytest.raises(PackError, match="the server up also serves the tools of up"):
        mounts_of(deployment.host).accept("up", now)


def test_a_mount_goes_to_a_client_by_its_name(tmp_path, added, monkeypatch):
    added()
    monkeypatch.setenv("PACKHORSE_SERVER_DATA_DIR", str(tmp_path / "data"))
    file = tmp_path / "claude.json"
    made = CliRunner().invoke(install, ["desktop", "up", "--config-file", str(file)], standalone_mode=False)

    assert made.exception is None
    assert '"up"' in file.read_text()


def test_a_server_that_is_mounted_in_its_own_data_folder_does_not_serve_all_mounts_again(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, f"/elsewhere:{folder_of(tmp_path).resolve()}")

    with pytest.raises(PackError, match="mounted by a server with the same data folder"):
        deployment_of(tmp_path)
    deployment_of(tmp_path, {"mounts": ()})
    monkeypatch.setenv(VARIABLE, "/elsewhere")
    deployment_of(tmp_path)


@pytest.mark.slow
def test_mounting_oneself_is_refused_and_a_pack_of_one_s_own_can_be_mounted(tmp_path, added, weather, run):
    added()
    env = {"PACKHORSE_SERVER_DATA_DIR": str(tmp_path / "data")}
    given = ("--env", "PACKHORSE_SERVER_DATA_DIR=$PACKHORSE_SERVER_DATA_DIR")
    oneself = run("add", "again", *given, "--", *PACKHORSE, **env)
    pack = run("add", "again", *given, "--", *PACKHORSE, weather, **env)

    assert "\n  Error: this server is mounted by a server with the same data folder" in str(oneself.exception)
    assert "'packhorse serve PACK'" in str(oneself.exception)
    assert pack.exception is None
    assert [tool["name"] for tool in accepted.load(folder_of(tmp_path), "again").tools] == ["now"]


ECHO = {"name": "echo", "description": "Say it again.", "inputSchema": {"type": "object"}}


@pytest.mark.parametrize(
    ("name", "words", "prefix", "only", "again"),
    [
        ("up_echo", "Say it again.", "up_", (), True),
        ("up_echo", "Say something else.", "up_", (), False),
        ("echo", "Say it again.", "up_", (), False),
        ("echo", "Say it again.", "", (), False),
        ("up_echo", "Say it again.", "up_", ("other",), False),
    ],
    ids=["served again", "other words", "another name", "the same server mounted twice", "not wanted"],
)
def test_a_server_that_serves_what_is_mounted_here_is_not_mounted(name, words, prefix, only, again):
    here = {"up": Mount(prefix=prefix, tools=(ECHO,))}
    there = Mount(prefix="all_", only=only, tools=({**ECHO, "name": name, "description": words},))
    if again:
        with pytest.raises(PackError, match="the server all also serves the tools of up"):
            check_serves_no_mount("all", there, here)
    else:
        check_serves_no_mount("all", there, here)
