"""packhorse: a plugin-based MCP host.

These are the names a pack needs. Importing them loads neither the protocol
SDK nor pydantic.
"""

from packhorse.contract.content import Audio, Embedded, Image, Link, Message, Page, Reply, Text
from packhorse.contract.context import Context, expected_version
from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.measures import Measure
from packhorse.contract.observers import ObservedCall, Observer, Outcome
from packhorse.contract.offers import BrowserSession, Endpoint, Example, Icon, Prompt, Resource, Route, Tool
from packhorse.contract.packs import Approvals, Call, Fault, Foresight, Guard, Offered, Pack, Scene, Verifier, Waiting
from packhorse.contract.principal import AUTHENTICATED, Principal
from packhorse.contract.questions import (
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
from packhorse.contract.views import View
from packhorse.errors import PackError, PackhorseError, RequestError, UserError

__all__ = [
    "AUTHENTICATED",
    "Accepted",
    "Approvals",
    "Audio",
    "BrowserSession",
    "Call",
    "Cancelled",
    "Context",
    "Declined",
    "Elicit",
    "Embedded",
    "Endpoint",
    "Example",
    "Fault",
    "Foresight",
    "Guard",
    "Host",
    "Icon",
    "Image",
    "InputRequired",
    "Link",
    "ListRoots",
    "Measure",
    "Message",
    "ObservedCall",
    "Observer",
    "Offered",
    "Outcome",
    "Pack",
    "PackError",
    "PackhorseError",
    "Page",
    "Principal",
    "Prompt",
    "Reply",
    "RequestError",
    "Resolve",
    "Resource",
    "Root",
    "Roots",
    "Route",
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
    "Waiting",
    "expected_version",
    "hookimpl",
]
