"""Metrics: what is counted under which names, and that nobody who calls can add one; and the dashboard over them."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.seeds import pack_of

from packhorse.contract.observers import ObservedCall, Outcome
from packhorse.contract.principal import LOCAL
from packhorse.errors import PackError
from packhorse.metrics import pack as metrics_pack
from packhorse.metrics.metrics import BUCKETS_SECONDS, MOST_CODES, OTHER, OUTCOMES, UNKNOWN, Metrics
from packhorse.metrics.pack import Counting
from packhorse.settings import ServerSettings
from packhorse.testing import deployment_for

pytest.importorskip("prometheus_client", reason="prometheus-client is not installed: there are no metrics to look at")

from prometheus_client.parser import text_string_to_metric_families

CANARY = "canary-4b7f1c"
NAMES = {"tool": ("age", "phase"), "resource": ("facts://moon",), "prompt": ("age",)}
POOLS = ("server", "hourly")
DASHBOARD = Path(__file__).resolve().parents[2] / "deploy" / "grafana" / "packhorse.json"


def samples(metrics):
    text, _ = metrics.render()
    return [sample for family in text_string_to_metric_families(text.decode()) for sample in family.samples]


ORDER = ("pool", "kind", "name", "tool", "outcome", "code", "le")


def values(metrics):
    """Every sample that is not 0, as (name, its labels' values)."""
    return {
        (sample.name, *(sample.labels[label] for label in ORDER if label in sample.labels)): sample.value
        for sample in samples(metrics)
        if sample.value and not sample.name.endswith("_created")
    }


def label_values(metrics):
    return {value for sample in samples(metrics) for label, value in sample.labels.items() if label != "le"}


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_call_is_counted_by_name_and_outcome_and_timed_by_name(outcome):
    metrics = Metrics(NAMES)

    metrics.call("tool", "age", outcome, 0.02)

    counted = values(metrics)
    assert counted.pop(("packhorse_calls_total", "tool", "age", outcome)) == 1
    assert counted.pop(("packhorse_call_seconds_count", "tool", "age")) == 1
    assert counted.pop(("packhorse_call_seconds_sum", "tool", "age")) == 0.02
    assert {key[:3] for key in counted} == {("packhorse_call_seconds_bucket", "tool", "age")}
    assert {float(key[3]) for key in counted} == {bound for bound in (*BUCKETS_SECONDS, float("inf")) if bound >= 0.02}


@pytest.mark.parametrize(
    ("tell", "key", "value"),
    [
        pytest.param(
            lambda m: m.refusal("age", "NAME_TOO_LONG"), ("refusals_total", "age", "NAME_TOO_LONG"), 1, id="a"
        ),
        pytest.param(
            lambda m: m.refusal("age", "authorization"), ("refusals_total", "age", "authorization"), 1, id="b"
        ),
        pytest.param(lambda m: m.limited("hourly"), ("limited_total", "hourly"), 1, id="a limit"),
        pytest.param(lambda m: m.waiting(lambda: (7, 0)), ("queue_depth",), 7, id="waiting jobs"),
        pytest.param(lambda m: m.waiting(lambda: (0, 90.5)), ("oldest_job_seconds",), 90.5, id="the oldest job"),
        pytest.param(lambda m: m.job("plan", "timeout"), ("jobs_total", "plan", "timeout"), 1, id="a job's end"),
        pytest.param(lambda m: m.in_flight(lambda: 3), ("calls_in_flight",), 3, id="calls in flight"),
    ],
)
def test_what_else_is_told_is_there(tell, key, value):
    metrics = Metrics(NAMES, POOLS, ("plan",))

    tell(metrics)

    assert values(metrics) == {(f"packhorse_{key[0]}", *key[1:]): value}


def test_a_queue_that_cannot_be_counted_has_no_figure_and_takes_nothing_from_the_others(caplog):
    def gone():
        raise OSError("canary")

    metrics = Metrics(NAMES)
    metrics.waiting(gone)
    metrics.call("tool", "age", "ok", 1)

    assert ("packhorse_queue_depth",) not in values(metrics)
    assert ("packhorse_calls_total", "tool", "age", "ok") in values(metrics)
    assert "canary" not in " ".join(record.getMessage() for record in caplog.records)


def test_calls_in_flight_are_read_when_the_metrics_are():
    metrics, running = Metrics(NAMES), [1]
    metrics.in_flight(lambda: running[0])
    first = values(metrics)
    running[0] = 5

    assert (first, values(metrics)) == ({("packhorse_calls_in_flight",): 1}, {("packhorse_calls_in_flight",): 5})


@pytest.mark.parametrize(
    ("tell", "key"),
    [
        pytest.param(lambda m: m.call("tool", CANARY, "ok", 1), ("calls_total", "tool", UNKNOWN, "ok"), id="a tool"),
        pytest.param(lambda m: m.call(CANARY, "age", "ok", 1), ("calls_total", UNKNOWN, UNKNOWN, "ok"), id="a kind"),
        pytest.param(
            lambda m: m.call("resource", "age", "ok", 1), ("calls_total", "resource", UNKNOWN, "ok"), id="a tool's name"
        ),
        pytest.param(
            lambda m: m.call("tool", "age", CANARY, 1), ("calls_total", "tool", "age", OTHER), id="an outcome"
        ),
        pytest.param(lambda m: m.refusal(CANARY, "BUSY"), ("refusals_total", UNKNOWN, "BUSY"), id="a refused name"),
        pytest.param(lambda m: m.refusal("age", CANARY), ("refusals_total", "age", OTHER), id="a code"),
        pytest.param(lambda m: m.limited(CANARY), ("limited_total", UNKNOWN), id="a limit"),
        pytest.param(lambda m: m.job(CANARY, "ok"), ("jobs_total", UNKNOWN, "ok"), id="a job's tool"),
        pytest.param(lambda m: m.job("plan", CANARY), ("jobs_total", "plan", OTHER), id="a job's outcome"),
    ],
)
def test_what_was_not_registered_is_not_named(tell, key):
    metrics = Metrics(NAMES, POOLS, ("plan",))

    tell(metrics)

    assert values(metrics)[f"packhorse_{key[0]}", *key[1:]] == 1
    assert CANARY not in metrics.render()[0].decode()


@given(st.text(), st.text(), st.text(), st.text(alphabet="ab1 -\n", max_size=70))
def test_whatever_callers_send_adds_no_series_but_a_codes(kind, name, outcome, code):
    metrics = Metrics(NAMES, POOLS)
    before = label_values(metrics)

    metrics.call(kind, name, outcome, 1)
    metrics.call("tool", name, outcome, 1)
    metrics.refusal(name, code)
    metrics.limited(name)

    added = label_values(metrics) - before - {OTHER}
    assert not added or (added == {code} and re.fullmatch("[ab]{1,64}", code))


def test_a_pack_that_makes_up_codes_gets_no_more_than_so_many_series():
    metrics = Metrics(NAMES)

    for number in range(3 * MOST_CODES):
        metrics.refusal("age", f"CODE_{number}")
    metrics.refusal("age", "CODE_0")

    codes = {sample.labels["code"] for sample in samples(metrics) if sample.name == "packhorse_refusals_total"}
    assert len(codes) == MOST_CODES + 1
    assert values(metrics)["packhorse_refusals_total", "age", "CODE_0"] == 2
    assert values(metrics)["packhorse_refusals_total", "age", OTHER] == 2 * MOST_CODES


def test_two_deployments_in_one_process_do_not_meet():
    one, other = Metrics(NAMES), Metrics(NAMES)

    one.call("tool", "age", "ok", 1)

    assert values(one)
    assert not values(other)


def test_every_registered_name_is_there_before_its_first_call():
    named = {
        (sample.labels["kind"], sample.labels["name"])
        for sample in samples(Metrics(NAMES))
        if sample.name == "packhorse_calls_total"
    }

    assert named >= {(kind, name) for kind, names in NAMES.items() for name in names}


def test_calls_given_up_at_the_hosts_time_limit_stand_in_a_bucket_of_their_own():
    assert ServerSettings().timeout_seconds in BUCKETS_SECONDS
    assert list(BUCKETS_SECONDS) == sorted(set(BUCKETS_SECONDS))


def begun(folder, wanted=None, transport="http"):
    deployment = deployment_for(
        data_dir=folder, server=ServerSettings(transport=transport, metrics=wanted), seed=pack_of()
    )
    with deployment.running():
        return next((one.metrics for one in deployment.catalogue.observers if isinstance(one, Counting)), None)


@pytest.mark.parametrize(
    ("wanted", "made"),
    [
        pytest.param(None, Metrics, id="not said: installed, hence on"),
        pytest.param(True, Metrics, id="on"),
        pytest.param(False, type(None), id="off"),
    ],
)
def test_metrics_are_on_where_they_can_be(tmp_path, wanted, made):
    assert type(begun(tmp_path, wanted)) is made


def test_nothing_is_counted_where_nobody_can_read_it(tmp_path):
    assert begun(tmp_path, wanted=True, transport="stdio") is None


def test_where_the_library_is_absent_there_are_none_and_who_wants_them_hears_the_cure(tmp_path, monkeypatch):
    monkeypatch.setattr(metrics_pack, "find_spec", lambda name: None)

    assert begun(tmp_path) is None
    with pytest.raises(PackError, match=re.escape("./core[metrics]")):
        begun(tmp_path, wanted=True)


def test_until_somebody_counts_an_observer_takes_all_that_it_is_told():
    counting, call = Counting(), ObservedCall("tool", "age", LOCAL, "1", pack="seed")
    for told in (counting.ends, counting.refused, counting.job_ended):
        told(call, Outcome("limited", "BUSY"))
    assert counting.metrics is None


# The dashboard

TARGET_LABELS = {"job", "instance"}  # given by Prometheus to all that it reads


def exported():
    """Names of all series and the labels that each has."""
    metrics = Metrics(NAMES, POOLS, ("plan",))
    metrics.refusal("age", "BUSY")
    metrics.waiting(lambda: (0, 0))
    return {sample.name: set(sample.labels) for sample in samples(metrics)}


def panels():
    return json.loads(DASHBOARD.read_text("utf-8"))["panels"]


def queries():
    board = json.loads(DASHBOARD.read_text("utf-8"))
    for panel in board["panels"]:
        for target in panel["targets"]:
            yield f"{panel['title']} {target['refId']}", target["expr"]


def parsed(expression):
    promql = pytest.importorskip("promql_parser", reason="promql-parser is not installed: queries cannot be read")
    # What Grafana puts in: an interval, and a pattern for each variable.
    plain = re.sub(r"\$\w+", ".*", expression.replace("$__rate_interval", "5m"))
    return promql, promql.parse(plain)


def asked(promql, expression):
    """Of an expression: (metric, labels it picks by), and the labels it groups by with the metrics under them."""
    selected, grouped = [], []

    def walk(node):
        if isinstance(node, promql.VectorSelector):
            selected.append((node.name, {matcher.name for matcher in node.matchers.matchers}))
            return {node.name}
        if isinstance(node, promql.MatrixSelector):
            return walk(node.vector_selector)
        if isinstance(node, promql.BinaryExpr):
            return walk(node.lhs) | walk(node.rhs)
        if isinstance(node, promql.ParenExpr):
            return walk(node.expr)
        if isinstance(node, promql.Call):
            return set().union(*(walk(argument) for argument in node.args))
        if isinstance(node, promql.AggregateExpr):
            under = walk(node.expr)
            grouped.append((set(node.modifier.labels) if node.modifier else set(), under))
            return under
        assert isinstance(node, promql.NumberLiteral | promql.StringLiteral), type(node)
        return set()

    walk(expression)
    return selected, grouped


@pytest.mark.parametrize("expression", [pytest.param(query, id=title) for title, query in queries()])
def test_every_metric_and_label_on_the_dashboard_is_exported(expression):
    series = exported()
    selected, grouped = asked(*parsed(expression))

    assert selected
    for name, labels in selected:
        assert name in series
        assert labels <= series[name] | TARGET_LABELS
    for labels, under in grouped:
        assert all(labels <= series[name] | TARGET_LABELS for name in under)


@pytest.mark.parametrize("panel", [pytest.param(panel, id=panel["title"]) for panel in panels()])
def test_a_legend_names_only_labels_that_its_query_keeps(panel):
    for target in panel["targets"]:
        _, grouped = asked(*parsed(target["expr"]))
        kept = set().union(*(labels for labels, _ in grouped))
        assert set(re.findall(r"{{(\w+)}}", target["legendFormat"])) <= kept


def test_every_outcome_that_the_dashboard_asks_for_is_one():
    asked_for = [word for _, query in queries() for word in re.findall(r'outcome=~?"([^"]+)"', query)]

    assert asked_for
    assert all(set(words.split("|")) <= set(OUTCOMES) for words in asked_for)


def test_every_list_on_the_dashboard_is_of_a_label_that_is_exported():
    lists = [
        variable["definition"]
        for variable in json.loads(DASHBOARD.read_text("utf-8"))["templating"]["list"]
        if variable["type"] == "query"
    ]

    assert len(lists) == 2
    for query in lists:
        metric, label = re.fullmatch(r"label_values\((\w+)(?:{.*})?, (\w+)\)", query).groups()
        assert label in exported()[metric]


def test_the_dashboard_shows_all_that_is_measured():
    shown = {
        re.sub("_(total|bucket|sum|count)$", "", name)
        for _, query in queries()
        for name in re.findall(r"packhorse_\w+", query)
    }
    measured = {re.sub("_(total|bucket|sum|count|created)$", "", name) for name in exported()}

    assert shown == measured
