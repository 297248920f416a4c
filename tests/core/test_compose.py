"""The compose file says what the host understands."""

import re
from pathlib import Path

import pytest

from packhorse.settings import load

COMPOSE = Path(__file__).parents[2] / "deploy" / "compose.yaml"


@pytest.fixture
def services():
    yaml = pytest.importorskip("yaml", reason="packhorse[jobs] is not installed, which brings PyYAML")
    return yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]


def filled(value, **variables):
    """A value as compose would fill it: ``${NAME}``, ``${NAME:-default}`` or ``${NAME:?what to do}``."""

    def found(match):
        return variables.get(match[1], match[2] or "x" * 40)

    return re.sub(r"\$\{(\w+)(?::[-](?P<default>[^}]*)|:\?[^}]*)?\}", found, str(value))


@pytest.mark.parametrize("replicas", ["1", "3"])
def test_every_variable_is_a_setting_and_what_it_says_is_taken(services, replicas):
    environ = {
        key: filled(value, PACKHORSE_REPLICAS=replicas) for key, value in services["packhorse"]["environment"].items()
    }
    settings = load(environ={**environ, "XDG_CONFIG_HOME": "/nowhere"})

    server = settings.server
    assert (server.transport, server.port, server.replicas) == ("http", 8000, int(replicas))
    assert server.database.get_secret_value() == f"postgresql://packhorse:{'x' * 40}@postgres:5432/packhorse"
    assert server.allowed_hosts == ("localhost:*", "127.0.0.1:*")
    assert settings.auth.configured
    assert settings.audit.key is not None
    assert not settings.audit.anchor.is_relative_to(settings.data_dir)


def test_every_service_has_its_bounds(services):
    for name, service in services.items():
        limits = service["deploy"]["resources"]["limits"]
        assert {"memory", "pids"} <= limits.keys(), name


def test_a_stop_leaves_calls_and_jobs_the_time_they_have(services):
    from packhorse.jobs.engine import STOP_SECONDS

    packhorse = services["packhorse"]
    grace = int(packhorse["stop_grace_period"].removesuffix("s"))
    taken = [int(packhorse["environment"][f"PACKHORSE_SERVER_{name}_SECONDS"]) for name in ("UNREADY", "SHUTDOWN")]
    assert grace > sum(taken) + STOP_SECONDS


def test_a_balancer_looks_twice_before_a_replica_takes_no_more_calls(services):
    packhorse = services["packhorse"]
    interval = int(packhorse["healthcheck"]["interval"].removesuffix("s"))
    assert int(packhorse["environment"]["PACKHORSE_SERVER_UNREADY_SECONDS"]) >= 2 * interval


def test_it_waits_for_what_it_needs(services):
    waited = services["packhorse"]["depends_on"]
    assert {name: one["condition"] for name, one in waited.items()} == {
        "postgres": "service_healthy",
        "redis": "service_healthy",
    }
    assert all("healthcheck" in service for service in services.values())
