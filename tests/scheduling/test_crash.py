"""Whatever is cut short, the published schedule is as it was; whoever races, one wins."""

import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import pytest
from attrs import evolve

from packhorse import UserError
from packhorse.testing import connected
from packhorse_scheduling import convert
from packhorse_scheduling.service.absences import AbsenceDesk
from packhorse_scheduling.service.changes import ChangeDesk
from packhorse_scheduling.service.imports import import_roster
from packhorse_scheduling.service.swapping import SwapDesk
from packhorse_scheduling.store import document_of
from test_changes import resident, shelf, wanted
from wire import call, desk_in

pytestmark = [pytest.mark.anyio, pytest.mark.drill]
__all__ = ["shelf"]

SCRIPT = Path(__file__).with_name("kill_points.py")


def approved(desk):
    """A swap that both have accepted, and its arguments."""
    swaps = SwapDesk(desk)
    asked, (requester, target) = wanted(desk)
    opened = desk.current()
    people = opened.kernel.person_of
    swap = swaps.request(
        asked["swap_type"], people[requester], people[target], asked["block_ids"],
        convert.slots_from(opened.kernel, asked["block_ids"]), accepted=False, by=None,
    )  # fmt: skip
    for party in swap.parties:
        swap = swaps.respond(swap, party, accept=True, by=None)
    return swap


@pytest.fixture
def base(tmp_path, served, small):
    """A folder with a published schedule, a draft and an approved swap, and what is to be done to them."""
    folder = tmp_path / "base"
    folder.mkdir()
    desk = desk_in(folder)
    desk.import_programme(small)
    cells = served[1].current().schedule.cells
    desk.publish(import_roster(desk, cells, None).schedule.id, None)
    key, day, _, _ = cells[0]
    asked = {
        "draft": import_roster(desk, cells, None).schedule.id,
        "swap": approved(desk).id,
        "person": key,
        "day": day.isoformat(),
        "programme": json.loads(json.dumps(document_of(evolve(small, name="Another")))),
    }
    (folder / "asked.json").write_text(json.dumps(asked))
    return folder, desk, asked


CHANGES = ("publish", "leave", "swap", "rollback", "import", "roster", "snapshot")
TRIED = CHANGES if os.environ.get("PACKHORSE_KILLS") == "all" else CHANGES[:3]
"""Each change is some dozen processes; all of them with PACKHORSE_KILLS=all."""


@pytest.mark.parametrize("change", TRIED)
def test_a_kill_at_any_statement_leaves_the_published_schedule_as_it_was(base, change):
    folder, desk, asked = base
    if change == "rollback":
        swap = SwapDesk(desk).swap(asked["swap"])
        SwapDesk(desk).execute(swap, lambda opened: convert.slots_from(opened.kernel, swap.blocks), None)
    before = desk.current().schedule
    run = subprocess.run(
        [sys.executable, str(SCRIPT), str(folder), change], capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stderr
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    *cut, whole = lines
    assert len(cut) >= 1
    for line in cut:
        assert line["status"] == signal.SIGKILL
        assert (line["schedule"], line["programme"], line["compliance"], line["cells"], line["swap"]) == (
            before.id, before.programme, before.compliance, len(before.cells),
            "executed" if change == "rollback" else "approved",
        )  # fmt: skip
    assert {(line["published"], line["sound"]) for line in lines} == {(1, "ok")}
    assert whole["status"] == 0
    expected = {"publish": asked["draft"], "leave": before.id, "import": before.id, "roster": before.id,
                "snapshot": before.id}  # fmt: skip
    if change in expected:
        assert whole["schedule"] == expected[change]
    else:
        assert whole["schedule"] != before.id
        assert whole["swap"] == ("rolled_back" if change == "rollback" else "executed")
    assert whole["compliance"] == ("VIOLATIONS" if change == "leave" else "COMPLIANT")


def at_once(jobs):
    """What each came to: its value, or its refusal."""
    barrier = threading.Barrier(len(jobs))

    def one(job):
        barrier.wait()
        try:
            return job()
        except UserError as exc:
            return exc

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(one, jobs))


def test_of_many_who_carry_out_one_swap_at_once_one_does(shelf):
    _, desk = shelf
    swap = approved(desk)
    before = desk.current().schedule

    def carry():
        return SwapDesk(desk).execute(swap, lambda opened: convert.slots_from(opened.kernel, swap.blocks), None)

    found = at_once([carry] * 8)
    done = [one for one in found if not isinstance(one, UserError)]
    assert len(done) == 1
    assert {one.jsonrpc_code for one in found if isinstance(one, UserError)} == {-32004}
    now = desk.current().schedule
    assert (now.parent, now.version) == (before.id, before.version + 1)


def two_of_one_half_day(desk):
    """Two approved swaps of one duty with two people."""
    from packhorse_scheduling.domain.change.swaps import candidates

    swaps, first = SwapDesk(desk), approved(desk)
    opened = desk.current()
    people = opened.kernel.person_of
    slots = convert.slots_from(opened.kernel, first.blocks)
    others = [
        one for one in candidates(opened.board(), people[first.requester], slots)
        if opened.programme.people[one.person].key != first.target
    ]  # fmt: skip
    assert others, "the sample has only one candidate"
    second = swaps.request(
        others[0].swap, people[first.requester], others[0].person, first.blocks, slots, accepted=False, by=None
    )
    for party in second.parties:
        second = swaps.respond(second, party, accept=True, by=None)
    return first, second


def carrying(desk, swap):
    return lambda: SwapDesk(desk_again(desk)).execute(
        swap, lambda opened: convert.slots_from(opened.kernel, swap.blocks), None
    )


def test_two_swaps_of_one_half_day_cannot_both_be_carried_out(shelf):
    _, desk = shelf
    first, second = two_of_one_half_day(desk)
    found = at_once([carrying(desk, first), carrying(desk, second)])
    assert sum(isinstance(one, UserError) for one in found) == 1
    statuses = sorted(SwapDesk(desk).swap(one.id).status for one in (first, second))
    assert statuses == ["approved", "executed"]


def test_a_swap_of_duties_that_are_no_longer_those_agreed_on_is_refused(shelf):
    """Each swap alone keeps the rules, also after the other: but nobody gets a duty that they did not agree to."""
    _, desk = shelf
    first, second = two_of_one_half_day(desk)
    carrying(desk, first)()
    with pytest.raises(UserError, match="has another duty than when both agreed"):
        carrying(desk, second)()
    assert SwapDesk(desk).swap(second.id).status == "approved"


def test_who_asks_again_for_a_swap_whose_duties_changed_gets_a_new_one(shelf):
    _, desk = shelf
    first, second = two_of_one_half_day(desk)

    def asked_again():
        opened, people = desk.current(), desk.current().kernel.person_of
        slots = convert.slots_from(opened.kernel, second.blocks)
        parties = (people[second.requester], people[second.target])
        return SwapDesk(desk).request(second.kind, *parties, second.blocks, slots, accepted=False, by=None)

    assert asked_again().id == second.id
    carrying(desk, first)()
    again = asked_again()
    assert again.id != second.id
    assert (again.status, again.duties == second.duties) == ("requested", False)


def desk_again(desk):
    """A second process' desk, over the same files."""
    return desk_in(desk.host.data_dir.parent)


def test_leave_and_publishing_race_without_losing_the_leave(shelf):
    _, desk = shelf
    opened = desk.current()
    key, day, _, _ = opened.schedule.cells[0]
    for _ in range(5):
        draft = ChangeDesk(desk).keep_draft(opened, opened.grid, None, "tried").schedule.id
        found = at_once(
            [
                lambda: AbsenceDesk(desk_again(desk)).record_leave(key, day, day, "sick", approved=True, by=None),
                lambda draft=draft: desk_again(desk).publish(draft, None),
            ]
        )
        left = [one for one in found if isinstance(one, UserError)]
        now = desk_in(desk.host.data_dir.parent).current()
        kept = any(leave.person == key and leave.start == day for leave in now.programme.leaves)
        recorded = not isinstance(found[0], UserError)
        assert kept == recorded
        assert (now.schedule.compliance == "VIOLATIONS") == recorded
        if recorded:
            assert len(left) <= 1
            return


async def test_over_the_wire_too_one_of_many_carries_out_the_swap(shelf):
    deployment, desk = shelf
    asked, (requester, target) = wanted(desk)
    swap = (await call(deployment, "request_swap", asked, resident(requester))).structured_content
    named = {"swap_id": swap["swap_id"]}
    await call(deployment, "respond_swap", {**named, "accept": True}, resident(target))
    found = []

    async with connected(deployment) as client:

        async def one():
            found.append(await client.call_tool("execute_swap", named))

        async with anyio.create_task_group() as tasks:
            for _ in range(8):
                tasks.start_soon(one)
    assert sum(not reply.is_error for reply in found) == 1
