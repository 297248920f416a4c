"""Searches asked for in a sentence."""

import anyio.to_thread

from packhorse import Context, Reply, UserError
from packhorse_locator.models.answers import ParseAnswer
from packhorse_locator.models.questions import NaturalQuery
from packhorse_locator.service import OnLocator


class QueryTool(OnLocator):
    """Reads a sentence, and runs the search it asks for through the host's door."""

    async def parse_natural_query(self, question: NaturalQuery, ctx: Context) -> Reply[ParseAnswer]:
        """Turn a sentence in English or Spanish into one search: by name, by A-number, at a place, or about a facility.

        Choose it for a person's own words ("busco a mi hijo Juan Perez", "who is at Krome?"), misspelt or in lower
        case. It says what it understood and how surely; with auto_execute it also runs the search as the same caller.
        A query that can mean several searches is refused with the alternatives. When the parts are known already,
        call the search tool itself.
        """
        from packhorse_locator.convert import queries as convert

        convert.check_language(question)
        with self.locator.telemetry.timed("parse_natural_query"):
            found = await anyio.to_thread.run_sync(self.locator.sentences.read, question.query)
            parsed = convert.reading_from(question, found)
        executed: Reply[object] | UserError | None = None
        if question.auto_execute:
            try:
                executed = await ctx.call(convert.TOOL_OF[parsed.best.search_type], parsed.best.parameters)
            except UserError as exc:
                executed = exc
        return convert.parse_reply(question, parsed, executed)
