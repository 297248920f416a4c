"""Searches for a person: arguments in; rows, and the same rows in words, out."""

from collections.abc import Sequence

from packhorse import Reply, Text, UserError
from packhorse_locator.convert.frames import Frame, day_of, metadata, warnings
from packhorse_locator.convert.words import Spoken, say
from packhorse_locator.domain import answers as found_in
from packhorse_locator.domain.alien_numbers import FIRST_ISSUED, canonical, is_possible, masked
from packhorse_locator.domain.disclosure import EDGES, Reader
from packhorse_locator.domain.facilities import Facility
from packhorse_locator.domain.name_rule import LONGEST, NameFault, fault_of
from packhorse_locator.domain.people import MISSING_NAMES, Detainee, Stay
from packhorse_locator.domain.plain import datum, shown, undatum
from packhorse_locator.models.answers import MatchDetails, NameAnswer, NameResult, NumberAnswer, NumberResult, Transfer
from packhorse_locator.models.questions import NameSearch, NumberSearch

_FAULTS: dict[NameFault, str] = {
    "INVALID_NAME_FORMAT": ("may have only letters of any script, apostrophes, hyphens, full stops and spaces"),
    "NAME_TOO_SHORT": "must have at least 2 letters. For an unknown name, write FNU (first name) or LNU (last name)",
    "NAME_TOO_LONG": f"must have at most {LONGEST} characters",
}


def check_names(**parts: str | None) -> dict[str, str]:
    """The parts of a name, cleaned.

    Raises:
        UserError: naming every part at fault, and never repeating it.
    """
    given = {name: undatum(text or "") for name, text in parts.items()}
    faults = [
        {"field": name, "code": fault, "message": f"`{name}` {_FAULTS[fault]}."}
        for name, text in given.items()
        if text and (fault := _fault_of(name, text)) is not None
    ]
    if faults:
        raise UserError(
            " ".join(fault["message"] for fault in faults), code=faults[0]["code"], details={"faults": faults}
        )
    cleaned = {name: shown(text) for name, text in given.items()}
    both = (cleaned["first_name"].upper(), cleaned["last_name"].upper())
    if all(part in MISSING_NAMES or not part for part in both):
        raise UserError(
            "`first_name` and `last_name` both contain a word such as 'unknown' in place of a name. Give at least one,"
            " or search by A-number (search_by_alien_number).",
            code="NAME_TOO_SHORT",
        )
    return cleaned


def _fault_of(name: str, text: str) -> NameFault | None:
    fault = fault_of(text)
    # The specification takes an initial for a middle name; alone it finds nobody.
    return None if name == "middle_name" and fault == "NAME_TOO_SHORT" else fault


def check_country(country: str | None) -> str | None:
    """A country of birth as given, cleaned; None where it was not."""
    if country is None:
        return None
    cleaned = shown(country)
    if not all(character.isalpha() or character in " .,'-()\u2019" for character in cleaned) or not cleaned:
        raise UserError("`country_of_birth` must be the name of a country, such as Honduras.", code="INVALID_ARGUMENTS")
    return cleaned


def number_from(question: NumberSearch) -> str:
    """The canonical number.

    Raises:
        UserError: VALIDATION_FAILED for one that was never issued, unless ``validate_format`` is false.
    """
    number = canonical(question.alien_number)
    if number is None:  # the published pattern has refused what cannot be read
        raise UserError("`alien_number` must be 8 or 9 digits, with or without an A.", code="INVALID_ALIEN_NUMBER")
    if question.validate_format and not is_possible(number):
        raise UserError(
            f"`alien_number` has the right form, but no number below {FIRST_ISSUED:,} was ever issued. Check the"
            " digits on the papers. To search for it anyway, set `validate_format` to false.",
            code="VALIDATION_FAILED",
        )
    return number


def name_reply(question: NameSearch, answer: found_in.NameAnswer, frame: Frame, reader: Reader) -> Reply[NameAnswer]:
    """The answer of search_by_name."""
    ask_for = [
        name
        for name, value in (("country_of_birth", question.country_of_birth), ("birth_year", question.birth_year))
        if value is None and answer.ambiguous
    ]
    made: NameAnswer = {
        "summary": name_summary(question, answer, frame, reader, ask_for),
        "results": [name_row(one, reader) for one in answer.found],
        "search_metadata": metadata(frame, answer.state, len(answer.found)),
    }
    if ask_for:
        made["ask_for"] = ask_for
    return Reply(
        made,
        (Text("\n".join((made["summary"], *rows_in_words(made["results"], day=day_of(answer.state, "en"))))),),
        in_words=True,
    )


def name_summary(
    question: NameSearch,
    answer: found_in.NameAnswer,
    frame: Frame,
    reader: Reader,
    ask_for: Sequence[str],
    language: Spoken = "en",
) -> str:
    """What a reader must know beside the rows, once."""
    said = list(warnings(frame, answer.state, language))
    if answer.found:
        said.append(_counted("found", len(answer.found), answer.state, language))
        if ask_for:
            said.append(apart(ask_for, language))
    else:
        said.append(say(language, "nobody", as_of=day_of(answer.state, language)))
    if answer.one_part:
        said.append(say(language, "one_part"))
    if not reader.is_trusted and question.confidence_threshold > EDGES[0]:
        said.append(say(language, "above"))
    return " ".join(said)


def apart(ask_for: Sequence[str], language: Spoken) -> str:
    """What to ask for, to tell records of one name apart."""
    return say(language, "apart", what=f" {say(language, 'and')} ".join(say(language, name) for name in ask_for))


def name_row(one: found_in.Found, reader: Reader) -> NameResult:
    """One result: no birth date, the A-number masked."""
    made: NameResult = {**person_row(one.person, one.facility, reader)}  # type: ignore[typeddict-item]
    if one.person.country is not None:
        made["country_of_birth"] = datum(one.person.country)
    made["confidence_score"] = one.confidence
    differs = [reason for reason in one.reasons if " faces " in reason]
    if differs and not reader.is_trusted:
        made["differs"] = [datum(reason) for reason in differs]
    if reader.is_trusted:
        made["match_details"] = _details(one)
    return made


def rows_in_words(rows: Sequence[NameResult], language: Spoken = "en", day: str = "") -> list[str]:
    """The same rows, a line each; ``day`` is the day of the data that was named before."""
    return ["- " + row_in_words(row, language, day) for row in rows]


def row_in_words(row: NameResult, language: Spoken = "en", day: str = "") -> str:
    """One row as a line: every value that a reader needs."""
    where = say(language, "at", place=row["facility_name"]) if "facility_name" in row else say(language, "somewhere")
    parts = [row["name"], row["status"], where, row.get("facility_phone", "")]
    if "booking_date" in row:
        parts.append(say(language, "booked", day=row["booking_date"]))
    if "country_of_birth" in row:
        parts.append(say(language, "born", country=row["country_of_birth"]))
    parts.append(row.get("alien_number", ""))
    if "confidence_score" in row:
        confidence = row["confidence_score"]
        band = "high" if confidence >= EDGES[0] else "possible" if confidence >= EDGES[1] else "weak"
        parts.append(say(language, "match", band=say(language, band), confidence=round(confidence, 2)))
    details = row.get("match_details")
    if details is not None and details["homonyms"] > 1:
        parts.append(say(language, "same_name", count=details["homonyms"]))
    parts.append("; ".join(row.get("differs", ())))
    if row["last_updated"] != day:
        parts.append(say(language, "of_date", day=row["last_updated"]))
    if "record_id" in row:
        parts.append(f"record_id {row['record_id']}")
    return ", ".join(part for part in parts if part)


def number_reply(answer: found_in.NumberAnswer, frame: Frame, reader: Reader, *, history: bool) -> Reply[NumberAnswer]:
    """The answer of search_by_alien_number.

    Raises:
        UserError: ALIEN_NUMBER_NOT_FOUND, with what that means and what to do.
    """
    said = list(warnings(frame, answer.state))
    if not answer.located:
        said.append(say("en", "no_number", as_of=day_of(answer.state, "en")))
        raise UserError(
            " ".join(said),
            code="ALIEN_NUMBER_NOT_FOUND",
            details={"search_metadata": metadata(frame, answer.state, 0)},
        )
    said.append(_counted("number_found", len(answer.located), answer.state, "en"))
    made: NumberAnswer = {
        "summary": " ".join(said),
        "results": [],
        "search_metadata": metadata(frame, answer.state, len(answer.located)),
    }
    lines = [made["summary"]]
    for one in answer.located:
        row: NumberResult = {**person_row(one.person, one.facility, reader)}  # type: ignore[typeddict-item]
        row["alien_number"] = one.person.alien_number or ""  # the caller brought it
        lines.append("- " + row_in_words(row))  # type: ignore[arg-type]
        if history:
            row["transfer_history"] = [transfer(stay, place) for stay, place in one.stays]
            lines += [
                "  " + say("en", "since", day=one["transfer_date"], place=one["facility_name"])
                for one in row["transfer_history"]
            ]
        made["results"].append(row)
    return Reply(made, (Text("\n".join(lines)),), in_words=True)


def transfer(stay: Stay, place: Facility | None) -> Transfer:
    """One line of a person's history."""
    made: Transfer = {
        "facility_name": place_name(stay.facility_id, place),
        "transfer_date": stay.since.isoformat(),
    }
    if stay.reason is not None:
        made["reason"] = datum(stay.reason)
    return made


def place_name(code: str, place: Facility | None) -> str:
    """A facility's name, or its code where the facility list does not have it."""
    return datum(place.name if place is not None else f"{code}, not on the facility list")


def person_row(person: Detainee, facility: Facility | None, reader: Reader) -> dict[str, str]:
    """What every result about a person has, in every copy: texts of a source inside « », the A-number masked."""
    made = {"name": datum(person.name), "status": person.status_shown}
    if person.facility_id is not None:
        made["facility_name"] = place_name(person.facility_id, facility)
    if facility is not None and facility.phone is not None:
        made["facility_phone"] = phone(facility.phone)
    if person.booked is not None:
        made["booking_date"] = person.booked.isoformat()
    if person.alien_number is not None:
        made["alien_number"] = masked(person.alien_number)
    made["last_updated"] = person.as_of.isoformat()
    if reader.is_trusted:
        made["record_id"] = person.record_id
        made["source"] = datum(person.source)
    return made


def phone(text: str) -> str:
    """A telephone number as it is; anything else that stands in its place as a source's text."""
    plain = shown(text)
    return plain if plain and all(one.isdigit() or one in "+()-. x/" for one in plain) else datum(plain)


def _details(one: found_in.Found) -> MatchDetails:
    parts = {"first_name": one.likeness.first, "last_name": one.likeness.last, "middle_name": one.likeness.middle}
    return {
        "name_similarity": one.likeness.whole,
        "phonetic_match": any(":sound" in reason for reason in one.reasons),
        "fuzzy_components": {name: value for name, value in parts.items() if value is not None},  # type: ignore[typeddict-item]
        "exact": one.exact,
        "homonyms": one.homonyms,
        "reasons": [datum(reason) for reason in one.reasons],
    }


def _counted(key: str, count: int, state: found_in.State, language: Spoken) -> str:
    records = say(language, "record" if count == 1 else "records")
    return say(language, key, count=count, records=records, as_of=day_of(state, language))
