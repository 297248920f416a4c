"""Sentences: what they were read as, or the form as far as it was filled."""

from collections.abc import Mapping
from typing import Any

from packhorse import Reply, Text, UserError
from packhorse_locator.convert.people import apart, rows_in_words
from packhorse_locator.convert.words import Spoken, say, spoken
from packhorse_locator.domain.plain import datum
from packhorse_locator.domain.query.parsed import NotParsed, Parsed, Reading
from packhorse_locator.models import answers
from packhorse_locator.models.questions import NaturalQuery

TOOL_OF = {
    "name": "search_by_name",
    "alien_number": "search_by_alien_number",
    "facility": "search_by_facility",
    "facility_info": "get_facility_info",
}
LANGUAGES = ("en", "es")


def check_language(question: NaturalQuery) -> None:
    """Refuse a language that is not read.

    Raises:
        UserError: UNSUPPORTED_LANGUAGE.
    """
    if question.language.partition("-")[0] not in LANGUAGES:
        raise UserError(
            "`language` must be en or es, with or without a region such as es-MX. For other languages use the"
            " search tools directly: search_by_name takes names in any script.",
            code="UNSUPPORTED_LANGUAGE",
            details={"languages": list(LANGUAGES)},
        )


def reading_from(question: NaturalQuery, found: Parsed | NotParsed) -> Parsed:
    """The reading, where there is one that is sure enough.

    Raises:
        UserError: PARSE_FAILED, AMBIGUOUS_QUERY or CONFIDENCE_TOO_LOW, with what was understood in its words.
    """
    language = spoken(question.language)
    if isinstance(found, NotParsed):
        raise _unread(question, found, language)
    best = found.best
    if best.confidence < question.confidence_threshold:
        raise UserError(
            say(
                language,
                "unsure",
                confidence=best.confidence,
                threshold=question.confidence_threshold,
                terms=_terms(best),
                tool=TOOL_OF[best.search_type],
            ),
            code="CONFIDENCE_TOO_LOW",
            details={"confidence": best.confidence, "alternatives": [_reading(best)]},
        )
    return found


def parse_reply(
    question: NaturalQuery, found: Parsed, executed: Reply[Any] | UserError | None
) -> Reply[answers.ParseAnswer]:
    """The answer of parse_natural_query; with ``executed`` what its search gave, in the language of the question."""
    language, best = spoken(question.language), found.best
    said = [say(language, "read", tool=TOOL_OF[best.search_type], terms=_terms(best))]
    if found.left_out:
        said.append(say(language, "left_out", what=", ".join(datum(one) for one in found.left_out)))
    made: answers.ParseAnswer = {
        "summary": " ".join(said),
        "parsed_query": {
            **_reading(best),
            "entities_found": [
                {
                    "type": one.kind,
                    "value": one.value,
                    "confidence": one.confidence,
                    "position": {"start": one.start, "end": one.end},
                }
                for one in found.entities
            ],
        },
    }
    lines = [made["summary"]]
    if isinstance(executed, UserError):
        made["execution_result"] = {"error": executed.message, "error_code": executed.code}
        lines.append(say(language, "refused", why=executed.message))
    elif executed is not None:
        made["execution_result"] = _in_language(executed.structured, language)
        lines.append(made["execution_result"].get("summary", ""))
        if best.search_type in ("name", "alien_number"):
            lines += rows_in_words(
                executed.structured["results"], language, executed.structured["search_metadata"].get("data_as_of", "")
            )
        else:
            lines += [piece.text for piece in executed.content[:1] if isinstance(piece, Text)]
    return Reply(made, (Text("\n".join(line for line in lines if line)),), in_words=True)


def _in_language(structured: Mapping[str, Any], language: Spoken) -> dict[str, Any]:
    """An answer of a search whose summary is in the language of the question."""
    made = dict(structured)
    about = structured.get("search_metadata", {})
    if language == "en" or about.get("search_type") not in ("name", "alien_number"):
        return made
    day, rows = about.get("data_as_of", say(language, "unknown_day")), structured["results"]
    said = [say(language, "sample")] if about.get("sample_data") else []
    if "stale_days" in about:
        said.append(say(language, "stale", days=about["stale_days"]))
    if about.get("index_behind"):
        said.append(say(language, "behind"))
    away = [source for source in about.get("sources", ()) if source["state"] != "answered"]
    said += [say(language, source["state"], source=source["name"], when="") for source in away]
    if rows:
        records = say(language, "record" if len(rows) == 1 else "records")
        key = "found" if about["search_type"] == "name" else "number_found"
        said.append(say(language, key, count=len(rows), records=records, as_of=day))
        if structured.get("ask_for"):
            said.append(apart(structured["ask_for"], language))
    else:
        said.append(say(language, "nobody", as_of=day))
    return {**made, "summary": " ".join(said)}


def _unread(question: NaturalQuery, found: NotParsed, language: Spoken) -> UserError:
    why = say(language, f"why {found.reason}")
    details: dict[str, Any] = {"reason": found.reason}
    if question.include_alternatives:
        details["alternatives"] = [_reading(one) for one in found.alternatives]
    if found.form is not None and found.form.parameters:
        tool = TOOL_OF[found.form.search_type]
        details["form"] = _reading(found.form)
        return UserError(
            say(language, "form", terms=_terms(found.form), why=why, tool=tool), code=found.code, details=details
        )
    if found.alternatives:
        options = "; ".join(f"{TOOL_OF[one.search_type]} {_terms(one)}" for one in found.alternatives)
        return UserError(say(language, "choose", options=options), code=found.code, details=details)
    return UserError(say(language, "unread", why=why), code=found.code, details=details)


def _terms(one: Reading) -> str:
    return ", ".join(f"{name} {datum(str(value))}" for name, value in one.parameters.items())


def _reading(one: Reading) -> answers.Reading:
    return {"search_type": one.search_type, "parameters": dict(one.parameters), "confidence": one.confidence}
