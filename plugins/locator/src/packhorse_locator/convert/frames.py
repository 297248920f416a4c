"""What stands around every answer: its metadata, and the words that go with them."""

from datetime import datetime

from attrs import frozen

from packhorse_locator.convert.words import Spoken, say
from packhorse_locator.domain.answers import SourceState, State
from packhorse_locator.models.answers import SearchMetadata, SourcePart


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


def day_of(state: State, language: Spoken) -> str:
    """The oldest day that a source of the registry describes, in words where there is none."""
    return state.oldest.isoformat() if state.oldest is not None else say(language, "unknown_day")


def metadata(frame: Frame, state: State, total: int) -> SearchMetadata:
    """The specified metadata, and what else a reader must know of the data; what is as usual is left out."""
    made: SearchMetadata = {
        "query_time": instant(frame.began),
        "total_results": total,
        "search_type": frame.search_type,
        "processing_time_ms": round((frame.ended - frame.began).total_seconds() * 1000),
    }
    if state.oldest is not None:
        made["data_as_of"] = state.oldest.isoformat()
    if state.is_sample:
        made["sample_data"] = True
    if state.stale_days is not None:
        made["stale_days"] = state.stale_days
    if state.is_behind:
        made["index_behind"] = True
    if frame.is_partial:
        made["partial"] = True
    if frame.sources:
        made["sources"] = [_part(source) for source in frame.sources]
    return made


def warnings(frame: Frame, state: State, language: Spoken = "en") -> list[str]:
    """Sentences that a reader must not miss."""
    found = []
    if state.is_sample:
        found.append(say(language, "sample"))
    if state.stale_days is not None:
        found.append(say(language, "stale", days=state.stale_days))
    if state.is_behind:
        found.append(say(language, "behind"))
    for source in frame.sources:
        if source.state == "missing":
            found.append(say(language, "missing", source=source.name))
        elif source.state == "kept":
            found.append(say(language, "kept", source=source.name, when=f" ({source.as_of})" if source.as_of else ""))
    return found


def _part(source: SourceState) -> SourcePart:
    made: SourcePart = {"name": source.name, "state": source.state}  # type: ignore[typeddict-item]
    if source.as_of is not None:
        made["as_of"] = source.as_of.isoformat()
    return made
