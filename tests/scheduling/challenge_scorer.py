"""Values of rosters by the text of three MiniZinc models; it shares no code with the importers or the engine.

Data are plain mappings; a roster that breaks a model's rule has the value None.
"""

from itertools import combinations, pairwise

WEEK = 7


def rotating(data, weeks):
    """0 for a lawful roster: a text of D, E, N and - for each week."""
    n, line = data["employees"], "".join(weeks)
    for d in range(WEEK):
        there = [week[d] for week in weeks]
        if any(there.count(k) != data["requirements"][3 * d + i] for i, k in enumerate("DEN")):
            return None
    rolled = line + "".join(weeks[i % n] for i in (0, 1))
    if any("--" not in week for week in weeks) or any("-" not in rolled[i : i + 6] for i in range(WEEK * n)):
        return None
    free = [rolled[WEEK * i + 5 : WEEK * i + 7] == "--" for i in range(n + 2)]
    bad = ["NNNN", "DN", "EN", "ND", "NE"]
    return None if any(not any(free[i : i + 3]) for i in range(n)) or any(one in rolled for one in bad) else 0


def on_call(data, roster):
    """The objective of a person (from 0) for each day of the model."""
    days, people = data["num_days"], range(data["num_staff"])
    weekends = [i for i in range(days) if i % 5 == data["weekend_offset"]]
    fixed = {i - 1 for those in data["fixed"] for i in those}
    for s in people:
        if any(roster[i - 1] != s for i in data["fixed"][s]) or any(roster[i - 1] == s for i in data["unavailable"][s]):
            return None
    for i in range(days - 2):
        if roster[i] == roster[i + 1] == roster[i + 2] and not {i, i + 1, i + 2} <= fixed:
            return None
    for i in weekends:
        beside = [j for j in (i - 1, i + 1) if 0 <= j < days]
        if any(roster[i] == roster[j] for j in beside) and not {i, *beside} <= fixed:
            return None
    if any(roster[a] == roster[b] and not {a, b} <= fixed for a, b in pairwise(weekends)):
        return None
    load, value = data["work_load"], 0
    for those in (set(range(days)) - set(weekends), weekends):
        number = [sum(roster[i] == s for i in those) for s in people]
        worst = max(abs(load[s] * number[t] - load[t] * number[s]) for s, t in combinations(people, 2))
        value += -(-worst // 100)
    value += data["adj_days_str"] * sum(roster[i] == roster[i + 1] for i in range(days - 2))
    return value + data["wed_before_weekend_str"] * sum(roster[i] == roster[i - 2] for i in weekends if i > 1)


def physicians(data, roster):  # noqa: C901 - one rule after another
    """The objective of (station, shift, skill), or None for off, for each person and day; rules below a week."""
    days, dep, common = data["numDays"], data["stationDepartment"], data["stationCommon"]
    shifts, skills, value = data["numShifts"], data["numSkills"], 0
    stations = range(1, data["numStations"] + 1)
    for d in range(days):
        there = [row[d] for row in roster if row[d]]
        for i in stations:
            for k in range(1, skills + 1):
                for j in range(1, shifts + 1):
                    if j == 2 and not common[i]:
                        continue
                    kinds = (1, 2) if j == 1 and not common[i] else (j,)
                    needed = data["demand"][((i * (shifts + 1) + j) * days + d) * (skills + 1) + k]
                    if sum(one in [(i, kind, k) for kind in kinds] for one in there) != needed:
                        return None
        for g, (department, those) in enumerate(zip(data["subDepartment"], data["subSkills"], strict=True)):
            inside = [i for i, j, k in there if j == 2 and dep[i] == department and not common[i] and k in those]
            if len(inside) != data["subDemand"][g * days + d]:
                return None
    for p, row in enumerate(roster):
        last = past = data["histLastStationWorked"][p]
        last = 0 if common[past] else past
        before = data["histShiftLastDay"][p]
        departments = {dep[past]}
        for d, one in enumerate(row):
            station, shift, skill = one or (0, 0, 0)
            liking = data["stationPrefs"][(p * (len(dep)) + station) * (skills + 1) + skill]
            if liking > 3 or (one and shift in data["forbiddenSequences"][before]):
                return None
            if one and d + 1 in data["forbiddenDays"][p]:
                return None
            departments.add(dep[station])
            value += liking * data["preferenceWeight"]
            before = shift
            if not common[station]:
                value += data["stationWeight"] * (last not in (0, station))
                last = station
        if len(departments) > 2 or (data["persRequireWork"][p] and not any(row)):
            return None
        if any(row):
            value += data["persWeight"] + data["riskWeight"] * dep[last] * data["persRisk"][p]
    return value


def sickness(data, takers):
    """The objective of a person (from 0), or None for nobody, for each shift."""
    shifts, people = range(data["n_shifts"]), range(data["n_employees"])
    start, stop, contracts = data["start_time"], data["stop_time"], data["contract"]
    before = [[data["is_assigned"][e * len(shifts) + s] for s in shifts] for e in people]
    meets = [[start[a] < stop[b] and start[b] < stop[a] for b in shifts] for a in shifts]
    assigned = [[before[e][s] or takers[s] == e for s in shifts] for e in people]
    for e in people:
        for s in shifts:
            if assigned[e][s] and not before[e][s]:
                if (
                    any(before[other][s] for other in people)
                    or data["req_expertise"][s] not in data["employee_expertises"][e]
                ):
                    return None
                if any(t != s and meets[s][t] and assigned[e][t] and not before[e][t] for t in shifts):
                    return None
            window = [t for t in shifts if meets[s][t]]
            if sum(assigned[e][t] for t in window) > max(1, sum(before[e][t] for t in window)):
                return None
    off = [abs(sum(stop[s] - start[s] for s in shifts if assigned[e][s]) - contracts[e]) for e in people]
    price = 1 + max(*contracts, *(stop[s] - start[s] for s in shifts))
    return price * sum(map(sum, assigned)) - sum(off)
