"""The guard: every call that an agent makes, of any tool of the deployment, is decided here; and the fence."""

import asyncio

from packhorse import Call, Principal
from packhorse_pai.service import OnAgents, is_fenced


class AgentGuard(OnAgents):
    """Denies whatever an agent's card, policy, budget, facts and approvals do not allow."""

    async def judge(self, principal: Principal, call: Call) -> str | None:
        """None to allow an agent's call; else why not."""
        return await asyncio.to_thread(self.service.judge, principal, call) if principal.kind == "agent" else None

    def bars(self, principal: Principal, call: Call) -> str | None:
        """Of callers that are no agents a fenced host takes only what reads, and this pack's tools."""
        if principal.kind == "agent" or not self.hides(principal, call) or self.service.is_own_account(principal):
            return None
        return f"Only agents may use {call.tool} on this server. Start an agent, for example with invoke_agent."

    def hides(self, principal: Principal, call: Call) -> bool:
        """Whether a tool is for agents alone."""
        return is_fenced(self.host) and not call.read_only and call.tool not in self.service.own_tools
