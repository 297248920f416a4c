"""Plays a story: a table of events over a year, each a call at the wire by somebody on a day, with arguments by name.

After each event at most one repair makes the roster in force lawful from that day on, or what stays is proved
unavoidable and stands with person or place, date and rule. Nothing past moves, and no record is lost. What is refused
is followed to the next step that the refusal names.

In arguments ``$name`` is the id that an earlier event gave, a key is the person, ``2026-10-12 PM`` the half-day, and
three forms ask the roster in force: ``{"at_work": "RESIDENT", "on": day, "number": 0}`` is who works that afternoon,
``{"half_day_of": key, "from": day}`` the first half-day of somebody's, and the lone argument ``{"swap_from": day}`` two
people and a half-day that they may swap; who they are is known as ``$name.requester`` and ``$name.target``.
"""

import json
import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from click.testing import CliRunner

from packhorse import Host
from packhorse.contract.principal import Principal
from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.domain.change import swaps
from packhorse_scheduling.domain.change.judging import breaches
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.store import document_of
from packhorse_scheduling.store.exchanges import Exchanges
from wire import COORDINATOR, call

ANY = "any"
"""Of a refusal that may come or not, by what the roster happens to be."""
HALF_DAY = re.compile(r"(\d{4}-\d\d-\d\d) (AM|PM)")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
DONE = ("Request a new one", "Make a new request", "Nothing would change", "choose another half-day")
"""Words of refusals after which there is nothing to do but what the person wants next, or to choose."""
IDS = ("schedule_id", "request_id", "swap_id")


@dataclass(frozen=True)
class Event:
    """A call: the day, who calls (``coordinator`` or a person), the tool (or ``import``, of a programme by name).

    ``refused`` is the code of the refusal that is due, ``says`` what its words hold; ``leaves`` are the rules of which
    a violation stays after it, since nobody is there who could keep them.
    """

    day: str
    who: str
    tool: str
    arguments: dict = field(default_factory=dict)
    name: str | None = None
    refused: str | None = None
    says: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()


class Story:
    """A programme in one folder, on a day that moves."""

    def __init__(self, folder, programmes):
        self.folder, self.programmes = folder, programmes
        self.day, self.past, self.known = date(2026, 6, 15), [], {}
        self.records, self.told, self.refusals, self.judged, self.opened = {}, [], 0, (None, []), None
        self.deployment = self._deployed()
        self.desk = RosterDesk(self._host())

    # Playing

    async def begin(self, name="first"):
        """June: the file is imported, the year generated and published."""
        made = self.programmes[name]
        self._import(Event("2026-06-15", "coordinator", "import", {"programme": name}))
        draft = await self._done("generate_schedule", self._span(made.year.start, made.year.end))
        await self._done("publish_schedule", {"schedule_id": draft["schedule_id"]})
        assert self.open() == []

    async def play(self, events):
        """Every event, by its day."""
        for event in events:
            self._on(date.fromisoformat(event.day))
            try:
                await self._happens(event)
                await self._mended(event)
                self._check()
            except (AssertionError, RuntimeError) as exc:
                raise AssertionError(f"{event}: {exc}") from exc

    async def _happens(self, event):
        if event.tool == "import":
            self._import(event)
            return
        arguments = self._resolved(event)
        if event.tool == "generate_schedule":
            arguments = self._span(*(date.fromisoformat(arguments[name]) for name in ("start_date", "end_date")))
            arguments |= {key: value for key, value in event.arguments.items() if key == "generation_mode"}
        reply = await self._ask(event.tool, arguments, self._principal(event.who))
        if not reply.is_error:
            assert event.refused in (None, ANY), reply.content[0].text
            self._remember(event.name, reply.structured_content)
            return
        words = reply.content[0].text
        code = reply.meta["packhorse/error"]["code"]
        assert event.refused in (code, ANY), words
        assert all(one in words for one in event.says), words
        self.refusals += 1
        await self._followed(event, arguments, words)

    async def _followed(self, event, arguments, words):
        """Take the step that a refusal names: it works."""
        if "repair_schedule with schedule_id" in words:
            mended = await self._done("repair_schedule", {"schedule_id": arguments["schedule_id"]})
            await self._done("publish_schedule", {"schedule_id": mended["schedule_id"]})
        elif "withdraw_request" in words:
            named = {"request_id": UUID.findall(words)[-1], "reason": "replaced"}
            await self._done("withdraw_request", named)
            if event.tool == "record_leave":  # a swap that is withdrawn is over
                await self._done(event.tool, arguments, self._principal(event.who))
        elif "respond_swap" in words:
            swap = self._swap(arguments["request_id"])
            for key in swap.missing:
                body = {"swap_id": swap.id, "accept": True, "person_id": self._id_of(key)}
                await self._done("respond_swap", body)
            await self._done(event.tool, arguments)
        elif "change_assignment without confirm" in words:
            await self._done(event.tool, {**arguments, "confirm": False})
        elif "analyze_swap_candidates" in words:
            key = {"requester_person_id": arguments["person_id"], "assignment_id": self._assignment(arguments)}
            await self._done("analyze_swap_candidates", key)
        elif any(one in words for one in DONE):
            pass
        else:
            raise AssertionError(f"no next step is named: {words}")

    async def _mended(self, event):
        """One repair at most; what stays is proved, and told with its place, day and rule."""
        proved = ""
        if self.open():
            body = await self._done("repair_schedule", {})
            assert body["proven_minimal"] is True
            assert all(row["date"] >= self.day.isoformat() for row in body["changes"])
            published = await self._done("publish_schedule", {"schedule_id": body["schedule_id"]})
            proved = " ".join(body.get("unavoidable", ()))
            told = " ".join([*published.get("standing", ()), proved])
            for _, first, last in self.open():
                assert any(day.isoformat() in told for day in (first, last)), (first, last, told)
        left = sorted({rule for rule, *_ in self.open()})
        standing = self._standing()
        new = [one for one in self.open() if one not in standing and not self._had_begun(*one)]
        new = [one for one in new if not any(day.isoformat() in proved for day in one[1:])]
        assert event.refused == ANY or sorted({rule for rule, *_ in new}) == sorted(event.leaves), (left, self.open())
        self.told.append((event, self.open()))

    def _had_begun(self, rule, first, last):
        """Whether it comes of the morning, today, of a night that began before somebody fell ill: it cannot be undone.

        That morning is work on leave, and a day at work of every stretch of days that ends with it.
        """
        cells = set(self.in_force().schedule.cells)
        yesterday = self.day - timedelta(days=1)
        nights = {one for one in cells if one[1:3] == (self.day, 0) and (one[0], yesterday, 1, one[3]) in cells}
        return rule in ("LEAVE_RULE", "1_IN_7_RULE") and last == self.day and bool(nights)

    def _standing(self):
        """What was open after an earlier event."""
        return {one for _, found in self.told for one in found}

    def in_force(self):
        """The published schedule, read once between two calls."""
        if self.opened is None:
            self.opened = self.desk.current()
        return self.opened

    def open(self):
        """Violations in force that reach today or later, as (rule, first day, last day)."""
        opened = self.in_force()
        now = opened.schedule.id, opened.schedule.programme
        if self.judged[0] != now:
            dates = opened.kernel.date_of
            self.judged = now, sorted((one.rule, dates(one.first), dates(one.last)) for one in breaches(opened))
        return [one for one in self.judged[1] if one[2] >= self.day]

    # What has to hold

    def _on(self, day):
        assert day >= self.day, f"{day} is before {self.day}"
        self.day, self.opened = day, None
        self.past = [cell for cell in self.in_force().schedule.cells if cell[1] < day]

    def _check(self):
        """Nothing past has moved, and no record is gone or altered."""
        assert [cell for cell in self.in_force().schedule.cells if cell[1] < self.day] == self.past
        actual = self.desk.actual_records()
        now = {one.id: one for one in (*self.desk.leave_records(), *actual)}
        for key, was in self.records.items():
            assert now[key].steps[: len(was.steps)] == was.steps
        self.records = now
        kept = {one.id for one in self._swaps()}
        assert {one for name, one in self.known.items() if name.startswith("swap") and "." not in name} <= kept
        live = {(one.row.person, one.row.day, one.row.session): one.row for one in actual
                if one.state == "approved"}  # fmt: skip
        assert {row.place: row for row in self.in_force().programme.actual_hours} == live

    # Calls

    def _clock(self):
        return datetime.combine(self.day, time(12), UTC)

    def _host(self):
        return Host("scheduling", data_dir=self.folder, migrations=pack.pack.migrations, clock=self._clock)

    def _deployed(self):
        return deployment_for(data_dir=self.folder, clock=self._clock, scheduling=pack)

    async def _ask(self, tool, arguments, who=COORDINATOR):
        self.opened = None
        if tool == "generate_schedule":  # its limit counts the machine's minutes, and not the story's
            self.deployment = self._deployed()
        return await call(self.deployment, tool, arguments, who)

    async def _done(self, tool, arguments, who=COORDINATOR):
        reply = await self._ask(tool, arguments, who)
        assert not reply.is_error, reply.content[0].text
        return reply.structured_content

    def _import(self, event):
        self.opened = None
        file = self.folder / "programme.json"
        file.write_text(json.dumps(document_of(self.programmes[event.arguments["programme"]])))
        run = {command.name: command for command in commands(self._host())}["import"]
        done = CliRunner().invoke(run, [str(file)])
        assert (done.exit_code != 0) == (event.refused is not None), done.output
        assert all(one in done.output for one in event.says), done.output
        self.refusals += event.refused is not None

    def _principal(self, who):
        key = self._key(who)
        if key == "coordinator":
            return COORDINATOR
        role = self._person(key).role
        return Principal("human", subject=f"sub-{key}", roles=frozenset({role}))

    def _span(self, start, end):
        year = self.desk.programme()[1].year.name
        return {
            "academic_year": year, "start_date": start.isoformat(), "end_date": end.isoformat(), "async": False,
        }  # fmt: skip

    def _remember(self, name, body):
        if name is None:
            return
        if "requests" in body:
            body = body["requests"][0]
        self.known[name] = next(body[key] for key in IDS if key in body)

    # Names

    def _key(self, given):
        return self.known[given[1:]] if given.startswith("$") else given

    def _person(self, key):
        programme = self.in_force().programme
        return next(one for one in programme.people if one.key == key)

    def _id_of(self, key):
        return self._person(key).id

    def _resolved(self, event):
        given = event.arguments
        if set(given) == {"swap_from"}:
            wish, requester, target = self._swappable(date.fromisoformat(given["swap_from"]))
            self.known |= {f"{event.name}.requester": requester, f"{event.name}.target": target}
            return wish
        return {name: self._value(value) for name, value in given.items()}

    def _value(self, value):
        if isinstance(value, dict):
            return self._asked(value)
        if isinstance(value, list):
            return [self._value(one) for one in value]
        if not isinstance(value, str):
            return value
        half = HALF_DAY.fullmatch(value)
        if half:
            return self._block(date.fromisoformat(half[1]), half[2])
        if value.startswith("$"):
            found = self.known[value[1:]]
            return self._value(found) if "." in value else found
        keys = {one.key for one in self.in_force().programme.people}
        return self._id_of(value) if value in keys else value

    def _asked(self, form):
        cells = self.in_force().schedule.cells
        if "at_work" in form:
            day = date.fromisoformat(form["on"])
            keys = sorted(
                {cell[0] for cell in cells if cell[1:3] == (day, 1) and self._person(cell[0]).role == form["at_work"]}
            )
            return self._id_of(keys[form.get("number", 0) % len(keys)]) if keys else self._id_of(form["else"])
        if "half_day_of" in form:
            key, day = self._key(form["half_day_of"]), date.fromisoformat(form["from"])
            cell = min((cell for cell in cells if cell[0] == key and cell[1] >= day), key=lambda cell: cell[1:3])
            return self._block(cell[1], ("AM", "PM")[cell[2]])
        return {name: self._value(value) for name, value in form.items()}

    def _block(self, day, session):
        return next(one.id for one in self.in_force().programme.year.blocks if (one.day, one.session) == (day, session))

    def _assignment(self, arguments):
        from packhorse_scheduling.domain.programme.calendar import assignment_id

        return assignment_id(arguments["person_id"], arguments["block_id"])

    def _swappable(self, first):
        """A swap of residents that breaks no rule, from a day on."""
        opened = self.in_force()
        kernel, board = opened.kernel, opened.board()
        for key, day, half, _ in sorted(opened.schedule.cells, key=lambda cell: cell[1:]):
            if day < first or self._person(key).role != "RESIDENT":
                continue
            p = kernel.person_of[key]
            found = swaps.candidates(board, p, [(kernel.day_of(day), half)], today=kernel.day_of(self.day))
            if found:
                people = opened.programme.people
                wish = {
                    "swap_type": found[0].swap, "requester_id": people[p].id,
                    "target_person_id": people[found[0].person].id, "block_ids": [self._block(day, ("AM", "PM")[half])],
                }  # fmt: skip
                return wish, key, people[found[0].person].key
        raise AssertionError("nobody could swap")

    def _swaps(self):
        with self.desk.rosters() as rosters:
            return Exchanges(rosters.store).every()

    def _swap(self, key):
        return next(one for one in self._swaps() if one.id == key)
