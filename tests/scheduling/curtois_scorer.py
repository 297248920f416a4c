"""What a roster costs and breaks, from the definition of the Curtois format alone.

It reads the instance's text by itself and shares no code with the engine: staff by id, shifts by id, "" for rest.
"""

from itertools import groupby, pairwise


def read(text):
    """The sections as lists of fields."""
    sections, name = {}, None
    for line in map(str.strip, text.splitlines()):
        if not line or line.startswith("#"):
            continue
        if line.startswith("SECTION_"):
            name = line
            sections[name] = []
        else:
            sections[name].append(line.split(","))
    return sections


def score(text, roster):
    """(cost, broken limits in words) of a roster: {staff id: [shift id or "" for each day]}."""
    sections = read(text)
    days = int(sections["SECTION_HORIZON"][0][0])
    minutes = {row[0]: int(row[1]) for row in sections["SECTION_SHIFTS"]}
    never_after = {row[0]: set(filter(None, row[2].split("|"))) for row in sections["SECTION_SHIFTS"]}
    broken = []
    staff = {row[0]: row[1:] for row in sections["SECTION_STAFF"]}
    if set(roster) != set(staff):
        broken.append("the roster has other people than the instance")
    for who, line in staff.items():
        broken += [f"{who}: {words}" for words in _broken(roster[who], line, days, minutes, never_after)]
    for row in sections.get("SECTION_DAYS_OFF", []):
        broken += [f"{row[0]}: works on day off {day}" for day in row[1:] if roster[row[0]][int(day)]]
    cost = 0
    for who, day, shift, weight in sections.get("SECTION_SHIFT_ON_REQUESTS", []):
        cost += int(weight) * (roster[who][int(day)] != shift)
    for who, day, shift, weight in sections.get("SECTION_SHIFT_OFF_REQUESTS", []):
        cost += int(weight) * (roster[who][int(day)] == shift)
    for day, shift, required, under, over in sections["SECTION_COVER"]:
        there = sum(row[int(day)] == shift for row in roster.values())
        cost += int(under) * max(0, int(required) - there) + int(over) * max(0, there - int(required))
    return cost, broken


def _broken(row, line, days, minutes, never_after):
    most_of, most, least, longest, shortest, rest, weekends = line
    if len(row) != days:
        yield f"{len(row)} days instead of {days}"
    for part in most_of.split("|"):
        shift, number = part.split("=")
        if row.count(shift) > int(number):
            yield f"{shift} {row.count(shift)} times"
    worked = sum(minutes[shift] for shift in row if shift)
    if not int(least) <= worked <= int(most):
        yield f"{worked} minutes"
    for day, (one, other) in enumerate(pairwise(row)):
        if one and other in never_after[one]:
            yield f"{other} after {one} on day {day + 1}"
    start = 0
    for works, run in groupby(row, key=bool):
        length = len(list(run))
        inside = start > 0 and start + length < days
        if works and length > int(longest):
            yield f"{length} days of work from day {start}"
        if inside and length < int(shortest if works else rest):
            yield f"only {length} days of {'work' if works else 'rest'} from day {start}"
        start += length
    if sum(any(row[day : day + 2]) for day in range(5, days, 7)) > int(weekends):
        yield "too many weekends"
