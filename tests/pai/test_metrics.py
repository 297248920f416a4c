"""What is counted, under labels that no caller can fill; and that dashboard and alerts name nothing else."""

import json
import re
from pathlib import Path

import pytest
import yaml
from pai_houses import BROKEN, SWAP, House, tasked

from packhorse.metrics.metrics import Metrics
from packhorse.testing import connected
from packhorse_pai.service import agents_of
from packhorse_pai.service.folders import shipped_matrix

DEPLOY = Path(__file__).resolve().parents[2] / "deploy" / "grafana"
DASHBOARD = DEPLOY / "packhorse-pai.json"
ALERTS = DEPLOY / "packhorse-pai-alerts.yaml"


@pytest.fixture
async def counted(ward, tmp_path):
    """The metrics after an audit with violations, a denial, and a swap that a person approved."""
    ward.violations = [BROKEN]
    house = House(ward, tmp_path)
    deployment = house.deployment()
    async with connected(deployment) as client:
        for tool, arguments in (
            ("invoke_compliance_auditor_agent", {"mission": "Audit it", "task": "audit_schedule"}),
            ("invoke_agent", {"agent_name": "QA_TESTER", "mission": "Test it"}),
        ):
            await client.call_tool(tool, arguments)
        waits = (await client.call_tool(SWAP[0], tasked(*SWAP))).structured_content
        approval = waits["result"]["approvals"][0]["approval_id"]
        agents_of(deployment.hosts["pai"]).approving.decide(approval, approve=True, by="terminal::bob")
        await client.call_tool("invoke_agent", {"goal_id": waits["goal_id"]})
    return agents_of(deployment.hosts["pai"]).figures()


def values(figures, name):
    (found,) = [figure for figure in figures if figure.name == name]
    return found.values


@pytest.mark.anyio
async def test_runs_decisions_escalations_and_approvals_are_counted(counted):
    assert values(counted, "runs") == {
        ("COMPLIANCE_AUDITOR", "escalated"): 1,
        ("QA_TESTER", "denied"): 1,
        ("SWAP_MANAGER", "awaiting_approval"): 1,
        ("SWAP_MANAGER", "escalated"): 1,
    }
    decisions = values(counted, "decisions")
    assert decisions["COMPLIANCE_AUDITOR", "allow", "granted"] == 1
    assert decisions["SWAP_MANAGER", "needs_approval", "approval"] == 1
    assert decisions["SWAP_MANAGER", "allow", "approved"] == 1
    assert values(counted, "escalations")["COMPLIANCE_AUDITOR", "violations_found"] == 1
    assert values(counted, "approvals") == {("asked",): 1, ("approved",): 1, ("used",): 1}
    assert values(counted, "pending_approvals") == {(): 0}
    assert values(counted, "active_runs") == {(): 0}


@pytest.mark.anyio
async def test_no_caller_fills_a_label(counted, ward, tmp_path):
    desk = agents_of(House(ward, tmp_path).deployment().hosts["pai"])
    desk.counters.run("CANARY", "failed")
    desk.counters.escalation("SCHEDULER", "model_canary")
    assert "canary" not in repr(desk.figures()).lower()


def names(figures):
    return {f"packhorse_pai_{one.name}" + ("_total" if one.counter else "") for one in figures}


def expressions():
    dashboard = json.loads(DASHBOARD.read_text())
    found = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    found += [one["definition"] for one in dashboard["templating"]["list"] if "definition" in one]
    rules = yaml.safe_load(ALERTS.read_text())["groups"]
    return found + [rule["expr"] for group in rules for rule in group["rules"]]


@pytest.mark.anyio
async def test_dashboard_and_alerts_name_only_metrics_labels_and_words_that_exist(counted):
    served = {"packhorse_call_seconds_bucket"}  # the host's own, tested with it
    labels = {label for figure in counted for label in figure.labels} | {"name", "le"}
    events = {rule.event for rule in shipped_matrix().events} | {"spawn_violation"}
    words = {"deny", "$agent", "invoke_.*", *events}
    for expression in expressions():
        assert set(re.findall(r"packhorse_\w+", expression)) <= names(counted) | served, expression
        for group in re.findall(r"by \(([^)]*)\)", expression):
            assert set(group.split(", ")) <= labels, expression
        assert set(re.findall(r'(\w+)=~?"', expression)) <= labels, expression
        assert set(re.findall(r'=~?"([^"]*)"', expression)) <= words, expression


@pytest.mark.anyio
async def test_every_metric_of_ours_is_on_the_dashboard(counted):
    shown = " ".join(expressions())
    assert all(name in shown for name in names(counted))


def test_every_expression_is_one_that_prometheus_reads():
    promql = pytest.importorskip("promql_parser", reason="promql-parser is not installed: nothing to read promql with")
    for expression in expressions():
        if not expression.startswith("label_values"):
            promql.parse(expression.replace("$__rate_interval", "5m"))


def test_violations_and_denials_are_alerted():
    text = ALERTS.read_text()
    assert 'event="spawn_violation"' in text
    assert 'event="violations_found"' in text
    assert 'effect="deny"' in text


@pytest.mark.anyio
async def test_the_host_serves_them(ward, tmp_path):
    pytest.importorskip("prometheus_client", reason="prometheus-client is not installed: the host serves no metrics")
    deployment = House(ward, tmp_path).deployment()
    (served,) = [pack.pack for pack in deployment.catalogue.packs if pack.found.name == "pai"]
    agents_of(deployment.hosts["pai"]).counters.run("SCHEDULER", "completed")
    metrics = Metrics({})
    metrics.pack("pai", lambda: served.measures(deployment.hosts["pai"]))
    text = metrics.render()[0].decode()
    assert 'packhorse_pai_runs_total{agent="SCHEDULER",status="completed"} 1.0' in text
    assert "packhorse_pai_stopped 0.0" in text
