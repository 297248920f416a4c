"""The first minute: each pack's scene, played against a real server in a process of its own."""

import json

import pytest
from tests.core.live import Bench
from tests.core.seeds import install

SCENE = '''
from packhorse import *


def double(number: int) -> dict[str, int]:
    """Double a number, and give both."""
    if number > 100:
        raise UserError(f"{{number}} is above 100; ask for less.", code="TOO_LARGE")
    return {{"number": number, "doubled": 2 * number}}


@hookimpl
def register_tools():
    return [Tool(fn=double, name="{tool}")]


def tell(answers):
    {tell}


pack = Pack(title="Doubling", demo=Scene("Two numbers doubled", {calls}, tell))
'''
TOLD = "return [f\"{answer['number']} becomes {answer['doubled']}.\" for answer in answers]"
CALLS = '[("double", {"number": 2}), ("double", {"number": 21})]'


def scene(*, tool: str = "double", tell: str = TOLD, calls: str = CALLS) -> str:
    return SCENE.format(tool=tool, tell=tell, calls=calls)


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    made.configure(packs=["doubling"])
    return made


def test_each_scene_is_played_and_told(run, bench):
    install(bench.packs, "doubling", scene())
    ran = run(bench, "demo")

    assert ran.returncode == 0, ran.stderr
    lines = [line.strip() for line in ran.stdout.splitlines()]
    assert "doubling: Two numbers doubled" in lines
    assert lines[lines.index("2 becomes 4.") + 1] == "21 becomes 42."
    assert "2 calls answered in" in ran.stdout
    assert "packhorse install CLIENT doubling" in ran.stdout
    assert "2026-07-28" in ran.stdout
    assert ran.stderr == ""


def test_programs_get_the_same_as_json_by_the_packs_own_names_and_without_the_deployers_database(run, bench):
    install(bench.packs, "doubling", scene())
    database = "postgresql://nobody@127.0.0.1:1/none"
    bench.configure('[packs.doubling]\nprefix = "d_"', packs=["doubling"], database=database)
    ran = run(bench, "demo", "--json")

    (played,) = json.loads(ran.stdout)
    assert played.pop("milliseconds") > 0
    assert played == {
        "pack": "doubling",
        "title": "Two numbers doubled",
        "lines": ["2 becomes 4.", "21 becomes 42."],
        "calls": 2,
        "protocol": "2026-07-28",
    }


def test_packs_without_a_scene_are_passed_over(run, bench):
    install(bench.packs, "doubling", "from packhorse import *\n@hookimpl\ndef register_tools():\n    return []")

    assert "No installed pack has a demonstration" in run(bench, "demo").stdout
    assert json.loads(run(bench, "demo", "--json").stdout) == []


@pytest.mark.parametrize(
    ("source", "said"),
    [
        pytest.param(
            scene(calls='[("double", {"number": 101})]'), "101 is above 100; ask for less. [TOO_LARGE]", id="a refusal"
        ),
        pytest.param(scene(tool="other"), "There is no tool with this name", id="a tool that is not there"),
        pytest.param(scene(tell="raise RuntimeError('no words')"), "RuntimeError: no words", id="no words for it"),
    ],
)
def test_a_scene_that_fails_is_named_in_one_line(run, bench, source, said):
    install(bench.packs, "doubling", source)
    ran = run(bench, "demo")

    assert ran.returncode == 1
    (line,) = ran.stderr.splitlines()
    assert line.startswith("Error: the demonstration of pack 'doubling' failed: ")
    assert said in line


def test_a_server_that_ends_during_the_demo_is_said_to_have_ended(bench):
    install(bench.packs, "doubling", scene() + "\nimport os, sys\nif 'serve' in sys.argv:\n    os._exit(3)\n")
    ran = bench.run("demo")

    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert ran.stderr.splitlines()[-1].startswith("Error: the server for the demo ended")


PREPARED = SCENE.replace("def tell(answers):", "def fill(host):\n    {prepare}\n\n\ndef tell(answers):").replace(
    ", tell))", ", tell, prepare=fill))"
)


def prepared(prepare: str) -> str:
    return PREPARED.format(tool="double", tell=TOLD, calls=CALLS, prepare=prepare)


def test_a_scene_has_a_folder_of_its_own_which_its_server_sees_and_nobody_keeps(run, bench):
    told = "return [str(sorted(path.name for path in __import__('pathlib').Path(answers[0]['folder']).iterdir()))]"
    source = PREPARED.replace('return {{"number": number', 'return {{"folder": str(HOST.data_dir), "number": number')
    source = source.replace("-> dict[str, int]", "-> dict[str, int | str]")
    source = source.replace("def register_tools():", "def register_tools(host):\n    global HOST\n    HOST = host")
    source = source.format(tool="double", tell=told, calls=CALLS, prepare="(host.data_dir / 'sample').write_text('x')")
    install(bench.packs, "doubling", source)
    ran = run(bench, "demo", "--json")

    assert json.loads(ran.stdout)[0]["lines"] == ["['sample']"]
    assert not (bench.folder / "data" / "doubling").exists()


def test_sample_data_that_cannot_be_made_is_told_in_one_line(run, bench):
    install(bench.packs, "doubling", prepared("raise OSError('no room')"))
    ran = run(bench, "demo")

    assert ran.returncode == 1
    (line,) = ran.stderr.splitlines()
    assert line == "Error: the demonstration of pack 'doubling' could not be prepared: OSError: no room"


def test_one_pack_s_scene_is_played_alone(run, bench):
    for name in ("doubling", "trebling"):
        install(bench.packs, name, scene(tool=name, calls=f'[("{name}", {{"number": 2}})]'))
    bench.configure()
    ran = run(bench, "demo", "trebling", "--json")

    assert [played["pack"] for played in json.loads(ran.stdout)] == ["trebling"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        pytest.param("doublin", "there is no pack 'doublin' here. Did you mean 'doubling'?", id="no such pack"),
        pytest.param(
            "still",
            "The pack 'still' has no demonstration. Of the packs that you named, these have a demonstration: none.",
            id="without a scene",
        ),
    ],
)
def test_a_scene_that_cannot_be_had_is_said(run, bench, asked, said):
    install(bench.packs, "doubling", scene())
    install(bench.packs, "still", "from packhorse import *\n@hookimpl\ndef register_tools():\n    return []")
    bench.configure()
    ran = run(bench, "demo", asked)

    assert (ran.returncode, said in ran.stderr) == (1, True)


def test_packs_that_offer_one_name_are_played_each_on_a_server_of_its_own(run, bench):
    for name in ("doubling", "trebling"):
        install(bench.packs, name, scene())
    bench.configure(packs=["doubling", "trebling"])
    ran = run(bench, "demo", "--json")

    assert ran.returncode == 0, ran.stderr
    assert [(played["pack"], played["calls"]) for played in json.loads(ran.stdout)] == [
        ("doubling", 2),
        ("trebling", 2),
    ]
