"""How much changes when the rest of a year is made again after one week of leave.

    python benchmarks/scheduling_churn.py        seeds 1 to 3, 16 residents and 8 faculty
    python benchmarks/scheduling_churn.py 4      another

The year is generated and published in June; in September a resident is given a
week of leave, and the rest of the year is generated as a coordinator asks for
it, through a client. The answer's own figures are printed: half-days changed
of those to come, and the fewest that a repair changes.
"""

import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any

import anyio

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "scheduling"))

from packhorse.testing import connected, deployment_for, fixed_clock
from packhorse_scheduling import pack
from packhorse_scheduling.domain.programme.sample import Shape, sample
from wire import COORDINATOR, desk_in

JUNE, SEPTEMBER = date(2026, 6, 1), date(2026, 9, 1)
YEAR = {"academic_year": "2026-2027", "end_date": "2027-06-30", "async": False}


async def ask(data: Path, day: date, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    clock = fixed_clock(f"{day}T12:00:00Z")
    async with connected(deployment_for(data_dir=data, clock=clock, scheduling=pack), principal=COORDINATOR) as client:
        reply = await client.call_tool(tool, arguments)
    assert not reply.is_error, reply.content
    return reply.structured_content


async def churned(data: Path, seed: int) -> None:
    desk = desk_in(data)
    programme = sample(Shape(residents=16, faculty=8, seed=seed))
    desk.import_programme(programme)
    programme = desk.programme()[1]
    made = await ask(data, JUNE, "generate_schedule", {**YEAR, "start_date": "2026-07-01"})
    await ask(data, JUNE, "publish_schedule", {"schedule_id": made["schedule_id"]})
    taken = {leave.person for leave in programme.leaves if leave.end >= SEPTEMBER}
    residents = [one for one in programme.people if one.role == "RESIDENT"]
    person = next((one for one in residents if one.key not in taken), residents[0])
    away = {"person_id": person.id, "start_date": "2026-09-14", "end_date": "2026-09-20", "kind": "vacation"}
    await ask(data, SEPTEMBER, "record_leave", away)
    cpu, wall = time.process_time(), time.perf_counter()
    again = await ask(data, SEPTEMBER, "generate_schedule", {**YEAR, "start_date": SEPTEMBER.isoformat()})
    spent = time.process_time() - cpu, time.perf_counter() - wall
    print(f"seed {seed}: {again['churn']}, {spent[0]:.1f} CPU-s, {spent[1]:.1f} s", flush=True)


async def main() -> None:
    for seed in [int(word) for word in sys.argv[1:]] or [1, 2, 3]:
        with tempfile.TemporaryDirectory() as folder:
            await churned(Path(folder), seed)


if __name__ == "__main__":
    anyio.run(main)
