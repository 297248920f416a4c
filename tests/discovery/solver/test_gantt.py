"""The Gantt chart: as data and as SVG."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from attrs import evolve
from eight_models import INTERVIEWS, OPEN_EIGHT_TO_FOUR, PARTS, fact, flow, model_of, order

from packhorse_discovery.domain.models.build import build
from packhorse_discovery.solver.gantt import gantt
from packhorse_discovery.solver.solve import solve
from packhorse_discovery.solver.solved import Solved
from schedule_picture import svg

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("target", INTERVIEWS)
def test_every_task_is_drawn_and_no_row_has_two_at_a_time(target):
    model = model_of(target)

    chart = gantt(solve(model))

    assert {bar.task for row in chart.rows for bar in row.bars} == {
        index for index, task in enumerate(model.tasks) if task.modes[0].ticks.value
    }
    for row in chart.rows:
        assert all(one.end <= other.start for one, other in pairwise(row.bars))


def test_a_pool_has_a_row_for_each_unit_in_use():
    chart = gantt(solve(model_of("flexible-flow-shop")))

    assert [row.label for row in chart.rows] == ["mixer", "prover 1/2", "prover 2/2", "oven"]


def test_a_task_that_needs_two_units_stands_in_two_rows():
    chart = gantt(solve(model_of("rcpsp")))

    assert sum(bar.step == "walls" for row in chart.rows for bar in row.bars) == 2


def test_dates_and_closed_hours_are_shown():
    scr = flow(windows=(OPEN_EIGHT_TO_FOUR,), origin=fact("2026-03-02"), orders=())

    chart = gantt(solve(build(scr)))

    assert chart.rows[0].bars[0].starts.startswith("2026-03-02 08:")
    assert chart.rows[0].closed[0] == (0, 8 * 3600 // chart.tick_seconds)


def test_the_svg_has_a_bar_for_each_task_and_tells_its_times():
    drawn = ET.fromstring(svg(gantt(solve(model_of("flow-shop")), "Bakery")))

    bars = [each for each in drawn.iter(f"{SVG}rect") if each.get("class") == "bar"]
    assert len(bars) == 9
    assert all(" to " in each.find(f"{SVG}title").text for each in bars)
    assert drawn.find(f"{SVG}title").text == "Bakery"


def test_what_is_cleaned_or_still_occupied_is_marked():
    chart = gantt(solve(build(PARTS["cleaning of a pool, the child first"])))

    drawn = ET.fromstring(svg(chart))

    theatre = [row for row in chart.rows if row.resource == "theatre"]
    assert all((bar.end, bar.end + 3) in row.held or bar.end == row.bars[-1].end for row in theatre for bar in row.bars)
    assert [each for each in drawn.iter(f"{SVG}rect") if each.get("class") == "held"]


def test_names_cannot_break_out_of_the_svg():
    hostile = '<script>alert("x")</script> & co'
    scr = flow(orders=(order("rye"), evolve(order("x"), name=fact(hostile))))

    text = svg(gantt(solve(build(scr)), hostile))

    assert "<script" not in text
    assert hostile in {each.text for each in ET.fromstring(text).iter(f"{SVG}text")}


def test_the_same_schedule_is_the_same_svg():
    model = model_of("flow-shop")

    assert svg(gantt(solve(model))) == svg(gantt(solve(model)))


def test_without_a_schedule_there_is_no_chart():
    with pytest.raises(ValueError, match="infeasible"):
        gantt(Solved("infeasible", None, None, proved=True, seconds=0.0, schedule=None))
