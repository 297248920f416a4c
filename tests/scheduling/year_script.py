"""A chief resident's year in a client: ``python tests/scheduling/year_script.py > docs/scheduling-year.md``.

Everything is said to a real client of the protocol, or typed at the real commands. What is told back depends on the
roster that the solver found, and so each answer has a form that it must keep to, and not fixed words.
"""

import json
import re
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
from attrs import evolve
from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parent))

from packhorse import Host
from packhorse.testing import connected, deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.convert.files import workbooks
from packhorse_scheduling.domain.programme.calendar import Year
from packhorse_scheduling.domain.programme.sample import Shape, sample
from wire import COORDINATOR, NOW

HEAD = """# A chief resident's year, in a client

Twelve residents and eight faculty, eight weeks of July and August, planned with the
[scheduling pack](../plugins/scheduling/README.md). What the assistant called is in brackets; the answers are the
tools' own words. `python tests/scheduling/year_script.py` says all of it again to a real client and writes this page;
the people are made up, and another run may find another roster that is as good.

What holds after everything that happens in a year: one repair at most makes the roster lawful again from that day on,
or what nobody could mend stands, with its place, day and rule. Days gone by stay as they were planned, beside what was
really worked. No leave, swap or report is lost, whatever file is imported.
"""

WEEKS = 8
UUID = r"[0-9a-f]{8}-[0-9a-f-]{27}"


@dataclass(frozen=True)
class Step:
    """What was said, what was called, what came back, and the form of that."""

    said: str
    called: str
    told: str
    form: str


@dataclass(frozen=True)
class Part:
    """A heading and its steps."""

    title: str
    steps: tuple[Step, ...]


def programme():
    """The sample year's first eight weeks."""
    whole = sample(Shape(seed=1))
    year = Year(whole.year.start, whole.year.start + timedelta(weeks=WEEKS) - timedelta(days=1))
    return evolve(
        whole,
        name="Family medicine",
        year=year,
        leaves=tuple(one for one in whole.leaves if one.start in year and one.end in year),
        preferences=tuple(one for one in whole.preferences if one.day in year),
    )


class Clock:
    """A clock that is set."""

    def __init__(self):
        self.at = NOW()

    def __call__(self):
        return self.at


class Desk:
    """A terminal and a client on one folder."""

    def __init__(self, folder, client, clock):
        self.folder, self.client, self.clock = folder, client, clock
        host = Host("scheduling", data_dir=folder, migrations=pack.pack.migrations, clock=clock)
        self._commands = {command.name: command for command in commands(host)}

    def type(self, *words):
        done = CliRunner().invoke(self._commands[words[0]], [str(word) for word in words[1:]])
        assert done.exit_code == 0, done.output
        return done.output.strip().replace(f"{self.folder}/", "")

    async def call(self, tool, arguments):
        reply = await self.client.call_tool(tool, arguments)
        assert not reply.is_error, reply.content
        return reply.content[0].text, reply.structured_content

    async def page(self):
        return json.loads((await self.client.read_resource("schedule://current")).contents[0].text)


async def talk(folder):
    """The whole of it."""
    made = programme()
    workbooks.write_programme(made, folder / "programme.xlsx")
    clock = Clock()
    deployment = deployment_for(data_dir=folder, clock=clock, scheduling=pack)
    async with connected(deployment, principal=COORDINATOR) as client:
        desk = Desk(folder, client, clock)
        return [
            await begun(desk, made),
            await explained(desk),
            await swapped(desk),
            await lost(desk, made),
            await ill(desk),
            await disputed(desk),
            await given_out(desk),
        ]


async def begun(desk, made):
    imported = desk.type("import", desk.folder / "programme.xlsx")
    words, body = await desk.call(
        "generate_schedule",
        {
            "academic_year": made.year.name,
            "start_date": made.year.start.isoformat(),
            "end_date": made.year.end.isoformat(),
            "async": False,
        },
    )
    judged, _ = await desk.call("validate_schedule", {"schedule_id": body["schedule_id"]})
    published, _ = await desk.call("publish_schedule", {"schedule_id": body["schedule_id"]})
    return Part(
        "From a workbook to a published roster",
        (
            Step("Here is our programme as a workbook.", "packhorse scheduling import programme.xlsx",
                 " ".join(imported.splitlines()),
                 rf"The first programme of these days: .*\. Imported Family medicine: 20 people, 56 days \({UUID}\)\."),
            Step("Make the roster for these eight weeks.", "generate_schedule", words,
                 rf"A draft with \d+ assignments for 20 people was stored as {UUID}: COMPLIANT\. Publish it .*"),
            Step("Is it lawful?", "validate_schedule", judged,
                 r"The schedule is valid: no violations and (no|\d+) warnings?\..*"),
            Step("Publish it.", "publish_schedule", published, r"Version 1 is published\."),
        ),
    )  # fmt: skip


async def explained(desk):
    page = await desk.page()
    row = next(
        one for one in page["assignments"]
        if one["person_role"] == "RESIDENT" and one["block_date"] in ("2026-07-11", "2026-07-12")
    )  # fmt: skip
    asked = {"person_id": row["person_id"], "block_id": row["block_id"]}
    words, body = await desk.call("explain_assignment", asked)
    other = next((one for one in body["others"] if one["because"]), None)
    why = "Everybody else of the role could." if other is None else other["because"][0]
    return Part(
        "Why that weekend?",
        (
            Step(f"Why does {row['person_name']} work on the weekend of 11 July?", "explain_assignment", words,
                 r".{20,}"),
            Step("And why not somebody else?", "the same answer", why, r".{10,}"),
        ),
    )  # fmt: skip


async def swapped(desk):
    page = await desk.page()
    for row in page["assignments"]:
        if row["person_role"] != "RESIDENT" or row["rotation_name"] != "Clinic" or row["block_date"] < "2026-07-13":
            continue
        asked = {"requester_person_id": row["person_id"], "assignment_id": row["id"]}
        ranked, body = await desk.call("analyze_swap_candidates", asked)
        if body["candidates"]:
            break
    best = body["candidates"][0]
    parties = {"requester_id": row["person_id"], "target_person_id": best["candidate_person_id"]}
    wish = {"swap_type": best["swap_type"], "block_ids": [row["block_id"]], **parties}
    requested, swap = await desk.call("request_swap", wish)
    named = {"swap_id": swap["swap_id"]}
    for person in parties.values():
        answered, _ = await desk.call("respond_swap", {**named, "accept": True, "person_id": person})
    done, _ = await desk.call("execute_swap", named)
    when = f"{row['block_date']} {row['block_session']}"
    return Part(
        "Two people change a clinic",
        (
            Step(f"{row['person_name']} cannot do the clinic of {when}. Who could?", "analyze_swap_candidates", ranked,
                 r".+ \((ABSORB|ONE_TO_ONE), [01]\.\d\d(, \d warnings?, such as: .+)?\).*\."),
            Step(f"Then ask {best['candidate_name']}.", "request_swap", requested,
                 rf"The swap is requested as {UUID}; both people must still accept it \(respond_swap\)\."),
            Step("Both have said yes to me.", "respond_swap, for each", answered,
                 r"Both have accepted: execute_swap carries the swap out\."),
            Step("Then do it.", "execute_swap", done,
                 r"The swap is carried out; it can be taken back until 2026-06-16T12:00:00Z\.( \d warnings?: .+)?"),
        ),
    )  # fmt: skip


async def lost(desk, made):
    person = next(one for one in made.people if one.role == "FACULTY")
    away = {"person_id": person.id, "start_date": "2026-07-27", "end_date": "2026-08-23"}
    told, _ = await desk.call("simulate_scenario", {"absences": [away], "mend": False})
    mended, repaired = await desk.call("repair_schedule", {"absences": [{**away, "kind": "deployment"}]})
    steps = [
        Step(f"{person.name} is deployed from 27 July to 23 August. How bad is that?", "simulate_scenario", told,
             r"\d+ violations if nothing is done; \d+\.\d% of the places would be filled; 0 days beyond help\..*"),
        Step("Mend it, and change as little as you can.", "repair_schedule", mended,
             r"A draft changes \d+ half-days, \d+\.\d% of what lies ahead"
             rf"(, proved to be the fewest)?: \d+ freed, .*\. Publish {UUID} to put it in force\..*"),
    ]  # fmt: skip
    judged, _ = await desk.call("validate_schedule", {"schedule_id": repaired["schedule_id"]})
    published, _ = await desk.call("publish_schedule", {"schedule_id": repaired["schedule_id"]})
    steps += [
        Step(
            "Lawful?", "validate_schedule", judged, r"The schedule is valid: no violations and (no|\d+) warnings?\..*"
        ),
        Step("Publish it.", "publish_schedule", published, r"Version \d+ is published\..*"),
    ]
    return Part("A faculty member is gone for a month", tuple(steps))


async def ill(desk):
    """Monday morning: three residents at once."""
    desk.clock.at = datetime(2026, 7, 6, 6, tzinfo=UTC)
    rows = [one for one in (await desk.page())["assignments"] if one["block_date"] == "2026-07-06"]
    people = {one["person_name"]: one["person_id"] for one in rows if one["person_role"] == "RESIDENT"}
    names = sorted(people)[:3]
    for name in names:
        away = {"person_id": people[name], "start_date": "2026-07-06", "end_date": "2026-07-07", "kind": "sick"}
        recorded, _ = await desk.call("record_leave", away)
    mended, repaired = await desk.call("repair_schedule", {})
    published, _ = await desk.call("publish_schedule", {"schedule_id": repaired["schedule_id"]})
    return Part(
        "Monday, 6 July: three are ill",
        (
            Step(f"{', '.join(names[:2])} and {names[2]} have just called in sick, today and tomorrow.",
                 "record_leave, for each", recorded,
                 r"Leave is approved; it collides with \d+ half-days? of the roster\."),
            Step("Mend all of it at once.", "repair_schedule", mended,
                 r"A draft changes \d+ half-days, \d+\.\d% of what lies ahead"
                 rf"(, proved to be the fewest)?: \d+ freed, .*\. Publish {UUID} to put it in force\..*"),
            Step("Publish it.", "publish_schedule", published, r"Version \d+ is published\..*"),
        ),
    )  # fmt: skip


async def disputed(desk):
    """A week later: how long was the afternoon of the 13th?"""
    desk.clock.at = datetime(2026, 7, 14, 9, tzinfo=UTC)
    page = await desk.page()
    row = next(
        one for one in page["assignments"]
        if one["person_role"] == "RESIDENT" and (one["block_date"], one["block_session"]) == ("2026-07-13", "PM")
        and one["rotation_name"] in ("Clinic", "Inpatient ward", "Intensive care")
    )  # fmt: skip
    worked = {
        "person_id": row["person_id"], "block_id": row["block_id"], "start_time": "12:00", "end_time": "23:30",
        "reason": "two admissions",
    }  # fmt: skip
    shown, _ = await desk.call("change_assignment", worked)
    kept, _ = await desk.call("change_assignment", {**worked, "confirm": True})
    judged, _ = await desk.call("validate_schedule", {})
    after = await desk.page()
    assert after["assignments"] == page["assignments"]
    form = r"As it was worked: .+ to .+ 12:00-23:30\."
    return Part(
        "A long afternoon",
        (
            Step(f"{row['person_name']} says that yesterday's afternoon lasted until half past eleven at night.",
                 "change_assignment", shown, form + r".* Nothing is done yet\."),
            Step("The log of the ward agrees. Put it on record.", "change_assignment, with confirm", kept,
                 form + r".* It is on record\."),
            Step("Are we still lawful, by the hours really worked?", "validate_schedule", judged, r"The schedule .*"),
        ),
    )  # fmt: skip


async def given_out(desk):
    calendars = desk.type("export", "--format", "ics", "--out", desk.folder / "calendars")
    grid = desk.type("export", "--format", "xlsx", "--out", desk.folder / "roster.xlsx")
    document, cells, _ = workbooks.read_workbook(desk.folder / "roster.xlsx")
    page = await desk.page()
    assert document is not None
    assert len(cells) == page["metadata"]["total_assignments"]
    return Part(
        "Into everybody's calendar",
        (
            Step("Calendars for everybody, please.", "packhorse scheduling export --format ics --out calendars",
                 calendars, r"Wrote 20 files to calendars\."),
            Step("And the grid for the wall.", "packhorse scheduling export --format xlsx --out roster.xlsx", grid,
                 r"Wrote roster\.xlsx\."),
        ),
    )  # fmt: skip


def written(parts):
    """The page."""
    lines = [HEAD]
    for part in parts:
        lines.append(f"## {part.title}\n")
        for step in part.steps:
            lines += [f"> {step.said}\n", f"[{step.called}] {step.told}\n"]
    return "\n".join(lines)


def read_back(page):
    """(title, [(said, called, told)]) of a written page."""
    found = []
    for section in page.split("\n## ")[1:]:
        title, _, rest = section.partition("\n")
        steps = re.findall(r"^> (.+)\n\n\[([^\]]+)\] (.+)$", rest, flags=re.MULTILINE)
        found.append((title, steps))
    return found


def main():
    with tempfile.TemporaryDirectory() as folder:
        print(written(anyio.run(talk, Path(folder))), end="")


if __name__ == "__main__":
    main()
