"""Stories for `story.Story`: a table of a year in a residency with rotations, and years that a seed draws."""

from datetime import date, timedelta
from random import Random

from attrs import evolve

from packhorse_scheduling.domain.programme.calendar import Year
from packhorse_scheduling.domain.programme.people import Person
from packhorse_scheduling.domain.programme.requests import Demand, Leave, Lock, Preference
from packhorse_scheduling.domain.programme.sample import Shape, sample
from roster_factories import DAY, NIGHT, faculty, programme, resident
from story import ANY, Event

WEEKDAYS, WEEKEND = frozenset(range(5)), frozenset((5, 6))
C = "coordinator"


def signed_in(made):
    """Everybody signs in under their key."""
    return evolve(made, people=tuple(evolve(one, subject=f"sub-{one.key}") for one in made.people))


def residency():
    """Nine residents on rotations of four weeks and five faculty: the sample in a small shape."""
    first = signed_in(sample(Shape(residents=9, faculty=5, seed=3, leave_weeks=2, wishes=2)))
    joins = Person("R10", "Noor Haddad", "RESIDENT", "r10@example.org", pgy=2, subject="sub-R10")
    before = Leave("R10", first.year.start, date(2027, 1, 3), "convalescent")
    joined = evolve(first, people=(*first.people, joins), leaves=(*first.leaves, before))
    bid = Preference("R05", date(2026, 12, 25), avoid=True, weight=100)
    revised = evolve(joined, preferences=(*joined.preferences, bid))
    wrong = evolve(revised, locks=(Lock("R10", date(2026, 12, 24), "AM", "CLINIC"),))
    right = evolve(revised, locks=(Lock("R10", date(2027, 1, 12), "AM", "ELECT"),))
    return {"first": first, "wrong": wrong, "right": right}


def leave(key, first, last, kind="sick"):
    return {"person_id": key, "start_date": first, "end_date": last, "kind": kind}


def at_work(day, number=0, role="RESIDENT"):
    return {"at_work": role, "on": day, "number": number}


def answer(name, decision="approve"):
    return {"request_id": f"${name}", "decision": decision, "confirm": True}


YEAR = (
    # July and August: illness
    Event("2026-07-07", C, "record_leave", leave("R01", "2026-07-07", "2026-07-08")),
    Event("2026-07-07", C, "record_leave", leave("R02", "2026-07-07", "2026-07-09")),
    Event("2026-07-07", C, "record_leave", leave("R03", "2026-07-07", "2026-07-07")),
    Event("2026-07-13", C, "record_leave", leave(at_work("2026-07-09"), "2026-07-09", "2026-07-10")),
    Event("2026-07-20", C, "repair_schedule", {"absences": [
        leave("R04", "2026-07-20", "2026-07-21"), leave("R05", "2026-07-20", "2026-07-20"),
        leave("F01", "2026-07-20", "2026-07-22"),
    ]}, name="mended"),
    Event("2026-07-20", C, "publish_schedule", {"schedule_id": "$mended"}),
    Event("2026-08-03", C, "record_leave", leave("F02", "2026-08-03", "2026-08-05")),
    # August and September: leave granted, declined, withdrawn, ended early, mistaken
    Event("2026-08-10", "R06", "record_leave", leave("R06", "2026-08-31", "2026-09-06", "vacation"), name="summer"),
    Event("2026-08-10", "R06", "record_leave", leave("R06", "2026-08-31", "2026-09-06", "vacation"), name="again"),
    Event("2026-08-11", C, "answer_request", answer("summer")),
    Event("2026-08-12", "R07", "record_leave", leave("R07", "2026-08-31", "2026-09-06", "vacation"), name="same week"),
    Event("2026-08-13", C, "answer_request", {**answer("same week", "decline"), "reason": "R06 has it"}),
    Event("2026-08-14", C, "answer_request", answer("same week"), refused="CONSTRAINT_VIOLATION",
          says=("already declined", "Make a new request")),
    Event("2026-08-17", "R08", "record_leave", leave("R08", "2026-09-21", "2026-09-25", "conference"), name="meeting"),
    Event("2026-08-18", "R08", "withdraw_request", {"request_id": "$meeting"}),
    Event("2026-09-03", "R06", "withdraw_request", {"request_id": "$summer", "from_date": "2026-09-04"}),
    Event("2026-09-07", C, "record_leave", leave("R01", "2026-09-14", "2026-09-16", "vacation"), name="mistake"),
    Event("2026-09-08", C, "withdraw_request", {"request_id": "$mistake", "reason": "the wrong person"}),
    # October: swaps asked, declined, withdrawn, carried out and taken back
    Event("2026-10-01", "$swap1.requester", "request_swap", {"swap_from": "2026-10-12"}, name="swap1"),
    Event("2026-10-01", C, "answer_request", answer("swap1"), refused="CONSTRAINT_VIOLATION",
          says=("must first accept this swap", "respond_swap")),
    Event("2026-10-05", "$swap2.requester", "request_swap", {"swap_from": "2026-10-14"}, name="swap2"),
    Event("2026-10-06", "$swap2.target", "respond_swap", {"swap_id": "$swap2", "accept": False}),
    Event("2026-10-08", "$swap3.requester", "request_swap", {"swap_from": "2026-10-19"}, name="swap3"),
    Event("2026-10-09", "$swap3.requester", "withdraw_request", {"request_id": "$swap3"}),
    Event("2026-10-20", "$swap4.requester", "request_swap", {"swap_from": "2026-10-27"}, name="swap4"),
    Event("2026-10-21", "$swap4.target", "respond_swap", {"swap_id": "$swap4", "accept": True}),
    Event("2026-10-21", C, "execute_swap", {"swap_id": "$swap4"}),
    Event("2026-10-21", C, "execute_swap", {"swap_id": "$swap4", "take_back": True}),
    # November: a draft overtaken by leave; hours in dispute
    Event("2026-11-02", C, "generate_schedule", {"start_date": "2026-11-16", "end_date": "2026-12-13",
          "generation_mode": "PARTIAL"}, name="draft"),
    Event("2026-11-03", C, "record_leave", leave("R02", "2026-11-18", "2026-11-20", "conference")),
    Event("2026-11-04", C, "publish_schedule", {"schedule_id": "$draft"}, refused=ANY),
    Event("2026-11-12", "R03", "change_assignment", {"person_id": "R03", "block_id": "2026-11-10 PM",
          "service": "WARD", "start_time": "12:00", "end_time": "23:45", "reason": "two admissions", "confirm": True},
          name="late"),
    Event("2026-11-13", C, "answer_request", {**answer("late"), "reason": "the log of the door says so"}),
    Event("2026-11-16", C, "change_assignment", {"person_id": "R03", "block_id": "2026-11-10 PM", "service": "WARD",
          "start_time": "12:00", "end_time": "22:00", "reason": "agreed with both", "confirm": True}, name="settled"),
    # December and January: a file is revised, a resident joins, a holiday is bid for, a lock
    Event("2026-12-07", C, "import", {"programme": "wrong"}, refused="VALIDATION_ERROR",
          says=("locks, row 2", "Noor Haddad", "while on leave")),
    Event("2026-12-07", C, "import", {"programme": "right"}, says=("people: new: R10.",)),
    Event("2026-12-08", C, "generate_schedule", {"start_date": "2026-12-21", "end_date": "2027-06-30",
          "generation_mode": "PARTIAL"}, name="winter"),
    Event("2026-12-08", C, "publish_schedule", {"schedule_id": "$winter"}),
    Event("2027-01-04", C, "record_leave", leave("R10", "2027-01-18", "2027-01-19", "conference")),
    # February and March: by hand, a snapshot that comes back, three ill at once
    Event("2027-02-01", C, "change_assignment", {"person_id": at_work("2027-02-10"), "block_id": "2027-02-10 AM",
          "service": "ELECT", "reason": "a course", "confirm": True}, refused=ANY),
    Event("2027-03-01", C, "snapshot_schedule", {"label": "before the storm"}, name="copy"),
    Event("2027-03-08", C, "record_leave", leave(at_work("2027-03-08"), "2027-03-08", "2027-03-10")),
    Event("2027-03-08", C, "record_leave", leave(at_work("2027-03-08"), "2027-03-08", "2027-03-10")),
    Event("2027-03-08", C, "record_leave", leave("F03", "2027-03-08", "2027-03-12")),
    Event("2027-03-11", C, "publish_schedule", {"schedule_id": "$copy"}, refused=ANY),
    # April to June
    Event("2027-04-05", "F04", "record_leave", leave("F04", "2027-05-03", "2027-05-09", "vacation"), name="spring"),
    Event("2027-04-06", C, "answer_request", answer("spring")),
    Event("2027-05-10", C, "record_leave", leave("R05", "2027-05-10", "2027-05-14", "family_emergency")),
    Event("2027-05-12", C, "record_leave", leave(at_work("2027-05-11"), "2027-05-11", "2027-05-12")),
    Event("2027-06-01", "$swap5.requester", "request_swap", {"swap_from": "2027-06-08"}, name="swap5"),
    Event("2027-06-02", "$swap5.target", "respond_swap", {"swap_id": "$swap5", "accept": True}),
    Event("2027-06-03", C, "answer_request", answer("swap5")),
    Event("2027-06-21", C, "record_leave", leave("R07", "2027-06-21", "2027-06-30", "medical")),
    Event("2027-06-28", C, "record_leave", leave("R08", "2027-06-28", "2027-06-30")),
)  # fmt: skip


def ward():
    """Five residents and three faculty on one ward, and a night from Thursday to Friday; later a sixth."""
    people = [*(resident(f"R{n}", pgy=1 + n % 3) for n in range(1, 6)), *(faculty(f"F{n}") for n in range(1, 4))]
    first = signed_in(
        programme(
            name="Ward",
            year=Year(date(2026, 7, 1), date(2027, 6, 30)),
            people=people,
            services=(DAY, NIGHT),
            demands=(
                Demand("DAY", "RESIDENT", 2, 4, weekdays=WEEKDAYS),
                Demand("DAY", "RESIDENT", 1, 1, weekdays=WEEKEND),
                Demand("DAY", "FACULTY", 1, 1, weekdays=WEEKDAYS),
                Demand("NIGHT", "RESIDENT", 1, 1, weekdays=frozenset((3,)), sessions=("PM",)),
                Demand("NIGHT", "RESIDENT", 1, 1, weekdays=frozenset((4,)), sessions=("AM",)),
            ),
        )
    )
    before = Leave("R6", first.year.start, date(2027, 1, 3), "convalescent")
    joined = evolve(first, people=(*first.people, evolve(resident("R6", pgy=1), subject="sub-R6")), leaves=(before,))
    return {"first": first, "joined": joined}


RESIDENTS, FACULTY = tuple(f"R{n}" for n in range(1, 6)), tuple(f"F{n}" for n in range(1, 4))
KINDS = ("ill", "leave", "swap", "hours", "by hand", "draft", "copy", "file")
WEIGHTS = (6, 5, 4, 4, 3, 1, 1, 1)


def drawn(seed, count=40):
    """A year of the ward: ``count`` occasions on days drawn by a seed, each one call or a few."""
    draw = Random(seed)
    days = sorted(date(2026, 7, 6) + timedelta(days=draw.randrange(345)) for _ in range(count))
    events = []
    joined = False
    for number, day in enumerate(days):
        if not joined and day >= date(2026, 12, 14):
            joined = True
            events += _joins(day)
        events += _occasion(draw, day, draw.choices(KINDS, WEIGHTS)[0], f"{number}")
    return sorted(events, key=lambda event: event.day)


def _joins(day):
    span = {"start_date": (day + timedelta(days=14)).isoformat(), "end_date": "2027-06-30"}
    return [
        Event(day.isoformat(), C, "import", {"programme": "joined"}),
        Event(day.isoformat(), C, "generate_schedule", {**span, "generation_mode": "PARTIAL"}, name="joined"),
        Event(day.isoformat(), C, "publish_schedule", {"schedule_id": "$joined"}, refused=ANY),
    ]


def _occasion(draw, day, kind, name):
    def at(days):
        return min(day + timedelta(days=days), date(2027, 6, 30)).isoformat()

    now, everybody = at(0), (*RESIDENTS, *FACULTY)
    if kind == "ill":
        people = draw.sample(everybody, draw.choice((1, 1, 2, 3)))
        first = draw.choice((0, 0, 0, -2))
        return [Event(now, C, "record_leave", leave(one, at(first), at(first + draw.randrange(4))), refused=ANY)
                for one in people]  # fmt: skip
    if kind == "leave":
        who, first = draw.choice(everybody), draw.randrange(10, 50)
        asked = leave(who, at(first), at(first + draw.randrange(1, 7)), "vacation")
        found = [Event(now, who, "record_leave", asked, name=name, refused=ANY)]
        end = draw.choice(("approve", "approve", "decline", "withdraw"))
        if end == "withdraw":
            return [*found, Event(at(1), who, "withdraw_request", {"request_id": f"${name}"}, refused=ANY)]
        return [*found, Event(at(1), C, "answer_request", answer(name, end), refused=ANY)]
    if kind == "swap":
        name = f"swap{name}"
        found = [Event(now, f"${name}.requester", "request_swap", {"swap_from": at(7)}, name=name)]
        accept = draw.random() < 0.7
        found.append(Event(at(1), f"${name}.target", "respond_swap", {"swap_id": f"${name}", "accept": accept}))
        return [*found, *([Event(at(2), C, "answer_request", answer(name), refused=ANY)] if accept else [])]
    if kind == "hours":
        who = draw.choice(RESIDENTS)
        end = draw.choice(("17:30", "19:00", "22:30"))
        asked = {"person_id": who, "block_id": f"{at(-draw.randrange(1, 5))} PM", "service": "DAY",
                 "start_time": "12:00", "end_time": end, "confirm": True}  # fmt: skip
        decision = draw.choice(("approve", "approve", "decline"))
        return [
            Event(now, who, "change_assignment", asked, name=name, refused=ANY),
            Event(at(1), C, "answer_request", answer(name, decision), refused=ANY),
        ]
    if kind == "by hand":
        asked = {"person_id": draw.choice(RESIDENTS), "block_id": f"{at(draw.randrange(1, 20))} AM",
                 "confirm": True} | draw.choice(({}, {"service": "DAY"}))  # fmt: skip
        return [Event(now, C, "change_assignment", asked, refused=ANY)]
    if kind == "draft":
        span = {"start_date": at(10), "end_date": at(38), "generation_mode": "PARTIAL"}
        ill = leave(draw.choice(RESIDENTS), at(12), at(14))
        return [
            Event(now, C, "generate_schedule", span, name=name, refused=ANY),
            Event(at(1), C, "record_leave", ill, refused=ANY),
            Event(at(2), C, "publish_schedule", {"schedule_id": f"${name}"}, refused=ANY),
        ]
    if kind == "copy":
        return [
            Event(now, C, "snapshot_schedule", {"label": "a copy"}, name=name),
            Event(at(5), C, "publish_schedule", {"schedule_id": f"${name}"}, refused=ANY),
        ]
    joined = day >= date(2026, 12, 14) + timedelta(days=30)
    return [] if joined else [Event(now, C, "import", {"programme": "first"})] if day < date(2026, 12, 1) else []
