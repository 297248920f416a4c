"""packhorse: a plugin-based MCP host.

These are the names a pack needs. Importing them loads neither the protocol
SDK nor pydantic.
"""

from packhorse.content import Audio, Embedded, Image, Link, Message, Reply, Text
from packhorse.context import Context
from packhorse.errors import PackError, PackhorseError, RequestError, UserError
from packhorse.hookspecs import hookimpl
from packhorse.host import Host
from packhorse.measures import Measure
from packhorse.offers import Call, Example, Guard, Icon, Offered, Pack, Prompt, Resource, Scene, Tool, Verifier
from packhorse.principal import AUTHENTICATED, Principal
from packhorse.questions import (
    Accepted,
    Cancelled,
    Declined,
    Elicit,
    InputRequired,
    ListRoots,
    Resolve,
    Root,
    Roots,
    Sample,
    Sampled,
    SampleTool,
    ToolAnswer,
    ToolWish,
    Turn,
)
from packhorse.views import View

__all__ = [
    "AUTHENTICATED",
    "Accepted",
    "Audio",
    "Call",
    "Cancelled",
    "Context",
    "Declined",
    "Elicit",
    "Embedded",
    "Example",
    "Guard",
    "Host",
    "Icon",
    "Image",
    "InputRequired",
    "Link",
    "ListRoots",
    "Measure",
    "Message",
    "Offered",
    "Pack",
    "PackError",
    "PackhorseError",
    "Principal",
    "Prompt",
    "Reply",
    "RequestError",
    "Resolve",
    "Resource",
    "Root",
    "Roots",
    "Sample",
    "SampleTool",
    "Sampled",
    "Scene",
    "Text",
    "Tool",
    "ToolAnswer",
    "ToolWish",
    "Turn",
    "UserError",
    "Verifier",
    "View",
    "hookimpl",
]
