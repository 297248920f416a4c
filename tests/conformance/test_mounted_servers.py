"""Public servers through a mount: lists and answers are those of the server itself, but for prefix and marks."""

import re
import shutil
from contextlib import AsyncExitStack

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ElicitResult
from tests.core.mounts.conftest import run, words  # noqa: F401 - fixtures
from tests.core.mounts.hosting import client

from harness import HarnessError, Node, install  # found beside this file
from packhorse.testing import PROTOCOLS

pytestmark = pytest.mark.anyio

VERSION = "2026.8.31"

CALLS = {
    "mcp-server-filesystem": [
        ("read_text_file", {"path": "{}/words.txt"}),
        ("list_directory", {"path": "{}"}),
        ("get_file_info", {"path": "{}/words.txt"}),
        ("list_allowed_directories", {}),
    ],
    "mcp-server-everything": [
        ("echo", {"message": "hello"}),
        ("get-sum", {"a": 2, "b": 3}),
        ("get-tiny-image", {}),
        ("get-annotated-message", {"messageType": "error", "includeImage": True}),
        ("get-structured-content", {"location": "Chicago"}),
        ("get-resource-links", {"count": 3}),
        ("get-resource-reference", {"resourceType": "Text", "resourceId": 1}),
    ],
    "mcp-server-memory": [
        ("create_entities", {"entities": [{"name": "Ada", "entityType": "person", "observations": ["counts"]}]}),
        ("read_graph", {}),
        ("search_nodes", {"query": "Ada"}),
    ],
}
TOOL = ("title", "description", "input_schema", "output_schema")
RESOURCE = ("uri", "name", "title", "description", "mime_type")
TEMPLATE = ("uri_template", "name", "title", "description", "mime_type")
PROMPT = ("title", "description", "arguments")


@pytest.fixture(scope="module")
def started_by(tmp_path_factory):
    """The command of a public server: on the path, else by the Node.js of the wheel, fetched with its npm."""
    folder = tmp_path_factory.mktemp("npm")

    def command(program):
        if (there := shutil.which(program)) is not None:
            return [there]
        name = program.removeprefix("mcp-server-")
        try:
            node = Node.from_wheel()
            package = f"@modelcontextprotocol/server-{name}"
            return [str(node.binary), str(install(node, package, VERSION, folder / name))]
        except HarnessError as exc:
            pytest.skip(str(exc))

    return command


def parts(item, names):
    """What of an offer must be equal. A tool without a description has its title or its name here."""
    return {name: getattr(item, name) for name in names if name != "description" or item.description}


def timeless(content):
    """Blocks as JSON, without the time of day at which a server made a text."""
    return [re.sub(r"\d+:\d\d:\d\d\s[AP]M", "", block.model_dump_json()) for block in content]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("program", CALLS)
async def test_a_public_server_is_the_same_through_a_mount(tmp_path, words, run, started_by, program, protocol):  # noqa: F811 - fixtures
    executable, *options = started_by(program)
    options += [str(tmp_path)] if program == "mcp-server-filesystem" else []
    made = run("add", "up", "--env", f"MEMORY_FILE_PATH={tmp_path}/memory", "--", executable, *options)
    assert made.exception is None, made.exception
    env = {"MEMORY_FILE_PATH": f"{tmp_path}/other"}
    async with AsyncExitStack() as stack:
        direct = await stack.enter_async_context(
            Client(StdioServerParameters(command=executable, args=options, env=env))
        )
        through = await stack.enter_async_context(client(tmp_path, options={"protocol": protocol}))
        theirs = {tool.name: parts(tool, TOOL) for tool in (await direct.list_tools()).tools}
        ours = {
            tool.name.removeprefix("up_"): parts(tool, [name for name in TOOL if name in theirs[tool.name[3:]]])
            for tool in (await through.list_tools()).tools
            if tool.name.startswith("up_")
        }
        assert ours == theirs
        for tool, arguments in CALLS[program]:
            filled = {name: one.format(tmp_path) if isinstance(one, str) else one for name, one in arguments.items()}
            answer = await direct.call_tool(tool, filled)
            mounted = await through.call_tool(f"up_{tool}", filled)
            assert timeless(mounted.content) == timeless(answer.content), tool
            assert mounted.structured_content == answer.structured_content, tool
        if program == "mcp-server-everything":
            assert await steps(through, "up_") == await steps(direct, "") == [(1, 2), (2, 2)]
        if direct.server_capabilities.resources is not None:
            await same_resources(direct, through)
        if direct.server_capabilities.prompts is not None:
            await same_prompts(direct, through)


async def steps(side, prefix):
    """The progress that a long call reports."""
    seen = []

    async def progress(done, total, message):
        seen.append((done, total))

    arguments = {"duration": 0.2, "steps": 2}
    await side.call_tool(f"{prefix}trigger-long-running-operation", arguments, progress_callback=progress)
    return seen


async def test_a_public_server_asks_its_question_through_a_mount(tmp_path, run, started_by):  # noqa: F811 - fixtures
    made = run("add", "up", "--questions", "--", *started_by("mcp-server-everything"))
    assert made.exception is None, made.exception

    async def answer(context, params):
        return ElicitResult(action="decline")

    async with client(tmp_path, options={"elicitation_callback": answer}) as caller:
        reply = await caller.call_tool("up_trigger-elicitation-request", {})

    assert "declined" in reply.content[0].text


async def same_resources(direct, through):
    theirs = (await direct.list_resources()).resources
    ours = {str(one.uri): one for one in (await through.list_resources()).resources}
    for resource in theirs:
        assert parts(ours[str(resource.uri)], RESOURCE) == parts(resource, RESOURCE)
        answer, mounted = [await one.read_resource(str(resource.uri)) for one in (direct, through)]
        assert mounted.contents == answer.contents
    templates = [
        [parts(one, TEMPLATE) for one in (await side.list_resource_templates()).resource_templates]
        for side in (direct, through)
    ]
    assert templates[1] == templates[0]
    for uri in ("demo://resource/dynamic/text/1", "demo://resource/dynamic/blob/2") if templates[0] else ():
        answer, mounted = [(await one.read_resource(uri)).contents[0] for one in (direct, through)]
        assert (mounted.uri, mounted.mime_type, type(mounted)) == (answer.uri, answer.mime_type, type(answer))


async def same_prompts(direct, through):
    theirs = {prompt.name: prompt for prompt in (await direct.list_prompts()).prompts}
    ours = {prompt.name.removeprefix("up_"): prompt for prompt in (await through.list_prompts()).prompts}
    assert theirs
    assert ours.keys() == theirs.keys()
    for name, prompt in theirs.items():
        assert parts(ours[name], PROMPT)["description"] == prompt.description
        assert [(one.name, one.description, bool(one.required)) for one in ours[name].arguments or ()] == [
            (one.name, one.description, bool(one.required)) for one in prompt.arguments or ()
        ]
        arguments = {"city": "Oslo", "department": "Sales", "name": "Ann", "resourceType": "Text", "resourceId": "1"}
        given = {one.name: arguments[one.name] for one in prompt.arguments or () if one.name in arguments}
        answer = await direct.get_prompt(name, given)
        mounted = await through.get_prompt(f"up_{name}", given)
        assert len(mounted.messages) == len(answer.messages)
        assert [one.role for one in mounted.messages] == [one.role for one in answer.messages]
        assert mounted.messages[0] == answer.messages[0]
