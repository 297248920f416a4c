"""Tools by pack, and one tool with a form that calls it as every other caller does."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from packhorse.console.forms import arguments, fields, filled
from packhorse.console.site import Site
from packhorse.contract.content import Audio, Content, Embedded, Image, Link, Page, Reply, Text, Verbatim, size_of
from packhorse.contract.context import Context
from packhorse.contract.packs import Foresight
from packhorse.contract.principal import Principal
from packhorse.door.catalogue import HOST, ToolEntry
from packhorse.errors import RESOURCE_NOT_FOUND, RequestError, UserError
from packhorse.schema.strict_json import digest, strictly

SHOWN_CHARACTERS = 200_000
"""Of an answer."""

CALL_SECONDS = 3600.0
"""The page waits as long as its call may take: each tool has a limit of its own."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a call: what it says, its data as JSON, and what of it is no text."""

    tone: str
    title: str
    texts: tuple[str, ...] = ()
    data: str = ""
    others: tuple[str, ...] = ()
    job: bool = False


class ToolPages:
    """What the reader may call."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def listed(self, ctx: Context, q: str = "") -> Page:
        """Tools by pack; with ``q`` those in whose name, title, description or search words all its words stand."""

        def make() -> Page:
            groups: dict[str, list[ToolEntry]] = {}
            words = q.casefold().split()
            for entry in self._seen(ctx.principal):
                if all(word in _found_by(entry) for word in words):
                    groups.setdefault(entry.pack, []).append(entry)
            titles = {pack.found.name: pack.pack.title for pack in self._site.deployment.catalogue.packs}
            titles |= {HOST: "The host itself"}
            packs = [(name, titles.get(name, "A mounted server"), tools) for name, tools in groups.items()]
            packs.sort(key=lambda pack: (pack[0] == HOST, pack[0] not in titles))
            shown = [(name, title, [(one, _marks(one)) for one in tools]) for name, title, tools in packs]
            return self._site.page(ctx, "tools", "Tools", packs=shown, q=q, all=len(self._seen(ctx.principal)))

        return await self._site.made(make)

    async def shown(self, ctx: Context, tool: str, example: str = "") -> Page:
        """One tool and its form; ``example``: filled in with that one of its examples."""
        entry = self._entry(ctx, tool)
        typed: Mapping[str, str] = {}
        if example.isdigit() and int(example) < len(entry.offer.examples):
            typed = filled(entry.offer.examples[int(example)].arguments, entry.arguments.schema)
        return await self._page(ctx, entry, typed)

    async def called(self, ctx: Context, tool: str, form: Mapping[str, str]) -> Page:
        """Call it with what the form holds, or say what that would do."""
        self._site.check_form(ctx.principal, form)
        entry = self._entry(ctx, tool)
        given, faults = arguments(entry.arguments.schema, form)
        if faults:
            return await self._page(ctx, entry, form, faults=faults)
        typed = digest(given)
        if form.get("do") == "preview":
            return await self._previewed(ctx, entry, form, given, typed)
        version, previewed = form.get("version", ""), form.get("previewed", "")
        if not entry.offer.read_only and form.get("sure") != "yes":
            note = Answer("warn", "Not called: tick the box first, since this may change something.")
            return await self._page(ctx, entry, form, answer=note)
        if version and previewed != typed:
            note = Answer("warn", "Not called: what you typed has changed since the preview. Preview it again.")
            return await self._page(ctx, entry, form, answer=note)
        try:
            reply = await (ctx.call_expecting(version, tool, given) if version else ctx.call(tool, given))
            answer = _answer(reply)
        except (UserError, RequestError) as error:
            return await self._page(ctx, entry, form, faults=_faults(error), answer=_refused(error))
        return await self._page(ctx, entry, form, answer=answer)

    async def _previewed(
        self, ctx: Context, entry: ToolEntry, form: Mapping[str, str], given: Mapping[str, Any], seen: str
    ) -> Page:
        try:
            foresight = await ctx.foresee(entry.name, given)
        except (UserError, RequestError) as error:
            return await self._page(ctx, entry, form, faults=_faults(error), answer=_refused(error))
        return await self._page(ctx, entry, form, foresight=foresight, seen=seen)

    async def _page(
        self,
        ctx: Context,
        entry: ToolEntry,
        typed: Mapping[str, str],
        *,
        faults: Mapping[str, str] | None = None,
        answer: Answer | None = None,
        foresight: Foresight | None = None,
        seen: str = "",
    ) -> Page:
        schema = entry.arguments.schema
        return await self._site.made(
            lambda: self._site.page(
                ctx,
                "tool",
                entry.offer.title or entry.name,
                entry=entry,
                marks=_marks(entry),
                fields=fields(schema, typed, faults),
                schema=json.dumps(schema, indent=2, ensure_ascii=False),
                gives=json.dumps(entry.answers.schema, indent=2, ensure_ascii=False) if entry.answers.schema else "",
                answer=answer,
                foresight=foresight,
                digest=seen,
            )
        )

    def _seen(self, reader: Principal) -> list[ToolEntry]:
        door = self._site.deployment.dispatcher
        return [one for one in door.catalogue.tools.values() if door.visible(reader, one.offer)]

    def _entry(self, ctx: Context, tool: str) -> ToolEntry:
        door = self._site.deployment.dispatcher
        entry = door.catalogue.tools.get(tool)
        if entry is None or not door.visible(ctx.principal, entry.offer):
            raise RequestError(RESOURCE_NOT_FOUND, "resource_not_found", "There is no tool of that name for you.")
        return entry


def _found_by(entry: ToolEntry) -> str:
    return f"{entry.name} {entry.pack} {entry.offer.title or ''} {entry.description} {entry.offer.words}".casefold()


def _marks(entry: ToolEntry) -> list[tuple[str, str]]:
    """What a person should know of a tool before they call it, each with its tone."""
    offer = entry.offer
    return [
        ("only reads", "")
        if offer.read_only
        else ("may destroy something", "bad")
        if offer.destructive
        else ("may change something", "warn"),
        *([("starts a job", "")] if offer.job else []),
        *([(f"at most {entry.limit}", "")] if entry.limit else []),
        *([(f"for {', '.join(sorted(offer.roles))}", "")] if offer.roles else []),
    ]


def _answer(reply: Reply[Any]) -> Answer:
    data = reply.structured
    said = [(_text_of(piece), piece) for piece in reply.content]
    texts = [text for text, _ in said if text is not None and not _repeats(text, data)]
    others = [_described(piece) for text, piece in said if text is None]
    if isinstance(data, Mapping) and not texts and isinstance(data.get("summary"), str):
        texts = [data["summary"]]
    text = "" if data is None else json.dumps(data, indent=2, ensure_ascii=False, default=str)
    job = getattr(reply, "job", None)
    title = "A job has started" if job is not None else "Answered"
    return Answer("good", title, tuple(_cut(one) for one in texts), _cut(text), tuple(others), job is not None)


def _text_of(piece: Content) -> str | None:
    """What a piece says, where it is text: of this host, or of a mounted server."""
    if isinstance(piece, Verbatim) and piece.block.get("type") == "text":
        return str(piece.block.get("text"))
    return piece.text if isinstance(piece, Text) else None


def _repeats(text: str, data: Any) -> bool:
    """Whether a text is the data once more, as JSON."""
    return text[:1] in ("{", "[") and strictly(text) == (None, data)


def _described(piece: Content) -> str:
    match piece:
        case Link():
            return f"A link: {piece.name}, {piece.uri}"
        case Embedded():
            return f"A resource: {piece.uri} ({piece.mime_type}, {size_of(piece):,} bytes)"
        case Image() | Audio():
            return f"{type(piece).__name__} ({piece.mime_type}, {len(piece.data):,} bytes)"
    return f"Something else ({size_of(piece):,} bytes)"


def _cut(text: str) -> str:
    if len(text) <= SHOWN_CHARACTERS:
        return text
    return f"{text[:SHOWN_CHARACTERS]}\n... {len(text) - SHOWN_CHARACTERS:,} characters more are not shown."


def _refused(error: UserError | RequestError) -> Answer:
    code = error.code if isinstance(error, UserError) else error.error_type
    return Answer("bad", f"Refused ({code})", (error.message,))


def _faults(error: UserError | RequestError) -> dict[str, str]:
    """By argument what is wrong with it, where a refusal says that."""
    listed = error.details.get("faults", ())
    if not isinstance(listed, list):
        return {}
    return {
        str(one["field"]).partition(".")[0].partition("[")[0]: str(one["message"])
        for one in listed
        if isinstance(one, Mapping) and {"field", "message"} <= one.keys()
    }
