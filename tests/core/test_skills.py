"""Skills: what a pack's folder may hold, who reads it, and how clients find it."""

import base64
import hashlib
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import mcp_types as wire
import pytest
from mcp.shared.exceptions import MCPError
from pydantic import ConfigDict
from tests.core.seeds import pack_of

from packhorse import Pack, Principal, Resource, Tool
from packhorse.compose.deployment import compose
from packhorse.contract.principal import ANONYMOUS
from packhorse.door.catalogue import Found
from packhorse.errors import PackError
from packhorse.present.frontmatter import frontmatter
from packhorse.present.skills import MAX_FILE_BYTES, MAX_FILES, read_skills
from packhorse.settings import AuthSettings, PackTable, ServerSettings, Settings
from packhorse.testing import connected, deployment_for

pytestmark = pytest.mark.anyio

PLAN = (
    "---\nname: plan\ndescription: Plan a night of watching. Use it when somebody asks what to look at.\n---\n# Plan\n"
)
FILES = {
    "plan/SKILL.md": PLAN + "Call `age`, see [tables](references/tables.md).\n",
    "plan/references/tables.md": "# Tables\n\n`age` from 0 to 29.\n",
    "plan/references/small/stars.csv": "name\nVega\n",
    "plan/assets/dot.bin": b"\xff\x00",
}


def age(day: str) -> float:
    """Tell the age of the moon on a day, in days since it was new."""
    return 0.0


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


@pytest.fixture
def moon(tmp_path):
    """A pack whose package has these skills."""

    def make(files=FILES, *, folder="skills", pack=None, **offers) -> ModuleType:
        write(tmp_path / "moon" / folder, files)
        made = pack_of(**({"tools": [Tool(fn=age, public=True)]} | offers), pack=pack)
        made.__file__ = str(tmp_path / "moon" / "pack.py")
        made.__package__ = "moon"
        return made

    return make


async def ask(client, method, **params):
    """A request that the SDK has no words for, and its plain answer."""
    return (await client.session.send_request(_Any(method=method, params=params), _Answer)).model_dump(by_alias=True)


class _Any(wire.Request[dict, str]):
    method: str
    params: dict


class _Answer(wire.Result):
    model_config = ConfigDict(extra="allow")


# --- what a folder may hold ---


def test_a_folder_of_skills_is_read_with_digests_and_sizes(tmp_path):
    (skill,) = read_skills("moon", write(tmp_path, FILES), {})

    entry = skill.entry()
    assert entry["uri"] == "skill://moon/plan/SKILL.md"
    assert entry["frontmatter"] == frontmatter(FILES["plan/SKILL.md"])
    assert {row["uri"].removeprefix("skill://moon/"): (row["digest"], row["size"]) for row in entry["resources"]} == {
        name: ("sha256:" + hashlib.sha256(raw).hexdigest(), len(raw))
        for name, content in FILES.items()
        for raw in [content.encode() if isinstance(content, str) else content]
    }
    assert entry["resources"][0]["uri"] == entry["uri"]


@pytest.mark.parametrize("files", [{}, {"notes.md": "beside"}, {".hidden/x": "", "__pycache__/y.pyc": b"\0"}])
def test_a_folder_without_skills_gives_none(tmp_path, files):
    assert read_skills("moon", write(tmp_path, files), {}) == []
    assert read_skills("moon", tmp_path / "absent", {}) == []
    assert read_skills("moon", None, {}) == []


@pytest.mark.parametrize(
    ("files", "said"),
    [
        pytest.param({"plan/notes.md": "x"}, "does not belong to a skill", id="no SKILL.md"),
        pytest.param({"plan/SKILL.md": "# Plan"}, "does not begin", id="no fields"),
        pytest.param({"plan/SKILL.md": b"\xff"}, "not UTF-8", id="no text"),
        pytest.param({"other/SKILL.md": PLAN}, "its name is 'plan', but its folder is 'other'", id="another name"),
        pytest.param({"Plan/SKILL.md": PLAN.replace("plan", "Plan")}, "lower-case", id="an upper-case name"),
        pytest.param({"a--b/SKILL.md": PLAN.replace("plan", "a--b")}, "single hyphens", id="two hyphens"),
        pytest.param({"plan/SKILL.md": "---\nname: plan\n---\n"}, "give it a description", id="no description"),
        pytest.param(
            {"plan/SKILL.md": f"---\nname: plan\ndescription: {'x' * 1025}\n---\n"}, "1024", id="a long description"
        ),
        pytest.param(
            {"plan/SKILL.md": PLAN.replace("\n---\n#", "\nmetadata:\n  io.modelcontextprotocol/a: b\n---\n#")},
            "reserved for the protocol",
            id="a reserved key",
        ),
        pytest.param({"plan/SKILL.md": PLAN + "\u202e"}, r"U\+202E", id="what nobody sees"),
        pytest.param(
            {"plan/SKILL.md": PLAN, "plan/a b.md": "x"}, "the name of a folder or file", id="a blank in a name"
        ),
        pytest.param(
            {"plan/SKILL.md": PLAN, "plan/big": b"\0" * (MAX_FILE_BYTES + 1)},
            "a file may have at most",
            id="a large file",
        ),
        pytest.param(
            {"plan/SKILL.md": PLAN, **{f"plan/f{n}": "x" for n in range(MAX_FILES)}}, "at most 512", id="many files"
        ),
    ],
)
def test_what_keeps_not_to_the_format_is_refused_by_name(tmp_path, files, said):
    with pytest.raises(PackError, match=said) as caught:
        read_skills("moon", write(tmp_path, files), {})
    assert "skills/" in str(caught.value)


def test_a_pack_with_a_wrong_skill_is_put_aside_and_the_others_serve_on(moon, make_pack, deploy):
    wrong = make_pack(tools=[age])
    wrong.__file__, wrong.__package__ = moon({"plan/SKILL.md": "# Plan"}).__file__, "moon"
    catalogue = deploy(moon=wrong, quiet=make_pack(tools=[])).catalogue

    assert [broken.found.name for broken in catalogue.broken] == ["moon"]
    assert "skills/plan/SKILL.md" in catalogue.broken[0].reason


def test_another_folder_can_be_named_or_none(moon, deploy):
    named = moon(folder="lore", pack=Pack(title="Moon", skills="lore"))
    assert [skill.name for skill in deploy(moon=named).catalogue.skills] == ["plan"]
    assert deploy(moon=moon({"plan/x": "no skill"}, pack=Pack(title="Moon", skills=""))).catalogue.skills == ()


def test_a_module_in_no_package_has_no_folder(moon, deploy):
    alone = moon()
    alone.__package__ = ""
    assert deploy(moon=alone).catalogue.skills == ()


def test_skills_name_tools_as_the_deployer_has_them(moon, deploy):
    called = 'A call: {"tool": "age", "arguments": {}}; `age(day)`; an `aged` moon of any age.\n'
    files = {"plan/SKILL.md": PLAN + called, "plan/age.txt": "`age`"}
    (skill,) = deploy(moon=moon(files), tables={"moon": {"prefix": "m_"}}).catalogue.skills

    body = skill.files[0].text.removeprefix(PLAN)
    assert body == 'A call: {"tool": "m_age", "arguments": {}}; `m_age(day)`; an `aged` moon of any age.\n'
    assert skill.files[0].manifest["digest"] == "sha256:" + hashlib.sha256((PLAN + body).encode()).hexdigest()
    assert skill.files[1].text == "`age`"


def test_a_skill_can_be_excluded_as_a_whole(moon, deploy):
    catalogue = deploy(moon=moon(), tables={"moon": {"exclude": ["skill://moon/plan/SKILL.md"]}}).catalogue

    assert catalogue.skills == ()
    assert list(catalogue.resources) == []


@pytest.mark.parametrize("name", ["deep", "2fa"])
def test_a_skill_inside_another_is_excluded_from_that_one_too(moon, deploy, name):
    """Whichever comes first by its name: the folder inside, or the SKILL.md beside it."""
    inner = PLAN.replace("name: plan", f"name: {name}")
    further = PLAN.replace("name: plan", "name: kept")
    files = {
        **FILES,
        f"plan/{name}/SKILL.md": inner,
        f"plan/{name}/codes.md": "1234",
        f"plan/{name}/kept/SKILL.md": further,
    }
    excluded = f"skill://moon/plan/{name}/SKILL.md"
    catalogue = deploy(moon=moon(files), tables={"moon": {"exclude": [excluded]}}).catalogue

    left = {f"skill://moon/{file}" for file in files} - {excluded, f"skill://moon/plan/{name}/codes.md"}
    assert {skill.name: {file.uri for file in skill.files} for skill in catalogue.skills} == {
        "plan": left,
        "kept": {f"skill://moon/plan/{name}/kept/SKILL.md"},
    }
    assert set(catalogue.resources) == left


def test_a_file_of_a_skill_cannot_be_excluded_alone(moon, deploy):
    with pytest.raises(PackError, match="nothing with this name"):
        deploy(moon=moon(), tables={"moon": {"exclude": ["skill://moon/plan/references/tables.md"]}})


def test_a_resource_of_the_pack_at_a_skills_address_clashes(moon, deploy):
    clash = Resource(uri="skill://moon/plan/SKILL.md", fn=lambda: "other", name="other", description="Another.")
    with pytest.raises(PackError, match="twice"):
        deploy(moon=moon(resources=[clash]))


# --- over the wire ---


async def test_a_client_lists_gets_and_reads_a_skill(moon, tmp_path, protocol):
    deployment = deployment_for(data_dir=tmp_path, moon=moon())
    async with connected(deployment, protocol=protocol) as client:
        listed = await ask(client, "skills/list")
        (entry,) = listed["skills"]
        got = await ask(client, "skills/get", uri=entry["uri"])
        read = {row["uri"]: (await client.read_resource(row["uri"])).contents[0] for row in entry["resources"]}
        resources = {row.uri: row for row in (await client.list_resources()).resources}

    assert got["skill"] == entry
    assert listed["cacheScope"] == got["cacheScope"] == "private"
    assert listed["ttlMs"] == got["ttlMs"] > 0
    for row in entry["resources"]:
        body = read[row["uri"]]
        raw = body.text.encode() if hasattr(body, "text") else base64.b64decode(body.blob)
        assert (len(raw), "sha256:" + hashlib.sha256(raw).hexdigest()) == (row["size"], row["digest"])
    first = resources[entry["uri"]]
    assert (first.name, first.description) == (entry["frontmatter"]["name"], entry["frontmatter"]["description"])
    assert first.mime_type == "text/markdown"
    assert read["skill://moon/plan/assets/dot.bin"].mime_type == "application/octet-stream"


async def test_the_extension_is_announced_only_where_there_are_skills(moon, tmp_path):
    async with connected(deployment_for(data_dir=tmp_path, moon=moon())) as client:
        with_skills = await ask(client, "server/discover")
    async with connected(deployment_for(data_dir=tmp_path, moon=pack_of(tools=[age]))) as client:
        without = await ask(client, "server/discover")
        with pytest.raises(MCPError) as caught:
            await ask(client, "skills/list")

    assert with_skills["capabilities"]["extensions"]["io.modelcontextprotocol/skills"] == {"directoryRead": True}
    assert "resources" in with_skills["capabilities"]
    assert "extensions" not in without["capabilities"]
    assert caught.value.error.code == wire.METHOD_NOT_FOUND


async def test_a_folder_is_read_a_level_at_a_time(moon, tmp_path):
    async with connected(deployment_for(data_dir=tmp_path, moon=moon())) as client:
        root = await ask(client, "resources/directory/read", uri="skill://moon/plan")
        below = await ask(client, "resources/directory/read", uri="skill://moon/plan/references")

    assert [(row["name"], row["mimeType"]) for row in root["resources"]] == [
        ("plan", "text/markdown"),
        ("assets", "inode/directory"),
        ("references", "inode/directory"),
    ]
    assert [row["uri"] for row in below["resources"]] == [
        "skill://moon/plan/references/small",
        "skill://moon/plan/references/tables.md",
    ]


@pytest.mark.parametrize(
    ("method", "uri"),
    [
        ("skills/get", "skill://moon/none/SKILL.md"),
        ("skills/get", "skill://moon/plan"),
        ("skills/get", "skill://moon/plan/references/tables.md"),
        ("resources/directory/read", "skill://moon/plan/SKILL.md"),
        ("resources/directory/read", "skill://moon/plan/"),
        ("resources/directory/read", "skill://other"),
    ],
)
async def test_what_is_no_skill_or_folder_is_invalid(moon, tmp_path, method, uri):
    async with connected(deployment_for(data_dir=tmp_path, moon=moon())) as client:
        with pytest.raises(MCPError) as caught:
            await ask(client, method, uri=uri)

    assert caught.value.error.code == wire.INVALID_PARAMS
    assert caught.value.error.data["uri"] == uri


async def test_long_lists_come_in_pages_of_whole_skills(moon, tmp_path):
    files = {f"s{n}/SKILL.md": PLAN.replace("name: plan", f"name: s{n}") for n in range(5)}
    deployment = deployment_for(data_dir=tmp_path, server=ServerSettings(page_size=2), moon=moon(files))
    names, sizes, cursor = [], [], {}
    async with connected(deployment) as client:
        while True:
            page = await ask(client, "skills/list", **cursor)
            names += [entry["frontmatter"]["name"] for entry in page["skills"]]
            sizes.append(len(page["skills"]))
            if "nextCursor" not in page:
                break
            cursor = {"cursor": page["nextCursor"]}
        folder = await ask(client, "resources/directory/read", uri="skill://moon")
        with pytest.raises(MCPError, match="cursor"):
            await ask(client, "skills/list", cursor="bm9uZQ==")

    assert (names, sizes) == (["s0", "s1", "s2", "s3", "s4"], [2, 2, 1])
    assert len(folder["resources"]) == 2
    assert "nextCursor" in folder


# --- who reads them ---


async def seen(deployment, principal):
    async with connected(deployment, principal=principal) as client:
        listed = [entry["uri"] for entry in (await ask(client, "skills/list"))["skills"]]
        try:
            await client.read_resource("skill://moon/plan/references/tables.md")
        except MCPError as exc:
            return listed, exc.error.code
        return listed, None


@pytest.mark.parametrize(
    ("access", "roles", "table", "sees"),
    [
        pytest.param({"public": True}, None, {}, True, id="of a public tool, for everybody"),
        pytest.param({"roles": ["RN"]}, None, {}, False, id="of a tool for a role, not for everybody"),
        pytest.param({"roles": ["RN"]}, {"RN"}, {}, True, id="but for the role"),
        pytest.param({"roles": ["RN"]}, {"MSA"}, {}, False, id="and no other"),
        pytest.param({"roles": ["RN"], "self_argument": "day"}, {"MSA"}, {}, True, id="or oneself"),
        pytest.param({"public": True}, {"MSA"}, {"RN": ("skill://moon/plan/SKILL.md",)}, False, id="closed by a table"),
        pytest.param({"public": True}, {"RN"}, {"RN": ("skill://moon/plan/SKILL.md",)}, True, id="open by a table"),
    ],
)
async def test_a_skill_is_for_whoever_may_use_its_pack(moon, tmp_path, access, roles, table, sees):
    module = moon(tools=[Tool(fn=age, **access)])
    settings = Settings(
        server=ServerSettings(data_dir=tmp_path),
        auth=AuthSettings(secret="k" * 32, roles=table),
        packs={"moon": PackTable()},
    )
    deployment = compose(settings, [Found("moon", "moon", "packhorse-moon", "1")], modules={"moon": module})
    caller = ANONYMOUS if roles is None else Principal("human", "ada", roles=frozenset(roles))
    listed, code = await seen(deployment, caller)

    assert listed == (["skill://moon/plan/SKILL.md"] if sees else [])
    assert (code is None) is sees


PLAN_URI, TABLES_URI = "skill://moon/plan/SKILL.md", "skill://moon/plan/references/tables.md"
NESTED = {
    **FILES,
    **{
        f"plan/{name}/{file}": text.replace("name: plan", f"name: {name}")
        for name in ("deep", "2fa")
        for file, text in {"SKILL.md": PLAN, "codes.md": "1234"}.items()
    },
}


@pytest.mark.parametrize(
    ("named", "closed"),
    [
        pytest.param(TABLES_URI, {TABLES_URI}, id="a file"),
        *(
            pytest.param(
                f"skill://moon/plan/{name}/SKILL.md",
                {f"skill://moon/plan/{name}/{file}" for file in ("SKILL.md", "codes.md")},
                id=f"the skill {name} inside another",
            )
            for name in ("deep", "2fa")
        ),
        pytest.param(PLAN_URI, {f"skill://moon/{file}" for file in NESTED}, id="the outer skill, and all inside it"),
    ],
)
async def test_what_a_table_closes_is_neither_read_nor_listed_by_others(moon, tmp_path, named, closed):
    settings = Settings(
        server=ServerSettings(data_dir=tmp_path), auth=AuthSettings(secret="k" * 32, roles={"RN": (named,)})
    )
    found = [Found("moon", "moon", "packhorse-moon", "1")]
    deployment = compose(settings, found, modules={"moon": moon(NESTED)})
    every = {f"skill://moon/{file}" for file in NESTED}

    for role, expected in (("RN", every), ("MSA", every - closed)):
        async with connected(deployment, principal=Principal("human", "ada", roles=frozenset({role}))) as client:
            listed = (await ask(client, "skills/list"))["skills"]
            got = [(await ask(client, "skills/get", uri=skill["uri"]))["skill"] for skill in listed]
            readable = set()
            for uri in every:
                with suppress(MCPError):
                    await client.read_resource(uri)
                    readable.add(uri)
        assert readable == expected
        assert {row["uri"] for skill in listed for row in skill["resources"]} == expected
        assert got == listed
