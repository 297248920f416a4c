"""A project of the discovery pack as a page: its process, and its schedule as a chart and as a list."""

import sys
from pathlib import Path

import anyio
import pytest

from packhorse.testing import connected, deployment_for

sys.path.insert(0, str(Path(__file__).parents[1] / "discovery"))
import bakery

PAGE = f"discovery://projects/{bakery.PROJECT}/page.html"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The page before a schedule is computed, and after; with what was solved."""
    folder = tmp_path_factory.mktemp("bakery")

    async def play():
        async with connected(deployment_for(data_dir=folder, discovery=bakery.pack)) as client:
            await bakery.talk(client)
            before = (await client.read_resource(PAGE)).contents[0].text
            solved = bakery.solved(folder)
            return before, (await client.read_resource(PAGE)).contents[0].text, solved

    return anyio.run(play)


@pytest.fixture
def opened(chromium):
    """Opens a page by itself; at the end nothing may have been loaded or complained of."""
    shown = []

    def open_page(html, width=1200, scheme="light"):
        page = chromium.page(width, scheme=scheme)
        shown.append(page)
        page.load(html)
        return page

    yield open_page
    for page in shown:
        requests, complaints = page.requests, page.complaints
        page.close()
        assert (requests, complaints) == ([], [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
def test_a_project_can_be_read_in_both_schemes_and_on_a_narrow_screen(opened, measure, pages, scheme, width):
    measured = opened(pages[1], width, scheme).evaluate(measure)
    assert (measured["faint"], measured["small"], measured["wide"]) == ([], [], 0)


def test_the_process_stands_in_order_with_times_and_machines_and_says_what_nobody_said(opened, pages):
    page = opened(pages[0])
    steps = page.evaluate("[...document.querySelectorAll('.step')].map((step) => step.innerText)")
    assert [step.split("\n")[:3] for step in steps] == [
        ["mix", "20 minutes", "on mixer"],
        ["proof", "3-4 hours", "on proofer"],
        ["shape", "30 minutes", "on bench"],
        ["bake", "45 minutes", "on oven"],
    ]
    text = page.evaluate("document.body.innerText")
    assert "Nobody said the order" in text
    assert "None is computed yet" in text


def test_the_chart_and_the_list_hold_every_piece_of_work_at_its_time_and_the_rule_that_is_not_kept(opened, pages):
    page, solved = opened(pages[1]), pages[2]
    bars = {
        (bar["job"], bar["step"], bar["starts"], bar["ends"]) for row in solved["gantt"]["rows"] for bar in row["bars"]
    }
    cells = page.evaluate(
        "[...document.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((it) => it.textContent))"
    )
    assert {tuple(row[1:]) for row in cells} == bars
    tips = page.evaluate("[...document.querySelectorAll('.lane b')].map((bar) => bar.title)")
    assert sorted(tips) == sorted(f"{job}, {step}: {starts} to {ends}" for job, step, starts, ends in bars)
    text = page.evaluate("document.body.innerText")
    assert solved["summary"] in text
    assert f"Not kept: {solved['not_kept'][0]['rule']}" in text
