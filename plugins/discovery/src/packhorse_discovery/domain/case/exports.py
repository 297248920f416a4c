"""A project in other forms: Markdown, CSV, Mermaid, PlantUML and plain values of the process."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import Fact, Plan, Scr, Step

Sheet = tuple[str, list[str], list[list[str]]]
"""A name, headings and rows."""


def sheets(scr: Scr) -> list[Sheet]:
    """The facts as tables: steps, orders, resources, goals; one that nobody spoke of is left out."""
    steps = [
        [
            plan.name.value, step.name.value, _lasting(step), "; ".join(one.value for one in step.resources),
            "; ".join(one.value for one in step.alternatives), "; ".join(one.value for one in step.after),
            _source(step.duration or next(iter(step.durations.values()), step.name)),
        ]
        for plan in scr.plans
        for step in plan.steps
    ]  # fmt: skip
    orders = [
        [
            one.name.value, _v(one.product), _q(one.quantity), _v(one.release), _v(one.due), _v(one.priority),
            _source(one.name),
        ]
        for one in scr.orders
    ]  # fmt: skip
    resources = [
        [one.name.value, _v(one.kind), _v(one.count), _q(one.capacity), _source(one.count or one.name)]
        for one in scr.resources
    ]
    goals = [[str(one.rank), one.kind.value, _source(one.kind)] for one in scr.goals]
    made: list[Sheet] = [
        ("steps", ["plan", "step", "duration", "resources", "any of", "after", "source"], steps),
        ("orders", ["order", "product", "quantity", "release", "due", "priority", "source"], orders),
        ("resources", ["resource", "kind", "count", "capacity", "source"], resources),
        ("goals", ["rank", "goal", "source"], goals),
    ]
    return [one for one in made if one[2]]


def to_csv(scr: Scr) -> str:
    """Every table one after the other, each under a line with its name."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for name, headers, rows in sheets(scr):
        writer.writerow([f"# {name}"])
        writer.writerow(headers)
        writer.writerows([[_safe(cell) for cell in row] for row in rows])
        out.write("\n")
    return out.getvalue()


def to_markdown(scr: Scr, structures: Mapping[str, Any], history: Sequence[Mapping[str, Any]] = ()) -> str:
    """A report for people: what was established, the open contradictions and gaps, then the conversation."""
    lines = [f"# {scr.project}", ""]
    if scr.product:
        lines += [f"They make: {scr.product.value}.", ""]
    if scr.challenges:
        lines += [f"Challenges: {', '.join(one.value for one in scr.challenges)}.", ""]
    if scr.problem_type:
        lines += [f"Kind of problem: {scr.problem_type.value}.", ""]
    for name, headers, rows in sheets(scr):
        lines += [f"## {name.capitalize()}", "", f"| {' | '.join(headers)} |", f"|{'---|' * len(headers)}"]
        lines += [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows]
        lines.append("")
    if scr.conflicts:
        lines += ["## Open contradictions", "", *(f"- {one}" for one in scr.conflicts), ""]
    lines += _gaps(scr, structures)
    if history:
        lines += ["## The conversation", ""]
        for part in history:
            lines += [f"### {part['pursuing_eads']}", ""]
            for said in part["questions_answers"]:
                lines += [f"**{said['question']}**", "", said["answer"], ""]
    lines += [f"Schemas: {', '.join(structures)}.", ""] if structures else []
    return "\n".join(lines)


_GAPS: Mapping[str, tuple[str, str]] = {
    "missing": ("Still open", "not answered yet"),
    "cleared": ("Still open", "taken back"),
    "deferred": ("Still open", "for later"),
    "unknown": ("Not known", "nobody knows it"),
    "varies": ("Not known", "it varies"),
}


def _gaps(scr: Scr, structures: Mapping[str, Any]) -> list[str]:
    """What is open, and what nobody knows, in words; nothing of a schema in which nothing was answered."""
    found: dict[str, list[str]] = {}
    for one in scr.gaps:
        begun = any(body for name, body in structures.items() if name.startswith(one.eads_id))
        if begun or one.state != "missing":
            title, words = _GAPS[one.state]
            path = ", ".join(part.rstrip("?").removesuffix("-id").replace("-", " ") for part in one.path.split("/")[1:])
            found.setdefault(title, []).append(f"- {path.replace(', *', '')}: {words}")
    return [line for title in sorted(found) for line in (f"## {title}", "", *dict.fromkeys(found[title]), "")]


def to_mermaid(scr: Scr) -> str:
    """The steps as a Mermaid flow chart, one subgraph a plan."""
    lines = ["flowchart LR"]
    for number, plan in enumerate(scr.plans):
        if len(scr.plans) > 1:
            lines.append(f'  subgraph p{number}["{_label(plan.name.value)}"]')
        for step in plan.steps:
            label = "<br/>".join(filter(None, [_label(step.name.value), _label(_lasting(step))]))
            lines.append(f'  {_node(number, step.id)}["{label}"]')
        lines += [f"  {_node(number, before)} --> {_node(number, after)}" for before, after in _arrows(plan)]
        if len(scr.plans) > 1:
            lines.append("  end")
    return "\n".join(lines) + "\n"


def to_drawing(scr: Scr) -> dict[str, Any]:
    """The steps as plain values to draw: how long each lasts, on what, after which others, and who was asked for it."""
    return {
        "project": scr.project,
        "product": _v(scr.product),
        "conflicts": list(scr.conflicts),
        "plans": [
            {
                "name": plan.name.value,
                "order_assumed": any(step.order_assumed for step in plan.steps),
                "steps": [
                    {
                        "id": step.id,
                        "name": step.name.value,
                        "lasting": _lasting(step),
                        "resources": [one.value for one in step.resources],
                        "any_of": [one.value for one in step.alternatives],
                        "after": [before for before, after in _arrows(plan) if after == step.id],
                        "source": _source(step.duration or next(iter(step.durations.values()), step.name)),
                    }
                    for step in plan.steps
                ],
            }
            for plan in scr.plans
        ],
    }


def to_plantuml(scr: Scr) -> str:
    """The steps as a PlantUML component diagram."""
    lines = ["@startuml", "left to right direction"]
    for number, plan in enumerate(scr.plans):
        lines.append(f'package "{_label(plan.name.value)}" {{')
        for step in plan.steps:
            label = "\\n".join(filter(None, [_label(step.name.value), _label(_lasting(step))]))
            lines.append(f'  rectangle "{label}" as {_node(number, step.id)}')
        lines.append("}")
        lines += [f"{_node(number, before)} --> {_node(number, after)}" for before, after in _arrows(plan)]
    return "\n".join([*lines, "@enduml"]) + "\n"


def _arrows(plan: Plan) -> Iterable[tuple[str, str]]:
    known = {step.id for step in plan.steps}
    return [(one.value, step.id) for step in plan.steps for one in step.after if one.value in known]


def _node(number: int, step: str) -> str:
    return f"p{number}_" + re.sub(r"\W", "_", step)


def _label(text: str) -> str:
    return text.replace('"', "'").replace("\n", " ")


def _safe(cell: str) -> str:
    """A cell that a spreadsheet would run as a formula is told apart by a quote in front."""
    return (
        f"'{cell}"
        if cell[:1] in {"=", "+", "-", "@", "\t"} and not re.fullmatch(r"-?[\d.,\s\u2013-]+.*", cell)
        else cell
    )


def _lasting(step: Step) -> str:
    """How long a step takes; where products differ, each by its name."""
    return _q(step.duration) or "; ".join(f"{key.replace('-', ' ')} {_q(one)}" for key, one in step.durations.items())


def _q(fact: Fact[Quantity] | None) -> str:
    return "" if fact is None else fact.value.words


def _v(fact: Fact[Any] | None) -> str:
    if fact is None:
        return ""
    value = fact.value
    if isinstance(value, Quantity):
        return value.text
    return f"{value:g}" if isinstance(value, float) else str(value)


def _source(fact: Fact[Any]) -> str:
    return (fact.question_id or "") + (f" ({fact.assumption})" if fact.assumption else "")
