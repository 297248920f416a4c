"""A small programme lives through a year at the wire, the clock moved from event to event.

After each event one repair at most makes the roster in force lawful again, or what stays is proved unavoidable and
stands with person or place, date and rule. Nothing past has moved, and no record is lost.
"""

import json
from datetime import UTC, date, datetime, time, timedelta

import pytest
from attrs import evolve
from click.testing import CliRunner

from packhorse import Host
from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.domain.calendar import Year
from packhorse_scheduling.domain.judging import breaches
from packhorse_scheduling.domain.requests import Demand, Leave, Lock
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.store import document_of
from roster_factories import DAY, NIGHT, faculty, programme, resident
from wire import COORDINATOR, call, code_of, leave, own

pytestmark = pytest.mark.anyio

WEEKDAYS, WEEKEND = frozenset(range(5)), frozenset((5, 6))


def residency():
    """Five residents and three faculty on one ward, and a night from Thursday to Friday."""
    people = [*(resident(f"R{n}", pgy=1 + n % 3) for n in range(1, 6)), *(faculty(f"F{n}") for n in range(1, 4))]
    return programme(
        name="Ward",
        year=Year(date(2026, 7, 1), date(2027, 6, 30)),
        people=tuple(evolve(one, subject=f"sub-{one.key}") for one in people),
        services=(DAY, NIGHT),
        demands=(
            Demand("DAY", "RESIDENT", 2, 4, weekdays=WEEKDAYS),
            Demand("DAY", "RESIDENT", 1, 1, weekdays=WEEKEND),
            Demand("DAY", "FACULTY", 1, 1, weekdays=WEEKDAYS),
            Demand("NIGHT", "RESIDENT", 1, 1, weekdays=frozenset((3,)), sessions=("PM",)),
            Demand("NIGHT", "RESIDENT", 1, 1, weekdays=frozenset((4,)), sessions=("AM",)),
        ),
    )


class Ward:
    """The programme in one folder, on a day that moves."""

    def __init__(self, folder):
        self.folder, self.day, self.records, self.past = folder, date(2026, 6, 15), {}, []
        self.desk = RosterDesk(self._host())

    def _clock(self):
        return datetime.combine(self.day, time(12), UTC)

    def _host(self):
        return Host("scheduling", data_dir=self.folder, migrations=pack.pack.migrations, clock=self._clock)

    async def ask(self, tool, arguments, who=COORDINATOR):
        deployment = deployment_for(data_dir=self.folder, clock=self._clock, scheduling=pack)
        return await call(deployment, tool, arguments, who)

    async def done(self, tool, arguments, who=COORDINATOR):
        reply = await self.ask(tool, arguments, who)
        assert not reply.is_error, reply.content
        return reply.structured_content

    def imported(self, made, *options):
        file = self.folder / "programme.json"
        file.write_text(json.dumps(document_of(made)))
        run = {command.name: command for command in commands(self._host())}["import"]
        return CliRunner().invoke(run, [str(file), *options])

    async def generated(self, start, end=date(2027, 6, 30)):
        span = {"start_date": start.isoformat(), "end_date": end.isoformat()}
        return await self.done("generate_schedule", {"academic_year": "2026-2027", **span, "async": False})

    def on(self, *day):
        """Move the clock; what is over by then is remembered."""
        self.day = date(*day)
        self.past = [cell for cell in self.desk.current().schedule.cells if cell[1] < self.day]

    def id_of(self, key):
        opened = self.desk.current()
        return opened.programme.people[opened.kernel.person_of[key]].id

    def working(self, day, role="R"):
        """Keys of the people of a role who work on a day."""
        return sorted({cell[0] for cell in self.desk.current().schedule.cells if cell[1] == day and cell[0][0] == role})

    def open(self):
        """Violations in force that reach today or later, as (rule, first day)."""
        opened = self.desk.current()
        kernel = opened.kernel
        found = [one for one in breaches(opened) if kernel.date_of(one.last) >= self.day]
        return [(one.rule, kernel.date_of(one.first)) for one in found]

    def check(self):
        """Nothing past has moved, and no record is gone."""
        now = [cell for cell in self.desk.current().schedule.cells if cell[1] < self.day]
        assert now == self.past
        records = {one.id: one for one in self.desk.leave_records()}
        assert self.records.keys() <= records.keys()
        for key, was in self.records.items():
            assert records[key].steps[: len(was.steps)] == was.steps
        self.records = records

    async def mended(self, unavoidable=()):
        """One repair at most; what stays is what was expected, and is told in words with its day."""
        if self.open():
            body = await self.done("repair_schedule", {})
            assert body["proven_minimal"] is True
            published = await self.done("publish_schedule", {"schedule_id": body["schedule_id"]})
            assert all(row["date"] >= self.day.isoformat() for row in body["changes"])
            for _, day in unavoidable:
                assert any(day.isoformat() in words for words in published["standing"])
        assert sorted(set(self.open())) == sorted(set(unavoidable))
        self.check()

    async def away(self, keys, day, days=1, kind="sick"):
        for key in keys:
            await self.done("record_leave", leave(self.id_of(key), day, days=days, kind=kind))

    async def asked(self, key, day, days):
        wish = leave(self.id_of(key), day, days=days, kind="vacation")
        return (await self.done("record_leave", wish, own(key)))["request_id"]

    async def answered(self, request, decision):
        told = await self.done("answer_request", {"request_id": request, "decision": decision})
        assert told["done"] is False
        return await self.done("answer_request", {"request_id": request, "decision": decision, "confirm": True})

    async def swap_wanted(self, first):
        """Arguments of a swap that breaks no rule, from a day on; and who accepts."""
        opened = self.desk.current()
        for key, day, half, code in opened.schedule.cells:
            if day < first or key[0] != "R" or code != "DAY":
                continue
            block = next(one.id for one in opened.programme.year.blocks if (one.day, one.index % 2) == (day, half))
            for other in (one for one in opened.programme.people if one.role == "RESIDENT" and one.key != key):
                wish = {
                    "swap_type": "ABSORB", "requester_id": self.id_of(key), "target_person_id": other.id,
                    "block_ids": [block],
                }  # fmt: skip
                if (await self.done("check_swap_feasibility", wish))["is_feasible"]:
                    return wish, key, other.key
        raise AssertionError("nobody could swap")


async def begun(folder):
    """June: the file is imported, the year generated and published."""
    ward = Ward(folder)
    shown = ward.imported(residency())
    assert shown.exit_code == 0, shown.output
    draft = await ward.generated(date(2026, 7, 1))
    await ward.done("publish_schedule", {"schedule_id": draft["schedule_id"]})
    assert ward.open() == []
    return ward


async def sick_in_threes(ward):
    ward.on(2026, 7, 6)
    await ward.away(["R1", "R2", "R3"], ward.day, days=2)
    await ward.mended()
    ward.on(2026, 7, 20)
    await ward.away(["R1", "R2", "R3", "R4"], ward.day)
    await ward.mended([("MINIMUM_STAFFING", ward.day)])
    ward.on(2026, 7, 27)  # recorded on Monday: last week's illness
    await ward.away(ward.working(date(2026, 7, 23))[:1], date(2026, 7, 23), days=2)
    await ward.mended()
    ward.on(2026, 8, 3)
    await ward.away(["F1", "F2"], ward.day, days=3)
    await ward.away(["F3"], date(2026, 8, 5))
    await ward.mended([("MINIMUM_STAFFING", date(2026, 8, 5))])


async def leave_granted_and_withdrawn(ward):
    ward.on(2026, 8, 10)
    request = await ward.asked("R1", date(2026, 8, 24), 5)
    assert await ward.asked("R1", date(2026, 8, 24), 5) == request
    await ward.answered(request, "approve")
    await ward.mended()
    declined, withdrawn = await ward.asked("R2", date(2026, 9, 7), 5), await ward.asked("R3", date(2026, 9, 7), 5)
    await ward.answered(declined, "decline")
    await ward.done("withdraw_request", {"request_id": withdrawn}, own("R3"))
    await ward.mended()
    ward.on(2026, 8, 26)  # back two days early
    body = await ward.done("withdraw_request", {"request_id": request, "from_date": "2026-08-27"}, own("R1"))
    assert body["request"]["end_date"] == "2026-08-26"
    await ward.mended()
    made = await ward.done("record_leave", leave(ward.id_of("R4"), date(2026, 9, 14), days=3))
    await ward.done("withdraw_request", {"request_id": made["request_id"], "reason": "the wrong person"})
    await ward.mended()


async def swaps_in_autumn(ward):
    ward.on(2026, 10, 1)
    for end in ("declined", "withdrawn", "executed"):
        wish, key, other = await ward.swap_wanted(date(2026, 10, 12))
        swap = (await ward.done("request_swap", wish, own(key)))["swap_id"]
        approve = {"request_id": swap, "decision": "approve", "confirm": True}
        assert code_of(await ward.ask("answer_request", approve)) == "CONSTRAINT_VIOLATION"
        if end == "withdrawn":
            await ward.done("withdraw_request", {"request_id": swap}, own(key))
        else:
            await ward.done("respond_swap", {"swap_id": swap, "accept": end == "executed"}, own(other))
        if end == "executed":
            assert (await ward.done("answer_request", approve))["request"]["status"] == end
        body = await ward.done("list_requests", {"all": True})
        assert {one["request_id"]: one["status"] for one in body["requests"]}[swap] == end
        await ward.mended()


async def a_draft_overtaken_by_leave(ward):
    ward.on(2026, 11, 2)
    draft = await ward.generated(date(2026, 11, 16), date(2026, 12, 13))
    day = date(2026, 11, 18)
    opened = ward.desk.opened(draft["schedule_id"])
    key = next(cell[0] for cell in opened.schedule.cells if cell[1] == day and cell[0][0] == "R")
    await ward.away([key], day, kind="conference")
    refused = await ward.ask("publish_schedule", {"schedule_id": draft["schedule_id"]})
    assert code_of(refused) == "CONSTRAINT_VIOLATION"
    words = refused.content[0].text
    assert opened.programme.people[opened.kernel.person_of[key]].name in words
    assert "2026-11-18" in words
    assert f"repair_schedule with schedule_id {draft['schedule_id']}" in words
    body = await ward.done("repair_schedule", {"schedule_id": draft["schedule_id"]})
    await ward.done("publish_schedule", {"schedule_id": body["schedule_id"]})
    await ward.mended()


async def a_resident_joins_and_a_file_is_revised(ward):
    ward.on(2026, 12, 14)
    made = residency()
    joins = evolve(resident("R6", pgy=1), subject="sub-R6")
    before = Leave("R6", date(2026, 7, 1), date(2027, 1, 3), "convalescent")
    revised = evolve(made, people=(*made.people, joins), leaves=(before,))
    wrong = evolve(revised, locks=(Lock("R6", date(2026, 12, 24), "AM", "DAY"),))
    refused = ward.imported(wrong)
    assert refused.exit_code == 1
    assert "locks, row 2: Resident R6" in refused.output
    assert "while on leave" in refused.output
    right = evolve(revised, locks=(Lock("R6", date(2027, 1, 11), "AM", "DAY"),))
    kept = sum(one.is_live for one in ward.desk.leave_records())
    shown = ward.imported(right)
    assert shown.exit_code == 0, shown.output
    assert "people: new: R6." in shown.output
    assert shown.output.count("Kept, though the file does not have it") == kept
    draft = await ward.generated(date(2027, 1, 4))
    await ward.done("publish_schedule", {"schedule_id": draft["schedule_id"]})
    assert ("R6", date(2027, 1, 11), 0, "DAY") in ward.desk.current().schedule.cells
    await ward.mended()


async def a_snapshot_comes_back_and_the_past_stays(ward):
    ward.on(2027, 3, 1)
    copy = await ward.done("snapshot_schedule", {"label": "before the storm"})
    ward.on(2027, 3, 8)
    await ward.away(["R1", "R2", "R6"], ward.day, days=3)
    await ward.mended()
    ward.on(2027, 3, 11)
    await ward.done("publish_schedule", {"schedule_id": copy["schedule_id"]})
    await ward.mended()


async def test_the_year_is_lived_through(tmp_path):
    ward = await begun(tmp_path)
    for month in (
        sick_in_threes,
        leave_granted_and_withdrawn,
        swaps_in_autumn,
        a_draft_overtaken_by_leave,
        a_resident_joins_and_a_file_is_revised,
        a_snapshot_comes_back_and_the_past_stays,
    ):
        await month(ward)
    states = {one.state for one in ward.desk.leave_records()}
    assert states == {"approved", "declined", "withdrawn", "cancelled"}
    day = ward.day + timedelta(days=1)
    assert ward.working(day) or day.weekday() > 4
