import json
import tomllib

import pytest
from click.testing import CliRunner

from packhorse import Host
from packhorse_pai.commands import commands
from packhorse_pai.domain.cards import parse
from packhorse_pai.domain.compiling import compile_policy
from packhorse_pai.domain.decision import lacking_facts
from packhorse_pai.domain.linting_sources import source_findings
from packhorse_pai.domain.matrix import from_mapping
from packhorse_pai.domain.names import Agent
from packhorse_pai.domain.policy import HostTool
from packhorse_pai.domain.sources import Source, from_markdown
from packhorse_pai.service.folders import shipped_cards, shipped_matrix, sources_in


def card(name, spawns="None", tier="Specialist", reports="Human", more=""):
    return parse(
        f"# {name} Identity Card\n## Identity\n"
        f"- **Role:** r\n- **Tier:** {tier}\n- **Model:** haiku\n"
        f"## Chain of Command\n- **Reports To:** {reports}\n- **Can Spawn:** {spawns}\n- **Escalate To:** {reports}\n"
        f"## Standing Orders\n1. o\n## Escalation Triggers\n- t\n## Key Constraints\n- c\n"
        f"## One-Line Charter\nx\n{more}",
        stem=name,
    )


@pytest.fixture(scope="module")
def lint(tmp_path_factory):
    (command,) = [one for one in commands(Host("pai", data_dir=tmp_path_factory.mktemp("data"))) if one.name == "lint"]
    return command


@pytest.fixture(scope="module")
def linted(shared, lint):
    run = CliRunner().invoke(
        lint, [str(shared / "identities"), "--governance", str(shared / "governance"), "--json"], catch_exceptions=False
    )
    assert run.exit_code == 0
    return json.loads(run.stdout)


def test_lint_gives_the_fields_of_every_card(linted, expected):
    assert linted["cards"] == expected


@pytest.mark.parametrize(
    ("kind", "subject", "words"),
    [
        # spawn is a graph and reports-to a tree
        ("spawned_by_other_than_superior", "18A_DETACHMENT_COMMANDER", "ORCHESTRATOR may spawn"),
        ("spawned_by_other_than_superior", "CRASH_RECOVERY_SPECIALIST", "which reports to SYNTHESIZER"),
        ("spawned_by_other_than_superior", "HISTORIAN", "COORD_OPS may spawn"),
        ("superior_cannot_spawn", "G2_RECON", "reports to ORCHESTRATOR"),
        ("superior_cannot_spawn", "HISTORIAN", "reports to ORCHESTRATOR"),
        # the spawn file against the cards
        ("unknown_child", "SYNTHESIZER", "CRASH_RECOVERY, which has no card; did it mean CRASH_RECOVERY_SPECIALIST?"),
        ("spawn_row_missing", "ORCHESTRATOR", "SPAWN_CHAINS.md has no row"),
        ("prose_spawn", "COORD_INTEL", "(intel specialists)"),
        ("prose_spawn", "USASOC", "ANY agent"),
        ("footnote", "ARCHITECT", "G2_RECON"),
        ("no_card", "INCIDENT_COMMANDER", "has no card"),
        # the seed's spawn table against the cards
        ("spawn_differs", "ORCHESTRATOR", "USASOC: granted by agents.yaml, card ORCHESTRATOR"),
        ("spawn_differs", "ARCHITECT", "DEVCOM_RESEARCH: granted by"),
        ("spawn_differs", "COORD_RESILIENCE", "SECURITY_AUDITOR"),
        ("spawn_row_missing", "OPTIMIZATION_SPECIALIST", "seed_spawn_chains has no row"),
        ("spawn_row_missing", "RESILIENCE_ENGINEER", "seed_spawn_chains has no row"),
        # the seed's tool table against the matrix
        ("use_differs", "COMPLIANCE_AUDITOR", "rag_search: granted by tables.json: seed_table"),
        ("use_differs", "COMPLIANCE_AUDITOR", "get_work_hours"),
        ("use_differs", "COMPLIANCE_AUDITOR", "check_supervision_ratio"),
        ("use_differs", "COMPLIANCE_AUDITOR", "list_violations"),
        ("use_differs", "COMPLIANCE_AUDITOR", "generate_compliance_report"),
        ("use_differs", "G5_PLANNING", "run_contingency_analysis"),
        ("use_differs", "G5_PLANNING", "analyze_homeostasis"),
        ("use_differs", "RESILIENCE_ENGINEER", "validate_schedule: granted by AGENT_MCP_MATRIX.md: listing"),
        ("use_differs", "SCHEDULER", "start_background_task"),
        # the matrix against itself
        ("use_differs", "SCHEDULER", "analyze_swap_candidates"),
        ("use_differs", "SCHEDULER", "detect_conflicts"),
        ("use_differs", "RESILIENCE_ENGINEER", "calculate_blast_radius"),
        ("use_differs", "RESILIENCE_ENGINEER", "analyze_le_chatelier"),
        ("use_differs", "SECURITY_AUDITOR", "list_violations"),
        ("count_differs", "AGENT_MCP_MATRIX.md: summary", "says that it has 61 agents, but lists 54"),
        ("listed_twice", "API_DEVELOPER", "both MAYBE and NO"),
        # the matrix against the cards
        ("no_card", "BURNOUT_SENTINEL", "AGENT_MCP_MATRIX.md"),
        ("no_card", "KNOWLEDGE_CURATOR", "AGENT_MCP_MATRIX.md"),
        ("no_card", "AGENT_HEALTH_MONITOR", "AGENT_MCP_MATRIX.md"),
        ("not_listed", "18C_ENGINEER", "AGENT_MCP_MATRIX.md: summary does not list it"),
        ("not_listed", "COORD_OPS", "AGENT_MCP_MATRIX.md: summary does not list it"),
        ("not_listed", "G4_SCRIPT_KIDDY", "AGENT_MCP_MATRIX.md: summary does not list it"),
        # the registry against the cards
        ("use_differs", "SCHEDULER", "execute_swap: granted by"),
        ("tool_name_differs", "get_defense_level_tool", "other files write get_defense_level"),
        ("tool_name_differs", "run_contingency_analysis_resilience", "other files write run_contingency_analysis"),
        # the orchestrator's own table
        ("use_differs", "ORCHESTRATOR", "spawn_agent_tool: granted by card ORCHESTRATOR"),
        ("use_differs", "ORCHESTRATOR", "get_defense_level_tool"),
        # checks that were switched off
        ("switched_off", "config.json", "governance_enabled"),
        # cards
        ("card_party", "G2_RECON", "/search-party"),
        ("card_prose_spawn", "18A_DETACHMENT_COMMANDER", "task-specific agents as needed"),
    ],
)
def test_lint_finds_each_known_contradiction(linted, kind, subject, words):
    found = [c["message"] for c in linted["conflicts"] if c["kind"] == kind and c["subject"] == subject]
    assert [message for message in found if words in message], found


def test_lint_finds_every_trait_in_which_the_registry_differs_from_a_card(linted, shared, expected):
    import yaml

    registry = yaml.safe_load((shared / "governance" / "agents.yaml").read_text())["agents"]
    differing = {
        f"{trait}_differs {name}"
        for name, card in expected.items()
        if name in registry
        for trait in ("tier", "model", "reports_to")
        if registry[name][trait].split(" ")[0] != card[f"{trait}_raw"].split(" ")[0]
    }
    found = {f"{c['kind']} {c['subject']}" for c in linted["conflicts"]}
    assert differing <= found


def test_a_conflict_says_which_right_it_takes_away(linted):
    (one,) = [c for c in linted["conflicts"] if "COMPLIANCE_AUDITOR using rag_search" in c["message"]]
    assert one["denies"] == ["COMPLIANCE_AUDITOR uses rag_search"]


def test_strict_lint_ends_with_status_1_and_a_missing_folder_is_said(shared, lint, tmp_path):
    run = CliRunner().invoke(lint, [str(shared / "identities"), "--strict"])
    assert run.exit_code == 1
    absent = CliRunner().invoke(lint, [str(tmp_path / "absent")])
    assert absent.exit_code == 1
    assert "there is no folder" in absent.output


def test_the_matrix_file_is_read_as_its_tables_say(shared):
    tables = json.loads((shared / "governance" / "tables.json").read_text())
    text = (shared / "governance" / "AGENT_MCP_MATRIX.md").read_text()
    _, listing, groups = from_markdown("m", text)
    assert {agent: sorted(tools) for agent, tools in listing.uses.items()} == tables["matrix_detailed_listing"]
    turned = {(agent, tool) for tool, agents in tables["matrix_tool_groups"].items() for agent in agents}
    assert {(agent, tool) for agent, tools in groups.uses.items() for tool in tools} == turned


@pytest.mark.parametrize(
    ("cell", "tools", "unread"),
    [
        ("No", set(), False),
        ("none", set(), False),
        ("YES", None, False),
        ("Maybe", None, False),
        ("rag_search, `find_person`", {"rag_search", "find_person"}, False),
        ("rag_search", {"rag_search"}, False),
        ("Only now and then", None, True),
    ],
)
@pytest.mark.parametrize("title", ["MCP Needed", "MCP Needed | Can Spawn"])
def test_a_cell_of_mcp_needed_is_read_beside_other_columns_too(cell, tools, unread, title):
    end = " | None |" if "Spawn" in title else " |"
    text = f"| Agent | {title} |\n|---|---|---|\n| A_DESK | {cell}{end}\n"
    summary = from_markdown("m.md", text)[0]
    assert summary.uses == ({} if tools is None else {"A_DESK": tools})
    assert bool(summary.remarks) == unread


def test_the_shipped_matrix_is_the_specifications_two_tables(shared):
    tables = json.loads((shared / "governance" / "tables.json").read_text())
    matrix = shipped_matrix()
    assert {agent: set(tools) for agent, tools in matrix.uses.items()} == {
        agent: set(tools) for agent, tools in tables["seed_table"].items()
    }
    assert {parent: [child.name for child in row] for parent, row in matrix.spawns.items()} == tables[
        "seed_spawn_chains"
    ]


def test_what_we_ship_has_no_conflict():
    assert compile_policy(shipped_cards(), [shipped_matrix()]).conflicts == ()


def test_a_tool_that_sources_disagree_on_is_used_by_nobody():
    sources = [Source("one", uses={"A": frozenset({"x", "y"})}), Source("two", uses={"A": frozenset({"y"})})]
    compiled = compile_policy({"A": card("A")}, sources)
    assert compiled.policy.use["A"] == {"y"}
    assert [c.denies for c in compiled.conflicts if c.kind == "use_differs"] == [("A uses x",)]


PROVED = "".join(f'[[facts.{fact}]]\ntool = "detect_conflicts"\n' for fact in ("seen", "waived"))


@pytest.mark.parametrize(
    ("own", "facts", "lacking"),
    [
        ('facts = ["seen"]\nunless = ["waived"]', {"waived"}, {"backup_verified"}),
        ('facts = ["seen"]\nunless = ["waived"]', {"backup_verified"}, {"seen"}),
        ('facts = ["seen"]\nunless = ["waived"]', {"waived", "backup_verified"}, set()),
        ('facts = ["seen"]\nunless = ["waived"]', {"waived", "no_schedule_yet"}, set()),
        ('facts = ["seen"]', {"no_schedule_yet"}, {"seen"}),
        ('facts = ["seen"]', {"seen", "no_schedule_yet"}, set()),
        ("facts = []", {"seen"}, {"backup_verified"}),
    ],
)
def test_a_files_precondition_adds_to_the_shipped_one_and_each_is_lifted_by_its_own(own, facts, lacking):
    text = f'packhorse = "pai matrix"\n[preconditions.generate_schedule]\n{own}\n{PROVED}'
    (source,) = from_mapping("m", tomllib.loads(text))
    policy = compile_policy(shipped_cards(), [shipped_matrix(), source], {}).policy
    assert set(lacking_facts(policy, "generate_schedule", frozenset(facts))) == lacking
    if "waived" in own:
        assert list(source_findings([source], policy)) == []


def test_a_tool_that_only_looks_is_known_as_such_unless_it_calls_itself_destructive():
    source = Source("one", uses={"A": frozenset({"x", "y"})}, observing=frozenset({"x", "y"}))
    tools = {"x": HostTool("x"), "y": HostTool("y", destructive=True), "z": HostTool("z")}
    policy = compile_policy({"A": card("A")}, [source], tools).policy
    assert {name: tool.read_only for name, tool in policy.tools.items()} == {"x": True, "y": False, "z": False}


def test_a_source_that_does_not_speak_of_an_agent_takes_nothing_from_it():
    sources = [Source("one", uses={"A": frozenset({"x"})}), Source("two", uses={"B": frozenset({"y"})})]
    assert compile_policy({"A": card("A")}, sources).policy.use["A"] == {"x"}


def test_an_edge_needs_the_card_and_every_row():
    readings = {"A": card("A", "B, C"), "B": card("B"), "C": card("C")}
    sources = [Source("one", spawns={"A": (Agent("B"),)})]
    assert compile_policy(readings, sources).policy.spawn["A"] == {"B"}


def test_a_wildcard_on_a_card_grants_nothing():
    readings = {"A": card("A", "ANY agent (wide)"), "B": card("B")}
    assert compile_policy(readings, []).policy.spawn["A"] == frozenset()


def test_an_agent_with_a_grave_card_has_no_rights_and_is_spawned_by_nobody():
    readings = {"A": card("A", "B"), "B": card("B", more="## Identity\n- **Role:** King\n")}
    policy = compile_policy(readings, [Source("one", uses={"B": frozenset({"x"})})]).policy
    assert "B" not in policy.agents
    assert policy.spawn["A"] == frozenset()


def test_nobody_can_be_granted_a_persons_tools():
    sources = [Source("one", uses={"A": frozenset({"decide_approval", "invoke_agent", "x"})})]
    assert compile_policy({"A": card("A")}, sources).policy.use["A"] == {"x"}


def test_an_unspawnable_agent_is_spawned_by_nobody():
    readings = {"A": card("A", "B"), "B": card("B", more="")}
    readings["B"] = parse(
        "# B Identity Card\n## Identity\n- **Role:** r\n- **Tier:** Command\n- **Spawnable:** maybe\n", stem="B"
    )
    assert compile_policy(readings, []).policy.spawn["A"] == frozenset()


def test_the_order_of_rows_and_cards_does_not_change_the_digest():
    readings = {"A": card("A", "B"), "B": card("B")}
    one = Source("one", uses={"A": frozenset({"x", "y"}), "B": frozenset({"z"})})
    other = Source("one", uses={"B": frozenset({"z"}), "A": frozenset({"y", "x"})})
    tools = {name: HostTool(name) for name in "xyz"}
    turned = dict(reversed(readings.items()))
    assert compile_policy(readings, [one], tools).policy.digest == compile_policy(turned, [other], tools).policy.digest


def test_a_changed_tool_changes_the_digest():
    readings, source = {"A": card("A")}, Source("one", uses={"A": frozenset({"x"})})
    digests = {
        compile_policy(readings, [source], {"x": HostTool("x", digest=digest)}).policy.digest for digest in ("1", "2")
    }
    assert len(digests) == 2


def test_a_cards_limits_can_only_lower_what_its_tier_gives():
    readings = {
        "A": card("A", more="## Limits\n- **Turns:** 500\n- **Calls:** 2\n"),
        "B": card("B", tier="Emperor"),
        "C": card("C", tier="Deputy"),
    }
    limits = compile_policy(readings, []).policy.limits
    assert (limits["A"].turns, limits["A"].calls) == (5, 2)
    assert (limits["B"].turns, limits["C"].turns) == (5, 50)


def test_our_own_matrix_format_refuses_what_it_does_not_know():
    with pytest.raises(ValueError, match="'uses' is not one of"):
        from_mapping("m.toml", {"packhorse": "pai matrix", "uses": {}})
    with pytest.raises(ValueError, match="not the name of an agent"):
        from_mapping("m.toml", {"packhorse": "pai matrix", "use": {"scheduler": ["x"]}})


def test_a_deployers_matrix_that_replaces_ours_stands_alone(tmp_path):
    (tmp_path / "m.toml").write_text('packhorse = "pai matrix"\nreplace = true\n[use]\nSCHEDULER = ["anything_else"]\n')
    compiled = compile_policy(shipped_cards(), [shipped_matrix(), *sources_in(tmp_path)])
    assert compiled.policy.use["SCHEDULER"] == {"anything_else"}
    assert compiled.policy.use["SWAP_MANAGER"] == frozenset()
