"""The console in a real browser: read, used by keyboard, and a decision on it that lets a waiting run go on."""

import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from console_server import ConsoleServer

pytest.importorskip("packhorse_pai", reason="the pai pack is not installed")
pytest.importorskip("packhorse_scheduling", reason="the scheduling pack is not installed")

PAGES = (
    "", "/tools/change_assignment", "/tools/generate_schedule", "/tools/echo", "/tools/wait_long", "/approvals",
    "/calls", "/record", "/mounts", "/health",
)  # fmt: skip
TARGETS = (Path(__file__).parent / "targets.js").read_text()


@dataclass
class Opened:
    """The server, its operator's page, a run that waits for a person, and a call that is under way."""

    server: ConsoleServer
    page: object
    ada: str
    act: dict
    approval: str

    def goto(self, path, width=1200, scheme="light"):
        self.page.resize(width)
        self.page.media(scheme)
        self.page.goto(f"{self.server.address}/console{path}")
        return self.page

    def text(self):
        return self.page.evaluate("document.querySelector('main').innerText")


@pytest.fixture(scope="module")
def opened(chromium, tmp_path_factory):
    with ConsoleServer(tmp_path_factory.mktemp("console")).serving() as server:
        ada, act, waiting = server.agent_waits()
        assert waiting["status"] == "waiting", waiting
        slow = threading.Thread(target=server.call, args=(ada, "wait_long", {"seconds": 55}), daemon=True)
        slow.start()
        page = chromium.page(1200)
        page.goto(server.link())
        page.click("button")
        page.loaded()
        yield Opened(server, page, ada, act, waiting["approval"])
        requests, complaints = page.requests, page.complaints
        page.close()
        assert complaints == []
        assert [url for url in requests if not url.startswith(server.address)] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
@pytest.mark.parametrize("path", PAGES)
def test_each_page_is_read_and_pressed_at_both_widths_and_in_both_schemes(opened, measure, path, width, scheme):
    page = opened.goto(path, width, scheme)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    measured, targets = page.evaluate(measure), page.evaluate(TARGETS)
    assert measured["wide"] == 0
    assert measured["faint"] == []
    assert measured["small"] == []
    assert targets["unlabelled"] == []
    assert targets["small"] == []
    assert targets["pressed"] > 5
    assert measured["paper"] == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 31)"}[scheme]


def test_a_call_under_way_is_there_with_a_button_that_ends_it(opened):
    page = opened.goto("/calls")
    assert "wait_long" in opened.text()
    page.click("button[aria-label='End the call of wait_long']")
    page.loaded()
    assert "Ended: wait_long." in opened.text()


def test_a_tool_is_called_by_keyboard_alone(opened):
    page = opened.goto("/tools/echo")
    page.evaluate("document.getElementById('argument.text').focus()")
    page.call("Input.insertText", text="ahoy <b>sailor</b>")
    page.press("Enter")
    page.loaded()
    assert "ahoy <b>sailor</b>" in opened.text()
    assert page.evaluate("document.querySelectorAll('main b, main img, main script').length") == 0
    page.press("Tab")
    assert page.evaluate("document.activeElement.closest('#answer') !== null"), "the answer is next"


def test_the_tab_key_reaches_every_page_from_the_top(opened):
    page = opened.goto("/health")
    reached = []
    for _ in range(8):
        page.press("Tab")
        reached.append(page.evaluate("document.activeElement.innerText.split(' ')[0].trim()"))
    assert reached[:1] == ["To"]  # the content
    assert [word.split("\n")[0] for word in reached[1:7]] == [
        "Tools",
        "Approvals",
        "Calls",
        "Record",
        "Mounts",
        "Health",
    ]


def test_without_its_token_no_form_is_taken(opened):
    page = opened.goto("/tools/echo")
    page.evaluate("document.querySelectorAll('input[name=token]').forEach((one) => one.remove())")
    statuses = page.evaluate(
        "Promise.all(['', '/tools/echo', '/approvals', '/calls', '/record', '/mounts'].map(async (path) =>"
        " (await fetch('/console' + path, {method: 'POST', body: new URLSearchParams({do: 'call'})})).status))"
    )
    page.forget()  # that it was refused is what is asked for here
    assert statuses == [403] * 6


def test_in_a_frame_of_another_site_it_is_empty(opened, chromium):
    page = chromium.page(800)
    try:
        page.load(f'<iframe id="f" src="{opened.server.address}/console/health"></iframe>')
        frame = "document.getElementById('f').contentDocument"
        page.evaluate("new Promise((done) => { document.getElementById('f').addEventListener('load', done); })")
        assert page.evaluate(f"{frame} === null || {frame}.body.innerText === ''")
        assert any("frame-ancestors" in words for words in page.complaints)
    finally:
        page.close()


def test_a_decision_on_the_page_lets_the_waiting_run_go_on(opened):
    server, act = opened.server, opened.act
    page = opened.goto("/approvals", 360)
    assert opened.approval in opened.text()
    assert "A draft is made for 2026-07-01 to 2027-06-30" in opened.text()
    assert "Generate the year 2026-2027" in opened.text()
    assert server.call(opened.ada, "act_as_agent", act)["structuredContent"]["status"] == "waiting"
    page.fill("input[name=reason]", "the year is agreed")
    page.click("button[value=approve]")
    page.loaded()
    assert "Approved: SCHEDULER: generate_schedule" in opened.text()
    done = server.call(opened.ada, "act_as_agent", act)["structuredContent"]
    assert done["status"] == "done", done
    page.goto(f"{server.address}/console/record?name=generate_schedule")
    assert "ok" in opened.text()
    page.goto(f"{server.address}/console/calls")
    assert "generate_schedule" in opened.text(), "it has started a job"
    page.click("button[aria-label^='End the job']")
    page.loaded()
    assert "generate_schedule." in page.evaluate("document.querySelector('[role=status]').innerText")


def test_who_signs_out_is_asked_for_another_link(opened):
    opened.goto("/health")
    opened.page.click("header button")
    opened.page.loaded()
    assert "This browser is signed out" in opened.text()
