"""Benchmark files become models."""

import json

import pytest

from shop_files import read

JOBS = {
    "format": "packhorse-jobshop/1",
    "instances": {"tiny": {"optimum": 7, "machines_matrix": [[0, 1], [1, 0]], "duration_matrix": [[3, 2], [4, 1]]}},
}
FLOWS = {
    "format": "packhorse-permflowshop/1",
    "instances": {"small": {"makespan_best_known": 9, "processing_times": [[1, 2, 3], [4, 5, 6]]}},
}


def test_a_job_visits_its_machines_in_the_order_of_the_file():
    (found,) = read(json.dumps(JOBS))

    assert (found.name, found.best, found.model.target) == ("tiny", 7, "job-shop")
    assert [(task.job, task.modes[0].uses[0].resource, task.modes[0].ticks.value) for task in found.model.tasks] == [
        (0, 0, 3),
        (0, 1, 2),
        (1, 1, 4),
        (1, 0, 1),
    ]
    assert [(link.before, link.after) for link in found.model.links] == [(0, 1), (2, 3)]
    assert found.model.tasks[2].modes[0].ticks.source.said == "tiny, duration_matrix[1][0]"


def test_a_flow_shop_has_its_rows_by_machine_and_one_stage_for_each():
    (found,) = read(json.dumps(FLOWS))

    assert (found.best, found.model.target) == (9, "flow-shop")
    assert found.model.stages == ((0, 2, 4), (1, 3, 5))
    assert [task.modes[0].ticks.value for task in found.model.tasks] == [1, 4, 2, 5, 3, 6]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("{", "not JSON: line 1", id="not JSON"),
        pytest.param("[]", "packhorse-jobshop/1, packhorse-permflowshop/1", id="not an object"),
        pytest.param('{"format": "other/1"}', "format must be one of", id="another format"),
        pytest.param('{"format": "packhorse-jobshop/1", "instances": {}}', "at least one", id="no instances"),
        pytest.param(
            '{"format": "packhorse-jobshop/1", "instances": {"bad": {"machines_matrix": [[0]]}}}', "bad", id="half"
        ),
        pytest.param(
            '{"format": "packhorse-permflowshop/1", "instances": {"bad": {"processing_times": [[1], [2, 3]]}}}',
            "bad",
            id="ragged",
        ),
        pytest.param(
            '{"format": "packhorse-permflowshop/1", "instances": {"bad": {"processing_times": [[1.5]]}}}',
            "bad",
            id="not whole",
        ),
    ],
)
def test_what_is_no_benchmark_is_refused_and_the_instance_named(text, why):
    with pytest.raises(ValueError, match=why):
        read(text)
