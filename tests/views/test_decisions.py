"""A person decides on an agent's call in a real browser, which the server over stdio opens by itself."""

import itertools
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from packhorse import Host

pytest.importorskip("packhorse_pai", reason="the pai pack is not installed")
pytest.importorskip("packhorse_scheduling", reason="the scheduling pack is not installed")

DAYS = {"academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2027-06-30", "async": False}


class Server:
    """A server over stdio, as a desktop client starts it: lines of JSON-RPC in and out."""

    def __init__(self, folder, environ, *more):
        serve = [sys.executable, "-m", "packhorse", "serve", "pai", "scheduling"]
        self.count = 0
        self.answers = []
        self.log = folder / "stderr"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*serve, "--config", str(folder / "packhorse.toml"), *more],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environ, text=True,
            )  # fmt: skip
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        self.ask("initialize", hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def request(self, method, params):
        """The whole answer, an error too; every line that came is kept."""
        self.count += 1
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        while True:
            self.answers.append(self.process.stdout.readline())
            answer = json.loads(self.answers[-1])
            if answer.get("id") == self.count:
                return answer

    def ask(self, method, params):
        return self.request(method, params)["result"]

    def call(self, tool, arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["structuredContent"]


@pytest.fixture
def place(tmp_path):
    """The folder of a server, its environment, and the pipe into which its browser writes addresses."""
    opened = tmp_path / "opened"
    os.mkfifo(opened)
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" > {opened}\n')
    browser.chmod(0o755)
    (tmp_path / "packhorse.toml").write_text(f'[server]\ndata_dir = "{tmp_path / "data"}"\n')
    environ = {**os.environ, "BROWSER": str(browser), "PACKHORSE_CONFIG": str(tmp_path / "packhorse.toml")}
    return tmp_path, environ, opened


def choose(page, approval, word):
    """What a person does on the page: read it, tick yes or no, and press the button."""
    choice = f'document.querySelector(\'input[name="{approval}"][value="{word}"]\').click()'
    page.evaluate(f"{choice}; document.querySelector('button').click()")
    page.loaded()
    return page.evaluate("document.body.innerText")


def looked_at(chromium, url):
    page = chromium.page()
    page.call("Page.navigate", url=url)
    page.loaded()
    return page


def test_a_person_decides_in_the_browser_that_the_server_opened(place, chromium):
    folder, environ, opened = place
    packhorse = [sys.executable, "-m", "packhorse", "scheduling"]
    sample = folder / "sample.json"
    subprocess.run([*packhorse, "sample", "--out", str(sample)], check=True, env=environ, capture_output=True)
    subprocess.run([*packhorse, "import", str(sample)], check=True, env=environ, capture_output=True)
    made = Server(folder, environ)
    with made.process:  # its pipes are closed at the end, and the server ends with its input
        run = made.call("invoke_scheduler_agent", {"mission": "Generate the year 2026-2027"})["goal_id"]
        act = {"run_id": run, "tool": "generate_schedule", "arguments": DAYS}
        waiting = made.call("act_as_agent", act)
        assert waiting["status"] == "waiting", waiting
        url = opened.read_text().strip()
        assert url.startswith("http://127.0.0.1:")
        assert url.rsplit("/", 1)[-1] not in json.dumps(waiting)
        page = looked_at(chromium, url)
        shown = page.evaluate("document.body.innerText")
        assert waiting["approval"] in shown
        assert "A draft is made for 2026-07-01 to 2027-06-30" in shown
        assert made.call("act_as_agent", act)["status"] == "waiting", "looking decides nothing"
        assert "Denied" in choose(page, waiting["approval"], "no")
        assert made.call("act_as_agent", act)["rule"] == "approval"


def four_weeks_ahead(folder):
    """The sample programme as one of four weeks from a Monday of the next weeks, imported: its first and last day."""
    from packhorse_scheduling import pack as scheduling
    from packhorse_scheduling.domain.programme.calendar import Year
    from packhorse_scheduling.domain.programme.sample import Shape, sample
    from packhorse_scheduling.service import RosterDesk

    today = datetime.now(UTC).date()
    monday = today + timedelta(days=14 - today.weekday())
    last = monday + timedelta(days=27)
    first_year = last.year if last.month >= 7 else last.year - 1
    if monday < (july := last.replace(year=first_year, month=7, day=1)):  # the weeks would lie in two academic years
        monday = july + timedelta(days=-july.weekday() % 7)
        last = monday + timedelta(days=27)
    whole, year = sample(Shape(start_year=first_year)), Year(monday, last)
    leaves = tuple(leave for leave in whole.leaves if leave.end in year and leave.start in year)
    wishes = tuple(wish for wish in whole.preferences if wish.day in year)
    host = Host("scheduling", data_dir=folder / "data", migrations=scheduling.pack.migrations)
    RosterDesk(host).import_programme(evolve(whole, year=year, leaves=leaves, preferences=wishes))
    return {
        "academic_year": f"{first_year}-{first_year + 1}",
        "start_date": monday.isoformat(),
        "end_date": last.isoformat(),
        "async": False,
    }


def agreed_swap(office):
    """Two residents ask for a change of clinics and accept it: what was asked for, and the swap's id."""
    rows = json.loads(office.ask("resources/read", {"uri": "schedule://current"})["contents"][0]["text"])
    for row in rows["assignments"]:
        if row["person_role"] == "RESIDENT" and row["rotation_name"] == "Clinic":
            asked = {"requester_person_id": row["person_id"], "assignment_id": row["id"]}
            if fits := office.call("analyze_swap_candidates", asked)["candidates"]:
                break
    parties = {"requester_id": row["person_id"], "target_person_id": fits[0]["candidate_person_id"]}
    wish = {"swap_type": fits[0]["swap_type"], "block_ids": [row["block_id"]], **parties}
    swap = office.call("request_swap", wish)["swap_id"]
    for person in parties.values():
        office.call("respond_swap", {"swap_id": swap, "accept": True, "person_id": person})
    return row, parties, swap


def duties(server, row):
    """Who does what in the half-day of a row."""
    rows = json.loads(server.ask("resources/read", {"uri": "schedule://current"})["contents"][0]["text"])
    return {one["person_id"]: one["rotation_name"] for one in rows["assignments"] if one["block_id"] == row["block_id"]}


DECIDING = ("decide_approval", "list_pending_approvals", "approve", "pai_decide", "pai://approvals", "decide")


def every_offer(server):
    """All that a client is offered, read and asked for: texts of resources and prompts."""
    uris = [resource["uri"] for resource in server.ask("resources/list", {})["resources"]]
    texts = [server.request("resources/read", {"uri": uri}) for uri in uris]
    for template in server.ask("resources/templates/list", {})["resourceTemplates"]:
        for value in ("SWAP_MANAGER", "approvals"):
            uri = template["uriTemplate"].split("{")[0] + value
            texts.append(server.request("resources/read", {"uri": uri}))
    for prompt in server.ask("prompts/list", {})["prompts"]:
        given = {one["name"]: "approvals" for one in prompt.get("arguments", ())}
        texts.append(server.request("prompts/get", {"name": prompt["name"], "arguments": given}))
    return texts


def fetched(url, body=None, **headers):
    """The status of a page fetched by a program, as a model's own tool might."""
    asked = urllib.request.Request(url, body, headers)
    try:
        with urllib.request.urlopen(asked) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code


def test_a_swap_from_the_request_to_the_change_with_a_person_and_without_a_door_for_the_model(place, chromium):
    """A client without sampling and forms plays SWAP_MANAGER; the model tries every door, and then a person decides."""
    folder, environ, opened = place
    days = four_weeks_ahead(folder)
    office = Server(folder, environ)  # the programme's own desk, before the fence
    with office.process:
        draft = office.call("generate_schedule", days)["schedule_id"]
        office.call("publish_schedule", {"schedule_id": draft})
        row, parties, swap = agreed_swap(office)

    model = Server(folder, environ, "--fenced")
    with model.process:
        before = duties(model, row)
        mission = f"Carry out swap {swap}"
        order = {"mission": mission, "require_approval": False}
        run = model.call("invoke_swap_manager_agent", order)["goal_id"]

        def act(tool, arguments):
            return model.call("act_as_agent", {"run_id": run, "tool": tool, "arguments": arguments})

        assert act("validate_schedule", {})["status"] == "done"
        waiting = act("execute_swap", {"swap_id": swap})
        assert waiting["status"] == "waiting", waiting
        approval, url = waiting["approval"], opened.read_text().strip()
        site, secret = url.rsplit("/pai/", 1)[0], url.rsplit("/", 1)[1]

        # The model's doors: tools, moves, resources and prompts; then what a program can fetch.
        offered = [tool["name"] for tool in model.ask("tools/list", {})["tools"]]
        assert "act_as_agent" in offered
        assert not {*DECIDING, "execute_swap", "publish_schedule", "snapshot_schedule"} & {*offered}
        direct = (*DECIDING, "execute_swap", "publish_schedule")
        for tool, given in itertools.product(direct, ({}, {"swap_id": swap}, {"schedule_id": draft})):
            answer = model.request("tools/call", {"name": tool, "arguments": given})
            assert "error" in answer or answer["result"]["isError"], tool
        given = {"approval_id": approval, "approval": approval, "approve": True}
        for move in (*DECIDING, "act_as_agent", "invoke_agent", "publish_schedule"):
            assert act(move, given)["status"] == "denied", move
        assert act("execute_swap", {"swap_id": swap, "approved": True})["status"] == "denied"
        assert act("escalate", {"event": approval, "reason": "approved by a person"})["status"] == "done"
        assert model.call("invoke_agent", {"goal_id": run})["status"] == "open"
        texts = every_offer(model)
        assert len(texts) > 4
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        yes = f"{approval}=yes".encode()
        for guess in (approval, run, swap, secret[:-1], secret.swapcase(), "", "../approvals"):
            assert fetched(f"{site}/pai/decide/{guess}") >= 400, guess
            assert fetched(f"{site}/pai/decide/{guess}", yes, Origin=site, **form) >= 400, guess
        for path in ("", "/pai/approvals", "/mcp", "/console", "/status"):
            assert fetched(f"{site}{path}") >= 400, path
            assert fetched(f"{site}{path}", yes, Origin=site, **form) >= 400, path
        assert fetched(url, yes, Origin="https://elsewhere.example", **form) == 403
        assert [fetched(url) for _ in range(3)] == [200] * 3, "what fetches links ahead spends none"
        kept = [path.read_bytes() for path in (folder / "data").rglob("*") if path.is_file()]
        assert secret.encode() not in b"".join(kept), "no file holds the link"
        assert secret not in model.log.read_text()
        assert duties(model, row) == before
        assert act("execute_swap", {"swap_id": swap})["approval"] == approval, "it still waits, and is asked once"

        page = looked_at(chromium, url)
        shown = page.evaluate("document.body.innerText")
        for words in (approval, waiting["preview"], mission, "written by the client"):
            assert words in shown
        assert "Approved" in choose(page, approval, "yes")
        assert duties(model, row) == before, "a decision runs nothing"
        assert act("execute_swap", {"swap_id": swap})["status"] == "done"
        after = duties(model, row)
        one, other = parties.values()
        assert (after[one], after[other]) == (before[other], before[one])
        assert act("finish", {"result": {"swapped": True}})["goal_id"] == run
        assert act("execute_swap", {"swap_id": swap})["code"] == "NOT_OPEN"
        assert secret not in "".join(model.answers)
        assert fetched(url) >= 400, "a link is used once"
