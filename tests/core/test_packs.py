"""Finding packs by their metadata, and loading the chosen ones without harm to the others."""

import re
import sys
from importlib import metadata
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

from packhorse import Pack, PackError, hookimpl
from packhorse.compose.packs import choose, core_version, find, load
from packhorse.door.catalogue import Broken, Found

pytestmark = pytest.mark.python

TOOLS = """
from packhorse import hookimpl

@hookimpl
def register_tools():
    return []
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of installed distributions, found like any other; what is imported from it is forgotten after."""
    folder = tmp_path / "site"
    folder.mkdir()
    before = set(sys.modules)
    monkeypatch.syspath_prepend(folder)
    yield folder
    for name in set(sys.modules) - before:
        if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.fixture
def install(site):
    def put(
        name: str,
        source: str = TOOLS,
        *,
        distribution: str | None = None,
        version: str = "1.0",
        requires: tuple[str, ...] = (),
        value: str | None = None,
    ) -> None:
        distribution = distribution or f"packhorse-{name}"
        module = f"made_{distribution.replace('-', '_')}"
        (site / f"{module}.py").write_text(dedent(source))
        info = site / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        needs = "".join(f"Requires-Dist: {line}\n" for line in requires)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n{needs}")
        (info / "entry_points.txt").write_text(f"[packhorse]\n{name} = {value or module}\n")

    return put


@pytest.fixture
def found_in(site):
    def look() -> list[Found]:
        distributions = metadata.distributions(path=[str(site)])
        return find(point for one in distributions for point in one.entry_points if point.group == "packhorse")

    return look


# --- finding ---


def test_a_pack_is_found_with_its_distribution_version_and_needs(install, found_in):
    install("moon", version="0.3", requires=("attrs>=20", "packhorse<0.2,>=0.1", "packhorse-more>=5"))

    assert found_in() == [
        Found("moon", "made_packhorse_moon", "packhorse-moon", "0.3", ("packhorse<0.2,>=0.1", "packhorse-more>=5"))
    ]


def test_packs_are_found_where_python_looks_for_distributions(install):
    install("zz-moon")

    assert "zz-moon" in [pack.name for pack in find()]


def test_packs_come_in_the_order_of_their_names(install, found_in):
    for name in ("sun", "moon", "earth"):
        install(name)

    assert [pack.name for pack in found_in()] == ["earth", "moon", "sun"]


MARKING = """
from pathlib import Path
Path(__file__).with_suffix(".imported").touch()
"""


def marks(site: Path) -> list[str]:
    return sorted(path.stem for path in site.glob("*.imported"))


def test_a_pack_that_was_not_chosen_is_never_imported(install, found_in, site):
    for name in ("moon", "sun", "earth"):
        install(name, MARKING + TOOLS)

    load(choose(found_in(), ["sun"]))

    assert marks(site) == ["made_packhorse_sun"]


def test_two_distributions_with_a_pack_of_one_name_are_refused(install, found_in):
    install("moon")
    install("moon", distribution="their-moon", version="2.0")

    with pytest.raises(PackError) as refused:
        found_in()
    said = str(refused.value)

    assert "two installed distributions offer a pack named 'moon'" in said
    assert "packhorse-moon 1.0" in said
    assert "their-moon 2.0" in said
    assert said.endswith("Uninstall one of them.")


def test_a_distribution_that_is_found_twice_is_one(install, found_in):
    install("moon")
    (once,) = found_in()

    assert find([*metadata.entry_points(group="none"), *_points(once), *_points(once)]) == [
        Found("moon", "made_packhorse_moon", "unknown", "unknown")
    ]


def _points(pack: Found) -> list[metadata.EntryPoint]:
    return [metadata.EntryPoint(pack.name, pack.module, "packhorse")]


@pytest.mark.parametrize("rest", [":pack", " [extra]", " : a.b"])
def test_only_the_module_of_an_entry_point_counts(install, found_in, rest):
    install("moon", value=f"made_packhorse_moon{rest}")

    assert [pack.module for pack in found_in()] == ["made_packhorse_moon"]


# --- choosing ---

MOON, SUN = Found("moon", "m", "packhorse-moon", "1"), Found("sun", "s", "packhorse-sun", "1")


def test_without_a_choice_all_are_served():
    assert choose([MOON, SUN], None) == [MOON, SUN]


def test_the_chosen_ones_are_served_in_the_deployers_order_and_once():
    assert choose([MOON, SUN], ["sun", "moon", "sun"]) == [SUN, MOON]
    assert choose([MOON, SUN], []) == []


def test_a_pack_that_is_not_installed_is_named_with_those_that_are():
    with pytest.raises(
        PackError, match=r"no pack 'mars' here. Installed packs: moon, sun. .* install the distribution"
    ):
        choose([MOON, SUN], ["moon", "mars"])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mooon", "Did you mean 'moon'?"),
        ("./notes.txt", "'./notes.txt' is not a Python file"),
        ("~/moon", "not a Python"),
    ],
)
def test_what_can_only_be_mistyped_is_not_to_be_installed(name, says):
    with pytest.raises(PackError) as refused:
        choose([MOON, SUN], [name])

    assert says in str(refused.value)
    assert "install" not in str(refused.value).replace("Installed packs", "")


# --- loading ---


def load_all(found: list[Found]) -> tuple[list[str], dict[str, Broken]]:
    _, loaded, broken = load(found)
    return [pack.found.name for pack in loaded], {one.found.name: one for one in broken}


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        pytest.param("1 / 0", "ZeroDivisionError: division by zero", id="an exception"),
        pytest.param("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'", id="an import"),
        pytest.param("def (", "SyntaxError: ", id="a syntax error"),
        pytest.param("raise SystemExit('not today')", "SystemExit: not today", id="an exit"),
        pytest.param("from packhorse import PackError\nraise PackError('no table')", "no table", id="its own words"),
        pytest.param("x = 1", "made_packhorse_bad implements no hook: decorate one of register_tools, ", id="no hook"),
        pytest.param(
            "def register_tools(): return []",
            "made_packhorse_bad.register_tools has the name of a hook, but is not declared as one: decorate",
            id="a hook that is not marked",
        ),
        pytest.param(
            TOOLS + "\ndef register_prompts(): return []",
            "made_packhorse_bad.register_prompts has the name of a hook, but is not declared as one: decorate",
            id="one of two that is not marked",
        ),
        pytest.param(
            TOOLS.replace("register_tools", "register_tolls"),
            "packhorse has no hook register_tolls; its hooks are register_tools, register_resources, ",
            id="a misspelt hook",
        ),
        pytest.param(
            TOOLS + TOOLS.replace("register_tools", "register_tolls"),
            "packhorse has no hook register_tolls;",
            id="one of two misspelt",
        ),
        pytest.param(
            TOOLS.replace("()", "(hots)"),
            "its hooks do not have the parameters that packhorse gives them: .*register_tools.*hots",
            id="an argument misspelt",
        ),
    ],
)
def test_a_pack_that_cannot_be_loaded_is_put_aside_with_its_reason(install, found_in, source, reason):
    install("bad", source, version="0.7")
    install("earth")
    install("moon")

    served, broken = load_all(found_in())

    assert served == ["earth", "moon"]
    assert (broken["bad"].found.distribution, broken["bad"].found.version) == ("packhorse-bad", "0.7")
    assert list(broken) == ["bad"]
    assert re.match(reason, broken["bad"].reason), broken["bad"].reason


def test_what_a_broken_pack_had_registered_is_withdrawn(install, found_in):
    install("bad", TOOLS + TOOLS.replace("register_tools", "register_tolls"))
    install("moon")

    manager, _, _ = load(found_in())

    assert [name for name, _ in manager.list_name_plugin()] == ["moon"]
    assert len(manager.hook.register_tools.get_hookimpls()) == 1


def test_an_interrupt_during_an_import_stops_the_start(install, found_in):
    install("moon", "raise KeyboardInterrupt")

    with pytest.raises(KeyboardInterrupt):
        load(found_in())


@pytest.mark.parametrize(
    ("requires", "served"),
    [
        pytest.param((f"packhorse=={core_version()}",), True, id="this version"),
        pytest.param(("packhorse>=0.0.1",), True, id="this version or later"),
        pytest.param(("packhorse>=99",), False, id="a later version"),
        pytest.param(("packhorse<0.0.1",), False, id="an earlier version"),
        pytest.param(("Packhorse >=99",), False, id="in capitals"),
        pytest.param(("packhorse[jobs]>=99",), False, id="with an extra"),
        pytest.param(("packhorse>=99; python_version>='3'",), False, id="where a marker applies"),
        pytest.param(("packhorse>=99; python_version<'3'", "packhorse>=0.0.1"), True, id="where one does not"),
        pytest.param(("packhorse>=99; extra=='test'",), True, id="for an extra alone"),
        pytest.param(("packhorse",), True, id="any version"),
        pytest.param(("packhorse-moon>=99",), True, id="another distribution"),
        pytest.param(("packhorse is nice",), True, id="what is no requirement"),
        pytest.param((), True, id="nothing"),
    ],
)
def test_a_pack_for_another_version_of_the_host_is_put_aside_unimported(install, found_in, site, requires, served):
    install("moon", MARKING + TOOLS, requires=requires)

    names, broken = load_all(found_in())

    assert (names, bool(marks(site))) == ((["moon"], True) if served else ([], False))
    if not served:
        assert re.fullmatch(
            rf"it needs packhorse [<>=]+[0-9.]+, but this is packhorse {core_version()}", broken["moon"].reason
        )


def test_one_module_cannot_be_two_packs(install, found_in):
    install("moon")
    (pack,) = found_in()
    twin = Found("twin", pack.module, pack.distribution, pack.version)

    served, broken = load_all([pack, twin])

    assert served == ["moon"]
    assert "already registered" in broken["twin"].reason


# --- the pack as a whole ---


def _nothing() -> list[object]:
    return []


def loaded_pack(**values: object) -> Pack:
    module = ModuleType("made")
    module.register_tools = hookimpl(_nothing)
    for name, value in values.items():
        setattr(module, name, value)
    _, (loaded,), _ = load([Found("jet-lag", "made", "d", "1")], modules={"jet-lag": module})
    return loaded.pack


def test_a_packs_own_description_is_taken():
    assert loaded_pack(pack=Pack(title="Jet lag, mended")).title == "Jet lag, mended"


def test_without_one_its_name_is_its_title():
    assert loaded_pack() == Pack(title="Jet lag")


def test_something_else_of_that_name_is_not_mistaken_for_it():
    assert loaded_pack(pack=ModuleType("made.pack")) == Pack(title="Jet lag")
