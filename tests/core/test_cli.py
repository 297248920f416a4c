"""The command line: looking, asking and checking, for people and for programs."""

import json
import os
import signal
import subprocess
import sys
from importlib import metadata
from typing import Any

import pytest
from tests.core.live import STOP_SECONDS, Bench, Run, wait_for
from tests.core.seeds import install

SEED = '''
import sys
import time

import anyio
import click
from pydantic import BaseModel

from packhorse import *

print("a word on import")


class Shift(BaseModel):
    name: str
    hours: int = 8


class Answer(BaseModel):
    said: str


def plan(shift: Shift) -> Shift:
    """Plan one shift, and give it back. Refuses one of more than a day."""
    print("a word in a call")
    if shift.hours > 24:
        raise UserError(f"{shift.hours} hours are more than a day; ask for 24 at most.", code="TOO_LONG")
    return shift


def picture() -> list[Text | Image | Link | Embedded]:
    """Show some content of several kinds."""
    return [Text("A picture:"), Image(b"png"), Link("seed://more", "more"), Embedded("seed://x", b"xyz", "text/x")]


def many() -> list[int]:
    """Give more numbers than a pipe holds."""
    return list(range(100_000))


def ask(ctx: Context) -> str | InputRequired:
    """Ask before it answers, which a terminal cannot."""
    return InputRequired({"said": Elicit("?", Answer)})


def crash() -> str:
    """Fail with a bug, whatever is asked."""
    raise RuntimeError("canary-5c")


def wait(seconds: float) -> str:
    """Wait in a thread, for as long as it is asked."""
    print("waiting", file=sys.stderr, flush=True)
    time.sleep(seconds)
    return "waited"


async def sleep(seconds: float) -> str:
    """Wait on the loop, for as long as it is asked."""
    print("waiting", file=sys.stderr, flush=True)
    await anyio.sleep(seconds)
    return "waited"


def fact(name: str) -> dict[str, str]:
    return {"fact": name}


def brief(city: str, days: int = 2) -> list[str | Message]:
    """Brief somebody on a city."""
    return [f"{days} days in {city}", Message("Gladly.", "assistant")]


@hookimpl
def register_tools():
    return [plan, picture, many, ask, crash, wait, sleep]


@hookimpl
def register_resources():
    return [
        Resource(uri="seed://fact/{name}", fn=fact),
        Resource(uri="seed://words", fn=lambda: "words", name="words"),
        Resource(uri="seed://bytes", fn=lambda: bytes(range(256)), name="bytes"),
        Resource(uri="seed://ask", fn=ask, name="ask"),
    ]


@hookimpl
def register_prompts():
    return [Prompt(fn=brief), Prompt(fn=ask)]


@hookimpl
def register_commands(host):
    @click.command()
    @click.argument("word")
    def shout(word: str) -> None:
        """Say WORD in capitals."""
        click.echo(f"{word.upper()} of {host.pack}")

    @click.command()
    def refuse() -> None:
        """Refuse, always."""
        raise UserError("Not today; try tomorrow.")

    return [shout, refuse]
'''


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    made = Bench(tmp_path_factory.mktemp("cli"))
    install(made.packs, "seed", SEED)
    made.configure(packs=["seed"])
    return made


@pytest.fixture
def fresh(tmp_path):
    made = Bench(tmp_path)
    made.packs.mkdir()
    return made


# --- looking ---


def test_the_help_names_every_command_and_fits_a_terminal(run, bench):
    ran = run(bench, "--help")

    assert ran.returncode == 0
    lines = ran.stdout.splitlines()
    listed = [line.split()[0] for line in lines[lines.index("Commands:") + 1 :] if line.startswith("  ")]
    assert {"demo", "packs", "tools", "call", "read", "prompt", "serve", "desktop", "check"} <= set(listed)
    assert max(map(len, lines)) <= 80
    assert run(bench, "-h").stdout == ran.stdout


def test_a_list_of_commands_shows_each_one_s_whole_first_sentence(run, bench):
    listed = " ".join(run(bench, "store", "--help").stdout.split())
    copied = " ".join(run(bench, "store", "copy", "--help").stdout.split())

    assert copied.partition("[OPTIONS] ")[2].partition(".")[0] + "." in listed


def test_the_version_is_that_of_the_distribution(run, bench):
    assert run(bench, "--version").stdout.split()[-1] == metadata.version("packhorse")


def test_packs_are_listed_with_what_is_wrong_with_them(run, fresh):
    install(fresh.packs, "seed", SEED, version="1.2")
    install(fresh.packs, "aa-broken", "raise ImportError('no such module')", version="0.9")
    install(fresh.packs, "aa-newer", SEED, requires="packhorse>=99")
    shown = run(fresh, "packs")
    rows = {row["name"]: row for row in json.loads(run(fresh, "packs", "--json").stdout)}

    lines = {line.split()[0]: line for line in shown.stdout.splitlines()}
    assert shown.returncode == 0
    assert lines["seed"].split() == ["seed", "1.2", "7", "tools"]
    assert lines["aa-broken"].endswith("BROKEN: ImportError: no such module")
    assert "needs packhorse >=99" in lines["aa-newer"]
    assert rows["seed"] == {
        "name": "seed",
        "version": "1.2",
        "distribution": "packhorse-seed",
        "summary": "",
        "instructions": "",
        "status": "ok",
        "reason": None,
        "tools": ["plan", "picture", "many", "ask", "crash", "wait", "sleep"],
    }
    assert (rows["aa-broken"]["status"], rows["aa-broken"]["reason"]) == ("broken", "ImportError: no such module")


def test_tools_are_listed_as_a_model_would_see_them(run, bench):
    shown = run(bench, "tools", "seed")
    (plan, *others) = json.loads(run(bench, "tools", "--json").stdout)

    assert shown.returncode == 0
    assert shown.stdout.splitlines()[:2] == [
        "plan (name, [hours])",
        "    Plan one shift, and give it back. Refuses one of more than a day.  [seed]",
    ]
    assert [tool["name"] for tool in others] == ["picture", "many", "ask", "crash", "wait", "sleep"]
    assert plan["pack"] == "seed"
    assert plan["inputSchema"]["required"] == ["name"]
    assert plan["outputSchema"]["type"] == "object"


def test_of_a_broken_pack_alone_only_the_reason_is_said(run, fresh):
    install(fresh.packs, "broken", "raise ImportError('no such module')")
    fresh.configure(packs=["broken"])
    ran = run(fresh, "tools")

    assert (ran.returncode, ran.stdout) == (0, "")
    assert "The pack broken is not served: ImportError: no such module" in ran.stderr


CLASH = """
from packhorse import *


def slow() -> str:
    \"\"\"Say whose this is.\"\"\"
    return "{name}"


def {name}() -> str:
    \"\"\"Say the name.\"\"\"
    return "{name}"


@hookimpl
def register_tools():
    return [slow, {name}]
"""


def test_a_clash_of_two_packs_stops_serve_and_no_other_command(run, fresh):
    for name in ("probe", "tides"):
        install(fresh.packs, name, CLASH.format(name=name))
    fresh.configure(packs=["probe", "tides"])
    clash = "packs 'probe' and 'tides' both offer a tool 'slow'. Write prefix = \"tides_\""
    served, tools, own, both, locked = (
        run(fresh, *asked)
        for asked in (["serve"], ["tools"], ["call", "tides"], ["call", "slow"], ["lock", "--file", "a.lock"])
    )

    assert (served.returncode, clash in served.stderr) == (1, True)
    assert [line.split()[0] for line in tools.stdout.splitlines()[::2]] == ["probe", "tides"]
    assert f"Left out of the list: {clash}" in tools.stderr
    assert (own.returncode, own.stdout.strip()) == (0, "tides")
    assert (locked.returncode, clash in locked.stderr) == (0, True)
    assert (both.returncode, "There is no tool 'slow' here" in both.stderr, clash in both.stderr) == (1, True, True)


def test_a_role_that_no_tool_names_is_said_to_be_none(run, bench):
    ran = run(bench, "tools", "--as", "NOBODY")

    assert ran.returncode == 0
    assert "No tool of these packs names the role 'NOBODY'." in ran.stderr


# --- asking ---


def test_a_tool_is_called_and_its_answer_shown(run, bench):
    ran = run(bench, "call", "plan", '{"name": "Muñoz"}')

    assert (ran.returncode, ran.stdout) == (0, '{"name":"Muñoz","hours":8}\n')
    assert "a word on import" in ran.stderr
    assert "a word in a call" in ran.stderr


def test_arguments_may_come_over_standard_input(run, bench):
    ran = run(bench, "call", "plan", "-", "--json", given='{"name":"late","hours":12}')

    assert json.loads(ran.stdout) == {
        "structured": {"name": "late", "hours": 12},
        "content": [{"type": "text", "text": '{"name":"late","hours":12}'}],
    }


def test_content_that_a_terminal_cannot_show_is_described(run, bench):
    assert run(bench, "call", "picture").stdout.splitlines() == [
        "A picture:",
        "<3 bytes of image/png>",
        "more: seed://more",
        "<seed://x: 3 bytes of text/x>",
    ]


@pytest.mark.parametrize("arguments", [["tools"], ["call", "plan", "{}"], ["read", "seed://x"], ["prompt", "brief"]])
def test_signing_in_without_a_server_is_refused(run, bench, arguments):
    refused = run(bench, *arguments, "--login")

    assert refused.returncode == 2
    assert "--login signs in to a server: give its address with --url." in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        pytest.param(["call", "plan", '{"name": "x", "hours": 25}'], "TOO_LONG", "24 at most", id="a tool refuses"),
        pytest.param(["call", "plan", "{}"], "INVALID_ARGUMENTS", "`name`", id="wrong arguments"),
        pytest.param(["call", "absent"], "unknown_tool", "no tool", id="an unknown tool"),
        pytest.param(["call", "ask"], "NEEDS_CLIENT", "MCP client", id="a tool that asks"),
        pytest.param(["read", "seed://absent"], "resource_not_found", "no resource", id="an unknown resource"),
        pytest.param(["read", "seed://fact/%2e%2e"], "UNSAFE_PATH", "`name`", id="an unsafe path"),
        pytest.param(["read", "seed://ask"], "NEEDS_CLIENT", "MCP client", id="a resource that asks"),
        pytest.param(["prompt", "absent"], "unknown_prompt", "no prompt", id="an unknown prompt"),
        pytest.param(["prompt", "brief"], "invalid_arguments", "`city`", id="a prompt's argument missing"),
        pytest.param(
            ["prompt", "brief", "x=1"], "invalid_arguments", "One argument is unknown", id="an unknown one too"
        ),
        pytest.param(["prompt", "ask"], "NEEDS_CLIENT", "MCP client", id="a prompt that asks"),
    ],
)
def test_a_refusal_is_one_line_for_people_and_json_for_programs(run, bench, arguments, code, words):
    shown = run(bench, *arguments)
    told = run(bench, *arguments, "--json")

    assert (shown.returncode, shown.stdout) == (1, "")
    line = shown.stderr.splitlines()[-1]
    assert line.startswith("Error: ")
    assert line.endswith(f"[{code}]")
    assert words in line
    assert "Traceback" not in shown.stderr
    assert told.returncode == 1
    error = json.loads(told.stdout)["error"]
    assert (error["code"], error["message"]) == (code, line.removeprefix("Error: ").removesuffix(f" [{code}]"))


def test_a_bug_is_told_apart_from_a_refusal(bench):
    ran = bench.run("call", "crash", "--json")

    assert ran.returncode == 1
    assert json.loads(ran.stdout)["error"]["code"] == "INTERNAL_ERROR"
    assert "canary-5c" not in ran.stdout
    assert "RuntimeError: canary-5c" in ran.stderr  # whoever tries out a tool is whoever must mend it


@pytest.mark.parametrize(
    ("uri", "body"),
    [
        pytest.param("seed://words", b"words\n", id="words"),
        pytest.param("seed://fact/moon", b'{"fact":"moon"}\n', id="JSON of a template"),
        pytest.param("seed://bytes", bytes(range(256)), id="bytes as they are"),
    ],
)
def test_a_resource_is_read_to_standard_output(run, bench, uri, body):
    ran = subprocess.run(
        bench.command("read", uri), capture_output=True, env=bench.environment(), timeout=STOP_SECONDS, check=True
    )

    assert ran.stdout == body


def test_a_resource_is_read_as_json_with_its_kind(run, bench):
    assert json.loads(run(bench, "read", "seed://fact/moon", "--json").stdout) == {
        "uri": "seed://fact/moon",
        "mimeType": "application/json",
        "text": '{"fact":"moon"}',
    }


def test_a_prompt_is_shown_turn_by_turn(run, bench):
    assert run(bench, "prompt", "brief", "city=São Paulo", "days=3").stdout.splitlines() == [
        "user: 3 days in São Paulo",
        "assistant: Gladly.",
    ]
    assert json.loads(run(bench, "prompt", "brief", "city=Oslo", "--json").stdout) == [
        {"role": "user", "content": {"type": "text", "text": "2 days in Oslo"}},
        {"role": "assistant", "content": {"type": "text", "text": "Gladly."}},
    ]


# --- commands of a pack ---


def test_a_packs_own_commands_are_mounted_under_its_name(run, bench):
    explained = run(bench, "seed", "--help")
    ran = run(bench, "seed", "shout", "hello")

    assert [line.split()[0] for line in explained.stdout.splitlines()[-2:]] == ["refuse", "shout"]
    assert (ran.returncode, ran.stdout) == (0, "HELLO of seed\n")


def test_a_packs_own_commands_work_where_the_roles_name_tools_of_others(run, tmp_path):
    made = Bench(tmp_path)
    install(
        made.packs,
        "seed",
        "import click\nfrom packhorse import hookimpl\n\n"
        "@hookimpl\ndef register_commands():\n"
        "    return [click.Command('shout', callback=lambda: click.echo('hello'))]\n",
    )
    install(
        made.packs,
        "tides",
        "from packhorse import hookimpl\n\n"
        "def slow() -> str:\n    'Wait for the tide.'\n    return ''\n\n"
        "@hookimpl\ndef register_tools():\n    return [slow]\n",
    )
    made.configure('[auth]\nsecret = "0123456789abcdef-of-the-commands"\n[auth.roles]\nADMIN = ["slow"]')
    ran = run(made, "seed", "shout")

    assert (ran.returncode, ran.stdout) == (0, "hello\n"), ran.stderr


def test_a_packs_own_command_may_refuse(run, bench):
    ran = run(bench, "seed", "refuse")

    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.splitlines()[-1] == "Error: Not today; try tomorrow."


def test_a_pack_without_commands_says_so(run, fresh):
    install(fresh.packs, "quiet", "from packhorse import *\n@hookimpl\ndef register_tools():\n    return []")
    ran = run(fresh, "quiet", "anything")

    assert ran.returncode == 1
    assert "has no commands" in ran.stderr.splitlines()[-1]


def test_a_broken_packs_commands_are_refused_with_its_reason(run, fresh):
    install(fresh.packs, "broken", "raise ImportError('no such module')")
    ran = run(fresh, "broken", "anything")

    assert ran.returncode == 1
    assert "no such module" in ran.stderr.splitlines()[-1]
    assert "Traceback" not in ran.stderr


# --- what is mistyped ---


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        pytest.param(["absent"], 2, "no command or pack 'absent'", id="a command"),
        pytest.param(["serv"], 2, "Did you mean 'serve'?", id="nearly a command"),
        pytest.param(["sead", "shout"], 2, "Did you mean 'seed'?", id="nearly a pack's commands"),
        pytest.param(["call", "plam"], 1, "no tool 'plam' here. Did you mean 'plan'? 'packhorse tools'", id="a tool"),
        pytest.param(["prompt", "brif"], 1, "no prompt 'brif' here. Did you mean 'brief'?", id="a prompt"),
        pytest.param(["read", "seed://word"], 1, "Did you mean 'seed://words'?", id="a resource"),
        pytest.param(["tools", "sed"], 1, "Did you mean 'seed'?", id="nearly a pack"),
        pytest.param(["--absent"], 2, "--absent", id="an option"),
        pytest.param(["packs", "--absent"], 2, "--absent", id="an option of a command"),
        pytest.param(["call"], 2, "TOOL", id="no tool"),
        pytest.param(["call", "plan", "{"], 2, "not JSON", id="arguments that are no JSON"),
        pytest.param(["call", "plan", "[]"], 2, "object", id="arguments that are no object"),
        pytest.param(["call", "plan", "{}", "more"], 2, "more", id="an argument too many"),
        pytest.param(["call", "./a.txt", "plan", "{}"], 2, "'./a.txt' is not a Python file", id="a file of no pack"),
        pytest.param(["prompt", "brief", "Oslo"], 2, "KEY=VALUE", id="a prompt's argument without a name"),
        pytest.param(["tools", "absent"], 1, "no pack 'absent'", id="a pack"),
        pytest.param(["seed", "absent"], 2, "absent", id="a pack's command"),
        pytest.param(["serve", "--port", "99999"], 2, "99999", id="a port"),
        pytest.param(["serve", "--transport", "pigeon"], 2, "pigeon", id="a transport"),
        pytest.param(["packs", "--config", "absent.toml"], 1, "absent.toml", id="a configuration"),
    ],
)
def test_what_is_mistyped_is_said_in_a_line_that_helps(run, bench, arguments, status, words):
    ran = run(bench, *arguments)

    assert ran.returncode == status
    assert ran.stdout == ""
    assert "Traceback" not in ran.stderr
    line = ran.stderr.splitlines()[-1]
    assert line.startswith("Error: ")
    assert words in line


# --- checking ---


def findings(run: Run, bench: Bench, **env: str) -> tuple[int, dict[str, Any]]:
    ran = run(bench, "check", "--json", **env)
    found = json.loads(ran.stdout)
    assert found["ok"] is (ran.returncode == 0)
    assert "Traceback" not in ran.stderr
    return ran.returncode, {one["subject"]: one for one in found["findings"]}


def test_a_deployment_with_nothing_wrong_is_said_to_be_so(run, bench):
    shown = run(bench, "check")
    status, found = findings(run, bench)

    assert (shown.returncode, status) == (0, 0)
    assert shown.stdout.splitlines()[-1] == "Nothing is wrong."
    assert found["pack seed"]["found"] == "0.1, served"
    assert found["configuration"]["found"] == str(bench.folder / "packhorse.toml")
    assert not any(one["cure"] for one in found.values())


def test_nothing_is_said_to_be_served_where_strict_stops_the_start(run, fresh):
    install(fresh.packs, "seed", SEED)
    install(fresh.packs, "broken", "raise ImportError('no such module')")
    fresh.configure(packs=["seed", "broken"], strict=True)
    status, found = findings(run, fresh)

    assert status == 1
    assert found["pack seed"]["found"] == "0.1, sound by itself"
    assert "no server starts without it" in found["pack broken"]["cure"]
    assert "`strict = true` is set" in found["deployment"]["found"]


def test_packs_that_clash_are_listed_all_the_same(run, fresh):
    install(fresh.packs, "seed", SEED)
    install(fresh.packs, "twin", SEED)
    (fresh.folder / "packhorse.toml").write_text("[packs.absent]\nprefix = 'x'")
    rows = {row["name"]: row["status"] for row in json.loads(run(fresh, "packs", "--json").stdout)}
    status, found = findings(run, fresh)

    assert (rows["seed"], rows["twin"]) == ("ok", "ok")
    assert (status, "absent" in found["deployment"]["found"]) == (1, True)


TEMPLATE = """
from packhorse import *
@hookimpl
def register_resources():
    return [Resource(uri='seed://{a b}', fn=lambda: 1)]
"""
CYCLE = '''
from typing import Annotated
from packhorse import *
def ask(x: int): return 1
@hookimpl
def register_tools():
    def act(answer: Annotated[int, Resolve(ask)]) -> int:
        """Act on something that nobody can be asked."""
        return answer
    return [act]
'''


@pytest.mark.parametrize(
    ("source", "words"),
    [
        pytest.param(TEMPLATE, "seed://{a b}", id="a template that is none"),
        pytest.param(CYCLE, "'x'", id="a question that cannot be filled"),
    ],
)
def test_a_pack_that_breaks_its_contract_is_found(run, fresh, source, words):
    install(fresh.packs, "lame", source)
    fresh.configure(packs=["lame"])
    status, found = findings(run, fresh)

    assert status == 1
    (wrong,) = [one for one in found.values() if one["cure"]]
    assert words in wrong["found"]


def test_two_distributions_of_one_pack_are_found(run, fresh):
    install(fresh.packs, "seed", SEED)
    install(fresh.folder / "more", "seed", SEED, version="0.2", distribution="another-seed")
    path = os.pathsep.join([str(fresh.packs), str(fresh.folder / "more")])
    status, found = findings(run, fresh, PYTHONPATH=path)

    assert status == 1
    assert "another-seed 0.2" in found["packs"]["found"]
    assert "Uninstall" in found["packs"]["found"]


# --- how it ends ---


@pytest.mark.parametrize("arguments", [["call", "many"], ["tools", "--json"], ["packs", "--json"], ["check"]])
def test_a_reader_that_leaves_is_no_error(bench, arguments):
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(
        bench.command(*arguments), stdout=writer, stderr=subprocess.PIPE, env=bench.environment(), timeout=STOP_SECONDS
    )
    os.close(writer)

    assert ran.returncode == 141
    assert b"Traceback" not in ran.stderr
    assert b"Broken" not in ran.stderr
    assert b"Exception ignored" not in ran.stderr


@pytest.mark.parametrize("tool", ["wait", "sleep"], ids=["a call in a thread", "a call on the loop"])
def test_a_call_can_be_stopped_from_the_keyboard(bench, tool):
    with bench.started("call", tool, '{"seconds": 600}', stdout=subprocess.PIPE) as process:
        wait_for(lambda: "waiting" in bench.log.read_text(), "the call")
        process.send_signal(signal.SIGINT)
        assert process.wait(STOP_SECONDS) == 130
        assert process.stdout is not None
        assert process.stdout.read() == b""

    assert bench.log.read_text().splitlines()[-1] == "Stopped."
    assert "Traceback" not in bench.log.read_text()


def test_a_call_beyond_its_time_ends_though_its_thread_does_not(fresh):
    install(fresh.packs, "seed", SEED)
    fresh.configure(timeout_seconds=0.2)
    ran = fresh.run("call", "wait", '{"seconds": 600}')

    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].endswith("[TIMEOUT]")


# --- what it costs ---

HEAVY = ("mcp", "mcp_types", "starlette", "uvicorn", "httpx2", "anyio")
PLAIN = '''
from packhorse import *


def age(year: int) -> int:
    """Give the age of something from that year."""
    return 2026 - year


@hookimpl
def register_tools():
    return [age]
'''
RUN = """
import sys
sys.argv = ["packhorse", *{arguments!r}]
import packhorse
assert not {heavy!r} & {{name.partition(".")[0] for name in sys.modules}}, "import packhorse"
from packhorse.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
found = sorted({heavy!r} & {{name.partition(".")[0] for name in sys.modules}})
print("LOADED", *found, file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        pytest.param(["--version"], set(), id="--version"),
        pytest.param(["--help"], set(), id="--help"),
        pytest.param(["packs"], {"anyio"}, id="packs"),
        pytest.param(["tools", "--json"], {"anyio"}, id="tools"),
        pytest.param(["desktop", "--help"], set(), id="desktop --help"),
        pytest.param(["desktop", "print", "plain"], {"anyio"}, id="desktop print"),
        pytest.param(["call", "age", '{"year": 2000}'], {"anyio"}, id="call"),
    ],
)
def test_looking_loads_nothing_of_the_protocol(fresh, arguments, allowed):
    install(fresh.packs, "plain", PLAIN)
    fresh.configure(packs=["plain"])
    code = RUN.format(arguments=arguments, heavy=set(HEAVY))
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=fresh.environment(), timeout=STOP_SECONDS
    )

    assert ran.returncode == 0, ran.stderr
    loaded = set(ran.stderr.splitlines()[-1].split()[1:])
    assert loaded <= allowed
