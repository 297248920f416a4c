"""Run as a script: does one change over and over, killed (SIGKILL) at one statement after the other.

``python kill_points.py FOLDER CHANGE``: FOLDER holds a store and ``asked.json``. Prints a JSON line for each kill:
the statement at which it fell, and what a fresh process then finds published. The last line is of a run to the end.
"""

import json
import os
import shutil
import signal
import sys
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from packhorse.store.sqlite import Store
from packhorse_scheduling import convert
from packhorse_scheduling.service.absences import AbsenceDesk
from packhorse_scheduling.service.changes import ChangeDesk
from packhorse_scheduling.service.imports import import_roster
from packhorse_scheduling.service.swapping import SwapDesk
from packhorse_scheduling.store import programme_of
from packhorse_scheduling.store.exchanges import Exchanges
from wire import desk_in


def act(desk, change, asked):
    """Make the change."""
    swaps = SwapDesk(desk)
    if change == "publish":
        desk.publish(asked["draft"], "somebody")
    elif change == "leave":
        day = date.fromisoformat(asked["day"])
        AbsenceDesk(desk).record_leave(asked["person"], day, day, "sick", approved=True, by="somebody")
    elif change == "swap":
        swap = swaps.swap(asked["swap"])
        swaps.execute(swap, lambda opened: convert.slots_from(opened.kernel, swap.blocks), "somebody")
    elif change == "rollback":
        swaps.roll_back(swaps.swap(asked["swap"]), "somebody")
    elif change == "import":
        desk.import_programme(programme_of(asked["programme"]))
    elif change == "roster":
        import_roster(desk, desk.current().schedule.cells, "somebody")
    else:
        ChangeDesk(desk).snapshot(None, "before", None, "somebody")


def killed_at(statement):
    """Kill this process when it is about to run the so-manieth statement that may write."""
    run = Store.execute
    left = [statement]

    def counted(self, sql, **parameters):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return run(self, sql, **parameters)

    Store.execute = counted


def found(folder, asked):
    """What is published, to somebody who comes new."""
    with desk_in(folder).rosters() as rosters:
        schedule = rosters.published()
        published = rosters.store.query("SELECT count(*) AS n FROM schedules WHERE status = 'published'")[0]["n"]
        swap = Exchanges(rosters.store).swap(asked["swap"])
        sound = rosters.store.query("PRAGMA integrity_check")[0]["integrity_check"]
    return {
        "published": published,
        "schedule": schedule.id,
        "programme": schedule.programme,
        "compliance": schedule.compliance,
        "cells": len(schedule.cells),
        "swap": swap.status,
        "sound": sound,
    }


def main(base, change):
    """One line a kill."""
    asked = json.loads((base / "asked.json").read_text())
    warm = desk_in(base)
    warm.current()  # read once, and not in every child
    warm.opened(asked["draft"])
    for statement in range(40):
        work = base.parent / f"{base.name}-{change}-{statement}"
        shutil.copytree(base, work)
        child = os.fork()
        if child == 0:
            desk = desk_in(work)
            desk._seen.update(warm._seen)
            killed_at(statement)
            act(desk, change, asked)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(json.dumps({"statement": statement, "status": status, **found(work, asked)}))
        if status == 0:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
