"""The guard: every call that an agent makes, of any tool of the deployment, is decided here."""

import asyncio

from attrs import frozen

from packhorse import Call, Principal
from packhorse_pai.service.desk import AgentDesk


@frozen
class AgentGuard:
    """Denies whatever an agent's card, policy, budget, facts and approvals do not allow."""

    desk: AgentDesk

    async def judge(self, principal: Principal, call: Call) -> str | None:
        """None to allow; else why not. Other callers than agents are not judged here."""
        if principal.kind != "agent":
            return None
        return await asyncio.to_thread(self.desk.judge, principal, call)
