"""What stands around every answer: its metadata, and the words that go with them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from attrs import frozen

from packhorse_locator.domain.answers import SourceState, State
from packhorse_locator.models.answers import SearchMetadata, SourcePart

_WARNINGS = {
    "en": {
        "sample": "These records are an invented sample: nobody in them exists.",
        "stale": "The data are {days} days old: people may have been moved or released since.",
        "behind": "A large import is still being indexed: its newest records may be missing for some minutes.",
        "missing": "The source {source} did not answer: this is a partial result.",
        "kept": "The source {source} did not answer: its part is a cached answer{when}.",
    },
    "es": {
        "sample": "Estos registros son una muestra inventada: nadie en ellos existe.",
        "stale": "Los datos tienen {days} días: desde entonces puede haber traslados o liberaciones.",
        "behind": "Una carga grande aún se está procesando: sus registros más nuevos pueden faltar unos minutos.",
        "missing": "La fuente {source} no respondió: este resultado es parcial.",
        "kept": "La fuente {source} no respondió: su parte es una respuesta guardada{when}.",
    },
}


@frozen
class Frame:
    """When a search began and ended, of which kind it was, and which remote sources took part."""

    search_type: str
    began: datetime
    ended: datetime
    sources: tuple[SourceState, ...] = ()

    @property
    def is_partial(self) -> bool:
        """Whether a source's records are missing, or only those it gave before."""
        return any(source.state != "answered" for source in self.sources)


def instant(moment: datetime) -> str:
    """ISO 8601 in UTC, to the second."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def metadata(frame: Frame, state: State, total: int) -> SearchMetadata:
    """The specified metadata, and what else a reader must know of the data."""
    made: SearchMetadata = {
        "query_time": instant(frame.began),
        "total_results": total,
        "search_type": frame.search_type,
        "processing_time_ms": round((frame.ended - frame.began).total_seconds() * 1000),
        "data_version": state.data_version,
        "sample_data": state.is_sample,
        "partial": frame.is_partial,
    }
    if state.oldest is not None:
        made["data_as_of"] = state.oldest.isoformat()
    if state.stale_days is not None:
        made["stale_days"] = state.stale_days
    if state.is_behind:
        made["index_behind"] = True
    if frame.sources:
        made["sources"] = [_part(source) for source in frame.sources]
    return made


def warnings(frame: Frame, state: State, language: Literal["en", "es"] = "en") -> Sequence[str]:
    """Sentences that a reader must not miss."""
    words = _WARNINGS[language]
    found = []
    if state.is_sample:
        found.append(words["sample"])
    if state.stale_days is not None:
        found.append(words["stale"].format(days=state.stale_days))
    if state.is_behind:
        found.append(words["behind"])
    for source in frame.sources:
        if source.state == "missing":
            found.append(words["missing"].format(source=source.name))
        elif source.state == "kept":
            when = f" ({instant(source.as_of)})" if source.as_of else ""
            found.append(words["kept"].format(source=source.name, when=when))
    return found


def _part(source: SourceState) -> SourcePart:
    made: SourcePart = {"name": source.name, "state": source.state}  # type: ignore[typeddict-item]
    if source.as_of is not None:
        made["as_of"] = instant(source.as_of)
    return made
