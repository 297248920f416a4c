"""An agent of the deployer's own: one card adds it, and nothing that is shipped is silenced by it."""

import pytest
from click.testing import CliRunner
from pai_houses import House
from pai_wards import Ward

from packhorse.contract.principal import LOCAL
from packhorse.settings import ServerSettings
from packhorse.testing import connected, deployment_for
from packhorse_pai.commands import commands
from packhorse_pai.domain.cards import parse
from packhorse_pai.domain.compiling import compile_policy
from packhorse_pai.domain.deriving import derived, grant_text
from packhorse_pai.domain.findings import kinds_of
from packhorse_pai.domain.policy import HostTool
from packhorse_pai.service.folders import cards_in, shipped_cards, shipped_matrix, sources_in

pytestmark = pytest.mark.anyio

TOOLS = "validate_schedule,detect_conflicts"
TEXT = {"type": "string"}


def typed(house, *words):
    (command,) = [one for one in commands(house.host()) if one.name == words[0]]
    return CliRunner().invoke(command, [str(word) for word in words[1:]])


@pytest.fixture
def own(tmp_path):
    """The folder of own cards, with one that `packhorse pai new` wrote."""
    made = typed(house_in(tmp_path), "new", "NIGHT_WATCH", "--into", tmp_path / "cards", "--tools", TOOLS)
    assert made.exit_code == 0, made.output
    return tmp_path / "cards"


def typed_beside(house, *words):
    """The same at a terminal that knows what is served here, as the host's own command line does."""
    host = house.host()
    host.served = lambda: house.deployment().dispatcher.offered(LOCAL)
    (command,) = [one for one in commands(host) if one.name == words[0]]
    return CliRunner().invoke(command, [str(word) for word in words[1:]])


def house_in(folder, **settings):
    return House(Ward(), folder / "data", **settings)


async def test_an_own_card_adds_an_agent_that_works_and_silences_none_that_is_shipped(own, tmp_path):
    house = house_in(tmp_path, cards=own)
    async with connected(house.deployment()) as client:

        async def call(tool, arguments):
            reply = await client.call_tool(tool, arguments)
            assert not reply.is_error, reply.content
            return reply.structured_content

        listed = {one["name"]: one for one in (await call("list_agents", {}))["agents"]}
        assert listed["NIGHT_WATCH"]["tools"] == sorted(TOOLS.split(","))
        assert {"SCHEDULER", "SWAP_MANAGER", "COMPLIANCE_AUDITOR", "COORD_ENGINE"} <= set(listed)
        begun = await call("invoke_agent", {"agent_name": "NIGHT_WATCH", "mission": "Look at the night"})
        act = {"run_id": begun["goal_id"], "tool": "validate_schedule", "arguments": {}}
        assert (await call("act_as_agent", act))["status"] == "done"
        assert (await call("act_as_agent", {**act, "tool": "execute_swap"}))["rule"] == "not_granted"
        shipped = await call("invoke_scheduler_agent", {"mission": "Look at the year"})
        assert shipped["status"] == "open"


def test_an_own_list_of_exposed_agents_speaks_of_the_agents_that_its_file_names(own, tmp_path):
    governance = tmp_path / "governance"
    governance.mkdir()
    words = 'packhorse = "pai matrix"\nexposed = ["NIGHT_WATCH"]\n[use]\nNIGHT_WATCH = ["validate_schedule"]\n'
    (governance / "own.toml").write_text(words)
    sources = [shipped_matrix(), *sources_in(governance)]
    policy = compile_policy({**shipped_cards(), **cards_in(own)}, sources).policy
    alone = compile_policy(shipped_cards(), [shipped_matrix()]).policy
    assert policy.exposed == alone.exposed | {"NIGHT_WATCH"}
    assert policy.use["NIGHT_WATCH"] == {"validate_schedule"}, "what card and matrix both grant"


def test_lint_of_own_cards_looks_at_them_beside_the_shipped_ones_and_finds_nothing_in_a_good_one(own, tmp_path):
    said = typed(house_in(tmp_path), "lint", own, "--strict")
    assert (said.exit_code, "1 card, 0 conflicts" in said.output) == (0, True), said.output


def test_lint_says_that_nobody_can_invoke_an_own_agent(own, tmp_path):
    path = own / "NIGHT_WATCH.identity.md"
    path.write_text(path.read_text().replace("- **Exposed:** yes", "- **Exposed:** no"))
    said = typed(house_in(tmp_path), "lint", own, "--strict")
    assert (said.exit_code, "NIGHT_WATCH" in said.output) == (1, True), said.output


async def test_agents_without_a_task_say_so_and_those_without_work_here_are_named_apart(tmp_path):
    house = house_in(tmp_path)
    listed = await house.call("list_agents", {})
    tasks = {one["name"]: one["tasks"] for one in listed["agents"]}
    for name in ("G5_PLANNING", "COORD_QUALITY", "ORCHESTRATOR", "ARCHITECT", "SYNTHESIZER"):
        assert tasks[name] == [], name
    assert tasks["SCHEDULER"] == ["generate_schedule", "validate_only"]
    for name in ("COORD_PLATFORM", "COORD_FRONTEND", "COORD_OPS"):
        assert name not in tasks
        assert name in listed["summary"]
    begun = await house.call("invoke_coordinator_agent", {"coordinator_name": "COORD_OPS", "mission": "Look"})
    assert (begun["status"], begun["result"]["tools"]) == ("open", [])


async def test_a_coordinator_that_may_start_nobody_still_works_with_its_own_tools(tmp_path):
    house = house_in(tmp_path)
    given = {"coordinator_name": "COORD_ENGINE", "mission": "Look at the year", "spawn_specialists": False}
    begun = await house.call("invoke_coordinator_agent", given)
    assert begun["status"] == "open"
    assert "may_start" not in begun["result"]
    act = {"run_id": begun["goal_id"], "tool": "validate_schedule", "arguments": {}}
    assert (await house.call("act_as_agent", act))["status"] == "done"


def test_a_heading_of_another_form_is_the_cards_title_and_what_is_not_there_is_none():
    from packhorse_pai import convert

    reading = parse("# ASTRONAUT - Field Operative\n\n## Identity\n- **Role:** flies\n", stem="ASTRONAUT")
    assert reading.grave
    assert reading.card.name == "ASTRONAUT"
    given = convert.card_fields(reading.card)
    assert given["title"] == "ASTRONAUT - Field Operative"
    assert [given[key] for key in ("tier_raw", "model_raw", "reports_to_raw", "can_spawn_raw")] == [None] * 4


def test_a_server_is_fenced_by_its_own_setting_and_only_where_a_pack_judges_agents(tmp_path):
    from packhorse import PackError
    from packhorse.compose.fence import unfenced
    from packhorse.settings import ServerSettings

    house = house_in(tmp_path)
    made = deployment_for(data_dir=tmp_path, server=ServerSettings(fenced=True), **house.modules)
    assert made.hosts["pai"].settings.fenced
    assert unfenced(made) == 0
    assert unfenced(house.deployment()) == 4
    with pytest.raises(PackError, match="pai"):
        deployment_for(data_dir=tmp_path, server=ServerSettings(fenced=True), wards=house.ward.module())


def test_lint_at_a_terminal_finds_a_tool_that_no_pack_offers(own, tmp_path):
    path = own / "NIGHT_WATCH.identity.md"
    path.write_text(path.read_text().replace("- detect_conflicts", "- detect_confl"))
    house = house_in(tmp_path)
    said = typed_beside(house, "lint", own, "--strict")
    assert "no_such_tool: NIGHT_WATCH: detect_confl" in said.output
    assert "1 finding," in said.output
    assert typed(house, "lint", own).exit_code == 0, "without a host nothing is said of tools"


def test_a_new_agent_with_a_misspelt_tool_is_not_written_and_the_tool_is_guessed(tmp_path):
    said = typed_beside(house_in(tmp_path), "new", "WATCH", "--into", tmp_path / "own", "--tools", "detect_conflict")
    assert (said.exit_code, "Did you mean detect_conflicts" in said.output) == (1, True)
    assert not (tmp_path / "own").exists()


async def test_a_new_agents_task_plays_and_its_rules_stand_in_the_card_commented_out(tmp_path):
    house, folder = house_in(tmp_path, cards=tmp_path / "own", fenced=True), tmp_path / "own"
    tools = "validate_schedule,execute_swap"
    made = typed_beside(house_in(tmp_path), "new", "MOVER", "--into", folder, "--tools", tools, "--task", "move")
    assert made.exit_code == 0, made.output
    card = (folder / "MOVER.identity.md").read_text()
    assert '# tool = "execute_swap"' in card
    assert 'validate_schedule"' not in card, "what only looks is free"
    assert parse(card, stem="MOVER").card.grants == ()
    closer = "\n".join(line.removeprefix("# ") if "= " in line or "[[" in line else line for line in card.splitlines())
    (grant,) = parse(closer, stem="MOVER").card.grants
    shape = house.deployment().catalogue.tools["execute_swap"].arguments.schema
    holds = derived("execute_swap", shape, read_only=False)
    assert (grant.when, grant.otherwise, grant.arguments.keys()) == (
        holds.when,
        holds.otherwise,
        holds.arguments.keys(),
    )
    assert all(rule.always_asks for rule in grant.arguments.values()), "no tool of it answers such ids"
    assert "no tool of this agent answers the id of a swap" in card
    (folder / "MOVER.identity.md").write_text(closer)
    linted = typed_beside(house, "lint", folder, "--strict")
    assert linted.exit_code == 0, linted.output
    listed = {one["name"]: one for one in (await house.call("list_agents", {}))["agents"]}
    assert listed["MOVER"]["tasks"] == ["move"]
    given = {"agent_name": "MOVER", "mission": "Move it", "task": "move", "context": {"swap_id": "s-1"}}
    begun = await house.call("invoke_agent", given)
    assert begun["status"] == "awaiting_approval"
    assert begun["result"]["approvals"][0]["tool"] == "execute_swap"


@pytest.mark.parametrize(
    ("answer", "offered"),
    [
        ({"item_id": TEXT, "item_name": TEXT}, '[{ anchored = "id:item" }]'),
        ({"item_id": TEXT}, '[{ else = "ask" }]'),
        ({"loan_id": TEXT}, '[{ else = "ask" }]'),
    ],
    ids=["with its name", "without a name", "of something else"],
)
def test_a_new_card_offers_a_rule_about_ids_only_where_an_answer_can_meet_it(answer, offered):
    lend = HostTool(
        "lend_item", input_schema={"properties": {"item_id": TEXT}, "required": ["item_id"]},
        output_schema={"properties": {"item_id": TEXT}},
    )  # fmt: skip
    find = HostTool("find_item", True, output_schema={"properties": answer})
    assert f"args.item_id = {offered}\n" in grant_text(lend, kinds_of([find, lend]))


async def test_a_task_is_bound_by_what_its_agents_card_says_of_plain_values_and_not_by_the_missions_words(
    own, tmp_path
):
    card = own / "NIGHT_WATCH.identity.md"
    rules = '[[grant]]\ntool = "validate_schedule"\nwhen = [["audit"]]\nargs.schedule_id = [{ equals = "s-1" }]\n'
    rules += 'args.validation_rules = ["named"]\n'
    text = card.read_text("utf-8").replace("## Tools\n", f"## Tools\n\n```toml\n{rules}```\n", 1)
    card.write_text(text, "utf-8")
    for name, given in (("look", "s-1"), ("peek", "s-2")):
        args = f'{{ schedule_id = "{given}", validation_rules = ["80_HOUR_RULE"] }}'
        step = f'[[steps]]\ncall = "validate_schedule"\nargs = {args}\nsave = "seen"\n'
        (own / f"{name}.toml").write_text(f'playbook = "{name}"\nagent = "NIGHT_WATCH"\n{step}', "utf-8")
    house = house_in(tmp_path, cards=own)
    async with connected(house.deployment()) as client:
        ends = {}
        for task in ("look", "peek"):
            asked = {"agent_name": "NIGHT_WATCH", "mission": "Look at the night", "task": task}
            ends[task] = (await client.call_tool("invoke_agent", asked)).structured_content
    assert ends["look"]["status"] == "completed"
    assert ends["peek"]["status"] == "denied"
    assert "schedule_id is not equals" in str(ends["peek"])
    said = typed(house, "lint", own)
    never = "the card of its agent never allows 's-2' as schedule_id: only what is equal to 's-1'"
    assert f"peek, step 1: validate_schedule: args.schedule_id: {never}" in said.output
    assert "look, step 1" not in said.output


@pytest.mark.parametrize(
    ("folder", "reason"),
    [
        ("cards", "look.toml: look, step 2: a step must be one of call"),
        ("nowhere", "there is no folder"),
    ],
)
async def test_agents_that_cannot_be_read_are_refused_and_the_start_says_why(folder, reason, own, tmp_path, caplog):
    task = 'playbook = "look"\nagent = "NIGHT_WATCH"\n[[steps]]\nresult = {}\n[[steps]]\ncal = "x"\n'
    (own / "look.toml").write_text(task, "utf-8")
    deployment = house_in(tmp_path, cards=tmp_path / folder).deployment(ServerSettings())
    assert reason in caplog.text
    assert [broken.reason for broken in deployment.catalogue.broken if reason in broken.reason]
    async with connected(deployment) as client:
        reply = await client.call_tool("list_agents", {})
    assert reply.is_error
    assert reason not in reply.content[0].text
    assert (reply.meta or {})["packhorse/error"]["code"] == "AGENTS_UNREADABLE"
