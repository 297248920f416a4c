"""Writes to a record until it is killed; each line it prints is a row whose caller was told."""

import os
import sys
from itertools import count
from pathlib import Path

from tests.core.audit.factories import OK, begin, end, event, opened


def say(text):
    os.write(1, text.encode() + b"\n")  # at once, whatever becomes of this process


def main():
    say("opening")
    log = opened(Path(sys.argv[1]))
    for number in count():
        log.note(event(f"read_{number}"), OK)
        begun = begin(log, event(f"call_{number}"))
        say(begun)
        end(log, begun, OK)


main()
