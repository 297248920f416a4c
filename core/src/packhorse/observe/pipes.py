"""Standard input and output, kept for what started this process: an MCP client, or the server of a job."""

import os
import sys
from dataclasses import dataclass

from packhorse.errors import PackError


@dataclass(frozen=True, slots=True)
class Pipes:
    """Descriptors of the client's pipe, which nothing else in this process or its children knows."""

    requests: int
    answers: int


def claim() -> Pipes:
    """Move standard input and output aside, before any pack is imported.

    From then on, what a pack or a child of it reads is at its end, and what it
    prints goes to standard error: neither can take the client's words or put
    words of its own between ours.

    Raises:
        PackError: this process has no standard input or output.
    """
    try:
        pipes = Pipes(os.dup(0), os.dup(1))
    except OSError as exc:
        raise PackError(
            "the stdio transport needs a standard input and output, which an MCP client provides. To listen on a"
            " port instead: --transport http"
        ) from exc
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # standard error is closed
        os.dup2(null, 1)
    os.close(null)
    if sys.platform == "win32":
        import msvcrt

        import win32api  # of pywin32, which the protocol's SDK needs there

        # Children inherit the handles there, not the descriptors.
        win32api.SetStdHandle(win32api.STD_INPUT_HANDLE, msvcrt.get_osfhandle(0))
        win32api.SetStdHandle(win32api.STD_OUTPUT_HANDLE, msvcrt.get_osfhandle(1))
    return pipes
