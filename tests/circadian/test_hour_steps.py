"""A body's lows by steps of an hour, beside those of the model in small steps under the light of each half hour."""

import random
from math import exp, pi

import numpy as np

from packhorse_circadian.domain.oscillators.limit_cycle import Forger1999
from packhorse_circadian.domain.population.bodies import BRIGHT, DARK, DIM, Body, Habit, bodies, ordinary_day, paired
from packhorse_circadian.domain.population.clock import follow

MODEL = Forger1999()
W, K = pi / 12, MODEL.k
STEPS = 5
"""Of half an hour."""


def drives(body: Body, code: int) -> tuple[float, float, float]:
    """Of one light: where n goes, what of it is left after half an hour, and the drive at n = 0."""
    hour = body.hours[paired((code, code))[0]]
    left = hour.by**0.5
    rest = hour.to / (1 - hour.by)
    rate = -2 * np.log(left)
    # The mean drive of the hour from n = rest is drive (1 - rest).
    return rest, rate, (hour.base - rest * hour.slope) / (1 - rest) if code != DARK else 0.0


def in_small_steps(body: Body, codes: list[int]) -> list[float]:
    """Lows by Runge and Kutta's fourth order."""
    x, y, n = body.model_start(0.0)
    found, h = [], 0.5 / STEPS

    def slopes(x: float, y: float, push: float) -> tuple[float, float]:
        b = push * (1 - 0.4 * x) * (1 - 0.4 * y)
        return W * (y + b), W * (MODEL.mu * (y - 4 / 3 * y**3) - x * (body.stiffness + K * b))

    lights = {code: drives(body, code) for code in set(codes)}
    for slot, code in enumerate(codes):
        rest, rate, drive = lights[code]
        for step in range(STEPS):
            gain = body.advancing if y + K * x * x > 0 else body.delaying
            now, mid, end = (gain * drive * (1 - rest - (n - rest) * exp(-rate * at)) for at in (0, h / 2, h))
            a, b = slopes(x, y, now)
            c, d = slopes(x + h / 2 * a, y + h / 2 * b, mid)
            e, f = slopes(x + h / 2 * c, y + h / 2 * d, mid)
            g, i = slopes(x + h * e, y + h * f, end)
            before = y
            x, y = x + h / 6 * (a + 2 * c + 2 * e + g), y + h / 6 * (b + 2 * d + 2 * f + i)
            n = rest + (n - rest) * exp(-rate * h)
            if before < 0 <= y and x < 0:
                found.append(slot / 2 + step * h + h * before / (before - y))
    return found


def test_lows_by_the_hour_are_those_of_small_steps() -> None:
    """Under two ordinary days, then nights moved by up to half a day with bright and dim light at any hour."""
    chance = random.Random(5)
    usual = list(ordinary_day(Habit()))
    off = []
    for body in bodies(40, 27, Habit()):
        moved = chance.randrange(48)
        codes = usual * 2 + (usual[moved:] + usual[:moved]) * 8
        for _ in range(6):
            first = chance.randrange(96, len(codes) - 8)
            for slot in range(first, first + chance.randrange(2, 7)):
                codes[slot] = codes[slot] if codes[slot] == DARK else chance.choice((BRIGHT, DIM))
        gains = (body.advancing, body.delaying)
        ours = follow(body.start(0.0), paired(codes), body.stiffness, gains, body.hours).lows
        off += [min(abs(low - other) for other in ours) for low in in_small_steps(body, codes)]
    assert len(off) > 350
    assert np.median(off) < 0.03
    assert np.quantile(off, 0.95) < 0.2
