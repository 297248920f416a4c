"""An answer's values as tables."""

from packhorse_discovery.domain.formulation.chosen import scalars, tables
from packhorse_discovery.domain.formulation.form import read
from packhorse_discovery.solver.formulation.solve import solve

MIXED = {
    "sets": {"A": [["a", "b"], ["b", "c"]], "T": "1..3"},
    "data": {"n": 4},
    "vars": {"flow": {"over": ["A", "T"], "type": "int", "high": 9, "unit": "load"}, "most": "int"},
    "rules": {"all": "sum(flow[i, j, 2] for (i, j) in A) == n",
              "no": "sum(flow[i, j, t] for (i, j) in A for t in T) == n",
              "even": "flow['a', 'b', 2] == flow['b', 'c', 2]", "most": "most >= 2 * n"},
    "minimize": "most",
}  # fmt: skip


def test_a_pair_is_one_cell_and_a_whole_number_has_its_column():
    formulation = read(MIXED)
    values = solve(formulation).values

    assert tables(formulation, values).splitlines()[1:] == [
        "| A | T | flow (load) |", "| --- | --- | --- |", "| a,b | 2 | 2 |", "| b,c | 2 | 2 |",
    ]  # fmt: skip
    assert scalars(formulation, values) == ["most = 8"]


def test_rows_beyond_the_limit_are_counted():
    formulation = read(MIXED)
    found = tables(formulation, solve(formulation).values, limit=74)

    assert found.splitlines()[-1] == "flow: rows left out here: 1; values holds all."
    assert "| a,b | 2 | 2 |" in found
