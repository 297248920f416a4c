"""What a client's model reads on connecting: the deployment's own words, then those of packs."""

from packhorse.compose.deployment import Deployment
from packhorse.wire.callers import Request
from packhorse.wire.lists import Lists

MOST_CHARACTERS = 1_800
"""Some clients cut instructions at two kilobytes."""

SEARCHING = (
    "Most tools are not listed. search_tools finds them by what is wanted, and says by which of call_read_tool,"
    " call_write_tool and call_destructive_tool each is called."
)


def instructions_for(deployment: Deployment, lists: Lists, ctx: Request) -> str | None:
    """The words for this caller: of packs of which it sees a tool, as far as there is room."""
    visible = lists.visible_tools(ctx)
    seen = {deployment.catalogue.tools[name].pack for name in visible}
    texts = [deployment.settings.server.instructions or ""]
    if lists.shown_tools.searches(visible, ctx):
        texts.append(SEARCHING)
    texts += [pack.pack.instructions for pack in deployment.catalogue.packs if pack.found.name in seen]
    text_so_far = ""
    for place, text in enumerate(texts):
        joined = f"{text_so_far}\n{text}".strip()
        if place == 0 or len(joined) <= MOST_CHARACTERS:
            text_so_far = joined
    return text_so_far or None
