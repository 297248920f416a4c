"""The status page of a server with every pack of this repository, read by a person."""

import anyio
import httpx2
import pytest

from packhorse.http.app import Service
from packhorse.settings import ServerSettings
from packhorse.testing import connected, deployment_for

HOST = "http://127.0.0.1"


@pytest.fixture(scope="module")
def html(tmp_path_factory):
    """As it is answered, after a call that was refused."""
    deployment = deployment_for(
        data_dir=tmp_path_factory.mktemp("status"), server=ServerSettings(transport="http", status=True)
    )

    async def ask():
        async with connected(deployment) as client:
            assert (await client.call_tool("get_adaptation_plan", {"prep_days": 99})).is_error
            transport = httpx2.ASGITransport(Service(deployment).app)
            async with httpx2.AsyncClient(transport=transport, base_url=HOST) as http:
                answer = await http.get("/")
        assert answer.status_code == 200, answer.text
        return answer.text

    return anyio.run(ask)


@pytest.fixture
def page(chromium, html):
    opened = []

    def made(width=900, scheme="light"):
        one = chromium.page(width, scheme=scheme)
        opened.append(one)
        one.load(html)
        return one

    yield made
    for one in opened:
        requests, complaints = one.requests, one.complaints
        one.close()
        assert (requests, complaints) == ([], [])


OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 900])
def test_it_can_be_read_in_both_schemes_and_on_a_narrow_screen(page, measure, width, scheme):
    shown = page(width, scheme)
    shown.evaluate(OPEN_ALL)
    measured = shown.evaluate(measure)
    assert measured["faint"] == []
    assert measured["small"] == []
    assert measured["wide"] == 0
    assert measured["texts"] > 200


def test_it_follows_the_scheme_of_the_system(page, measure):
    papers = [page(scheme=scheme).evaluate(measure)["paper"] for scheme in ("light", "dark")]
    assert papers == ["rgb(255, 255, 255)", "rgb(20, 23, 31)"]


def test_a_tool_is_opened_by_keyboard(page):
    shown = page()
    shown.evaluate("document.querySelector('summary').focus()")
    assert shown.evaluate("document.activeElement.parentElement.open") is False
    shown.press("Enter")
    assert shown.evaluate("document.activeElement.parentElement.open") is True


def test_the_tab_key_reaches_every_tool(page):
    shown = page()
    seen = "[...document.querySelectorAll('summary')].filter((one) => one.checkVisibility())"
    count, reached = shown.evaluate(f"{seen}.length"), set()
    while len(reached) < count:
        shown.press("Tab")
        at, focused = shown.evaluate(f"[{seen}.indexOf(document.activeElement), document.activeElement.tagName]")
        if at >= 0:
            reached.add(at)
        assert focused != "BODY", f"the Tab key has reached {len(reached)} of {count} and left the page"
    assert count > 10  # those of circadian, the locator and the host, which ask nobody for a role


def test_the_way_down_the_page_is_of_plain_links(page):
    shown = page()
    shown.press("Tab")
    assert shown.evaluate("document.activeElement.hash") == "#health"
    targets = "[...document.querySelectorAll('nav a')].map((one) => document.querySelector(one.hash) !== null)"
    assert shown.evaluate(targets) == [True] * 5


def test_the_refused_call_is_on_it(page):
    text = page().evaluate("document.getElementById('refusals').innerText")
    assert "get_adaptation_plan" in text


def test_it_has_no_script(page):
    assert page().evaluate("document.scripts.length") == 0


def test_printed_it_is_on_white(page, measure):
    shown = page(scheme="dark")
    shown.media("dark", "print")
    measured = shown.evaluate(measure)
    assert measured["paper"] == "rgb(255, 255, 255)"
    assert measured["faint"] == []
