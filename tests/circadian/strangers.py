"""Bodies that no plan has seen, and an integration of their clocks that shares nothing with the planner's.

Parameters are those of `../shared/design/circadian_bodies_recipe.md`, section 1, written down again here; light is laid
on by the quarter of an hour from a plan as it is printed, and Runge and Kutta's method runs at that step on every
equation, light adaptation included in substeps. The low is the minimum of the angle's passage, by linear interpolation.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

QUARTER = timedelta(minutes=15)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
NEVER = 20.0


class Strangers:
    """Bodies drawn at random by ``seed``, entrained to sleep from 23 to 7 with outdoors at 8, 12:30 and 17."""

    alpha, power, beta, gain = 0.05, 0.5, 0.0075, 33.75
    period_factor = 0.99669
    pushes = 0.8, 1.3
    """What light that advances and that delays does, beside the published model."""
    low_after = 0.0

    def __init__(self, count: int, seed: int, bright: float | None = None) -> None:
        random = np.random.default_rng(seed)
        normal = random.standard_normal((7, count + count // 10))
        self.tau = 24.2 + np.clip(0.2 * normal[0], -0.5, 0.5)
        common, skew = np.exp(0.25 * normal[1]), np.exp(0.15 * normal[2])
        self.advance, self.delay = self.pushes[0] * common * skew, self.pushes[1] * common / skew
        indoor = np.clip(150 * np.exp(0.6 * normal[3]), 50, 500)
        self.lux = {
            "dark": 0 * indoor,
            "dim": 10 + 0 * indoor,
            "cabin": 50 + 0 * indoor,
            "evening": 0.6 * indoor,
            "indoor": indoor,
            "outdoor": 3000 * np.exp(0.7 * normal[4]),
            "bright": np.clip(2000 * np.exp(0.9 * normal[5]), 200, 10_000) if bright is None else bright + 0 * indoor,
        }
        self.offset = 0.5 * normal[6]
        state = np.array([0.4 + 0 * indoor, -0.9 + 0 * indoor, 0.5 + 0 * indoor])
        days = [ordinary(7 + k / 4, 7.0) for k in range(96)]
        for _ in range(40):
            lows, course = self.run(state, days, keep=True)
            state = course[-1]
        self.low = 7 + lows[-1]  # by the clock, from 07:00
        self.low = np.where(self.low > 19, self.low - 24, self.low)
        self.day = np.array(course[:-1])
        held = (self.low >= 1.5) & (self.low <= 7.5)
        keep = np.flatnonzero(held)[:count]
        for name in ("tau", "advance", "delay", "offset", "low"):
            setattr(self, name, getattr(self, name)[keep])
        self.lux = {name: level[keep] for name, level in self.lux.items()}
        self.day = self.day[:, :, keep]

    def at(self, clock: float) -> np.ndarray:
        """States at an hour by the clock at home, each body as much off as it starts."""
        k = np.round(((clock - 7 - self.offset) % 24) * 4).astype(int) % 96
        return self.day[k, :, np.arange(len(self.low))].T

    def turn(self, x: np.ndarray, z: np.ndarray, b: np.ndarray, stiff: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Slopes of x and xc per hour under a drive."""
        w = np.pi / 12
        return w * (z + b), w * (0.23 * (z - 4 / 3 * z * z * z) - x * (stiff + 0.55 * b))

    def run(
        self, state: np.ndarray, light: Iterable[str], *, keep: bool = False
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Hours from the start to each low (nan before it comes), as rows, and the states where they are kept."""
        x, z, n = state
        stiff = (24 / (self.period_factor * self.tau)) ** 2
        found, kept = [], [state]
        h, hour = 0.25, 0.0
        row = np.full(x.shape, np.nan)
        for name in light:
            alpha = self.alpha * (self.lux[name] / 9500) ** self.power
            rate, rest = 60 * (alpha + self.beta), alpha / (alpha + self.beta)
            nodes = [n, rest + (n - rest) * np.exp(-rate * h / 2), rest + (n - rest) * np.exp(-rate * h)]
            gain = np.where(z + 0.55 * x * x > 0, self.advance, self.delay)

            def slope(
                x: np.ndarray, z: np.ndarray, n: np.ndarray, push: np.ndarray = self.gain * alpha * gain
            ) -> tuple[np.ndarray, np.ndarray]:
                return self.turn(x, z, push * (1 - n) * (1 - 0.4 * x) * (1 - 0.4 * z), stiff)

            a1, b1 = slope(x, z, nodes[0])
            a2, b2 = slope(x + h / 2 * a1, z + h / 2 * b1, nodes[1])
            a3, b3 = slope(x + h / 2 * a2, z + h / 2 * b2, nodes[1])
            a4, b4 = slope(x + h * a3, z + h * b3, nodes[2])
            before = z
            x = x + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
            z = z + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
            n = nodes[2]
            passes = (before < 0) & (z >= 0) & (x < 0)
            row = np.where(passes, hour + h * before / (before - z) + self.low_after, row)
            hour += h
            if hour % 6 == 0:  # rows of a quarter day hold at most one low
                found.append(row)
                row = np.full(x.shape, np.nan)
            if keep:
                kept.append(np.array([x, z, n]))
        if keep:
            # One day: its low of each body, wherever in the day.
            return [np.fmax.reduce([*found, row])], kept
        return found, kept


class OtherEyes(Strangers):
    """The same people with the light model of Jewett, Forger & Kronauer 1999, J Biol Rhythms 14:493, as published."""

    alpha, power, beta, gain = 0.16, 0.6, 0.013, 19.875


class OtherStrangers(OtherEyes):
    """The same people by that model's clock as well; nothing of the planner's fit to people is in it."""

    period_factor = 0.99729
    pushes = 1.0, 1.0
    low_after = 0.8

    def turn(self, x: np.ndarray, z: np.ndarray, b: np.ndarray, stiff: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        w = np.pi / 12
        x3 = x * x * x
        return (
            w * (z + 0.13 * (x / 3 + 4 / 3 * x3 - 256 / 105 * x3 * x3 * x) + b),
            w * (b * z / 3 - x * (stiff + 0.55 * b)),
        )


def ordinary(clock: float, wake: float) -> str:
    """The light of an ordinary day of eight hours' sleep."""
    since = (clock - wake) % 24
    if since >= 16:
        return "dark"
    if 1 <= since < 1.5 or 5.5 <= since < 6 or 10 <= since < 11:
        return "outdoor"
    return "indoor" if since < 12 else "evening"


def local(at: datetime, zone: ZoneInfo) -> float:
    """Hours by the clock."""
    there = at.astimezone(zone)
    return there.hour + there.minute / 60


class Journey:
    """A trip as arguments, its plan as printed, and the light of both."""

    def __init__(self, arguments: Mapping[str, Any], plan: Mapping[str, Any] | None, days: int = 20) -> None:
        self.home, self.there = (ZoneInfo(arguments[f"{end}_timezone"]) for end in ("origin", "destination"))
        self.leaves = instant(arguments["departure_datetime"], self.home)
        self.lands = instant(arguments["arrival_datetime"], self.there)
        prep = arguments.get("prep_days", 3)
        # From bedtime before the first morning: who has arrived at the first low after landing was late at one before.
        dawn = self.leaves.astimezone(self.home).replace(hour=7, minute=0) - prep * DAY
        self.begin = dawn.astimezone(UTC) - 8 * HOUR
        self.met: tuple[np.ndarray, np.ndarray] | None = None
        self.count = int((self.lands + days * DAY - self.begin) / QUARTER)
        items = [item for day in plan["days"] for item in day["items"]] if plan else []
        self.blocks = [(kind, *ends(item)) for item in items if (kind := KINDS.get(item["type"]))]
        asleep = [(start, end) for kind, start, end in self.blocks if kind == "dark"]
        until = max((end for _, end in asleep), default=self.begin) if plan else self.begin
        self.light = []
        for k in range(self.count):
            at = self.begin + k * QUARTER + QUARTER / 2
            self.light.append(self._light(at, at > until or at < self.begin + 8 * HOUR, arguments))
        for kind, start, end in self.blocks:
            for k in range(max(round((start - self.begin) / QUARTER), 0), min(self.slot(end), self.count)):
                self.light[k] = kind

    def slot(self, at: datetime) -> int:
        return round((at - self.begin) / QUARTER)

    def _light(self, at: datetime, beyond: bool, arguments: Mapping[str, Any]) -> str:
        if at < self.leaves:
            usual = ordinary(local(at, self.home), 7.0)
            return usual if usual != "dark" or beyond else "evening"
        if at < self.lands:
            flying = all(
                not instant(s["arrival_datetime"], ZoneInfo(s["timezone"]))
                <= at
                < instant(s["departure_datetime"], ZoneInfo(s["timezone"]))
                for s in arguments.get("layovers", [])
            )
            night = beyond and ordinary(local(at, self.there), 7.0) == "dark" and at > self.leaves + HOUR
            return "dark" if night else "cabin" if flying else "indoor"
        usual = ordinary(local(at, self.there), 7.0)
        if usual != "dark":
            return usual
        return "dark" if beyond and at >= self.lands + 1.5 * HOUR else "evening"

    def lows(self, bodies: Strangers) -> tuple[np.ndarray, np.ndarray]:
        """Hours of each low, and by how many it is late at the destination."""
        if self.met is None:
            self.met = self._lows(bodies)
        return self.met

    def _lows(self, bodies: Strangers) -> tuple[np.ndarray, np.ndarray]:
        found, _ = bodies.run(bodies.at(local(self.begin, self.home)), self.light)
        rows = np.array(found)
        target = np.array([local(self.begin + timedelta(hours=6 * k), self.there) - 6.0 * k for k in range(len(rows))])[
            :, None
        ]
        late = (rows + target - bodies.low + 12) % 24 - 12
        return rows, late

    def days(self, bodies: Strangers) -> np.ndarray:
        """Days of each body from landing until the low stays within an hour.

        Who has arrived when clocks change more than a week after landing stays so.
        """
        week = [self.lands + 7 * DAY + k * HOUR for k in range(14 * 24)]
        offsets = [at.astimezone(self.there).utcoffset() for at in week]
        change = next((at for at, off in zip(week, offsets, strict=True) if off != offsets[0]), week[-1])
        spring = (change - self.begin) / HOUR
        rows, late = self.lows(bodies)
        landed = (self.lands - self.begin) / HOUR
        days = np.zeros(rows.shape[1])
        for body in range(rows.shape[1]):
            held = np.flatnonzero(~np.isnan(rows[:, body]))
            at, off = rows[held, body], np.abs(late[held, body])
            before = np.flatnonzero(at < spring)
            if len(before) and off[before[-1]] < 1:
                at, off = at[before], off[before]
            bad = np.flatnonzero(off >= 1)
            if not len(bad):
                continue
            last = bad[-1]
            if last == len(at) - 1:
                days[body] = NEVER
                continue
            share = (off[last] - 1) / (off[last] - off[last + 1])
            days[body] = max((at[last] + share * (at[last + 1] - at[last]) - landed) / 24, 0)
        return days

    def wrong(self, bodies: Strangers) -> float:
        """Share of bodies that meet a bright block with more hours on the wrong side of their low than the right."""
        rows, late = self.lows(bodies)
        filled = np.nan_to_num(rows, nan=1e6)
        met = np.zeros(rows.shape[1], bool)
        for kind, start, end in self.blocks:
            if kind != "bright":
                continue
            s, t = ((at - self.begin) / HOUR for at in (start, end))
            nearest = np.abs(filled - (s + t) / 2).argmin(0)
            low, off = (of[nearest, np.arange(len(met))] for of in (filled, late))
            before = np.clip(np.minimum(t, low) - np.maximum(s, low - 7), 0, None)
            behind = np.clip(np.minimum(t, low + 7) - np.maximum(s, low), 0, None)
            counts = (np.abs(off) >= 1) & (np.abs(off) <= 10)
            met |= counts & np.where(off > 0, before > behind, behind > before)
        return float(met.mean())

    def without(self, start: datetime, end: datetime) -> None:
        """Leave one block of light out: ordinary light in its place."""
        for k in range(self.slot(start), self.slot(end)):
            at = self.begin + k * QUARTER + QUARTER / 2
            zone = self.home if at < self.leaves else self.there
            usual = ordinary(local(at, zone), 7.0)
            self.light[k] = "evening" if usual == "dark" else usual


def tune(bodies: Strangers, earlier: float, mornings: int = 3) -> dict[str, np.ndarray]:
    """Hours of advance by mornings on which sleep ends so much earlier each day, with 3.5 h of light from waking on.

    The rest of the day is dim, 30 lux, and light half the time begins with a dim half hour: the trials say no
    more. Lows are read on the night before the first and after the last.
    """
    found = {}
    for name, light in (("half bright", ("dim60", "bright")), ("bright", ("bright",)), ("dim", ("dim",))):
        codes = []
        for k in range(96 * (mornings + 1)):
            day, clock = divmod(7 + k / 4, 24)
            wake = 7 - earlier * min(day, mornings) if day else 7.0
            since = (clock - wake) % 24
            bed = (wake - earlier - 8) % 24 if day < mornings else (wake - 8) % 24
            asleep = since >= 24 - 8 or (clock - bed) % 24 < 8
            code = "dark" if asleep else "dim60"
            if day and not asleep and since < 3.5 and day <= mornings:
                code = light[int(since * 2) % len(light)]
            codes.append(code)
        bodies.lux["dim60"] = 30 + 0 * bodies.low
        plain, keep = bodies.at(7.0), bodies.lux["bright"]
        bodies.lux["bright"] = 3000 + 0 * keep
        lows, _ = bodies.run(plain, codes)
        bodies.lux["bright"] = keep
        last = np.fmax.reduce(lows)
        clock = (7 + last) % 24
        start = (7 + np.fmin.reduce(lows)) % 24
        found[name] = (start - clock + 12) % 24 - 12
    return found


KINDS = {
    "sleep": "dark",
    "in_flight_sleep": "dark",
    "bright_light": "bright",
    "dim_light": "dim",
}


def instant(wall: str, zone: ZoneInfo) -> datetime:
    return datetime.fromisoformat(wall).replace(tzinfo=zone).astimezone(UTC)


def ends(item: Mapping[str, Any]) -> tuple[datetime, datetime]:
    return datetime.fromisoformat(item["utc"]), datetime.fromisoformat(item["until"]["utc"])
