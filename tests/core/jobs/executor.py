"""An executor in a process of its own: ``executor.py DATABASE [FOLDER COUNT SECONDS]``.

DATABASE is a folder or an address; with more arguments it starts COUNT jobs
that mark FOLDER. It works until its standard input ends.
"""

import sys
from pathlib import Path

from packhorse.jobs import Owner, Work
from packhorse.jobs.engine import Databases, Engine

OWNER = Owner("test", "ada")


def databases(where: str) -> Databases:
    return Databases.at(where) if "://" in where else Databases.in_folder(Path(where))


def main(where: str, folder: str = "", count: str = "0", seconds: str = "0") -> None:
    engine = Engine(databases(where), beat_seconds=0.5, silent_seconds=3)
    engine.begin()
    for number in range(int(count)):
        arguments = {"number": number, "folder": folder, "seconds": float(seconds)}
        engine.start("mark", Work("tests.core.jobs.labour:mark", arguments, key=f"mark-{number}"), OWNER)
    print("ready", flush=True)
    sys.stdin.read()
    engine.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
