"""Domain values and what the services give to what crosses the wire, in pages of 7 kB."""

import base64
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import asdict, evolve

from packhorse import UserError
from packhorse_discovery.domain.case import exports
from packhorse_discovery.domain.case.conflict import Conflict
from packhorse_discovery.domain.case.scr import Scr
from packhorse_discovery.domain.formulation.report import report
from packhorse_discovery.domain.interview.questions import first_sentence
from packhorse_discovery.domain.interview.readback import read_back
from packhorse_discovery.domain.models.clock import Clock
from packhorse_discovery.domain.schema.eads import Eads
from packhorse_discovery.errors import refusal
from packhorse_discovery.models import interview, record

PAGE_BYTES = 7_000
OUTLINED = 20
"""Rows of a list that an outline shows."""
LONGEST_ROW = 200
"""Characters of a row that an outline shows."""
_PLACE = frozenset({"eads_id", "path"})


def conflict_entry(conflict: Conflict, state: str, resolution: str) -> record.ConflictEntry:
    """A conflict as listed."""
    return record.ConflictEntry(
        conflict_id=conflict.id, kind=conflict.kind, severity=conflict.severity, paths=list(conflict.paths),
        statements=list(conflict.statements), suggestion=conflict.suggestion, state=state, resolution=resolution,
    )  # fmt: skip


def eads_entry(eads: Eads, prerequisites: Sequence[str]) -> interview.EadsEntry:
    """A schema as listed."""
    return interview.EadsEntry(
        id=eads.id, name=eads.title, objective=first_sentence(eads.objective), prerequisites=list(prerequisites)
    )


def scr_data(scr: Scr) -> dict[str, Any]:
    """The aggregate as JSON: what nobody spoke of is left out, each fact with its question and assumption."""
    data = _slim(asdict(scr))
    return data if isinstance(data, dict) else {}


def drawing(scr: Scr, run: Mapping[str, Any] | None) -> dict[str, Any]:
    """What the page of a project draws: its process, and the last model kept, if any."""
    drawn = exports.to_drawing(scr)
    if run is None:
        return drawn
    body = run["body"]
    chart = dict(body["gantt"])
    if chart:
        clock = Clock(chart["tick_seconds"], chart["unit"], origin=chart["origin"], week=chart["week"])
        chart["marks"] = clock.marks(chart["end"])
    kept = ("summary", "status", "explanation", "not_kept", "notes")
    return drawn | {"schedule": {name: body[name] for name in kept} | {"gantt": chart}}


def aggregated(
    structures: Mapping[str, Any],
    scr: Scr,
    found: Sequence[tuple[Conflict, str, str]],
    page: int,
    formulation: Mapping[str, Any],
    library: Sequence[Eads],
    *,
    full: bool,
) -> record.Aggregated:
    """A page of the aggregate: schemas (in brief outlines), the merged parts, the formulation and open conflicts."""
    by_schema = "scr_by_eads" if full else "outline"
    if formulation:
        from packhorse_discovery.domain.formulation.sentences import kept  # its reading loads with the first one

        words = formulation["formulation"]
        left = (each for each in scr.unmodelled if not kept(each.value, each.said, words))
        scr = evolve(scr, unmodelled=tuple(left))
    pieces: list[tuple[str, str, Any]] = [
        *((by_schema, name, value if full else outline(value, library)) for name, value in structures.items()),
        *(("merged_scr", name, value) for name, value in (_short(scr_data(scr)) if full else {}).items()),
        *(("formulation", name, value) for name, value in formulation.items()),
        *(("conflicts", str(at), one) for at, one in enumerate(found) if one[1] == "open"),
    ]
    chosen, pages = _page(pieces, page)
    return record.Aggregated(
        outline={name: value for kind, name, value in chosen if kind == "outline"},
        scr_by_eads={name: value for kind, name, value in chosen if kind == "scr_by_eads"},
        merged_scr={name: value for kind, name, value in chosen if kind == "merged_scr"},
        formulation={name: value for kind, name, value in chosen if kind == "formulation"},
        conflicts=[conflict_entry(*value) for kind, _, value in chosen if kind == "conflicts"],
        page=page,
        pages=pages,
    )


def outline(structure: Mapping[str, Any], library: Sequence[Eads]) -> dict[str, Any]:
    """A structure in brief: its single values, and of each list of rows their number and the first ones in words."""
    return {name: _outlined(name, value, library) for name, value in structure.items()}


def _outlined(name: str, value: Any, library: Sequence[Eads]) -> Any:
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        return value
    rows = [read_back({name: [row]}, library) for row in value[:OUTLINED]]
    return {"count": len(value), "rows": [f"{row[:LONGEST_ROW]}..." if len(row) > LONGEST_ROW else row for row in rows]}


def _short(node: Any) -> Any:
    """Facts without their places, which the schemas' own structures show; each keeps its question."""
    if isinstance(node, Mapping):
        return {name: _short(value) for name, value in node.items() if not (name in _PLACE and "question_id" in node)}
    return [_short(one) for one in node] if isinstance(node, list) else node


def history(found: Mapping[str, Any], *, include_minizinc: bool, page: int) -> record.History:
    """A page of the conversation, then of the model and its result; what is longer than a page goes on in the next."""
    activities = [
        {**activity, "questions_answers": [said]} | ({} if number == last else {"summary_ds": {}})
        for activity in found["activities"]
        for last in [max(len(activity["questions_answers"]) - 1, 0)]
        for number, said in enumerate(activity["questions_answers"] or [None])
    ]
    texts = ("minizinc", "minizinc_results") if include_minizinc else ()
    kinds = ("statements", "formulations")
    pieces: list[tuple[str, Any]] = [("activities", one) for one in activities]
    pieces += [(name, one) for name in kinds for one in found[name]]
    pieces += [(name, line) for name in texts for line in _lines(found[name])]
    chosen, pages = _page(pieces, page)
    joined: list[dict[str, Any]] = []
    for part in (one for kind, one in chosen if kind == "activities"):
        said = [one for one in part["questions_answers"] if one is not None]
        if joined and joined[-1]["pursuing_eads"] == part["pursuing_eads"]:
            joined[-1]["questions_answers"] += said
            joined[-1]["summary_ds"] = part["summary_ds"] or joined[-1]["summary_ds"]
        else:
            joined.append({**part, "questions_answers": said})
    model, result = (
        "".join(line for kind, line in chosen if kind == name) for name in ("minizinc", "minizinc_results")
    )
    return record.History(
        scheduling_challenges=found["scheduling_challenges"],
        activities=[record.Activity(**one) for one in joined],
        statements=[one for kind, one in chosen if kind == "statements"],
        formulations=[one for kind, one in chosen if kind == "formulations"],
        notes=[record.Note(**one) for one in found["notes"]] if page == 1 else [],
        minizinc=model,
        minizinc_results=result,
        page=page,
        pages=pages,
    )


Form = Literal["json", "markdown", "csv", "excel", "mermaid", "plantuml"]


def document(
    form: Form,
    scr: Scr,
    structures: Mapping[str, Any],
    activities: Sequence[Mapping[str, Any]],
    formulation: Mapping[str, Any],
) -> str:
    """A project in another form; base 64 for Excel."""
    match form:
        case "json":
            whole = {
                "format": "packhorse-discovery-project/1",
                "structures": structures,
                "scr": scr_data(scr),
                "history": activities,
                **({"formulation": formulation} if formulation else {}),
            }
            return json.dumps(whole, indent=1, ensure_ascii=False)
        case "markdown":
            return exports.to_markdown(scr, structures, activities) + report(formulation)
        case "csv":
            return exports.to_csv(scr)
        case "excel":
            return workbook(scr)
        case "mermaid":
            return exports.to_mermaid(scr)
        case "plantuml":
            return exports.to_plantuml(scr)


def text_page(text: str, page: int) -> tuple[str, int]:
    """A page of a long text, cut at line ends, and how many there are."""
    chosen, pages = _page(_lines(text), page)
    return "".join(chosen), pages


def _lines(text: str) -> list[str]:
    """The lines of ``text`` with their ends, those too long for a page in pieces."""
    return [
        line[start : start + PAGE_BYTES // 4]
        for line in text.splitlines(keepends=True)
        for start in range(0, len(line), PAGE_BYTES // 4)
    ]


def workbook(scr: Scr) -> str:
    """The tables as an Excel file, in base 64.

    Raises:
        UserError: the part that writes Excel files is not installed.
    """
    try:
        from openpyxl import Workbook  # type: ignore[import-untyped]  # an optional part, and heavy
    except ImportError as exc:
        raise UserError(
            "The format excel needs packhorse-discovery[excel], which this server does not have. Use csv.",
            code="FORMAT_UNAVAILABLE",
        ) from exc
    book = Workbook()
    book.remove(book.active)
    for name, headers, rows in exports.sheets(scr):
        sheet = book.create_sheet(name)
        sheet.append(headers)
        for row in rows:
            sheet.append(row)
            for cell in sheet[sheet.max_row]:
                cell.data_type = "s"  # what was said is never a formula
    if not book.sheetnames:
        book.create_sheet("empty")
    out = io.BytesIO()
    book.save(out)
    return base64.b64encode(out.getvalue()).decode()


def _page(pieces: Sequence[Any], page: int) -> tuple[list[Any], int]:
    """The pieces of one page, at least one to a page."""
    made: list[list[Any]] = [[]]
    size = 0
    for piece in pieces:
        length = len(json.dumps(piece, ensure_ascii=False, default=str).encode())
        if made[-1] and size + length > PAGE_BYTES:
            made.append([])
            size = 0
        made[-1].append(piece)
        size += length
    if page > len(made):
        raise refusal("NO_SUCH_PAGE", "page", f"is {page}, but the last page is {len(made)}")
    return made[page - 1], len(made)


def _slim(node: Any) -> Any:
    if isinstance(node, Mapping):
        kept = {name: _slim(value) for name, value in node.items()}
        return {
            name: value for name, value in kept.items() if value not in (None, "", [], {}, False) or name == "value"
        }
    if isinstance(node, list | tuple):
        return [_slim(one) for one in node]
    return node
