"""Sentences: what they were read as, or why they could not be."""

from collections.abc import Mapping
from typing import Any

from packhorse import Reply, Text, UserError
from packhorse_locator.convert.refusals import wording_for
from packhorse_locator.domain.plain import fenced
from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.parsed import NotParsed, Parsed, Reading
from packhorse_locator.models import answers
from packhorse_locator.models.questions import NaturalQuery

TOOL_OF = {
    "name": "search_by_name",
    "alien_number": "search_by_alien_number",
    "facility": "search_by_facility",
    "facility_info": "get_facility_info",
}

_SAID = {
    "name": "a search for a person by name (search_by_name)",
    "alien_number": "a search by A-number (search_by_alien_number)",
    "facility": "a search for facilities (search_by_facility)",
    "facility_info": "a question about one facility (get_facility_info)",
}


def check_language(question: NaturalQuery) -> None:
    """Refuse a language that the grammar does not have.

    Raises:
        UserError: UNSUPPORTED_LANGUAGE.
    """
    if question.language.partition("-")[0] not in lexicon.LANGUAGES:
        raise UserError(
            "`language` must be en or es, with or without a region such as es-MX. For other languages use the"
            " search tools directly: search_by_name takes names in any script.",
            code="UNSUPPORTED_LANGUAGE",
            details={"languages": list(lexicon.LANGUAGES)},
        )


def reading_from(question: NaturalQuery, found: Parsed | NotParsed) -> Parsed:
    """The reading, where there is one that is sure enough.

    Raises:
        UserError: PARSE_FAILED, AMBIGUOUS_QUERY or CONFIDENCE_TOO_LOW, with what could be meant.
    """
    wording = wording_for(question.language, question.query)
    if isinstance(found, NotParsed):
        reason, examples = wording.reasons[found.reason], "; ".join(wording.examples)
        raise UserError(
            wording.unread.format(reason=reason, examples=examples),
            code=found.code,
            details={
                "alternatives": [_reading(one) for one in found.alternatives] if question.include_alternatives else [],
                "suggestions": list(wording.examples),
            },
        )
    if found.best.confidence < question.confidence_threshold:
        confidence = found.best.confidence
        raise UserError(
            wording.unsure.format(confidence=confidence, threshold=question.confidence_threshold),
            code="CONFIDENCE_TOO_LOW",
            details={"confidence": confidence, "alternatives": [_reading(found.best)]},
        )
    return found


def parse_reply(
    question: NaturalQuery, found: Parsed, executed: Reply[Any] | UserError | None
) -> Reply[answers.ParseAnswer]:
    """The answer of parse_natural_query."""
    best = found.best
    parsed: answers.ParsedQuery = {
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
    }
    made: answers.ParseAnswer = {"parsed_query": parsed}
    if question.include_alternatives:
        made["alternatives"] = [_reading(one) for one in found.alternatives]
    made["suggestions"] = _suggestions(best)
    terms = ", ".join(f"{name} {fenced(str(value))}" for name, value in best.parameters.items())
    said = [f"Read with a confidence of {best.confidence:.2f} as {_SAID[best.search_type]}: {terms}."]
    if isinstance(executed, UserError):
        made["execution_result"] = {"error": executed.message, "error_code": executed.code}
        said.append(f"The search was refused: {executed.message}")
    elif executed is not None:
        result: Mapping[str, Any] = executed.structured
        made["execution_result"] = dict(result)
        said += [piece.text for piece in executed.content[:1] if isinstance(piece, Text)]
    return Reply(made, (Text("\n".join(said)),))


def _reading(one: Reading) -> answers.Reading:
    return {"search_type": one.search_type, "parameters": dict(one.parameters), "confidence": one.confidence}


def _suggestions(best: Reading) -> list[str]:
    if best.search_type == "name" and "first_name" not in best.parameters:
        return ["Add the given name: search_by_name needs it."]
    if best.search_type == "name" and "last_name" not in best.parameters:
        return ["Add the surname: search_by_name needs it."]
    if best.search_type == "facility" and best.parameters.keys() == {"state"}:
        return ["Add a town or a facility of this state: search_by_facility needs it."]
    if best.search_type == "facility" and "city" in best.parameters and "state" not in best.parameters:
        return ["Add the state: several states have a town with this name."]
    if best.search_type == "name" and not {"country_of_birth", "birth_year"} <= set(best.parameters):
        return ["Add the country and the year of birth: they distinguish people who have the same name."]
    if best.search_type == "facility" and "facility_name" not in best.parameters:
        return ["Name the facility, if you know it."]
    return []
