"""The cost of nurse rosters by the INRC-II competition's rules, read from its files alone; no code of the engine.

Each nurse's whole horizon is looked at as one string of shifts with the history in front of it, so that it counts by
another way than week by week.
"""

import re
from itertools import groupby

DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def _spans(text):
    return [(int(a), int(b)) for a, b in re.findall(r"\((\d+),(\d+)\)", text)]


def _blocks(text):
    """The lines below each header in capitals."""
    blocks, name = {}, None
    for line in filter(None, map(str.strip, text.splitlines())):
        head = line.split("=")[0].strip()
        if re.fullmatch(r"[A-Z_]{4,}", head):
            name = head
            blocks[name] = [line.partition("=")[2].strip()] if name in ("SCENARIO", "WEEKS") else []
        else:
            blocks[name].append(line)
    return blocks


def score(folder, history, weeks, roster, skills):
    """(cost of each week, broken hard rules). Rosters: {nurse: ["" or shift for each day]}, skills likewise."""
    name = next(folder.glob("Sc-*.txt")).stem[3:]
    sc = _blocks((folder / f"Sc-{name}.txt").read_text())
    runs = {line.split()[0]: _spans(line)[0] for line in sc["SHIFT_TYPES"]}
    barred = {line.split()[0]: line.split()[2:] for line in sc["FORBIDDEN_SHIFT_TYPES_SUCCESSIONS"]}
    contracts = {line.split()[0]: (_spans(line), [int(x) for x in line.split()[-2:]]) for line in sc["CONTRACTS"]}
    nurses = {line.split()[0]: (line.split()[1], line.split()[3:]) for line in sc["NURSES"]}
    hist = _blocks((folder / f"H0-{name}-{history}.txt").read_text())
    past = {line.split()[0]: line.split()[1:] for line in hist["NURSE_HISTORY"]}
    costs, broken = [0] * len(weeks), []
    for w, number in enumerate(weeks):
        data = _blocks((folder / f"WD-{name}-{number}.txt").read_text())
        for line in data["REQUIREMENTS"]:
            shift, skill = line.split()[:2]
            for d, (least, optimal) in enumerate(_spans(line)):
                at = 7 * w + d
                there = sum(roster[n][at] == shift and skills[n][at] == skill for n in nurses)
                if there < least:
                    broken.append(f"week {w} day {d}: {there} of {least} {skill} {shift}")
                costs[w] += 30 * max(0, optimal - there)
        for line in data["SHIFT_OFF_REQUESTS"]:
            nurse, shift, day = line.split()
            there = roster[nurse][7 * w + DAYS.index(day)]
            costs[w] += 10 * bool(there and shift in ("Any", there))
    for nurse, (contract, able) in nurses.items():
        (totals, work, rest), (weekends, whole) = contracts[contract]
        row = roster[nurse]
        broken += [f"{nurse} lacks a skill" for s, k in zip(row, skills[nurse], strict=True) if s and k not in able]
        done, gone, last, same, worked, rested = past[nurse]
        for a, b in zip([last if last != "None" else "", *row[:-1]], row, strict=True):
            if a and b in barred[a]:
                broken.append(f"{nurse}: {b} after {a}")
        for marks, span, weight in [
            ([int(worked)] + [bool(s) for s in row], work, 30),
            ([int(rested)] + [not s for s in row], rest, 30),
            *(([int(same) if last == t else 0] + [s == t for s in row], runs[t], 15) for t in runs),
        ]:
            for day, units in _run_costs(marks[0], marks[1:], span):
                costs[day // 7] += weight * units
        for w in range(len(weeks)):
            sat, sun = (bool(row[7 * w + i]) for i in (5, 6))
            costs[w] += 30 * (whole and sat != sun)
        if int(hist["HISTORY"][0].split()[0]) + len(weeks) == int(sc["WEEKS"][0]):
            total = int(done) + sum(map(bool, row))
            costs[-1] += 20 * max(0, totals[0] - total, total - totals[1])
            worked_weekends = int(gone) + sum(any(row[7 * w + 5 : 7 * w + 7]) for w in range(len(weeks)))
            costs[-1] += 30 * max(0, worked_weekends - weekends)
    return costs, broken


def _run_costs(before, marks, span):
    """(day, units): each day beyond the most, and what is missing to the least on the day after a run."""
    least, most = span
    day = 0
    for inside, run in groupby(marks):
        length = len(list(run))
        if inside:
            yield from ((day + i, 1) for i in range(length) if before + i + 1 > most)
            before += length
        else:
            if 0 < before < least:
                yield day, least - before
            before = 0
        day += length
