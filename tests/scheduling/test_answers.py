"""What an answer says to whoever has to act on it: who takes over, what stands empty, what is less than good."""

from datetime import date

import numpy as np
import pytest
from attrs import evolve

from packhorse_scheduling.convert.repairs import repair_words
from packhorse_scheduling.convert.wishes import ranked_words, wishes_from, wishes_words
from packhorse_scheduling.domain.change.runs import Run, runs_of
from packhorse_scheduling.domain.programme.requests import Preference
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from roster_factories import programme
from wire import busy, call, half_days, leave

JULY_14 = date(2026, 7, 14)
pytestmark = pytest.mark.anyio


# --- a repair ---


def test_half_days_of_a_repair_are_gathered_to_runs_with_those_who_take_over_first():
    kernel = Kernel(programme(14))
    day, night = kernel.service_of["DAY"], kernel.service_of["NIGHT"]
    was = np.full((kernel.P, kernel.D, 2), FREE, np.int16)
    now = was.copy()
    was[0, 0:3] = day
    now[1, 0:3] = day
    now[1, 4] = day
    now[2, 5, 1] = now[2, 6, 0] = now[2, 6, 1] = now[2, 7, 0] = night
    cells = [(p, d, h) for p, d, h in np.argwhere(was != now).tolist()]
    assert runs_of(kernel, was, now, cells) == [
        Run(1, 0, 2, "day", FREE, day),
        Run(1, 4, 4, "day", FREE, day),
        Run(2, 5, 6, "night", FREE, night),
        Run(0, 0, 2, "day", day, FREE),
    ]


def test_who_is_freed_is_told_by_person_after_everybody_who_takes_over():
    row = {"date": "2026-07-06", "until": "2026-07-08", "session": "day"}
    freed = {**row, "person_name": "Ito", "before": "Ward", "after": "free"}
    body = {
        "schedule_id": "D", "vacated": 8, "changed": 6, "churn": 0.01, "proven_minimal": True, "shortfall": 0,
        "unavoidable": [], "change_count": 6,
        "changes": [
            {**row, "person_name": "Achebe", "before": "free", "after": "Ward"},
            {**row, "person_name": "Rahimi", "session": "AM", "before": "Clinic", "after": "Ward"},
            freed,
            {**freed, "date": "2026-07-10", "until": "2026-07-10", "session": "PM"},
        ],
    }  # fmt: skip
    assert (
        "Achebe takes Ward 2026-07-06 to 2026-07-08. Rahimi goes from Clinic to Ward 2026-07-06 to 2026-07-08 AM."
        " Freed: Ito of Ward 2026-07-06 to 2026-07-08, Ward 2026-07-10 PM."
        " And 2 more: compare_versions with schedule_id D pages through all."
    ) in repair_words(body, 0)


async def test_a_repair_says_who_takes_over_before_who_is_freed(in_force):
    at, desk = in_force
    key, person = busy(desk, 1, JULY_14)[0]
    name = desk.current().programme.people[desk.current().kernel.person_of[key]].name
    reply = await call(at(), "repair_schedule", {"absences": [leave(person, JULY_14)]})
    body = reply.structured_content
    frees = [row["after"] == "free" for row in body["changes"]]
    assert frees == sorted(frees)
    assert sum(len(half_days(row)) for row in body["changes"]) == body["vacated"] + body["changed"]
    assert f"Freed: {name} of" in reply.content[0].text


def test_a_repair_names_only_the_wishes_that_it_costs():
    wishes = tuple(Preference("R1", date(2026, 7, 6 + n), None, avoid=True, weight=9 - n) for n in range(2))
    kernel = Kernel(evolve(programme(7), preferences=wishes))
    was = np.full((kernel.P, kernel.D, 2), FREE, np.int16)
    was[1] = was[0, 0, 0] = kernel.service_of["DAY"]
    now = was.copy()
    before, after = Opened(None, kernel, was), Opened(None, kernel, now)
    assert wishes_from(after, before)["wishes"]["unmet"] == []
    assert "costs" not in wishes_words(wishes_from(after, before))
    assert "Not met: Resident R1, 2026-07-06, wish 1." in wishes_words(wishes_from(after))
    now[0, 1, 0] = kernel.service_of["DAY"]
    assert "This costs 1 wish: Resident R1, 2026-07-07, wish 2." in wishes_words(wishes_from(after, before))


def test_wishes_that_are_not_named_are_counted():
    wishes = tuple(Preference("R1", date(2026, 7, 6 + n), None, avoid=True, weight=9) for n in range(5))
    kernel = Kernel(evolve(programme(7), preferences=wishes))
    grid = np.full((kernel.P, kernel.D, 2), kernel.service_of["DAY"], np.int16)
    assert wishes_words(wishes_from(Opened(None, kernel, grid))).endswith("; and 2 more.")


@pytest.mark.parametrize(("met", "told"), [(3, "meets 3 of 3."), (2, "meets 2 of 3; generate_schedule seeks")])
def test_no_other_wishes_are_sought_where_all_are_met(met, told):
    assert told in ranked_words({"person_name": "Ito", "wishes": ["2026-12-25"], "met": met, "of": 3})
