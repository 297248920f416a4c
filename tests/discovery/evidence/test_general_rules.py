"""Rules of the check that hold in any trade: whose a number, a date or a day is, and what is none."""

import pytest

from packhorse_discovery.domain.reading.evidence import check
from packhorse_discovery.domain.reading.words import words_of

DAY = "2026-11-23"
"""A Monday."""


def whys(answer: str, refinement: dict) -> list[str]:
    return [one.why for one in check(refinement, words_of(answer), origin=DAY, today=DAY).refused]


def step(name: str, number: str, units: str = "minutes", **more: object) -> dict:
    return {"process-id": name, "duration": {"value-string": number, "units": units}, **more}


def operation(name: str, number: str) -> dict:
    return {"operation-id": name, "duration": {"value-string": number, "units": "minutes"}}


def order(name: str, **more: object) -> dict:
    return {"order-id": name, **more}


def pieces(number: str, units: str = "trays") -> dict:
    return {"value-string": number, "units": units}


WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
LAB = (
    "Until next Monday it is busy. Lab hours are half past six to eight in the evening on weekdays, "
    "Saturday from seven until one."
)
CRANES = "Rigging is two hours, derigging one; for the city crane it's forty minutes and half an hour."
QUOTE = "for the city crane it's forty minutes and half an hour"


@pytest.mark.parametrize(
    ("answer", "refinement"),
    [
        ("The file must be done no later than 27 November.", {"orders": [order("file", due="2026-11-27")]}),
        ("The pilot isn't due until 15 December.", {"orders": [order("pilot", due="2026-12-15")]}),
        ("The shed is closed 13 to 15 December.",
         {"closures": [{"resource": "shed", "from": "2026-12-13", "until": "2026-12-15"}]}),
        ("Kitchen Table (out Friday) goes well. Kitchen Table records Tuesday.",
         {"orders": [order("Kitchen Table", due="2026-11-27")]}),
        ("The centrifuge takes 24 tubes at a go, and it is old; we own three of those.",
         {"resources": [{"resource-id": "centrifuge", "count": 3}]}),
        (LAB, {"hours": [{"resource": "lab", "days": WEEK, "start": "06:30", "end": "20:00"},
                         {"resource": "lab", "days": ["Saturday"], "start": "07:00", "end": "13:00"}]}),
        ("Chemistry is 9 minutes, and clotting is the slow one with 22.", {"steps": [step("clotting", "22")]}),
        ("It takes an hour and ten to melt the wax.", {"steps": [step("melt", "70")]}),
        ("For the 60-tonner rigging is two hours.", {"steps": [step("rigging", "2", "hours")]}),
        ("Hanging takes 45 minutes with two technicians. There are four technicians.",
         {"steps": [step("hanging", "45", people=2)], "resources": [{"resource-id": "technicians", "count": 4}]}),
        ("Steel work... count on 60 hours for it. Painting takes a day.",
         {"steps": [step("steel work", "60", "hours"), step("painting", "1", "days")]}),
        ("Pick and place runs six minutes. After a while you pick.", {"steps": [step("pick and place", "6")]}),
        (CRANES, {"steps": [step("rigging crane", "40", quote=QUOTE), step("derigging crane", "30", quote=QUOTE)]}),
        ("For pumps: casting 6, fettling 50 min. For brackets: casting 3, fettling 15 min.",
         {"jobs": [{"job-id": "pumps", "operations": [operation("fettling", "50")]},
                   {"job-id": "brackets", "operations": [operation("fettling", "15")]}]}),
        ("It cools two hours. For the bell - we have one - moulding is three days.",
         {"steps": [step("moulding", "3", "days")]}),
        ("The contract for Klee is sworn, and in this house Lucia alone may do it. Due next Monday. The web is later.",
         {"orders": [order("Klee", due="2026-11-30"), order("web")]}),
        ("Translating takes two days and the stamp takes another day.", {"steps": [step("stamp", "1", "days")]}),
        ("Cutting takes 40 minutes - an hour if it's curved.", {"steps": [step("cutting", "40")]}),
        ("Sandblasting 12 minutes, engraving, well, an hour and a half.",
         {"steps": [step("sandblasting", "12"), step("engraving", "1.5", "hours")]}),
        # what speaks of a number, a date or a time before it
        ("Moulding takes 25 minutes, ditto for the trimming.",
         {"steps": [step("moulding", "25"), step("trimming", "25")]}),
        ("Washing is 30 minutes and drying twice as long.", {"steps": [step("washing", "30"), step("drying", "60")]}),
        ("Klee gets 120 lids and as many rings.",
         {"orders": [order("lids", quantity=pieces("120", "lids")), order("rings", quantity=pieces("120", "rings"))]}),
        ("Klee is due on 1 December, Braun a week later.", {"orders": [order("Braun", due="2026-12-08")]}),
        ("Klee is due on 1 December, Braun the Friday after.", {"orders": [order("Braun", due="2026-12-04")]}),
        ("Klee comes Tuesday at 6 pm, Braun the day after, same time.",
         {"orders": [order("Braun", due="2026-11-25 18:00")]}),
        ("Klee is wanted by the end of January.", {"orders": [order("Klee", due="2027-01-31")]}),
        ("Klee collects Friday week.", {"orders": [order("Klee", due="2026-12-04")]}),
        # as many names as values, in one order
        ("Washing and drying take 30 and 50 minutes.", {"steps": [step("washing", "30"), step("drying", "50")]}),
        # the unit that a sentence said before, and one that no number has
        ("Sewing 10 min, pressing three hours, covers forty, then a day of rest.", {"steps": [step("covers", "40")]}),
        ("We print 180 T-shirts.", {"orders": [order("T-shirts", quantity=pieces("180", "T-shirts"))]}),
        # one thing of its kind, and a number that corrects another
        ("It all goes over the planer.", {"resources": [{"resource-id": "planer", "count": 1}]}),
        ("We have three kettles but one is leaking, so work with two.",
         {"resources": [{"resource-id": "kettles", "count": 2}]}),
        ("The steel hull is two days because she's big, no, two and a half, then primer, five hours.",
         {"steps": [step("steel hull", "2.5", "days"), step("primer", "5", "hours")]}),
        ("The bar opens at eight, shut at six.", {"hours": [{"resource": "bar", "start": "08:00", "end": "18:00"}]}),
        # the half of the day is that of the shift, and a number of weeks counts from the next such day
        ("The morning shift is six to two.",
         {"hours": [{"resource": "morning shift", "start": "06:00", "end": "14:00"}]}),
        ("The harp goes back the Monday after next.", {"orders": [order("harp", due="2026-12-07")]}),
        ("Release 1.2.3 of 4/12/2026 and 04.12.2026; sanding takes 5 minutes.", {"steps": [step("sanding", "5")]}),
        ("We never service pumps.", {"rules": [{"rule": "no pump is serviced", "quote": "We never service pumps"}]}),
    ],
)  # fmt: skip
def test_what_the_words_say_in_their_own_way_is_recorded(answer: str, refinement: dict) -> None:
    assert whys(answer, refinement) == []


HERBS = "The market gets 25 trays of herbs every week. The school ordered 15."
PARTS = "Order 4711 is 200 shafts for December 4th, 4712 is sixty flanges."


@pytest.mark.parametrize(
    ("answer", "refinement"),
    [
        # a number of a date, of another thing or of a denial counts nothing
        ("Lohmann is getting 80 trays on 12 December.", {"orders": [order("Lohmann", quantity=pieces("12"))]}),
        ("We have six racks. The church gets 400 pillars.",
         {"orders": [order("church", quantity=pieces("6", "pillars"))]}),
        ("Five rooms. We never open two rooms at once.", {"resources": [{"resource-id": "rooms", "count": 2}]}),
        # what counts the row's own things stands nearer
        (HERBS, {"orders": [order("market", quantity=pieces("15"))]}),
        (PARTS, {"orders": [order("4711", product="shafts", quantity=pieces("60", "flanges"))]}),
        ("Drafting takes 75 minutes. A paralegal does the bundle in 40. The client signs for half an hour.",
         {"steps": [step("bundle", "30")]}),
        # an end is no beginning, and no beginning an end
        ("Okafor completes on 4 December.", {"orders": [order("Okafor", release="2026-12-04")]}),
        ("The 737 arrives on the 24th and must be out again.",
         {"orders": [order("737", release="2026-11-24", due="2026-11-24")]}),
        ("The crew works six till six.", {"hours": [{"resource": "crew", "start": "06:00", "end": "06:00"}]}),
        ("Klee is sworn. Paolo is away 10 to 12 December.", {"orders": [order("Klee", due="2026-12-12")]}),
        # a time beside a day is of that day, and a span of days is no date
        ("The hospital is Thursday noon. The gym is Friday 9 am.",
         {"orders": [order("hospital", due="2026-11-27 12:00")]}),
        ("Tom does not work Fridays. Okafor is due on 27 November.",
         {"hours": [{"resource": "Tom", "days": ["Friday"]}]}),
        ("Rosa is in Tuesday to Saturday; me every day but Sunday.", {"hours": [{"resource": "Rosa", "days": WEEK}]}),
        (LAB, {"hours": [{"resource": "lab", "days": [*WEEK, "Saturday"], "start": "06:30", "end": "20:00"}]}),
        # one date is of one row
        ("The Marit must be out by 4 December; the Ellen leaves on the 11th.",
         {"orders": [order("Marit", due="2026-12-04"), order("Ellen", due="2026-12-04")]}),
        # as many names as values, in one order
        ("Washing and drying take 30 and 50 minutes.", {"steps": [step("washing", "50"), step("drying", "30")]}),
        ("Washing is 30 minutes and drying twice as long.", {"steps": [step("washing", "60"), step("drying", "30")]}),
        # nothing happens in a time that is denied, and "the day after" something is no date
        ("Nobody records between 1 and 2 pm.", {"hours": [{"resource": "records", "start": "13:00", "end": "14:00"}]}),
        ("Klee is due on 1 December, Braun the day after delivery.", {"orders": [order("Braun", due="2026-12-02")]}),
        ("Klee is due on 1 December, Braun a week later.", {"orders": [order("Klee", due="2026-12-08")]}),
        ("Two planers, and it all goes over the planer.", {"resources": [{"resource-id": "planer", "count": 1}]}),
        # in one quote the order of the rows is the order of their values
        (CRANES, {"steps": [step("rigging crane", "30", quote=QUOTE), step("derigging crane", "40", quote=QUOTE)]}),
        # a rule that drops what its quote denies, or says a day that its quote does not
        ("We don't service pumps.", {"rules": [{"rule": "pumps are always serviced", "quote": "service pumps"}]}),
        ("We pour on Tuesdays, never on Mondays.",
         {"rules": [{"rule": "pouring on Tuesdays, always on Mondays", "quote": "We pour on Tuesdays"}]}),
        ("The morning shift is six to two.",
         {"hours": [{"resource": "morning shift", "start": "06:00", "end": "02:00"}]}),
        ("The harp goes back the Monday after next.", {"orders": [order("harp", due="2026-11-30")]}),
    ],
)  # fmt: skip
def test_what_the_words_say_of_something_else_is_refused(answer: str, refinement: dict) -> None:
    assert whys(answer, refinement) != []
