"""Which schema to pursue next: a ranked choice with the parts of its score, and what blocks the rest."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from attrs import evolve, frozen

from packhorse_discovery.domain.case.scr import OUTSIDE
from packhorse_discovery.domain.interview.completeness import standing
from packhorse_discovery.domain.interview.structure import Structure
from packhorse_discovery.domain.schema.eads import Domain, Eads, Requirement, path_from, slug

PARTS: Mapping[str, float] = {
    "need": 0.35,
    "domain": 0.20,
    "challenges": 0.15,
    "continuity": 0.10,
    "value-for-cost": 0.10,
    "conflicts": 0.10,
}
"""What each part of the score is worth: design/discovery 6.6. They are not learnt from what followed."""
ORDER: Mapping[Domain, float] = {"process": 1.0, "data": 0.8, "resources": 0.6, "optimality": 0.4}
"""Processes first, goals last: the order of the original interviews."""
_COMMON = ("data/orders", "resources/inventory", "resources/calendar-and-maintenance", "optimality/goals")
TARGETS: Mapping[str, tuple[str, ...]] = {
    "": ("process/warm-up-with-challenges", "process/scheduling-problem-type"),
    "FLOW-SHOP": ("process/flow-shop", *_COMMON),
    "JOB-SHOP": ("process/job-shop", "process/job-shop--classifiable", "process/job-shop--unique", *_COMMON),
    "SINGLE-MACHINE": ("process/single-machine", "data/orders", "resources/calendar-and-maintenance", _COMMON[-1]),
    "PROJECT-SCHEDULING": ("process/project", *_COMMON[1:]),
    "TIMETABLING": ("process/timetabling", "resources/inventory", _COMMON[-1]),
}
"""The schemas whose values the model of each kind of problem reads, the most needed first."""
PAIRS: Mapping[str, str] = {"resources/inventory": "resources/calendar-and-maintenance"}
"""Schemas that are asked about in one question with another."""
AHEAD = "data/orders"
"""What people tell together with their steps: its form is shown with the first question about these."""


@frozen
class Progress:
    """A pursuit as the orchestrator sees it."""

    eads: Eads
    structure: Structure
    state: Literal["working", "complete"]
    topic: str = ""
    budget_left: float = 1.0


@frozen
class Candidate:
    """A schema that could be pursued now (or what blocks it), with its score and the parts of it."""

    eads: Eads
    topic: str = ""
    score: float = 0.0
    parts: Mapping[str, float] = {}
    blocked_by: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The schema's id, with the topic after two hyphens where it has one."""
        return f"{self.eads.id}--{slug(self.topic)}" if self.topic else self.eads.id


@frozen
class Recommendation:
    """What to pursue next, in which order, and why the rest must wait. ``best`` is None when nothing is left."""

    best: Candidate | None
    alternatives: tuple[Candidate, ...]
    blocked: tuple[Candidate, ...]
    rationale: str
    lacking: tuple[str, ...] = ()


def recommend(
    library: Sequence[Eads],
    pursuits: Sequence[Progress],
    *,
    challenges: Iterable[str] = (),
    conflicted: Iterable[str] = (),
) -> Recommendation:
    """Rank the library for a project. Same state, same answer; ties go by id."""
    complete = {(one.eads.id, one.topic) for one in pursuits if one.state == "complete"}
    open_now = {(one.eads.id, one.topic): one for one in pursuits if one.state == "working" and one.budget_left > 0}
    hurts, clashing = set(challenges), set(conflicted)
    last = pursuits[-1].eads.domain if pursuits else "process"
    kind = kind_of(pursuits)
    if kind in OUTSIDE and (TARGETS[""][-1], "") in complete:
        return Recommendation(None, (), (), OUTSIDE[kind])
    wanted = (*TARGETS[""], *(TARGETS.get(kind, ()) if kind else ()))
    missing = [one for one in wanted if not any(eads_id == one for eads_id, _ in complete)]
    ranked: list[Candidate] = []
    blocked: list[Candidate] = []
    for eads in library:
        for topic in _topics(eads, pursuits):
            if (eads.id, topic) in complete and eads.id not in clashing:
                continue
            why = blockers(eads, pursuits)
            if why:
                blocked.append(Candidate(eads, topic, blocked_by=why))
                continue
            if (eads.id, topic) in complete:
                continue
            parts = {
                "need": _need(eads.id, missing),
                "domain": ORDER[eads.domain],
                "challenges": 1.0 if hurts & set(eads.challenges) else 0.0,
                "continuity": 1.0 if eads.domain == last else 0.0,
                "value-for-cost": _value(eads),
                "conflicts": 1.0 if eads.id in clashing else 0.0,
            }
            score = sum(PARTS[name] * value for name, value in parts.items())
            if (eads.id, topic) in open_now:
                parts["unfinished"] = 1.0
                score += 1.0
            ranked.append(Candidate(eads, topic, round(score, 4), parts))
    ranked.sort(key=lambda one: (-one.score, one.id))
    done = {eads_id for eads_id, _ in complete}
    useful = {eads.id for eads in library if not (contradicted(eads, pursuits) or _excluded(eads, pursuits))}
    lacking = tuple(one for one in wanted if one not in done and one in useful)
    best = ranked[0] if ranked else None
    return Recommendation(best, tuple(ranked[1:5]), tuple(blocked), _rationale(best, kind, lacking), lacking)


def blockers(eads: Eads, pursuits: Sequence[Progress]) -> tuple[str, ...]:
    """Why ``eads`` may not be pursued yet, a sentence each; empty where it may."""
    found = [reason for need in eads.requires if (reason := _unmet(need, pursuits))]
    found += [f"{one} has been chosen, and the two exclude each other" for one in _excluded(eads, pursuits)]
    return tuple(found)


def _excluded(eads: Eads, pursuits: Sequence[Progress]) -> list[str]:
    """The schemas that were begun and exclude ``eads``."""
    begun = {one.eads.base for one in pursuits}
    return [one.eads for one in eads.excludes if one.eads in begun]


def contradicted(eads: Eads, pursuits: Sequence[Progress]) -> bool:
    """Whether what ``eads`` requires was answered otherwise, so that it is of another kind of problem."""
    for need in eads.requires:
        one = next((each for each in reversed(pursuits) if each.eads.base == need.eads), None)
        if one is None:
            continue
        answered = need.path and one.structure.get(path_from(need.path)) is not None
        if (answered and _unmet(need, (evolve(one, state="complete"),))) or contradicted(one.eads, pursuits):
            return True
    return False


def _unmet(need: Requirement, pursuits: Sequence[Progress]) -> str:
    held = [one for one in pursuits if one.eads.base == need.eads and one.state == "complete"]
    if not held:
        return f"{need.eads} must be finished first"
    value: Any = held[-1].structure.get(path_from(need.path)) if need.path else None
    if not need.path or (value is None and any(isinstance(one, bool) for one in need.values)):
        return ""  # a yes or no that was left open rules nothing out
    plain = str(value).replace("-SCHEDULING-PROBLEM", "").replace("-PROBLEM", "") if isinstance(value, str) else value
    if value is None or (need.values and value not in need.values and plain not in need.values):
        wanted = " or ".join(str(one) for one in need.values) or "some value"
        why = f": {need.why}" if need.why else ""
        return f"{need.eads} says {value!r} for {need.path.strip('/')}, and {wanted} is needed{why}"
    return ""


def _topics(eads: Eads, pursuits: Sequence[Progress]) -> Sequence[str]:
    """A schema that is pursued for each item of a list, once for each; the others once."""
    if not eads.topics_from:
        return ("",)
    for one in reversed(pursuits):
        if eads.topics_from.startswith(one.eads.base + "/"):
            items = one.structure.get(path_from(eads.topics_from.removeprefix(one.eads.base)))
            if isinstance(items, list):
                return [str(item) for item in items]
    return ("",)


def kind_of(pursuits: Sequence[Progress]) -> str:
    """The kind of problem, as the keys of `TARGETS` call it; empty where it is not known."""
    for one in reversed(pursuits):
        value = one.structure.get(("principal-problem-type",))
        if isinstance(value, str):
            short = value.replace("-SCHEDULING-PROBLEM", "").replace("-PROBLEM", "")
            return "PROJECT-SCHEDULING" if short == "PROJECT" else short
    return ""


def _need(eads_id: str, wanted: Sequence[str]) -> float:
    """1 for the most needed of what the model still lacks, a tenth less for each one after it."""
    return round(1.0 - 0.1 * wanted.index(eads_id), 2) if eads_id in wanted else 0.0


def _value(eads: Eads) -> float:
    """Required values for each question that the budget pays for, at most 1."""
    required = len(standing(eads, Structure()).slots)
    return round(min(1.0, required / max(1, eads.budget.questions)), 4)


def _rationale(best: Candidate | None, kind: str, lacking: Sequence[str]) -> str:
    if best is None:
        return "Everything that may be pursued is finished." + (
            f" A model still lacks {', '.join(lacking)}." if lacking else ""
        )
    if "unfinished" in best.parts:
        return f"{best.eads.title} is begun and has questions left: finish it first."
    if best.eads.id in lacking:
        target = f"the {kind.lower().replace('-', ' ')} model" if kind else "choosing a model"
        return f"{best.eads.title} gives what {target} still lacks."
    reasons = [name for name, value in best.parts.items() if value >= 0.8]
    return f"{best.eads.title} comes first by {', '.join(reasons) or 'its total score'}."
