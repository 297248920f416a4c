"""A pack in one file that nobody has installed, and a server somewhere else, from the command line."""

import json

import pytest
from mcp.client.client import Client
from tests.core.live import Bench

pytestmark = [pytest.mark.anyio, pytest.mark.python]

WEATHER = '''
from dataclasses import dataclass
from datetime import date

from helpers import polite


@dataclass
class Forecast:
    city: str
    day: date


def forecast(city: str, days: int = 1) -> list[Forecast]:
    """Forecast the weather of a city.

    In words of its own.
    """
    return [Forecast(city, date(2026, 1, 1 + n)) for n in range(days)]


async def hello(name: str) -> str:
    """Greet somebody."""
    return _greeting(polite(name))


def _greeting(name):
    return f"Hello, {name}"
'''

WITH_HOOKS = '''
from packhorse import Pack, Resource, Tool, hookimpl

pack = Pack(title="Tides")


def high() -> str:
    """Say when the tide is high."""
    return "at noon"


def helper(x):
    return x


@hookimpl
def register_tools():
    return [Tool(fn=high, read_only=True)]


@hookimpl
def register_resources():
    return [Resource(uri="tides://low", fn=lambda: "at six")]
'''


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    made.packs.mkdir()
    (tmp_path / "helpers.py").write_text("def polite(name: str) -> str:\n    return name.title()\n")
    (tmp_path / "weather.py").write_text(WEATHER)
    (tmp_path / "tides.py").write_text(WITH_HOOKS)
    return made


def test_each_public_function_of_a_file_is_a_tool(run, bench):
    ran = run(bench, "tools", "./weather.py")

    assert ran.stdout.splitlines() == [
        "forecast (city, [days])",
        "    Forecast the weather of a city.  [weather]",
        "hello (name)",
        "    Greet somebody.  [weather]",
    ]
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_tool_of_a_file_is_called_by_its_name(run, bench):
    assert run(bench, "call", "./weather.py", "hello", '{"name": "ada"}').stdout == "Hello, Ada\n"
    assert '"day":"2026-01-01"' in run(bench, "call", "weather.py", "forecast", '{"city": "Oslo"}').stdout


def test_a_file_with_hooks_offers_what_its_hooks_return(run, bench):
    assert run(bench, "tools", "tides.py").stdout.splitlines()[0::2] == ["high ()"]
    assert run(bench, "read", "tides.py", "tides://low").stdout == "at six\n"


def test_a_file_is_checked_like_a_pack(run, bench):
    found = json.loads(run(bench, "check", "./weather.py", "--json").stdout)

    assert found["ok"] is True
    assert {"subject": "pack weather", "found": "a file, served"}.items() <= next(
        one for one in found["findings"] if one["subject"] == "pack weather"
    ).items()


async def test_a_file_is_served_with_its_packs_own_settings_and_beside_other_files(bench):
    bench.configure('[packs.weather]\nprefix = "w_"\n')

    async with Client(bench.stdio("weather.py", str(bench.folder / "tides.py"))) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["w_forecast", "w_hello", "high"]
        assert (await client.call_tool("w_hello", {"name": "ada"})).structured_content == {"result": "Hello, Ada"}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        pytest.param("def f(:", "line 1:", id="no Python"),
        pytest.param("x = 1\ny = {}['a']", "line 2: KeyError: 'a'", id="it raises"),
        pytest.param("raise SystemExit(3)", "SystemExit: 3", id="it ends the process"),
        pytest.param("x = 1", "no public function and no hook", id="nothing"),
        pytest.param("def f() -> str:\n    return ''", "line 1: f has no docstring. Write one", id="no docstring"),
        pytest.param("def f(a):\n    '''Do.'''", "the parameter 'a' has no type: write one", id="type"),
        pytest.param(
            "def f(a):\n    '''Do.'''\ndef g():\n    pass",
            "has no type: write one, such as a: str; line 3: g has no docstring",
            id="two of them",
        ),
        pytest.param("def f(*a: int):\n    '''Do.'''", "arguments by name, and *a has none", id="*args"),
        pytest.param("def f(a: int, /):\n    '''Do.'''", "f: the parameter 'a' is positional-only", id="positional"),
        pytest.param("def f(a: 'Nope'):\n    '''Do.'''", "name 'Nope' is not defined", id="an unknown name"),
        pytest.param(
            "class X: pass\ndef f(a: X):\n    '''Do.'''",
            "the parameter 'a' has the type X, which JSON cannot hold: use str",
            id="a class",
        ),
    ],
)
def test_a_file_that_cannot_be_served_is_refused_with_its_place_and_the_cure(run, bench, source, words):
    (bench.folder / "odd.py").write_text(source)
    ran = run(bench, "tools", "odd.py")

    assert ran.returncode == 1
    assert ran.stderr.startswith(f"Error: {bench.folder / 'odd.py'}: ")
    assert words in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param("absent.py", "there is no file absent.py", id="absent"),
        pytest.param("my pack.py", "begin with a letter and have only letters", id="a name that is none"),
    ],
)
def test_a_path_that_is_no_packs_is_refused(run, bench, name, words):
    if " " in name:
        (bench.folder / name).write_text(WEATHER)
    ran = run(bench, "tools", name)

    assert ran.returncode == 1
    assert words in ran.stderr


def test_a_file_with_the_name_of_a_module_is_served_and_hides_it_from_nobody(run, bench):
    (bench.folder / "random.py").write_text('def pick(n: int) -> int:\n    """Pick one."""\n    return n\n')

    assert run(bench, "call", "random.py", "pick", '{"n": 4}').stdout == "4\n"
    assert run(bench, "call", "weather.py", "hello", '{"name": "x"}').stdout == "Hello, X\n"


# --- a server somewhere else ---


@pytest.fixture
def served(bench):
    with bench.serving("weather.py", "tides.py") as one:
        yield one


def test_a_server_at_a_url_is_asked_as_the_packs_here_are(run, bench, served):
    listed = run(bench, "tools", "--url", served.url).stdout.splitlines()
    called = run(bench, "call", "--url", served.url, "hello", '{"name": "ada"}')
    wrong = run(bench, "call", "--url", served.url, "hello", "{}")
    refused = run(bench, "call", "--url", served.url, "hello", "{}", "--json")
    mistyped = run(bench, "call", "--url", served.url, "helo")
    hidden = run(bench, "call", "--url", served.url, "audit_export")
    without_path = run(bench, "call", "--url", served.url.removesuffix("/mcp"), "hello")
    elsewhere = run(bench, "call", "weather.py", "low")

    assert listed[0::2] == ["forecast (city, [days])", "hello (name)", "high ()"]
    assert called.stdout == "Hello, Ada\n"
    assert run(bench, "read", "--url", served.url, "tides://low").stdout == "at six\n"
    assert "`name` is required" in wrong.stderr
    assert wrong.stderr.endswith("[INVALID_ARGUMENTS]\n")
    assert json.loads(refused.stdout)["error"]["code"] == "INVALID_ARGUMENTS"
    assert "Did you mean 'hello'?" in mistyped.stderr
    assert "If it needs a role, give --token or --login." in hidden.stderr
    assert f"Is the path missing? Try {served.url}." in without_path.stderr
    assert "no tool 'low' in weather.py. 'packhorse tools weather.py' lists" in elsewhere.stderr
    assert [ran.returncode for ran in (called, wrong, refused, mistyped)] == [0, 1, 1, 1]


def test_a_server_that_asks_who_one_is_takes_a_token(run, bench):
    secret = "an-example-secret-of-thirty-two-or-more"
    bench.configure(f'[auth]\nsecret = "{secret}"\n[auth.roles]\nCLERK = ["hello", "forecast"]\n')
    token = run(bench, "token", "--sub", "ada", "--role", "CLERK").stdout.strip()
    with bench.serving("weather.py") as one:
        known = run(bench, "call", "--url", one.url, "hello", '{"name": "ada"}', PACKHORSE_TOKEN=token)
        unknown = run(bench, "tools", "--url", one.url, "--token", "wrong")

    assert known.stdout == "Hello, Ada\n"
    assert unknown.returncode == 1
    assert "Traceback" not in unknown.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["--url", "http://127.0.0.1:9/mcp"], "Nothing answers at", id="nobody"),
        pytest.param(["--url", "ftp://there"], "is not the URL of a server", id="no URL"),
        pytest.param(["--url", "http://example.com/mcp", "--token", "t"], "in clear text", id="a token in the clear"),
        pytest.param(["--url", "http://127.0.0.1:9/mcp", "weather.py"], "Give --url alone", id="a file too"),
    ],
)
def test_a_server_that_cannot_be_asked_is_said_in_words(run, bench, arguments, words):
    ran = run(bench, "tools", *arguments)

    assert ran.returncode in (1, 2)
    assert words in ran.stderr
    assert "Traceback" not in ran.stderr
