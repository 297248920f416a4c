"""From a schema document to an `Eads`: the original forms unchanged, and packhorse-eads/1."""

from collections.abc import Mapping
from typing import Any, cast

from packhorse_discovery.domain.schema.annotations import strip
from packhorse_discovery.domain.schema.derivation import fields_of
from packhorse_discovery.domain.schema.eads import DOMAINS, Budget, Domain, Eads, Field, Requirement

FORMAT = "packhorse-eads/1"
DEFAULT_COST = 0.05
"""What a question costs where the document does not say: the default of the original system."""

_OLD_IDS = frozenset({"flow-shop", "job-shop", "scheduling-problem-type", "timetabling"})
"""Ids of the first generation, before they had their domain in front (April 2025)."""
_RENAMED = {"process/job-shop--unique-order": "process/job-shop--unique"}


RULES = (
    Field(
        ("rules",), "table", required=False, mode="never", key="rule", example=(),
        help="Rules that no field holds, each with the words that say it.",
    ),
    Field(
        ("rules", "*", "rule"), "text", mode="optional", example="nothing on Sundays",
        help="The rule, in one sentence.",
    ),
    Field(("rules", "*", "quote"), "text", required=False, mode="optional", example="never on a Sunday",
        help="The words of the answer."),
)  # fmt: skip
"""What every schema holds besides its own fields."""


class UnreadableError(ValueError):
    """A document that is no schema; the message says why, without reciting it."""


def load(document: Any, *, name: str = "", origin: str = "file") -> Eads:
    """The schema that ``document`` holds; ``name`` stands in for an id where an early file has none.

    Raises:
        UnreadableError: it is not in a form known here.
    """
    if not isinstance(document, Mapping):
        raise UnreadableError("it must be a JSON object")
    try:
        return _load(document, name, origin)
    except UnreadableError:
        raise
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as exc:
        raise UnreadableError("a property has a wrong type") from exc


def _load(document: Mapping[str, Any], name: str, origin: str) -> Eads:
    outer, body, own_id = _body(document)
    found = str(own_id or name)
    if not found:
        raise UnreadableError("it has no id: write EADS-id inside EADS")
    eads_id = migrated_id(found)
    strict = document.get("format") == FORMAT
    if "format" in document and not strict:
        raise UnreadableError(f"format {str(document['format'])[:40]!r} is not known: this version reads {FORMAT}")
    budget = outer.get("budget") if isinstance(outer.get("budget"), Mapping) else {}
    cost = float(cast("Mapping[str, Any]", budget).get("per-question", outer.get("budget-decrement", DEFAULT_COST)))
    total = float(cast("Mapping[str, Any]", budget).get("total", 1.0))
    if not 0 < cost <= total:
        raise UnreadableError("the cost of a question must be above 0 and within the budget")
    example = {key: value for key, value in body.items() if key not in {"EADS-id", "DS-id"}}
    fields = fields_of(example, strict=strict)
    if not fields:
        raise UnreadableError("its example object is empty, so there is nothing to ask about")
    return Eads(
        id=eads_id,
        title=str(outer.get("title") or eads_id.rpartition("/")[2].replace("--", ": ").replace("-", " ")),
        domain=_domain(eads_id, outer),
        objective=str(outer.get("interview-objective", "")),
        fields=fields if any(one.path == ("rules",) for one in fields) else (*fields, *RULES),
        example=cast("Mapping[str, Any]", strip(example)),
        version=str(outer.get("version", "1.0.0")),
        opening=str(outer.get("opening-question", "")),
        budget=Budget(total, cost),
        requires=tuple(_requirement(one) for one in outer.get("requires", ())),
        excludes=tuple(_requirement(one) for one in outer.get("excludes", ())),
        topics_from=str(outer.get("topics-from", "")),
        generates=tuple(outer.get("generates", ())),
        challenges=tuple(outer.get("challenges", ())),
        migrations=tuple(outer.get("migrations", ())),
        hooks=str(outer.get("hooks", "")),
        origin=origin,
        document=document,
    )


def migrated_id(eads_id: str) -> str:
    """The id in use today for one of any generation."""
    known = f"process/{eads_id}" if eads_id in _OLD_IDS else eads_id
    return _RENAMED.get(known, known)


def _body(document: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any], Any]:
    """The envelope, the example structure, and the id in it; the earliest files nest one envelope in another."""
    outer = document
    for _ in range(2):
        inner = outer.get("EADS", outer.get("DS"))
        if not isinstance(inner, Mapping):
            raise UnreadableError(
                "its key EADS must hold the schema's id and what the interview asks about, such as"
                ' {"EADS": {"EADS-id": "bakery", "ovens": {"val": 2}}}'
            )
        if "EADS" in inner or "DS" in inner:
            outer = {**outer, **inner}
            continue
        own_id = inner.get("EADS-id", inner.get("DS-id"))
        return outer, inner, own_id["val"] if isinstance(own_id, Mapping) and "val" in own_id else own_id
    raise UnreadableError("its EADS objects are nested too deep")


def _domain(eads_id: str, outer: Mapping[str, Any]) -> Domain:
    prefix = eads_id.partition("/")[0]
    agent = str(outer.get("interviewer-agent", ""))
    for one in (prefix, agent):
        if one in DOMAINS:
            return one
    return "process"


def _requirement(raw: Any) -> Requirement:
    if isinstance(raw, str):
        return Requirement(migrated_id(raw))
    if not isinstance(raw, Mapping) or "eads" not in raw:
        raise UnreadableError("a requirement must be an id, or an object with eads, path, in and why")
    return Requirement(
        migrated_id(str(raw["eads"])), str(raw.get("path", "")), tuple(raw.get("in", ())), str(raw.get("why", ""))
    )
