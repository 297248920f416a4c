"""Who holds the roster together: centrality in the graph of people and the services they are assigned to.

One formula: 0.20 degree + 0.30 betweenness + 0.20 eigenvector + 0.15 PageRank
+ 0.15 replacement, each divided by its largest value among the people, where
replacement is the mean over a person's services of 1 / number of people of the
role who may do it. The weights are a convention, not a measurement, so the
score has no levels; what a loss leaves uncovered is counted (`Contingency`).
"""

from typing import Any

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.insight.contingency import Contingency, Loss
from packhorse_scheduling.domain.roster.arrays import Grid
from packhorse_scheduling.domain.rules.kernel import Kernel

WEIGHTS = {"degree": 0.2, "betweenness": 0.3, "eigenvector": 0.2, "pagerank": 0.15, "replacement": 0.15}


@frozen
class Hub:
    """One person's score, what it is made of, the services that only they may do, and what their loss leaves open."""

    person: int
    score: float
    parts: dict[str, float]
    sole: tuple[int, ...]
    loss: Loss


def hubs(kernel: "Kernel", grid: "Grid", first: int, last: int) -> list[Hub]:
    """Everybody who is assigned to anything on these days: the most uncovered half-days first, then by score."""
    import networkx as nx  # type: ignore[import-untyped]

    cells = grid[:, first : last + 1].reshape(kernel.P, -1)
    graph = nx.Graph()
    for p in range(kernel.P):
        for s, times in zip(*np.unique(cells[p][cells[p] >= 0], return_counts=True), strict=True):
            graph.add_edge(("person", p), ("service", int(s)), weight=int(times))
    people = [node for node in graph if node[0] == "person"]
    if not people:
        return []
    raw = {
        "degree": nx.degree_centrality(graph),
        "betweenness": nx.betweenness_centrality(graph),
        "eigenvector": _eigenvector(nx, graph),
        "pagerank": _pagerank(nx, graph),
        "replacement": {node: _replacement(kernel, node[1], graph[node]) for node in people},
    }
    most = {name: max(values[node] for node in people) or 1.0 for name, values in raw.items()}
    losses = Contingency(kernel, grid, first, last)
    found = []
    for node in people:
        parts = {name: float(raw[name][node] / most[name]) for name in WEIGHTS}
        score = sum(WEIGHTS[name] * value for name, value in parts.items())
        sole = tuple(s for _, s in sorted(graph[node]) if _able(kernel, node[1], s) == 1)
        found.append(Hub(node[1], score, parts, sole, losses.one(node[1])))
    return sorted(found, key=lambda hub: (-hub.loss.uncovered, -hub.score, hub.person))


def _eigenvector(nx: Any, graph: Any) -> dict[tuple[str, int], float]:
    """Eigenvector centrality within each connected part: across parts there is no one answer.

    networkx has both this and PageRank by scipy, which nothing else here needs.
    """
    found: dict[tuple[str, int], float] = {}
    for part in nx.connected_components(graph):
        nodes = sorted(part)
        _, vectors = np.linalg.eigh(nx.to_numpy_array(graph, nodelist=nodes, weight=None))
        found |= dict(zip(nodes, np.abs(vectors[:, -1]).tolist(), strict=True))
    return found


def _pagerank(nx: Any, graph: Any) -> dict[tuple[str, int], float]:
    """PageRank with damping 0.85 (Brin and Page 1998), edges weighted by half-days, by solving its equations."""
    nodes = sorted(graph)
    weights = nx.to_numpy_array(graph, nodelist=nodes, weight="weight")
    steps = weights / weights.sum(axis=0)  # no column is empty: a node is there because it has an edge
    ranks = np.linalg.solve(np.eye(len(nodes)) - 0.85 * steps, np.full(len(nodes), 0.15 / len(nodes)))
    return dict(zip(nodes, ranks.tolist(), strict=True))


def _able(kernel: "Kernel", p: int, s: int) -> int:
    return int((kernel.eligible[:, s] & (kernel.group == kernel.group[p])).sum())


def _replacement(kernel: "Kernel", p: int, services: Any) -> float:
    return float(np.mean([1 / max(1, _able(kernel, p, s)) for _, s in services]))
