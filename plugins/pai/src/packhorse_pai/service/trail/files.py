"""One file for each invocation: what an agent did, without what was in it.

The mission, the arguments and the answers stay in the run store; here is a
digest of the mission, the names of tools, and events.
"""

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

from packhorse.contract.clock import utc_text
from packhorse.store.permissions import private_folder
from packhorse_pai.domain.digests import digest
from packhorse_pai.service.running.runs import Run


def export(folder: Path, run: Run, status: str, at: datetime) -> Path:
    """Write the record of a run; where it is. Readable by the server's own user alone."""
    private_folder(folder)
    path = folder / f"{run.agent}_{at:%Y%m%dT%H%M%S}_{run.id}.json"
    text = json.dumps(_record(run, status, at), indent=2, ensure_ascii=False) + "\n"
    temporary = path.with_suffix(".part")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    return path


def _record(run: Run, status: str, at: datetime) -> dict[str, Any]:
    return {
        "invocation_id": run.id,
        "root_invocation_id": run.root,
        "timestamp": utc_text(at, "auto"),
        "agent_name": run.agent,
        "agent_tier": run.card.tier,
        "reports_to": run.card.reports_to,
        "chain": list(run.chain),
        "mission_digest": digest([run.mission.text, list(run.mission.constraints)]),
        "tools_used": run.tools_used,
        "tools_available": sorted(run.policy.use.get(run.agent, frozenset()) & run.policy.tools.keys()),
        "tools_missing": list(run.policy.missing(run.agent)),
        "status": status,
        "escalations": run.escalations,
        "execution_log": run.log,
        "constraints_enforced": list(run.card.constraints),
        "policy_digest": run.policy.digest,
    }
