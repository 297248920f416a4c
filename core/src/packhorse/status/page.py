"""The status page as HTML: facts in, a whole page out. Every text is escaped where it enters; nothing here runs."""

import html
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from packhorse.contract.design import document, stylesheet

Tone = Literal["good", "warn", "bad", ""]

_STYLES = """
.status pre { max-height: 24rem; overflow: auto; white-space: pre-wrap; }
.status details { border-block-end: 1px solid var(--line); }
.status summary code { font-weight: 600; }
.status .chip, .status time { white-space: nowrap; }
.status nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding: 0; list-style: none; }
"""


@dataclass(frozen=True, slots=True)
class Pack:
    """One pack; ``fault`` where it is not served."""

    name: str
    version: str
    title: str
    counts: str
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool that the reader of the page may use."""

    name: str
    pack: str
    title: str | None
    description: str
    marks: Sequence[str]
    arguments: Mapping[str, Any]
    answers: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Sign:
    """One sign of health."""

    name: str
    state: str
    tone: Tone = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """One long-running job."""

    id: str
    tool: str
    status: str
    owner: str
    progress: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """One call that was not answered."""

    time: str
    name: str
    caller: str
    status: str
    code: str
    request_id: str


@dataclass(frozen=True, slots=True)
class Status:
    """Everything the page says. What is None is not known here, and ``missing`` says why."""

    name: str
    version: str
    reader: str
    made_at: str
    signs: Sequence[Sign]
    packs: Sequence[Pack]
    tools: Sequence[Tool]
    jobs: Sequence[Job] | None
    refusals: Sequence[Refusal] | None
    missing: Mapping[str, str]


class _Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def styles() -> str:
    """What stands in the page's one style element."""
    return stylesheet() + _STYLES


def page(status: Status) -> str:
    """The whole page."""
    parts = (
        ("health", "Health", _signs(status.signs)),
        ("packs", "Packs", _packs(status.packs)),
        ("tools", f"Tools ({len(status.tools)})", _tools(status.tools)),
        ("jobs", "Jobs, newest first", _jobs(status.jobs, status.missing.get("jobs", ""))),
        ("refusals", "Last refusals, newest first", _refusals(status.refusals, status.missing.get("refusals", ""))),
    )
    body = _el(
        "main",
        _el("h1", status.name),
        _el("p", f"packhorse {status.version}, as {status.reader} sees it at {status.made_at}.", class_="quiet"),
        _el("nav", _el("ul", *(_el("li", _el("a", title, href=f"#{key}")) for key, title, _ in parts)),
            aria_label="On this page", class_="screen"),
        *(_el("section", _el("h2", title), content, id=key) for key, title, content in parts),
        class_="status",
    )  # fmt: skip
    return document(f"{status.name}: status", body, styles=styles())


def _signs(signs: Sequence[Sign]) -> _Html:
    rows = ([_el("th", one.name, scope="row"), _state(one.state, one.tone), one.about] for one in signs)
    return _table("About this server", ("Check", "Status", "Details"), rows)


def _packs(packs: Sequence[Pack]) -> _Html:
    if not packs:
        return _el("p", "No packs are served.")
    rows = (
        [
            _el("th", _el("code", one.name), scope="row"),
            one.version,
            _state("not served", "bad") if one.fault else _state("served", "good"),
            one.fault or f"{one.title}: {one.counts}",
        ]
        for one in packs
    )
    return _table("Packs and their versions", ("Pack", "Version", "Status", "Details"), rows)


def _tools(tools: Sequence[Tool]) -> _Html:
    if not tools:
        return _el("p", "There are no tools for this caller.")
    return _join(_tool(tool) for tool in tools)


def _tool(tool: Tool) -> _Html:
    described = [_el("p", paragraph) for paragraph in tool.description.split("\n\n")]
    marks = [_el("p", _join(_spaced(_el("span", mark, class_="chip") for mark in tool.marks)))] if tool.marks else []
    schemas = [_schema("Arguments", tool.arguments)]
    if tool.answers is not None:
        schemas.append(_schema("Answer", tool.answers))
    title = f" {tool.title}" if tool.title else ""
    summary = _el("summary", _el("code", tool.name), title, " ", _el("span", tool.pack, class_="quiet small"))
    return _el("details", summary, *described, *marks, *schemas)


def _schema(title: str, schema: Mapping[str, Any]) -> _Html:
    text = json.dumps(schema, indent=2, ensure_ascii=False)
    return _el("details", _el("summary", f"{title}: schema"), _el("pre", _el("code", text), tabindex="0"))


def _jobs(jobs: Sequence[Job] | None, missing: str) -> _Html:
    if not jobs:
        return _el("p", missing or "No job is waiting or running, and none has ended lately.")
    tones: Mapping[str, Tone] = {"completed": "good", "failed": "bad", "input_required": "warn"}
    rows = (
        [
            _el("th", _el("code", one.id), scope="row"),
            _el("code", one.tool),
            _state(one.status.replace("_", " "), tones.get(one.status, "")),
            one.progress,
            one.owner,
            _el("time", one.updated_at),
        ]
        for one in jobs
    )
    return _table("Long-running jobs", ("Job", "Tool", "State", "Progress", "Whose", "Changed (UTC)"), rows)


def _refusals(refusals: Sequence[Refusal] | None, missing: str) -> _Html:
    if not refusals:
        return _el("p", missing or "No call was refused lately.")
    rows = (
        [
            _el("th", _el("time", one.time), scope="row"),
            _el("code", one.name),
            _state(one.status, "bad" if one.status == "failed" else "warn"),
            _el("code", one.code),
            one.caller,
            _el("code", one.request_id),
        ]
        for one in refusals
    )
    return _table("Calls that were not answered", ("When (UTC)", "What", "State", "Code", "Who", "Request"), rows)


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[_Html | str]]) -> _Html:
    """A table whose rows become cards where it is narrow."""
    body = (_el("tr", *(_cell(head, cell) for head, cell in zip(heads, row, strict=True))) for row in rows)
    return _el(
        "table",
        _el("caption", caption, class_="unseen"),
        _el("thead", _el("tr", *(_el("th", head, scope="col") for head in heads))),
        _el("tbody", *body),
        class_="stack",
    )


def _cell(head: str, cell: _Html | str) -> _Html:
    return cell if isinstance(cell, _Html) and cell.startswith("<th") else _el("td", cell, data_label=head)


def _state(words: str, tone: Tone) -> _Html:
    return _el("span", words, class_=f"chip {tone}".rstrip())


def _spaced(parts: Iterable[_Html]) -> Iterable[_Html]:
    for number, part in enumerate(parts):
        if number:
            yield _Html(" ")
        yield part


def _join(parts: Iterable[_Html]) -> _Html:
    return _Html("".join(parts))


def _el(tag: str, *children: _Html | str, **attributes: str) -> _Html:
    """An element; a child that is no HTML, and every attribute, is text."""
    inside = "".join(child if isinstance(child, _Html) else html.escape(child) for child in children)
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(value)}"' for name, value in attributes.items()
    )
    return _Html(f"<{tag}{named}>{inside}</{tag}>")
