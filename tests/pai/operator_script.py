"""An operator's trial of the agents, said to a real client and typed at the terminal; it writes docs/pai-operator.md.

``python tests/pai/operator_script.py`` plays it again and writes the page;
the tests play it too, and compare. Ids are shown by what they are of.
"""

import getpass
import json
import re
import sys
import tempfile
from datetime import UTC, date, datetime
from pathlib import Path

from attrs import evolve
from click.testing import CliRunner

from packhorse import Host, Principal
from packhorse.audit import tail, verify
from packhorse.settings.tables import AUDIT_FILE
from packhorse.testing import connected, deployment_for
from packhorse_pai import pack
from packhorse_pai.commands import commands
from packhorse_pai.models import PaiSettings
from packhorse_pai.service.agents import AgentService
from packhorse_pai.store.migrations import MIGRATIONS

NOW = datetime(2025, 1, 20, 12, tzinfo=UTC)
ANN = Principal("human", "ann", frozenset({"COORDINATOR"}))
PAGE = Path(__file__).resolve().parents[2] / "docs" / "pai-operator.md"
BLOCK_10 = {"start_date": "2025-02-03", "end_date": "2025-03-02"}

OPENING = r"""# An operator tries the agents

The [pai pack](../plugins/pai/README.md) beside the [scheduling pack](../plugins/scheduling/README.md), on the sample
programme of 12 residents and 8 faculty with one block of four weeks. What was called by a client or typed at the
terminal is in brackets; what stands in the blocks is what was answered, with ids shown by what they are of.
`python tests/pai/operator_script.py` plays all of it again and writes this page.

## The whole story at a terminal

From nothing to a swap that waits for you, on a year that is invented for it. A draft of the whole year takes half a
minute; then Ann, who is on the ward some day from tomorrow on, and whoever can change with her agree on it.

```console
$ packhorse scheduling sample --start-year $(date +%Y) --out year.json
Wrote year.json.
$ packhorse scheduling import year.json
...
$ DRAFT=$(packhorse scheduling generate | awk '/^Draft/ {print $2}')
...
$ packhorse scheduling publish $DRAFT
Version 1 is published.
$ packhorse scheduling export --format csv --out roster.csv
Wrote roster.csv.
$ read ANN DAY HALF <<< $(awk -F, -v today=$(date +%F) '$6 == "WARD" && $1 > today {print $3, $1, $2; exit}' roster.csv)
$ BOB=$(packhorse scheduling swap candidates $ANN $DAY $HALF | awk '/ONE_TO_ONE/ {print $1; exit}')
$ packhorse scheduling swap request $ANN $BOB $DAY $HALF
Swap ... is requested, waiting for ... and ....
$ SWAP=$(packhorse scheduling swap list | awk '{print $NF}')
$ packhorse scheduling swap answer $SWAP $ANN --accept
Swap ... is requested, waiting for ....
$ packhorse scheduling swap answer $SWAP $BOB --accept
Swap ... is approved.
$ packhorse call invoke_swap_manager_agent \
  "{\"mission\": \"Carry out the swap\", \"task\": \"execute_swap\", \"context\": {\"swap_id\": \"$SWAP\"}}"
{"agent_name":"SWAP_MANAGER",..."status":"awaiting_approval",...}
$ packhorse pai pending
...
1 waiting
$ APPROVAL=$(packhorse pai pending | awk '/until/ {print $1}')
$ RUN=$(packhorse pai pending | awk '/^The run was started/ {print $NF}')
```

You decide, the agent goes on, and the trail says who did what. Not run by the tests: a person types the word that the
first of these commands asks for.

```text
packhorse pai decide $APPROVAL
packhorse call invoke_agent "{\"goal_id\": \"$RUN\"}"
packhorse pai trail $RUN
packhorse audit tail
```
"""


def block_10():
    """The sample programme of 12 residents and 8 faculty, as one that has this block alone."""
    from packhorse_scheduling.domain.programme.calendar import Year
    from packhorse_scheduling.domain.programme.sample import Shape, sample

    whole = sample(Shape(residents=12, faculty=8, seed=1, start_year=2024))
    year = Year(*(date.fromisoformat(day) for day in BLOCK_10.values()))
    leaves = tuple(leave for leave in whole.leaves if leave.end in year and leave.start in year)
    wishes = tuple(wish for wish in whole.preferences if wish.day in year)
    return evolve(whole, year=year, leaves=leaves, preferences=wishes)


def imported(folder):
    """A deployment of both packs on a still clock, with the programme imported."""
    from packhorse_scheduling import pack as scheduling
    from packhorse_scheduling.service import RosterDesk

    host = Host("scheduling", data_dir=folder, migrations=scheduling.pack.migrations, clock=lambda: NOW)
    RosterDesk(host).import_programme(block_10())
    return deployment_for(data_dir=folder, clock=lambda: NOW, pai=pack, scheduling=scheduling)


class Trial:
    """One trial: calls and commands, and the page that they make."""

    def __init__(self, client, folder):
        self.client = client
        self.folder = folder
        self.parts = [OPENING]
        self.names = {}
        self.run = ""

    async def call(self, tool, arguments):
        reply = await self.client.call_tool(tool, arguments)
        assert not reply.is_error, reply.content
        return reply.structured_content

    def told(self, what, answer):
        text = answer if isinstance(answer, str) else json.dumps(answer, indent=2, ensure_ascii=False)
        for identity, name in self.names.items():
            text, what = text.replace(identity, name), what.replace(identity, name)
        text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID", text)
        self.parts.append(f"[{what}]\n\n```text\n{text.rstrip()}\n```\n")

    def says(self, words):
        self.parts.append(f"{words}\n")

    async def asks(self, words, tool, arguments, keys):
        """Call a tool, and show these keys of its answer."""
        answer = await self.call(tool, arguments)
        self.says(words)
        self.told(f"{tool} {json.dumps(arguments, ensure_ascii=False)}", {key: answer[key] for key in keys})
        return answer

    def types(self, words, *typed):
        """Type a command of the pack."""
        host = Host("pai", data_dir=self.folder, migrations=MIGRATIONS, clock=lambda: NOW, settings=PaiSettings())
        (command,) = [one for one in commands(host) if one.name == typed[0]]
        done = CliRunner().invoke(command, typed[1:])
        assert done.exit_code == 0, done.output
        self.says(words)
        self.told(f"packhorse pai {' '.join(typed)}", done.output.replace(getpass.getuser(), "operator"))


async def tried(client, folder):
    """The whole trial on a published schedule."""
    trial = Trial(client, folder)
    access = ("effect", "reasons", "needs_first", "granted_to")
    trial.says("## Who may do what?")
    may = {"agent_name": "SWAP_MANAGER", "tool_name": "execute_swap"}
    await trial.asks("May the swap agent carry out a swap?", "explain_access", may, access)
    may = {"agent_name": "COMPLIANCE_AUDITOR", "tool_name": "execute_swap"}
    await trial.asks("And the auditor?", "explain_access", may, access[:2])

    trial.says("## An audit")
    audit = {"mission": "Audit the schedule in force", "audit_scope": "acgme_only", "task": "audit_schedule"}
    answer = await trial.call("invoke_compliance_auditor_agent", audit)
    trial.says("Does the block keep the duty-hour rules?")
    result = {key: answer["result"][key] for key in ("rules_checked", "violations", "compliance_score")}
    shown = {"status": answer["status"], "result": result, "tools_used": answer["tools_used"]}
    trial.told(f"invoke_compliance_auditor_agent {json.dumps(audit)}", shown)

    trial.says("## A swap that a person approves")
    swap = await agreed(trial)
    trial.names[swap] = "SWAP"
    mission = {"mission": "Swap the clinic that both agreed on", "context": {"swap_id": swap}, "task": "execute_swap"}
    waits = await trial.call("invoke_swap_manager_agent", mission)
    (waiting,) = waits["result"]["approvals"]
    trial.run = waits["goal_id"]
    trial.names |= {waits["goal_id"]: "RUN", waiting["approval_id"]: "APPROVAL"}
    trial.says("Two residents have agreed to change a clinic. The agent may do it, and asks first.")
    shown = {"status": waits["status"], "result": waits["result"], "tools_used": waits["tools_used"]}
    trial.told(f"invoke_swap_manager_agent {json.dumps(mission)}", shown)
    trial.types("At the terminal stands exactly what would happen.", "pending")
    trial.says(
        "Another person approves it: `packhorse pai decide APPROVAL` shows the same, and asks for the last word of its"
        " first line. That runs nothing."
    )
    host = Host("pai", data_dir=folder, migrations=MIGRATIONS, clock=lambda: NOW, settings=PaiSettings())
    AgentService(host).approving.decide(waiting["approval_id"], approve=True, by="terminal::operator")
    keys = ("status", "tools_used", "escalations")
    await trial.asks("The coordinator's client goes on.", "invoke_agent", {"goal_id": waits["goal_id"]}, keys)
    trial.types("Nothing waits any more.", "pending")

    trial.says("## The kill switch")
    trial.types("Enough for today.", "stop")
    answer = await trial.call("invoke_scheduler_agent", {"mission": "Validate the schedule"})
    trial.told(
        'invoke_scheduler_agent {"mission": "Validate the schedule"}',
        {"status": answer["status"], "result": answer["result"], "tools_used": answer["tools_used"]},
    )
    trial.types("And on again.", "start")
    return trial


def page(trial):
    """The page's text, once the server has ended: a refusal may wait a second before it is on record."""
    trial.says("## In the record")
    (path,) = (trial.folder / "pai" / "trail").glob(f"SWAP_MANAGER_*_{trial.run}.json")
    trail = json.loads(path.read_text())
    keys = ("invocation_id", "agent_name", "chain", "tools_used", "tools_available", "status", "constraints_enforced")
    trial.says("The invocation's own record says what was done, and not what was in it.")
    trial.told("audit_trail_path", {key: trail[key] for key in keys})
    trial.says("In the host's chained record the swap stands with the person and the agent that acted for her.")
    trial.told("packhorse audit tail", "\n".join(sorted(json.dumps(row) for row in of_swaps(trial.folder))))
    report = verify(trial.folder / AUDIT_FILE)
    trial.told("packhorse audit verify", f"ok: {report.ok}; problem: {report.problem}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(trial.parts))


def of_swaps(folder):
    """The record's rows of swaps: who acted for whom, and how it ended."""
    bodies = [row["body"] for row in tail(folder / AUDIT_FILE, 1000)]
    ended = {body["begin"]: body["outcome"] for body in bodies if "begin" in body}
    for body in bodies:
        call = body.get("call", {})
        if call.get("name") == "execute_swap":
            who = call["principal"]
            outcome = body.get("outcome") or ended[body["id"]]
            yield {"tool": call["name"], "agents": who["chain"], "for": who["subject"], "outcome": outcome["status"]}


async def agreed(trial):
    """Two residents ask for a change of clinics and accept it, by the scheduling pack's tools: the swap's id."""
    page = json.loads((await trial.client.read_resource("schedule://current")).contents[0].text)
    for row in page["assignments"]:
        if row["person_role"] != "RESIDENT" or row["rotation_name"] != "Clinic" or row["block_date"] < "2025-02-06":
            continue
        asked = {"requester_person_id": row["person_id"], "assignment_id": row["id"]}
        found = await trial.call("analyze_swap_candidates", asked)
        if found["candidates"]:
            break
    best = found["candidates"][0]
    parties = {"requester_id": row["person_id"], "target_person_id": best["candidate_person_id"]}
    wish = {"swap_type": best["swap_type"], "block_ids": [row["block_id"]], **parties}
    swap = await trial.call("request_swap", wish)
    for person in parties.values():
        await trial.call("respond_swap", {"swap_id": swap["swap_id"], "accept": True, "person_id": person})
    return swap["swap_id"]


async def main():
    """Play it on a schedule made for it, and write the page."""
    folder = Path(tempfile.mkdtemp())
    async with connected(imported(folder), principal=ANN) as client:
        made = await client.call_tool("generate_schedule", {"academic_year": "2024-2025", **BLOCK_10, "async": False})
        await client.call_tool("publish_schedule", {"schedule_id": made.structured_content["schedule_id"]})
        trial = await tried(client, folder)
    PAGE.write_text(page(trial))
    print(PAGE)


if __name__ == "__main__":
    import anyio

    sys.path.insert(0, str(Path(__file__).parent))
    anyio.run(main)
