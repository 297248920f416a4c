"""The two functions as a pack."""

from collections.abc import Callable
from typing import Any

from packhorse import hookimpl
from packhorse_bench.functions import add, echo


@hookimpl
def register_tools() -> list[Callable[..., Any]]:
    """Both, with every default."""
    return [add, echo]
