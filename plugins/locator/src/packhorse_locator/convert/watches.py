"""Watches and printable records, in data and in words."""

from collections.abc import Sequence

from packhorse import Embedded, Reply, Text
from packhorse_locator.convert.frames import Frame, instant, metadata, warnings
from packhorse_locator.convert.people import name_row, phone, place_name, transfer
from packhorse_locator.convert.words import guidance, say
from packhorse_locator.domain.answers import NameAnswer, State
from packhorse_locator.domain.disclosure import Reader
from packhorse_locator.domain.facilities import Facility
from packhorse_locator.domain.freshness import Stamp
from packhorse_locator.domain.people import Detainee
from packhorse_locator.domain.plain import datum, shown
from packhorse_locator.domain.watches import Report, Watch
from packhorse_locator.models import answers
from packhorse_locator.models.questions import RecordRequest

_CHANGES = {
    "none": "no change since the last review",
    "moved": "moved to another facility since the last review",
    "status": "the status has changed since the last review",
    "gone": "no longer in the registry: released, removed, taken off the list, or the source dropped the record",
}


def watch_reply(watch: Watch, person: Detainee, place: Facility | None) -> Reply[answers.WatchAnswer]:
    """The answer of watch_person."""
    made: answers.WatchAnswer = {
        "summary": f"You watch {datum(person.name)}. Ask review_watches after each update of the registry.",
        "watch_id": watch.id,
        "record_id": person.record_id,
        "name": datum(person.name),
        "since": watch.since,
        "status": person.status_shown,
    }
    if person.facility_id is not None:
        made["facility_name"] = place_name(person.facility_id, place)
    return Reply(made)


def review_reply(reports: Sequence[Report], state: State, frame: Frame) -> Reply[answers.WatchList]:
    """The answer of review_watches."""
    changed = sum(one.change != "none" for one in reports)
    said = [*warnings(frame, state), f"{len(reports)} watches, {changed} with news."]
    said += [f"{change}: {_CHANGES[change]}." for change in sorted({one.change for one in reports} - {"none"})]
    reply: answers.WatchList = {
        "summary": " ".join(said),
        "watches": [_report(one) for one in reports],
        "changed": changed,
        "search_metadata": metadata(frame, state, len(reports)),
    }
    return Reply(reply)


def record_reply(
    request: RecordRequest, answer: NameAnswer, stamps: Sequence[Stamp], frame: Frame, reader: Reader
) -> Reply[answers.SearchRecord]:
    """The answer of print_search_record: the page is carried as a document, too."""
    language = request.language
    sought = (request.first_name, request.middle_name, request.last_name)
    lines = [
        f"# {say(language, 'page_title')}",
        "",
        f"- {say(language, 'page_made')}: {instant(frame.began)}",
        f"- {say(language, 'page_sought')}: {_cell(' '.join(part for part in sought if part))}",
        f"- {say(language, 'page_born')}: {_cell(request.country_of_birth or '-')}, {request.birth_year or '-'}",
        f"- {say(language, 'page_threshold')}: {request.confidence_threshold:g}",
        f"- {say(language, 'page_registry')}: {answer.state.data_version}",
        f"- {say(language, 'page_sources')}: "
        + "; ".join(f"{_cell(one.name)} {one.as_of.isoformat()}" for one in stamps),
        *(f"- {warning}" for warning in warnings(frame, answer.state, request.language)),
        "",
        f"## {say(language, 'page_found')}: {len(answer.found)}",
        "",
    ]
    results = [name_row(one, reader) for one in answer.found]
    if answer.found:
        columns = say(language, "page_columns")
        lines += [f"| {columns} |", "|" + " --- |" * (columns.count("|") + 1)]
        lines += [_row(result) for result in results]
    else:
        lines.append(say(language, "page_nobody"))
        lines += ["", *(f"- {line}" for line in guidance(request.language, "not-found") or ())]
    lines += ["", say(language, "page_note")]
    page = "\n".join(lines) + "\n"
    made: answers.SearchRecord = {
        "summary": f"A dated record of this search, with {len(results)} results, is ready to print.",
        "made_at": instant(frame.began),
        "data_version": answer.state.data_version,
        "page": page,
        "results": results,
    }
    name = f"search-record-{frame.began:%Y%m%dT%H%M%SZ}.md"
    return Reply(made, (Text(made["summary"]), Embedded(f"locator://records/{name}", page, "text/markdown")))


def _report(one: Report) -> answers.WatchReport:
    made: answers.WatchReport = {"watch_id": one.watch.id, "since": one.watch.since, "change": one.change}
    if one.watch.facility_id is not None and one.change == "moved":
        made["before"] = place_name(one.watch.facility_id, one.before)
    if one.person is None:
        return made
    made["record_id"] = one.person.record_id
    made["name"] = datum(one.person.name)
    made["status"] = one.person.status_shown
    made["last_updated"] = one.person.as_of.isoformat()
    if one.person.facility_id is not None:
        made["now"] = place_name(one.person.facility_id, one.now)
    if one.now is not None and one.now.phone is not None:
        made["phone"] = phone(one.now.phone)
    made["history"] = [transfer(stay, place) for stay, place in one.stays]
    return made


def _row(one: answers.NameResult) -> str:
    cells = (
        one["name"],
        one.get("facility_name", "-"),
        one.get("facility_phone", "-"),
        one.get("booking_date", "-"),
        one["status"],
        f"{one['confidence_score']:.0%}",
        one["last_updated"],
    )
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    """A source's text as one cell: no mark of Markdown or HTML in it does anything."""
    plain = shown(text)
    return "".join(f"\\{character}" if character in "\\`*_{}[]<>#|!" else character for character in plain)
