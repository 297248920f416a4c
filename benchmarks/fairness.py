"""What a caller notices of an address that takes all it can: p95 under attack beside that of a quiet server.

``python benchmarks/fairness.py`` starts two servers alike. On one of them one
address opens 1,000 sessions, makes 64 slow calls, leaves ten threads of one
pack hanging, holds 1,700 connections half open and shows 30 bad tokens a
minute. Then callers make 500 quick calls each, in turns of 25 on one server
and on the other: one who signed in, from another address and from the
attacker's own, and an anonymous one. Prints what became of them. The exit
status is 1 when a call was refused, or a p95 is more than twice the quiet one.
Needs Linux, which has all of 127.0.0.0/8, and what the tests need.
"""

import argparse
import asyncio
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.core.attack import AUTH, DESK, SICK, Attack, Calls, calls, token_of
from tests.core.live import Bench, Served
from tests.core.seeds import install

CALLS, TURN = 500, 25
MOST = 2.0

CALLERS = {
    "signed in, another address": ("127.0.0.3", "ada"),
    "signed in, the attacker's address": ("127.0.0.2", "ben"),
    "anonymous, another address": ("127.0.0.4", None),
}


def served(stack: ExitStack, folder: Path) -> Served:
    bench = Bench(folder)
    install(bench.packs, "desk", DESK)
    install(bench.packs, "sick", SICK)
    bench.configure(AUTH)
    return stack.enter_context(bench.serving("desk", "sick"))


def measured(quiet: Served, attacked: Served, count: int, address: str, subject: str | None) -> tuple[Calls, Calls]:
    """Calls on both servers, by turns, so that what else the machine does meets both."""
    token = token_of(subject) if subject else None
    both = (Calls(), Calls())
    for _ in range(0, count, TURN):
        for made, at in zip(both, (quiet, attacked), strict=True):
            turn = calls(at.port, address, TURN, token=token)
            made.outcomes.update(turn.outcomes)
            made.seconds += turn.seconds
    return both


async def run(count: int) -> bool:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "quiet").mkdir()
        (folder / "attacked").mkdir()
        quiet, attacked = served(stack, folder / "quiet"), served(stack, folder / "attacked")
        attack = Attack(attacked.port)
        await attack.begin()
        outcomes = {what: dict(sorted(statuses.items())) for what, statuses in attack.outcomes.items()}
        print(f"The attack was answered with (by status): {outcomes}")
        print(f"{'caller':36}{'answered':>10}{'quiet p95':>12}{'attacked p95':>14}{'ratio':>8}")
        fair = True
        attacking = asyncio.create_task(attack.go_on())
        try:
            for caller, (address, subject) in CALLERS.items():
                before, under = await asyncio.to_thread(measured, quiet, attacked, count, address, subject)
                ratio = under.p95 / before.p95
                answered = under.outcomes["answered"]
                fair = fair and answered == count and ratio <= MOST
                p95s = f"{before.p95 * 1000:9.1f} ms{under.p95 * 1000:11.1f} ms"
                print(f"{caller:36}{answered:>4} of {count}{p95s}{ratio:8.2f}")
        finally:
            attacking.cancel()
            await attack.stop()
    print(f"The goal, every call answered and a ratio of at most {MOST:g}, is {'met' if fair else 'not met'}.")
    return fair


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=CALLS, help="calls of each caller on each server")
    sys.exit(0 if asyncio.run(run(parser.parse_args().calls)) else 1)
