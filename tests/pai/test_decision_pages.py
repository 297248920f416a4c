"""A person decides: by a page that a link opens once, at a terminal, or in a form; and nobody else."""

import re
from types import ModuleType

import httpx2
import pytest
from click.testing import CliRunner
from pai_houses import House

from packhorse import Context, Host, Principal, Route, UserError, hookimpl
from packhorse.contract.principal import LOCAL
from packhorse.door.execution import Requester
from packhorse.http.app import Service
from packhorse.testing import connected
from packhorse_pai.commands import commands
from packhorse_pai.models import PaiSettings
from packhorse_pai.service import agents_of
from packhorse_pai.store.migrations import MIGRATIONS

pytestmark = pytest.mark.anyio

HERE = "http://127.0.0.1"
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Origin": HERE}


@pytest.fixture
async def waiting(ward, tmp_path):
    """A house in which a swap waits for a person: the house, its run, and the approval."""
    house = House(ward, tmp_path)
    deployment = house.deployment()
    async with connected(deployment) as client:
        begun = await client.call_tool("invoke_swap_manager_agent", {"mission": "Carry out swap s-1"})
        run = begun.structured_content["goal_id"]

        async def act(tool, arguments):
            given = {"run_id": run, "tool": tool, "arguments": arguments}
            return (await client.call_tool("act_as_agent", given)).structured_content

        await act("validate_schedule", {})
        answer = await act("execute_swap", {"swap_id": "s-1"})
        service = Service(deployment)
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(service.app), base_url=HERE) as http:
            yield house, run, answer["approval"], http, act


def link_of(house, run):
    return f"/pai/decide/{house.service().approving.link(run)}"


async def test_a_link_shows_what_would_change_and_looking_decides_and_spends_nothing(waiting):
    house, run, approval, http, _ = waiting
    link = link_of(house, run)
    for _ in range(3):
        page = await http.get(link)
        assert page.status_code == 200
        assert approval in page.text
        assert "execute_swap" in page.text
        assert "Carry out swap s-1" in page.text
        assert "written by the client" in page.text
        assert f"The run was started by the person at this machine: {run}" in page.text
    assert [one.id for one in house.pending()] == [approval]


async def test_a_link_decides_once(waiting):
    house, run, approval, http, act = waiting
    link = link_of(house, run)
    assert (await http.post(link, content=f"{approval}=maybe", headers=FORM)).status_code == 422
    done = await http.post(link, content=f"{approval}=yes", headers=FORM)
    assert (done.status_code, "Approved" in done.text) == (200, True)
    assert (await http.post(link, content=f"{approval}=no", headers=FORM)).status_code == 422
    assert (await http.get(link)).status_code == 422
    assert (await act("execute_swap", {"swap_id": "s-1"}))["status"] == "done"


@pytest.mark.parametrize("minutes", [14, 16])
async def test_a_link_works_for_fifteen_minutes(waiting, minutes):
    from datetime import timedelta

    house, run, approval, http, _ = waiting
    link = link_of(house, run)
    house.time.now += timedelta(minutes=minutes)
    assert (await http.get(link)).status_code == (200 if minutes < 15 else 422)
    done = await http.post(link, content=f"{approval}=yes", headers=FORM)
    assert done.status_code == (200 if minutes < 15 else 422)


async def test_a_page_of_another_origin_a_guess_and_another_run_decide_nothing(waiting):
    house, run, approval, http, _ = waiting
    link = link_of(house, run)
    elsewhere = {**FORM, "Origin": "https://elsewhere.example"}
    assert (await http.post(link, content=f"{approval}=yes", headers=elsewhere)).status_code == 403
    assert (await http.post("/pai/decide/guess", content=f"{approval}=yes", headers=FORM)).status_code == 422
    assert (await http.post(link_of(house, "other"), content=f"{approval}=yes", headers=FORM)).status_code == 422
    assert [one.id for one in house.pending()] == [approval]


async def test_no_answer_of_any_tool_holds_a_link_or_its_secret(waiting):
    house, run, _, _, act = waiting
    said = [await act(tool, arguments) for tool, arguments in (
        ("execute_swap", {"swap_id": "s-1"}), ("describe", {"tool": "execute_swap"}), ("escalate", {}), ("finish", {}),
    )]  # fmt: skip
    async with connected(house.deployment()) as client:
        said += [(await client.call_tool(name, {})).structured_content for name in ("list_agents",)]
        said.append((await client.call_tool("invoke_agent", {"goal_id": run})).structured_content)
    assert not re.search(r"pai/decide|http://", str(said))


@pytest.mark.parametrize(
    ("owner", "opens", "page", "words"),
    [
        ("local::", True, "", "The person decides on the page that has opened in the browser of their machine, or by"),
        ("local::", False, "http://h/console/approvals", "The person decides at http://h/console/approvals, or by"),
        ("human:i:ann", True, "", "Somebody else than who started the run decides by"),
    ],
)
def test_who_must_decide_and_where_is_said_without_the_link(tmp_path, owner, opens, page, words):
    host = Host("pai", data_dir=tmp_path, migrations=MIGRATIONS, settings=PaiSettings())
    paths = []
    host.open_page, host.approvals_at = lambda path: opens and not paths.append(path), lambda: page
    service = agents_of(host)
    names = ("id", "root", "agent", "chain", "mission", "context", "constraints", "mind", "used", "status", "log")
    row = dict.fromkeys((*names, "policy", "started"), "r-1")
    service.records.add_run({**row, "owner": owner, "supervised": 1, "reading": 0, "spawning": 1, "seconds": 0})
    said = service.approving.call_person("r-1", "A1")
    assert said == f"{words} `packhorse pai decide A1` at a terminal of the server."
    assert not any(path in said for path in paths)


async def test_a_mission_that_a_client_wrote_is_confirmed_by_the_first_yes(waiting):
    house, run, approval, _, _ = waiting
    assert house.service().records.run(run)["mission_by"] == "client"
    house.decides(approval)
    assert house.service().records.run(run)["mission_by"] == "person"


async def test_a_pipe_decides_nothing_at_the_terminal(waiting, monkeypatch):
    house, _, approval, _, _ = waiting
    (decide,) = [one for one in commands(house.host()) if one.name == "decide"]
    piped = CliRunner().invoke(decide, [approval], input="yes\n")
    assert (piped.exit_code, "terminal" in piped.output) == (1, True)
    assert [one.id for one in house.pending()] == [approval]


def human(subject, *roles):
    return Principal("human", subject, frozenset(roles), claims={"iss": "house"})


BOB = human("bob", "ADMIN")
ADA = human("ada", "ADMIN")


async def person_of(deployment, principal):
    """A person's context, as the host's own pages have it."""
    entry = deployment.catalogue.routes["/who"]
    return await deployment.dispatcher.visit(Requester(principal), entry.name, {})


@pytest.mark.parametrize(
    ("principal", "may"),
    [
        pytest.param(BOB, True, id="a leader"),
        pytest.param(LOCAL, True, id="whose machine it is"),
        pytest.param(ADA, False, id="not who started the run"),
        pytest.param(human("eve", "RESIDENT"), False, id="not who leads nobody"),
        pytest.param(BOB.agent("SCHEDULER", run="r"), False, id="not an agent of a leader"),
        pytest.param(LOCAL.agent("SCHEDULER", run="r"), False, id="not an agent of whose machine it is"),
    ],
)
async def test_on_the_hosts_pages_a_decision_is_for_a_leader_and_a_second_person(ward, tmp_path, principal, may):
    house = House(ward, tmp_path)

    async def who(ctx: Context) -> bytes:
        seen.append(ctx)
        return b""

    seen = []
    house.modules["seen"] = pack_of_route(Route(path="/who", fn=who, public=True))
    deployment = house.deployment()
    async with connected(deployment, principal=ADA) as client:
        begun = await client.call_tool("invoke_swap_manager_agent", {"mission": "Carry out swap s-1"})
        run = begun.structured_content["goal_id"]
        for tool, arguments in (("validate_schedule", {}), ("execute_swap", {"swap_id": "s-1"})):
            act = {"run_id": run, "tool": tool, "arguments": arguments}
            waits = (await client.call_tool("act_as_agent", act)).structured_content
        approval = waits["approval"]
        await person_of(deployment, principal)
        ((_, approvals),) = deployment.catalogue.approvals
        assert [one.id for one in approvals.pending(seen[0])] == ([approval] if may else [])
        if may:
            approvals.decide(seen[0], approval, True, "agreed")
            done = (await client.call_tool("act_as_agent", act)).structured_content
            assert done["status"] == "done"
        else:
            with pytest.raises(UserError, match="does not wait for your decision"):
                approvals.decide(seen[0], approval, True, None)
            assert [one.id for one in house.pending()] == [approval]
        left = f"1 call of a run of yours waits for somebody else: {approval} (execute_swap)."
        assert approvals.elsewhere(seen[0]) == (left if principal is ADA else "")


def pack_of_route(route):
    module = ModuleType("seen")
    module.register_routes = hookimpl(lambda: [route])
    return module
