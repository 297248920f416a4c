"""Several searches at once."""

from packhorse import Context, Reply
from packhorse_locator.models.answers import BulkAnswer
from packhorse_locator.models.questions import BulkSearch
from packhorse_locator.service import OnLocator


class BulkTool(OnLocator):
    """Each search is a call through the host's door: counted, limited and recorded like any other."""

    async def bulk_search(self, question: BulkSearch, ctx: Context) -> Reply[BulkAnswer]:
        """Run up to ten searches at once: by name, by A-number or by facility, each with that tool's own arguments.

        Choose it for a list of people. Results come in the order asked, each with its own status. Each search counts
        against the limits of its own tool.
        """
        from packhorse_locator.tools.batch import run

        with self.locator.telemetry.timed("bulk_search"):
            return await run(self.locator, question, ctx)
