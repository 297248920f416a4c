"""What a ward's roster breaks and costs, from its JSON document alone; it shares no code with the engine.

Each person's days are one string of codes with the days before in front, and rules are looked up in it by other means
than the engine's: runs by groups, sequences by slices, rest by clock times.
"""

from datetime import date, timedelta
from itertools import groupby, pairwise

WEEK = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def minutes(clock):
    return int(clock[:2]) * 60 + int(clock[3:])


def spans(shift):
    if shift.get("start") is None:
        return None
    start, end = minutes(shift["start"]), minutes(shift["end"])
    return start, end + (1440 if end <= start else 0)


def hours(shift):
    if shift.get("hours") is not None:
        return shift["hours"]
    start, end = spans(shift)
    return (end - start) / 60


def days_of(row, start, count):
    found, dated = [], False
    for part in row.get("days", "all").lower().replace(";", ",").split(","):
        name = part.strip()
        if name == "all":
            found += range(count)
        elif name[0].isdigit():
            dated = True
            found.append((date.fromisoformat(name) - start).days)
        else:
            names = [one[:3] for one in name.split("-")]
            a, b = WEEK.index(names[0]), WEEK.index(names[-1])
            inside = {(a + i) % 7 for i in range((b - a) % 7 + 1)}
            found += [d for d in range(count) if (start + timedelta(d)).weekday() in inside]
    return [d for d in found if 0 <= d < count], dated


def beginnings(days, start, count):
    """Days, also before the start, on which a pattern may begin."""
    known = 99
    found, _ = days_of({"days": days}, start - timedelta(known), count + known)
    return [d - known for d in found]


def outside(value, span):
    low, high = span
    return max(0, (low or 0) - value, value - high if high is not None else 0)


def check(document, roster, skills=None):  # noqa: C901 - one rule after another
    """(cost, hard units by rule) of a roster: {person: ["" or shift for each day]}."""
    start, count = date.fromisoformat(document["start"]), document["days"]
    shifts = {shift["key"]: shift for shift in document["shifts"]}
    contracts = {contract["key"]: contract for contract in document["contracts"]}
    before = {row["person"]: ["" if c == "-" else c for c in row["days"]] for row in document.get("before", [])}
    cost, hard = 0, {}

    def breach(rule, units, weight):
        nonlocal cost
        if units and weight is None:
            hard[rule] = hard.get(rule, 0) + units
        elif units:
            cost += units * weight

    weekday = lambda d: (start + timedelta(d)).weekday()  # noqa: E731
    for person in document["people"]:
        key, contract = person["key"], contracts[person["contract"]]
        weights = contract.get("weights", {})
        row, past = roster[key], before.get(key, [])
        line, n = past + row, len(past)
        paid = {}
        for ask in document.get("requests", []):
            if ask["person"] != key:
                continue
            first = date.fromisoformat(ask.get("from") or date.min.isoformat())
            last = date.fromisoformat(ask.get("to") or ask.get("from") or date.max.isoformat())
            weekdays = ask.get("days", "all")
            for d in range(count):
                day = start + timedelta(d)
                if first <= day <= last and (weekdays == "all" or f"{day:%a}" in weekdays):
                    want = ask.get("shift", "-")
                    is_so = {"-": not row[d], "*": bool(row[d])}.get(want, row[d] == want)
                    breach("request", int(is_so != ask.get("wanted", True)), ask.get("weight"))
                    if not row[d]:
                        paid[d] = paid.get(d, 0) + ask.get("hours", 0)
        for cell in document.get("fixed", []):
            if cell["person"] == key:
                d = (date.fromisoformat(cell["day"]) - start).days
                breach("fixed", int((row[d] or "-") != cell["shift"]), None)
        for code in row:
            if code:
                needs = shifts[code].get("needs")
                breach("skill", int(bool(needs) and needs not in person.get("skills", [])), None)
        for d in range(n, len(line)):
            here = line[d]
            for back in (1, 2, 3):
                if not here or d - back < 0 or not line[d - back] or line[d - back] == "?":
                    continue
                other = shifts[line[d - back]]
                if back == 1 and here in other.get("not_next", []):
                    breach("not_next", 1, None)
                elif contract.get("rest_hours") is not None and spans(other):
                    gap = spans(shifts[here])[0] + 1440 * back - spans(other)[1]
                    breach("rest", int(gap < 60 * contract["rest_hours"]), weights.get("rest_hours"))
        for rule, test, span in [
            ("work_run", bool, contract.get("work_run")),
            ("off_run", lambda c: not c, contract.get("off_run")),
            *(("shift_run", lambda c, s=s: c == s, span) for s, span in contract.get("shift_run", {}).items()),
        ]:
            if span is None:
                continue
            at = 0
            for inside, run in groupby(line, key=test):
                length = len(list(run))
                end = at + length
                if inside and span[1] is not None:
                    over = sum(1 for i in range(at, end) if i >= n and i - at + 1 > span[1])
                    breach(rule, over, weights.get(rule))
                if inside and span[0] is not None and at > 0 and n <= end < len(line):
                    breach(rule, max(0, span[0] - length), weights.get(rule))
                at = end
        for rule in document.get("sequences", []):
            if rule.get("contract") in (None, contract["key"]):
                size = len(rule["pattern"])
                begins = set(beginnings(rule.get("days", "all"), start, count))
                for end in range(n, len(line)):
                    if end - size + 1 - n not in begins:
                        continue
                    piece = line[end - size + 1 : end + 1] if end - size + 1 >= 0 else []
                    same = len(piece) == size and all(
                        {"-": not c, "*": bool(c), ".": True}.get(p, c == p)
                        for p, c in zip(rule["pattern"], piece, strict=True)
                    )
                    breach("sequence", int(same), rule.get("weight"))
        for rule in document.get("used", []):
            those = rule.get("shifts") or list(shifts)
            if rule.get("contract") in (None, contract["key"]) and set(row) & set(those):
                cost += rule["weight"]
        places = [(i, shifts[c]["place"]) for i, c in enumerate(line) if shifts.get(c, {}).get("place")]
        moved = sum(a != b for (_, a), (i, b) in pairwise(places) if i >= n)
        if contract.get("place_changes") is not None:
            breach("place_changes", max(0, moved - contract["place_changes"]), weights.get("place_changes"))
        if contract.get("departments") is not None:
            among = {shifts[c].get("department") for c in line if c in shifts} - {None}
            breach("departments", max(0, len(among) - contract["departments"]), weights.get("departments"))
        work = sum(hours(shifts[c]) for c in row if c) + sum(paid.values())
        if contract.get("hours"):
            breach("hours", -(-round(60 * outside(work, contract["hours"])) // 60), weights.get("hours"))
        if contract.get("shifts"):
            breach("shifts", outside(sum(map(bool, row)), contract["shifts"]), weights.get("shifts"))
        for shift, most in contract.get("shift_most", {}).items():
            breach("shift_most", max(0, row.count(shift) - most), weights.get("shift_most"))
        mondays = [d for d in range(-7, count) if weekday(d) == 0]
        for monday in mondays:
            days = [d for d in range(monday, monday + 7) if -n <= d < count]
            if not days or days[-1] < 0:
                continue
            if contract.get("week_hours") is not None:
                codes = [line[d + n] for d in days]
                week = sum(hours(shifts[c]) for c in codes if c and c != "?") + sum(paid.get(d, 0) for d in days)
                over = round(60 * max(0, week - contract["week_hours"]))
                breach("week_hours", -(-over // 60), weights.get("week_hours"))
            if contract.get("week_off") and len(days) == 7:
                free = "".join(".x"[bool(line[d + n])] for d in days)
                breach("week_off", int("." * contract["week_off"] not in free), weights.get("week_off"))
        saturdays = [d for d in range(-n - 1, count) if weekday(d) == 5]
        touched = [(d, [line[i + n] for i in (d, d + 1) if -n <= i < count]) for d in saturdays]
        if contract.get("weekends") is not None:
            worked = sum(any(row[max(0, d) : d + 2]) for d in saturdays if d >= -1)
            breach("weekends", max(0, worked - contract["weekends"]), weights.get("weekends"))
        if contract.get("whole_weekends"):
            halves = [cells for d, cells in touched if len(cells) == 2 and d + 1 >= 0]
            odd = sum(bool(a) != bool(b) for a, b in halves)
            breach("whole_weekends", odd, weights.get("whole_weekends"))
        if contract.get("weekend_run") is not None:
            run = 0
            for d, cells in touched:
                run = run + 1 if any(cells) else 0
                last = max(i for i in (d, d + 1) if -n <= i < count)
                breach("weekend_run", int(run > contract["weekend_run"] and last >= 0), weights.get("weekend_run"))
    needed = {}
    for row in document.get("demand", []):
        days, dated = days_of(row, start, count)
        kinds = (row["shift"],) if isinstance(row["shift"], str) else tuple(row["shift"])
        for d in days:
            if dated or (d, kinds, row.get("skill")) not in needed:
                needed[d, kinds, row.get("skill")] = row
    for (d, kinds, skill), row in needed.items():
        there = sum(roster[p][d] in kinds and (skill is None or skills[p][d] == skill) for p in roster)
        breach("least", max(0, row.get("least", 0) - there), None)
        if row.get("most") is not None:
            breach("most", max(0, there - row["most"]), None)
        if row.get("wished") is not None:
            cost += row.get("under", 10) * max(0, row["wished"] - there)
            cost += row.get("over", 0) * max(0, there - row["wished"])
    carried = {(r["person"], tuple(r["count"])): r["amount"] for r in document.get("carried", [])}
    for fair in document.get("fair", []):
        names, totals = tuple(fair["count"]), []
        for person in document["people"]:
            if fair.get("contract") not in (None, person["contract"]):
                continue
            row = roster[person["key"]]
            if names == ("weekends",):
                own = sum(any(row[max(0, d) : d + 2]) for d in range(-1, count) if weekday(d) == 5)
            else:
                own = sum(c in names for c in row if c)
            totals.append((own + carried.get((person["key"], names), 0), person.get("share", 100)))
        worst = max((abs(s * m - t * k) for k, s in totals for m, t in totals), default=0)
        cost += fair["weight"] * -(-worst // 100)
    return cost, hard
