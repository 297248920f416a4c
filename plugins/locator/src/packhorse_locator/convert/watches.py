"""Watches and printable records, in data and in words."""

from collections.abc import Sequence

from attrs import frozen

from packhorse import Embedded, Reply, Text
from packhorse_locator.convert.frames import Frame, instant, metadata, warnings
from packhorse_locator.convert.guidance import guidance
from packhorse_locator.convert.people import Reader, name_result, place_name, transfer
from packhorse_locator.domain.answers import NameAnswer, State
from packhorse_locator.domain.facilities import Facility
from packhorse_locator.domain.freshness import Stamp
from packhorse_locator.domain.people import Detainee
from packhorse_locator.domain.plain import fenced, shown
from packhorse_locator.domain.watches import Report, Watch
from packhorse_locator.models import answers
from packhorse_locator.models.questions import RecordRequest

_CHANGES = {
    "none": "no change since the last review",
    "moved": "moved to another facility since the last review",
    "status": "the status has changed since the last review",
    "gone": "no longer in the registry: released, removed, taken off the list, or the source dropped the record",
}


@frozen
class PageWords:
    """The fixed words of a printable record, in one language."""

    title: str
    made: str
    sought: str
    born: str
    threshold: str
    registry: str
    sources: str
    found: str
    nobody: str
    columns: tuple[str, ...]
    note: str


PAGE_WORDS = {
    "en": PageWords(
        title="Record of a search in a detention registry",
        made="Made at",
        sought="Name sought",
        born="Country and year of birth given",
        threshold="Least confidence asked for",
        registry="State of the registry",
        sources="Sources and the day each describes",
        found="Records found",
        nobody="Nobody was found.",
        columns=("Name on record", "Facility", "Telephone", "Booked", "Status", "Match", "As of"),
        note=(
            "The match is the probability that the record has the name sought, not that it is the person sought. This"
            " registry is not complete; not found does not mean not detained."
        ),
    ),
    "es": PageWords(
        title="Constancia de una búsqueda en un registro de detención",
        made="Hecha el",
        sought="Nombre buscado",
        born="País y año de nacimiento dados",
        threshold="Confianza mínima pedida",
        registry="Estado del registro",
        sources="Fuentes y el día que describe cada una",
        found="Registros encontrados",
        nobody="No se encontró a nadie.",
        columns=("Nombre en el registro", "Centro", "Teléfono", "Ingreso", "Estado", "Coincidencia", "Al día"),
        note=(
            "La coincidencia es la probabilidad de que el registro lleve el nombre buscado, no de que sea la persona"
            " buscada. Este registro no es completo: que no aparezca no significa que no esté detenido."
        ),
    ),
}


def watch_reply(watch: Watch, person: Detainee, place: Facility | None) -> Reply[answers.WatchAnswer]:
    """The answer of watch_person."""
    made: answers.WatchAnswer = {
        "watch_id": watch.id,
        "record_id": person.record_id,
        "name": shown(person.name),
        "since": watch.since,
        "status": person.status,
    }
    if person.facility_id is not None:
        made["facility_name"] = place_name(person.facility_id, place)
    said = f"You watch {fenced(person.name)} since {watch.since}. Ask review_watches after each update of the registry."
    return Reply(made, (Text(said),))


def review_reply(reports: Sequence[Report], state: State, frame: Frame) -> Reply[answers.WatchList]:
    """The answer of review_watches."""
    made = [_report(one) for one in reports]
    changed = sum(one.change != "none" for one in reports)
    reply: answers.WatchList = {
        "watches": made,
        "changed": changed,
        "search_metadata": metadata(frame, state, len(made)),
    }
    said = [*warnings(frame, state), f"{len(made)} watches, {changed} with news."]
    for one, written in zip(reports, made, strict=True):
        name = fenced(one.person.name) if one.person is not None else f"watch {one.watch.id}"
        where = f"; now at {written['now']}" if "now" in written else ""
        said.append(f"- {name}: {_CHANGES[one.change]}{where}.")
    return Reply(reply, (Text("\n".join(said)),))


def record_reply(
    request: RecordRequest, answer: NameAnswer, stamps: Sequence[Stamp], frame: Frame, reader: Reader
) -> Reply[answers.SearchRecord]:
    """The answer of print_search_record: the page is carried as a document, too."""
    words = PAGE_WORDS[request.language]
    sought = (request.first_name, request.middle_name, request.last_name)
    lines = [
        f"# {words.title}",
        "",
        f"- {words.made}: {instant(frame.began)}",
        f"- {words.sought}: {_cell(' '.join(part for part in sought if part))}",
        f"- {words.born}: {_cell(request.country_of_birth or '-')}, {request.birth_year or '-'}",
        f"- {words.threshold}: {request.confidence_threshold:g}",
        f"- {words.registry}: {answer.state.data_version}",
        f"- {words.sources}: " + "; ".join(f"{_cell(one.name)} {one.as_of.isoformat()}" for one in stamps),
        *(f"- {warning}" for warning in warnings(frame, answer.state, request.language)),
        "",
        f"## {words.found}: {len(answer.found)}",
        "",
    ]
    results = [name_result(one, reader) for one in answer.found]
    if answer.found:
        lines += ["| " + " | ".join(words.columns) + " |", "|" + " --- |" * len(words.columns)]
        lines += [_row(result) for result in results]
    else:
        lines.append(words.nobody)
        told = guidance()[request.language]
        lines += ["", *(f"- {line}" for line in (*told["reasons"], *told["next_steps"]))]
    lines += ["", words.note]
    page = "\n".join(lines) + "\n"
    made: answers.SearchRecord = {
        "made_at": instant(frame.began),
        "data_version": answer.state.data_version,
        "page": page,
        "results": results,
    }
    name = f"search-record-{frame.began:%Y%m%dT%H%M%SZ}.md"
    said = f"A dated record of this search, with {len(results)} results, is ready to print."
    return Reply(made, (Text(said), Embedded(f"locator://records/{name}", page, "text/markdown")))


def _report(one: Report) -> answers.WatchReport:
    made: answers.WatchReport = {"watch_id": one.watch.id, "since": one.watch.since, "change": one.change}
    if one.watch.facility_id is not None and one.change == "moved":
        made["before"] = place_name(one.watch.facility_id, one.before)
    if one.person is None:
        return made
    made["record_id"] = one.person.record_id
    made["name"] = shown(one.person.name)
    made["status"] = one.person.status
    made["last_updated"] = f"{one.person.as_of.isoformat()}T00:00:00Z"
    if one.person.facility_id is not None:
        made["now"] = place_name(one.person.facility_id, one.now)
    if one.now is not None and one.now.phone is not None:
        made["phone"] = shown(one.now.phone)
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
        one["last_updated"][:10],
    )
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    """A source's text as one cell: no mark of Markdown or HTML in it does anything."""
    plain = shown(text)
    return "".join(f"\\{character}" if character in "\\`*_{}[]<>#|!" else character for character in plain)
