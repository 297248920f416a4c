"""The roster as a grid, and its health as a board, shown to a coordinator."""

from datetime import timedelta

import anyio
import pytest
from attrs import evolve
from mcp.client.extension import advertise

from packhorse import Host
from packhorse.contract.principal import Principal
from packhorse.testing import connected, deployment_for, fixed_clock
from packhorse_scheduling import pack as scheduling
from packhorse_scheduling.domain.programme.calendar import Year
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.service import RosterDesk
from served import served

NOW = fixed_clock("2026-07-01T12:00:00Z")
COORDINATOR = Principal("human", subject="coordinator", roles=frozenset({"COORDINATOR"}))
DRAWS = advertise("io.modelcontextprotocol/ui", {"mimeTypes": ["text/html;profile=mcp-app"]})


def two_weeks():
    """The sample programme, cut to its first fourteen days: solved in some seconds."""
    whole = sample(Shape(seed=1))
    year = Year(whole.year.start, whole.year.start + timedelta(days=13))
    return evolve(
        whole,
        year=year,
        leaves=tuple(leave for leave in whole.leaves if leave.start in year and leave.end in year),
        preferences=tuple(wish for wish in whole.preferences if wish.day in year),
    )


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Both tools of a published roster into which somebody's leave has come."""
    folder, programme = tmp_path_factory.mktemp("roster"), two_weeks()
    deployment = deployment_for(data_dir=folder, clock=NOW, scheduling=scheduling)
    desk = RosterDesk(Host("scheduling", data_dir=folder, migrations=scheduling.pack.migrations, clock=NOW))
    desk.import_programme(programme)

    async def ask():
        async with connected(deployment, principal=COORDINATOR, extensions=[DRAWS]) as client:
            made = await client.call_tool(
                "generate_schedule",
                {
                    "academic_year": "2026-2027",
                    "start_date": programme.year.start.isoformat(),
                    "end_date": programme.year.end.isoformat(),
                    "async": False,
                },
            )
            desk.publish(made.structured_content["schedule_id"], "coordinator")
            roster = (await client.call_tool("show_roster", {"days": 14})).structured_content
            busy = next(
                (person["person_id"], roster["days"][n]["date"])
                for person in roster["people"]
                for n in range(4, 8)
                if all(person["half_days"][2 * n : 2 * n + 2])
            )
            leave = {"person_id": busy[0], "start_date": busy[1], "end_date": busy[1]}
            assert not (await client.call_tool("record_leave", leave)).is_error
            pages = {
                uri: (await client.read_resource(uri)).contents[0].text
                for uri in ("schedule://current/roster.html", "resilience://health/board.html")
            }
            return await served(client, "show_roster", {"days": 14}), await served(client, "show_health", {}), pages

    return anyio.run(ask)


@pytest.fixture(params=["roster", "health"])
def either(request, answers):
    return answers[["roster", "health"].index(request.param)]


def show(client, one, **options):
    view = client(one.html, **options)
    view.answer(one.arguments, one.result)
    return view


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 900])
def test_both_can_be_read_in_both_schemes_and_on_a_narrow_screen(client, either, theme, width):
    measured = show(client, either, theme=theme, width=width).measured()
    assert measured["faint"] == []
    assert measured["small"] == []
    assert measured["wide"] == 0
    assert measured["texts"] > 15


def test_printed_the_grid_is_whole_and_on_white(client, answers):
    view = show(client, answers[0], theme="dark")
    view.page.media("dark", "print")
    assert view.inside("getComputedStyle(document.querySelector('.grid')).overflow") == "visible"
    assert view.measured()["paper"] == "rgb(255, 255, 255)"
    assert view.measured()["faint"] == []


def test_every_person_and_day_has_a_cell_in_the_colour_of_its_service(client, answers):
    roster = answers[0].result["structuredContent"]
    view = show(client, answers[0])
    sizes = "[document.querySelectorAll('tbody tr').length, document.querySelectorAll('[role=gridcell]').length]"
    people, days = len(roster["people"]), len(roster["days"])
    assert view.inside(sizes) == [people, people * days]
    colours = view.inside(
        "Object.fromEntries([...document.querySelectorAll('[role=gridcell] .half')]"
        ".filter((one) => one.innerText.trim()).map((one) => [one.innerText, getComputedStyle(one).backgroundColor]))"
    )
    colours.pop("away", None)
    assert len(set(colours.values())) == len(colours) >= 5


def test_the_halves_of_a_day_are_named_beside_each_person(client, answers):
    view = show(client, answers[0])
    parts = view.inside("[...document.querySelectorAll('tbody .parts')].map((one) => one.innerText.split(/\\s+/))")
    assert parts == [["AM", "PM"]] * len(answers[0].result["structuredContent"]["people"])
    tops = "(one) => [...document.querySelectorAll(`tbody tr:first-child ${one} .half`)].map((it) => it.offsetTop)"
    assert view.inside(f"({tops})('.parts')") == view.inside(f"({tops})('[role=gridcell]:nth-of-type(2)')")


@pytest.mark.parametrize("width", [360, 1200])
def test_every_person_is_in_sight_without_a_second_bar_to_scroll_by(client, answers, width):
    view = show(client, answers[0], width=width)
    assert (
        view.inside("(({scrollHeight, clientHeight}) => scrollHeight - clientHeight)(document.querySelector('.grid'))")
        == 0
    )


def test_where_a_rule_is_broken_the_cell_is_marked_and_says_so(client, answers):
    roster = answers[0].result["structuredContent"]
    (first, *_) = broken = [one for one in roster["violations"] if one["rule"] == "LEAVE_RULE"]
    view = show(client, answers[0])
    marked = view.inside("[...document.querySelectorAll('td.breach .unseen')].map((one) => one.textContent)")
    assert len(marked) == 1
    assert all(one["message"] in marked[0] for one in broken)
    assert first["message"] in view.inside("document.querySelector('.breaches').innerText")


def test_the_grid_is_one_stop_of_the_tab_key_and_arrows_go_from_cell_to_cell(client, answers):
    roster = answers[0].result["structuredContent"]
    first, second = roster["people"][:2]
    view = show(client, answers[0])
    view.inside("document.querySelector('[role=gridcell]').focus()")
    told = "document.querySelector('.cell-words').innerText"
    assert view.inside(told).startswith(f"{first['name']}, Wed, Jul 1")
    view.page.press("ArrowRight")
    assert view.inside(told).startswith(f"{first['name']}, Thu, Jul 2")
    view.page.press("ArrowDown")
    assert view.inside(told).startswith(f"{second['name']}, Thu, Jul 2")
    view.page.press("End")
    view.page.press("ArrowRight")
    assert view.inside(told).startswith(f"{second['name']}, Tue, Jul 14")
    view.page.press("Home", control=True)
    view.page.press("ArrowUp")
    assert view.inside(told).startswith(f"{first['name']}, Wed, Jul 1")
    view.page.press("End", control=True)
    assert view.inside(told).startswith(f"{roster['people'][-1]['name']}, Tue, Jul 14")
    view.page.press("Tab")
    assert view.inside("document.querySelector('.grid').contains(document.activeElement)") is False
    view.page.press("Tab", shift=True)
    assert view.inside(told).startswith(f"{roster['people'][-1]['name']}, Tue, Jul 14")


def test_one_role_alone_can_be_shown_by_keyboard(client, answers):
    roster = answers[0].result["structuredContent"]
    view = show(client, answers[0])
    for key in ("Tab", "Tab", "Tab", "Enter"):
        view.page.press(key)
    assert view.focus() == "Faculty"
    names = view.inside("[...document.querySelectorAll('tbody th')].map((one) => one.firstChild.textContent)")
    assert names == [person["name"] for person in roster["people"] if person["role"] == "FACULTY"]
    assert view.inside("document.activeElement.getAttribute('aria-pressed')") == "true"


def test_the_board_says_its_figures_and_alerts(client, answers):
    health = answers[1].result["structuredContent"]
    text = show(client, answers[1]).text
    assert f"{round(health['metrics']['utilization_rate'] * 100, 1):g} %" in text
    for alert in health["alerts"]:
        assert alert["message"] in text
    assert text.count("Jul 1 to Jul 7") == 2


@pytest.mark.parametrize("uri", ["schedule://current/roster.html", "resilience://health/board.html"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_same_pages_open_by_themselves(chromium, answers, uri, scheme):
    page = chromium.page(scheme=scheme)
    page.load(answers[2][uri])
    text, requests, complaints = page.evaluate("document.body.innerText"), page.requests, page.complaints
    page.close()
    assert "roster" in text
    assert "Waiting" not in text
    assert (requests, complaints) == ([], [])
