"""A host to try agents on: the pai pack, the ward's tools, and a clock; closed and opened again on the same data."""

import json
from datetime import UTC, datetime
from types import ModuleType

import mcp_types as wire

from packhorse import Host, hookimpl
from packhorse.settings import PackTable
from packhorse.testing import connected, deployment_for
from packhorse_pai import pack
from packhorse_pai.models import PaiSettings
from packhorse_pai.service.agents import AgentService
from packhorse_pai.store.migrations import MIGRATIONS

DATES = {"start_date": "2025-02-03", "end_date": "2025-03-02"}
BROKEN = {"rule": "80_HOUR_RULE", "severity": "ERROR", "message": "84.5 hours"}
SWAP = ("invoke_swap_manager_agent", {"mission": "Swap the duty", "context": {"swap_id": "s-1"}})


class Time:
    def __init__(self):
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self):
        return self.now


TASKS = {
    "invoke_scheduler_agent": {"generate": "generate_schedule", "validate": "validate_only"},
    "invoke_swap_manager_agent": {"swap": "execute_swap", "find": "find_swap"},
    "invoke_compliance_auditor_agent": {"audit": "audit_schedule"},
    "COORD_ENGINE": {"optimize": "optimize_coverage"},
    "COORD_RESILIENCE": {"assess": "coordinate_resilience"},
    "SCHEDULER": {"generate": "generate_schedule", "validate": "validate_only"},
    "COMPLIANCE_AUDITOR": {"audit": "audit_schedule"},
    "OPTIMIZATION_SPECIALIST": {"analyze": "analyze_dependence"},
    "RESILIENCE_ENGINEER": {"assess": "assess_resilience"},
}


def tasked(tool, arguments):
    """The arguments with the task that a test means by its mission's first word: playbooks are played by name alone."""
    who = arguments.get("coordinator_name") or arguments.get("agent_name") or tool
    words = str(arguments.get("mission", "")).lower().split()
    task = TASKS.get(who, {}).get(words[0].strip(".,")) if words else None
    return {**arguments, "task": task} if task and "task" not in arguments else arguments


class House:
    """A host with the pai pack and the ward's tools, which can be closed and opened again on the same data."""

    def __init__(self, ward, folder, **settings):
        self.ward = ward
        self.time = Time()
        self.folder = folder
        self.settings = settings
        self.plays = settings.get("runtime") is None
        self.modules = {"pai": pack, "wards": ward.module()}

    def deployment(self, server=None):
        tables = {"pai": PackTable(own=self.settings)} if self.settings else {}
        return deployment_for(data_dir=self.folder, tables=tables, clock=self.time, server=server, **self.modules)

    async def call(self, tool, arguments, *, deployment=None, **options):
        async with connected(deployment or self.deployment(), **options) as client:
            reply = await client.call_tool(tool, tasked(tool, arguments) if self.plays else arguments)
        assert not reply.is_error, reply.content
        return reply.structured_content

    async def refusal(self, tool, arguments, **options):
        async with connected(self.deployment(), **options) as client:
            reply = await client.call_tool(tool, tasked(tool, arguments) if self.plays else arguments)
        assert reply.is_error
        return (reply.meta or {})["packhorse/error"]["code"]

    def service(self):
        """What a page and a terminal decide by, on the same data."""
        return AgentService(self.host())

    def host(self):
        """The pack's host, on the same data."""
        settings = PaiSettings(**self.settings)
        return Host("pai", data_dir=self.folder, migrations=MIGRATIONS, clock=self.time, settings=settings)

    def pending(self):
        """The calls that wait for a person."""
        return self.service().approving.pending()

    def decides(self, approval, *, approve=True, by="terminal::bob"):
        """A person decides."""
        return self.service().approving.decide(approval, approve=approve, by=by)

    def only_run(self):
        """The id of the one run that there is."""
        with Host("pai", data_dir=self.folder, migrations=MIGRATIONS).store() as store:
            (row,) = store.query("SELECT id FROM runs")
        return row["id"]

    def statuses(self):
        """How each agent's run stands."""
        with Host("pai", data_dir=self.folder, migrations=MIGRATIONS).store() as store:
            return {row["agent"]: row["status"] for row in store.query("SELECT agent, status FROM runs")}


def without(module, *names):
    made = ModuleType("wards")
    made.register_tools = hookimpl(lambda: [tool for tool in module.register_tools() if tool.fn.__name__ not in names])
    return made


def saying(*turns):
    """A model that says these turns, and what it was shown."""
    shown = []

    async def sample(ctx, params):
        said = turns[min(len(shown), len(turns) - 1)]
        shown.append(params)
        said = said() if callable(said) else said
        text = said if isinstance(said, str) else json.dumps(said)
        content = wire.TextContent(type="text", text=text)
        return wire.CreateMessageResult(role="assistant", content=content, model="m", stop_reason="endTurn")

    return sample, shown
