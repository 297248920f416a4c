"""A small pack for tests: the tools that agents are granted, each of which remembers that its body ran.

It is no scheduling pack: it keeps one schedule in memory and answers in the
shapes of the scheduling specification.
"""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from pydantic import BaseModel, Field

from packhorse import Context, Tool, UserError, hookimpl

RULES = ["80_HOUR_RULE", "1_IN_7_RULE", "SUPERVISION_RATIO", "MINIMUM_STAFFING", "CREDENTIAL_REQUIREMENTS"]


class Dates(BaseModel):
    academic_year: str
    start_date: str
    end_date: str
    generation_mode: str = "FULL"
    waits: bool = Field(True, alias="async")


class Ward:
    """What the tools share, and what a test looks at."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, Mapping[str, Any]]] = []
        self.hands: list[tuple[str, Mapping[str, Any], tuple[str, ...], str | None]] = []
        """Tool, arguments, the chain of agents (none for a person) and the run."""
        self.violations: list[dict[str, Any]] = []
        self.says = ""
        self.is_empty = False
        self.is_strict = False
        self.version = 1
        """Of the one schedule: a test that changes it in between counts it up."""
        self.before: Callable[[str], None] = lambda tool: None

    def bodies(self) -> list[str]:
        """The tools whose bodies ran, in order."""
        return [tool for tool, _ in self.ran]

    def _note(self, ctx: Context, tool: str, **arguments: Any) -> None:
        self.before(tool)
        self.ran.append((tool, arguments))
        self.hands.append((tool, arguments, ctx.principal.chain, ctx.principal.run))

    async def validate_schedule(
        self, ctx: Context, schedule_id: str | None = None, validation_rules: list[str] | None = None
    ) -> dict[str, Any]:
        """Validate the one schedule against rules, as the scheduling specification shapes it."""
        self._note(ctx, "validate_schedule", schedule_id=schedule_id, validation_rules=validation_rules)
        if self.is_strict and schedule_id == "none":
            raise UserError("There is no such schedule.", code="NOT_FOUND")
        rules = validation_rules or RULES
        found = [one for one in self.violations if one["rule"] in rules]
        return {
            "is_valid": not found,
            "schedule_id": schedule_id or "current",
            "rules_checked": rules,
            "violations": found,
            "warnings": [],
            "summary": {"total_violations": len(found)},
            "note": self.says or "no violations found, no conflict, no timeout, no error",
        }

    async def execute_swap(self, ctx: Context, swap_id: str, schedule_id: str | None = None) -> dict[str, Any]:
        """Carry out a swap that was agreed, on the schedule that is named."""
        self._note(ctx, "execute_swap", swap_id=swap_id, schedule_id=schedule_id)
        return {"success": True, "swap_id": swap_id}

    async def detect_conflicts(
        self, ctx: Context, start_date: str | None = None, end_date: str | None = None
    ) -> dict[str, Any]:
        """List the conflicts between two days; there are none."""
        self._note(ctx, "detect_conflicts")
        return {"conflicts": []}

    async def analyze_hub_centrality(self, ctx: Context) -> dict[str, Any]:
        """Say on whom the schedule hangs."""
        self._note(ctx, "analyze_hub_centrality")
        return {"hubs": []}

    async def snapshot_schedule(self, ctx: Context, label: str, schedule_id: str | None = None) -> dict[str, Any]:
        """Keep a copy of the schedule that is named."""
        if self.is_empty:
            raise UserError("There is no schedule yet.", code="NOT_FOUND")
        self._note(ctx, "snapshot_schedule", schedule_id=schedule_id)
        return {"schedule_id": f"copy of {schedule_id}", "label": label}

    async def forbidden_tool(self, ctx: Context) -> dict[str, Any]:
        """A tool that no card and no matrix grants to anybody."""
        self._note(ctx, "forbidden_tool")
        return {}

    def seen(self, ctx: Context, arguments: Mapping[str, Any]) -> str:
        """The version of the schedule that a call is about."""
        return f"{arguments.get('schedule_id') or 'current'} v{self.version}"

    def module(self, roles: tuple[str, ...] = ("COORDINATOR", "ADMIN", "FACULTY")) -> ModuleType:
        """The pack."""
        readers = (self.validate_schedule, self.detect_conflicts, self.analyze_hub_centrality)
        makers = (self._generate(), self.execute_swap, self.snapshot_schedule, self.forbidden_tool)
        made = ModuleType("wards")

        def register_tools() -> list[Tool]:
            reading = [Tool(fn=fn, roles=roles, read_only=True, version=self.seen) for fn in readers]
            return [*reading, *(Tool(fn=fn, roles=roles, destructive=True, version=self.seen) for fn in makers)]

        made.register_tools = hookimpl(register_tools)  # type: ignore[attr-defined]
        return made

    def _generate(self) -> Callable[..., Any]:
        async def generate_schedule(dates: Dates, ctx: Context) -> dict[str, Any]:
            """Make the one schedule for these dates, as the scheduling specification shapes it."""
            self._note(ctx, "generate_schedule", **dates.model_dump())
            statistics = {"total_assignments": 280, "utilization_rate": 0.75, "compliance_status": "COMPLIANT"}
            return {"schedule_id": "s-1", "status": "COMPLETED", "statistics": statistics}

        return generate_schedule
