"""The deployer's choices: one file, the environment over it, and mistakes named."""

import traceback
from pathlib import Path

import pytest

from packhorse import PackError
from packhorse.settings import PackTable, ServerSettings, Settings, load, user_folder

pytestmark = pytest.mark.python


@pytest.fixture
def written(tmp_path):
    def write(text: str, name: str = "packhorse.toml") -> Path:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


FULL = """
[server]
name = "residency"
packs = ["scheduling", "pai"]
port = 3000

[packs.locator]
prefix = "locator_"
exclude = ["bulk_search"]
database = "postgres://"
"""


def test_a_file_is_read_into_one_value(written):
    path = written(FULL)
    settings = load(path, environ={})

    assert (settings.server.name, settings.server.packs, settings.server.port) == (
        "residency",
        ("scheduling", "pai"),
        3000,
    )
    assert settings.pack("locator") == PackTable(
        prefix="locator_", exclude=("bulk_search",), own={"database": "postgres://"}
    )
    assert settings.source == path


def test_without_a_file_the_defaults_hold(tmp_path):
    settings = load(environ={"XDG_CONFIG_HOME": str(tmp_path)})

    assert settings == Settings(server=ServerSettings(), packs={}, source=None)
    assert settings.pack("any") == PackTable()


# --- where from ---


def test_a_named_file_comes_before_the_variable_and_that_before_the_users_folder(tmp_path, written):
    (tmp_path / "packhorse").mkdir()
    written('server.name = "folder"', "packhorse/packhorse.toml")
    variable, named = written('server.name = "variable"', "v.toml"), written('server.name = "named"', "n.toml")
    folder = {"XDG_CONFIG_HOME": str(tmp_path)}

    assert load(environ=folder).server.name == "folder"
    assert load(environ={**folder, "PACKHORSE_CONFIG": str(variable)}).server.name == "variable"
    assert load(named, environ={**folder, "PACKHORSE_CONFIG": str(variable)}).server.name == "named"
    assert load(environ={**folder, "PACKHORSE_CONFIG": ""}).server.name == "folder"


def test_the_working_directory_is_never_searched(tmp_path, written, monkeypatch):
    (tmp_path / "packhorse").mkdir()
    for name in ("packhorse.toml", "packhorse/packhorse.toml", ".packhorse.toml"):
        written('server.name = "here"', name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    for folder in ("", ".", "./"):
        assert load(environ={"XDG_CONFIG_HOME": folder}).source is None


@pytest.mark.parametrize(
    ("platform", "environ", "config", "data"),
    [
        pytest.param("linux", {}, "~/.config", "~/.local/share", id="Linux"),
        pytest.param("linux", {"XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d"}, "/c", "/d", id="Linux, by variable"),
        pytest.param("linux", {"XDG_CONFIG_HOME": "c"}, "~/.config", "~/.local/share", id="Linux, not absolute"),
        pytest.param("darwin", {}, "~/Library/Application Support", "~/Library/Application Support", id="macOS"),
        pytest.param("win32", {}, "~/AppData/Roaming", "~/AppData/Local", id="Windows"),
        pytest.param("win32", {"APPDATA": "/r", "LOCALAPPDATA": "/l"}, "/r", "/l", id="Windows, by variable"),
    ],
)
def test_the_users_folders_are_the_platforms_own(platform, environ, config, data, monkeypatch):
    monkeypatch.setenv("HOME", "/home/pat")

    assert user_folder("config", platform, environ) == Path(config).expanduser() / "packhorse"
    assert user_folder("data", platform, environ) == Path(data).expanduser() / "packhorse"


def test_data_is_kept_where_the_deployer_says_or_in_the_users_folder(written, monkeypatch):
    monkeypatch.setenv("HOME", "/home/pat")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")

    assert load(written(""), environ={}).data_dir == Path("/data/packhorse")
    assert load(written('server.data_dir = "~/here"'), environ={}).data_dir == Path("/home/pat/here")


# --- the environment ---


@pytest.mark.parametrize(
    ("environ", "key", "value"),
    [
        pytest.param({"PACKHORSE_SERVER_PORT": "3001"}, "port", 3001, id="a number"),
        pytest.param({"PACKHORSE_SERVER_STRICT": "true"}, "strict", True, id="a switch"),
        pytest.param({"PACKHORSE_SERVER_PACKS": "moon, pai,"}, "packs", ("moon", "pai"), id="a list with commas"),
        pytest.param({"PACKHORSE_SERVER_PATHS": '["/a,b"]'}, "paths", ("/a,b",), id="a list in JSON"),
        pytest.param({"MCP_SERVER_NAME": "residency"}, "name", "residency", id="the specifications' name"),
        pytest.param({"MCP_SERVER_PORT": "3000"}, "port", 3000, id="the specifications' port"),
        pytest.param({"MCP_SERVER_HOST": "localhost"}, "host", "localhost", id="the specifications' host"),
        pytest.param({"MCP_TRANSPORT": "http"}, "transport", "http", id="http"),
        pytest.param({"MCP_TRANSPORT": "sse"}, "transport", "sse", id="sse"),
        pytest.param({"MCP_TRANSPORT": "STDIO"}, "transport", "stdio", id="stdio in capitals"),
        pytest.param({"MCP_TRANSPORT": "streamable-http"}, "transport", "http", id="the SDK's word for http"),
        pytest.param({"MCP_TRANSPORT": "streamable_http"}, "transport", "http", id="and its other word"),
        pytest.param({"LOG_LEVEL": "INFO"}, "log_level", "info", id="the specifications' log level"),
        pytest.param({"LOG_LEVEL": "WARN"}, "log_level", "warning", id="a log level of others"),
        pytest.param({"LOG_LEVEL": "CRITICAL"}, "log_level", "error", id="Python's highest log level"),
        pytest.param({"LOG_FORMAT": "text"}, "log_format", "text", id="the specifications' form of the log"),
        pytest.param({"LOG_FORMAT": "JSON"}, "log_format", "json", id="in capitals"),
        pytest.param({"MCP_SERVER_VERSION": "1.0.0"}, "version", "1.0.0", id="the specifications' version"),
        pytest.param({"MCP_SERVER_PORT": "1", "PACKHORSE_SERVER_PORT": "2"}, "port", 2, id="our own name wins"),
    ],
)
def test_the_environment_overrides_the_file(written, environ, key, value):
    path = written('[server]\nport = 80\nname = "file"\ntransport = "stdio"\nlog_level = "debug"')

    assert getattr(load(path, environ=environ).server, key) == value


def test_a_packs_own_settings_come_from_the_environment_too(written):
    environ = {
        "PACKHORSE_PACKS_LOCATOR_DATABASE": "sqlite://",
        "PACKHORSE_PACKS_LOCATOR_PREFIX": "l_",
        "PACKHORSE_PACKS_LOCATOR_EXCLUDE": "a,b",
        "PACKHORSE_PACKS_LOCATOR_SITES": '["x", "y"]',
        "PACKHORSE_PACKS_LOCATOR_PATTERN": "[a-z]+",
        "PACKHORSE_PACKS_OTHER_DATABASE": "none of ours",
    }

    table = load(written(FULL), environ=environ).pack("locator")

    assert (table.prefix, table.exclude) == ("l_", ("a", "b"))
    assert table.own == {"database": "sqlite://", "sites": ["x", "y"], "pattern": "[a-z]+"}


def test_an_installed_pack_needs_no_table_in_the_file():
    environ = {"PACKHORSE_PACKS_JET_LAG_HOURS": "3"}

    assert load(environ=environ, installed=["jet-lag"]).pack("jet-lag").own == {"hours": "3"}


def test_a_variable_belongs_to_the_pack_with_the_longer_name():
    settings = load(environ={"PACKHORSE_PACKS_MOON_PHASE_LIMIT": "3"}, installed=["moon", "moon-phase"])

    assert settings.pack("moon-phase").own == {"limit": "3"}
    assert settings.pack("moon").own == {}


# --- mistakes ---


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "[servers]",
            r"packhorse.toml: unknown table 'servers'\. Did you mean 'server'\? .* tables \[server\], \[auth\]",
            id="table",
        ),
        pytest.param(
            "[server]\nprot = 1", r"packhorse.toml \[server\]: unknown key 'prot'\. Did you mean 'port'\?", id="key"
        ),
        pytest.param(
            '[[auth.issuers]]\nissuer = "i"\niss = "i"',
            r"\[auth\]: unknown key 'issuers\.0\.iss'\. Did you mean 'issuer'\?$",
            id="key of an issuer",
        ),
        pytest.param(
            '[[auth.issuers]]\nissuer = "i"\nwalrus = 1',
            r"unknown key 'issuers\.0\.walrus'\. Known keys: algorithm, .*jwks_url, kind, private_network, .*secret$",
            id="an issuer's keys",
        ),
        pytest.param(
            '[server]\nsecret = "s"', r"unknown key 'secret'\. It is a key of \[auth\]$", id="key of another table"
        ),
        pytest.param(
            '[server]\npublic_port = "s"',
            r"unknown key 'public_port'\. Similar keys: port\. docs/reference/settings\.md lists all$",
            id="key with a known word",
        ),
        pytest.param(
            '[server]\npublic_url = "s"',
            r"unknown key 'public_url'\. docs/reference/settings\.md lists the keys$",
            id="key like no other",
        ),
        pytest.param("[server]\nport = 70000", r"packhorse.toml \[server\]: port must .* 65535", id="out of range"),
        pytest.param(
            '[server]\ntransport = "smtp"', r"\[server\]: transport must .*'stdio', 'http' or 'sse'", id="choice"
        ),
        pytest.param('[server]\nlog_level = "loud"', r"\[server\]: log_level must .*'debug'", id="log level"),
        pytest.param("[server]\nlog_level = 5", r"\[server\]: log_level must ", id="a number for a word"),
        pytest.param('[server]\npaths = ["mcp"]', r"paths: 'mcp' must start with '/'", id="path without a slash"),
        pytest.param('[server]\npaths = ["/healthz"]', r"paths: '/healthz' must", id="path of the host's own"),
        pytest.param("[server]\npaths = []", r"paths: ", id="no path"),
        pytest.param("server = 5", r"packhorse.toml: \[server\] must be a table", id="no table"),
        pytest.param("[packs]\nmoon = 5", r"packhorse.toml: \[packs\] must be a table of tables", id="tables"),
        pytest.param('[packs.moon]\nprefix = "a b"', r"packhorse.toml \[packs.moon\]: prefix: ", id="prefix"),
        pytest.param("[server]\nname = \n", r"packhorse.toml is not valid TOML: .*line 2", id="not TOML"),
        pytest.param("[server]\nport = 1\nport = 2\n", r"not valid TOML: .*line 3", id="a key twice"),
        pytest.param('[server]\nname = ""\nport = -1', r"name must .*; port must ", id="every mistake at once"),
        pytest.param('[server]\nstate_key = "short"', r"state_key: give at least 32 bytes", id="a short secret"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_key(written, text, said):
    with pytest.raises(PackError, match=said):
        load(written(text), environ={})


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        pytest.param(
            {"MCP_SERVER_PORT": "http"}, r"port \(from MCP_SERVER_PORT\) must ", id="the specifications' name"
        ),
        pytest.param(
            {"PACKHORSE_SERVER_PORT": "http"}, r"port \(from PACKHORSE_SERVER_PORT\) must ", id="our own name"
        ),
        pytest.param({"PACKHORSE_SERVER_PATHS": "[1"}, r"paths \(from PACKHORSE_SERVER_PATHS\): ", id="broken JSON"),
        pytest.param(
            {"PACKHORSE_SERVER_PROT": "1"},
            r"PACKHORSE_SERVER_PROT is no setting of packhorse\. Did you mean 'PACKHORSE_SERVER_PORT'\?",
            id="unknown name",
        ),
        pytest.param(
            {"PACKHORSE_AUDIT_KYE": "1"}, r"\. Did you mean 'PACKHORSE_AUDIT_KEY'\?$", id="two letters swapped"
        ),
        pytest.param(
            {"PACKHORSE_SERVER_SECRET": "1"}, r"\. Did you mean 'PACKHORSE_AUTH_SECRET'\?$", id="key of another table"
        ),
        pytest.param(
            {"PACKHORSE_SERVER_PUBLIC_URL": "1"},
            r"packhorse: \[server\] has no key 'public_url'\. docs/reference/settings\.md lists the keys$",
            id="key like no other",
        ),
    ],
)
def test_a_mistake_in_the_environment_is_named_with_its_variable(environ, said):
    with pytest.raises(PackError, match=said):
        load(environ=environ)


def test_a_file_that_was_asked_for_and_is_absent_is_named(tmp_path):
    with pytest.raises(PackError, match=r"there is no configuration file .*nowhere\.toml"):
        load(tmp_path / "nowhere.toml", environ={})
    with pytest.raises(PackError, match=r"there is no configuration file .*nowhere\.toml"):
        load(environ={"PACKHORSE_CONFIG": str(tmp_path / "nowhere.toml")})


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "latin.toml").write_bytes(b'[server]\nname = "\xe9"')

    with pytest.raises(PackError, match=r"latin\.toml cannot be read"):
        load(tmp_path / "latin.toml", environ={})
    with pytest.raises(PackError, match=r"the configuration file .* cannot be read"):
        load(tmp_path, environ={})


def test_a_byte_order_mark_is_passed_over(tmp_path):
    (tmp_path / "bom.toml").write_bytes(b'\xef\xbb\xbfserver.name = "x"')

    assert load(tmp_path / "bom.toml", environ={}).server.name == "x"


SECRET = "hunter2-hunter2"


@pytest.mark.parametrize(
    ("text", "environ"),
    [
        pytest.param(f'[server]\nstate_key = "{SECRET}"', {}, id="too short"),
        pytest.param(f'[server]\nstate_key = ["{SECRET}"]', {}, id="of another kind"),
        pytest.param("", {"PACKHORSE_SERVER_STATE_KEY": SECRET}, id="in the environment"),
        pytest.param(f'[server]\nport = "{SECRET}"', {}, id="at another key"),
    ],
)
def test_a_secret_is_in_no_message_and_no_traceback(written, text, environ):
    with pytest.raises(PackError) as refused:
        load(written(text), environ=environ)

    assert SECRET not in "".join(traceback.format_exception(refused.value, limit=0))


def test_a_secret_is_not_shown_with_the_settings(written):
    settings = load(written(f'[server]\nstate_key = "{SECRET * 3}"'), environ={})

    assert SECRET not in repr(settings)
    assert settings.server.state_key.get_secret_value() == SECRET * 3


# --- from the command line ---


def test_the_command_line_replaces_parts_of_the_server_table(written):
    settings = load(written(f'[server]\nport = 80\nname = "x"\nstate_key = "{SECRET * 3}"'), environ={})
    changed = settings.serving(port=3000, transport="http", host=None)

    assert (changed.server.port, changed.server.transport, changed.server.name) == (3000, "http", "x")
    assert changed.server.state_key == settings.server.state_key
    assert settings.server.port == 80


def test_a_mistake_on_the_command_line_is_named_so():
    with pytest.raises(PackError, match="the command line: port must "):
        Settings().serving(port=70000)


def test_every_setting_of_the_server_is_described():
    assert [name for name, field in ServerSettings.model_fields.items() if not field.description] == []
