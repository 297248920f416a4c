"""Rosters of the MiniZinc Challenge: the roster engine beside plain CP-SAT on the family's own model.

    python benchmarks/challenge.py 120 FILE...        each data file (.dzn), so many processor seconds each side

The peer is the family's model, written out for CP-SAT from its .mzn text (on-call-rostering, physician-scheduling,
roster-sickness, rotating-workforce), with eight workers. Our rosters are scored by the same text: values that differ
stop the run.
"""

import sys
import threading
import time
from pathlib import Path

from ortools.sat.python import cp_model

from packhorse_scheduling.convert.shifts.challenge import ward_from
from packhorse_scheduling.convert.shifts.dzn import data_from
from packhorse_scheduling.domain.wards.search import solve

WORKERS = 8


class Peer:
    """A model with 0-1 variables, and the value of a roster of ours in it."""

    def __init__(self):
        self.model, self.costs = cp_model.CpModel(), []

    def solve(self, seconds, fixed=None):
        """(value or None, bound, proven, CPU s); ``fixed`` values make it a check."""
        model = self.model
        if fixed is not None:
            model = model.clone()
            for lit, value in fixed:
                model.add(lit == value)
        if self.costs:
            model.minimize(sum(cost * lit for lit, cost in self.costs))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = WORKERS
        began, over = time.process_time(), threading.Event()

        def watch():
            while not over.wait(0.2):
                if time.process_time() - began >= seconds:
                    solver.stop_search()

        watching = threading.Thread(target=watch)
        watching.start()
        status = solver.solve(model)
        over.set()
        watching.join()
        found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
        value = round(solver.objective_value) if found else None
        took = time.process_time() - began
        return value, solver.best_objective_bound, status in (cp_model.OPTIMAL, cp_model.INFEASIBLE), took


class Rotating(Peer):
    """rotating-workforce."""

    def __init__(self, data):
        super().__init__()
        m, n, need = self.model, data["employees"], data["requirements"]
        self.x = x = {(w, d, k): m.new_bool_var("") for w in range(n) for d in range(7) for k in range(4)}
        for w in range(n):
            for d in range(7):
                m.add_exactly_one(x[w, d, k] for k in range(4))
        for d in range(7):
            for k in range(3):
                m.add(sum(x[w, d, k + 1] for w in range(n)) == need[3 * d + k])
        free = []
        for w in range(n):
            pairs = []
            for d in range(6):
                both = m.new_bool_var("")
                m.add_implication(both, x[w, d, 0])
                m.add_implication(both, x[w, d + 1, 0])
                pairs.append(both)
            m.add_bool_or(pairs)
            weekend = m.new_bool_var("")
            m.add_implication(weekend, x[w, 5, 0])
            m.add_implication(weekend, x[w, 6, 0])
            free.append(weekend)
        for w in range(n):
            m.add_bool_or(free[(w + i) % n] for i in range(3))
        at = lambda i, k: x[i // 7 % n, i % 7, k]  # noqa: E731
        for i in range(7 * n):
            m.add_bool_or(at(i + j, 0) for j in range(6))
            m.add_bool_or(at(i + j, 3).negated() for j in range(4))
            for k in (1, 2):
                m.add_implication(at(i, k), at(i + 1, 3).negated())
                m.add_implication(at(i, 3), at(i + 1, k).negated())

    def fixed(self, roster):
        kinds = ["", "D", "E", "N"]
        return [(lit, int(roster[f"week{w + 1}"][d] == kinds[k])) for (w, d, k), lit in self.x.items()]


class OnCall(Peer):
    """on-call-rostering."""

    def __init__(self, data):  # noqa: C901 - one rule after another
        super().__init__()
        m, n, days = self.model, data["num_staff"], data["num_days"]
        load, offset = data["work_load"], data["weekend_offset"]
        self.offset = offset
        self.x = x = {(s, i): m.new_bool_var("") for s in range(n) for i in range(days)}
        weekends = [i for i in range(days) if i % 5 == offset]
        fixed = {i - 1 for those in data["fixed"] for i in those}
        for i in range(days):
            m.add_exactly_one(x[s, i] for s in range(n))
        for s in range(n):
            for i in data["fixed"][s]:
                m.add(x[s, i - 1] == 1)
            for i in data["unavailable"][s]:
                if i <= days:
                    m.add(x[s, i - 1] == 0)
        for those in ([i for i in range(days) if i not in weekends], weekends):
            worst = m.new_int_var(0, days, "")
            sums = [sum(x[s, i] for i in those) for s in range(n)]
            for s in range(n):
                for t in range(n):
                    if s != t:
                        m.add(load[s] * sums[t] - load[t] * sums[s] <= 100 * worst)
            self.costs.append((worst, 1))
        for i in range(days - 2):
            if not {i, i + 1, i + 2} <= fixed:
                for s in range(n):
                    m.add_bool_or(x[s, i + j].negated() for j in range(3))
            self._together(i, i + 1, data["adj_days_str"])
        for a, i in enumerate(weekends):
            beside = [j for j in (i - 1, i + 1) if 0 <= j < days]
            if not {i, *beside} <= fixed:
                for j in beside:
                    for s in range(n):
                        m.add_bool_or(x[s, i].negated(), x[s, j].negated())
            if i > 1:
                self._together(i - 2, i, data["wed_before_weekend_str"])
            if a + 1 < len(weekends) and not {i, weekends[a + 1]} <= fixed:
                for s in range(n):
                    m.add_bool_or(x[s, i].negated(), x[s, weekends[a + 1]].negated())

    def _together(self, i, j, cost):
        both = self.model.new_bool_var("")
        for s, day in self.x:
            if day == i:
                self.model.add_bool_or(both, self.x[s, i].negated(), self.x[s, j].negated())
        self.costs.append((both, cost))

    def fixed(self, roster):
        before = 4 - self.offset
        at = lambda i: 7 * ((i + before) // 5) + (i + before) % 5 - before  # noqa: E731
        return [(lit, int(roster[f"s{s + 1}"][at(i)] != "")) for (s, i), lit in self.x.items()]


class Physicians(Peer):
    """physician-scheduling."""

    def __init__(self, data):
        super().__init__()
        m, people, days = self.model, data["numPers"], data["numDays"]
        stations, shifts, skills = (data[f"num{name}"] for name in ("Stations", "Shifts", "Skills"))
        dep, common = data["stationDepartment"], data["stationCommon"]
        prefs, demand = data["stationPrefs"], data["demand"]
        need = lambda i, j, d, k: demand[((i * (shifts + 1) + j) * days + d) * (skills + 1) + k]  # noqa: E731
        pref = lambda p, i, k: prefs[(p * (stations + 1) + i) * (skills + 1) + k]  # noqa: E731
        kinds = [(i, j, k) for i in range(1, stations + 1) for j in range(1, shifts + 1) for k in range(1, skills + 1)]
        self.x = x = {
            (p, d, *kind): m.new_bool_var("")
            for p in range(people) for d in range(days) for kind in kinds if pref(p, kind[0], kind[2]) < 4
        }  # fmt: skip
        there = lambda p, d, test: [x[p, d, *kind] for kind in kinds if (p, d, *kind) in x and test(*kind)]  # noqa: E731
        every = lambda i, j, k: True  # noqa: E731
        for d in range(days):
            for i, k in {(i, k) for i, _, k in kinds}:
                for j in range(1, shifts + 1):
                    if j == 2 and not common[i]:
                        continue
                    same = (1, 2) if j == 1 and not common[i] else (j,)
                    lits = [x[p, d, i, s, k] for p in range(people) for s in same if (p, d, i, s, k) in x]
                    m.add(sum(lits) == need(i, j, d, k))
            groups = range(data["numSubsum"])
            for g in groups:
                inside = lambda i, j, k, g=g: (  # noqa: E731
                    j == 2 and dep[i] == data["subDepartment"][g] and not common[i] and k in data["subSkills"][g]
                )
                lits = [lit for p in range(people) for lit in there(p, d, inside)]
                m.add(sum(lits) == data["subDemand"][g * days + d])
            total = sum(need(i, 2, d, k) for i, k in {(i, k) for i, _, k in kinds})
            total += sum(data["subDemand"][g * days + d] for g in groups)
            lits = [lit for p in range(people) for lit in there(p, d, lambda i, j, k: j == 2)]
            m.add(sum(lits) == total)
        for p in range(people):
            self._person(data, p, lambda d, test, p=p: there(p, d, test), every)
        self.costs += [(lit, data["preferenceWeight"] * pref(p, i, k)) for (p, _, i, _, k), lit in x.items()]

    def _any(self, lits):
        found = self.model.new_bool_var("")
        self.model.add_max_equality(found, lits or [0])
        return found

    def _person(self, data, p, there, every):  # noqa: C901 - one rule after another
        m, days, dep, common = self.model, data["numDays"], data["stationDepartment"], data["stationCommon"]
        works = [self._any(there(d, every)) for d in range(days)]
        for d in range(days):
            m.add_at_most_one(there(d, every))
            if d + 1 in data["forbiddenDays"][p]:
                m.add(works[d] == 0)
        run = data["histConsecutiveWorkDays"][p]
        if days >= 7:
            m.add_bool_or(work.negated() for work in works[: max(7 - run, 1)])
            for d in range(1, days - 6):
                m.add_bool_or(work.negated() for work in works[d : d + 7])
        for week in range(days // 7):
            hours = [
                data["shiftLength"][j] * lit
                for d in range(7 * week, 7 * week + 7)
                for j in range(1, data["numShifts"] + 1)
                for lit in there(d, lambda i, s, k, j=j: s == j)
            ]
            m.add(sum(hours) <= data["maxHoursWeek"][p])
        for j, barred in enumerate(data["forbiddenSequences"]):
            after = lambda d, barred=barred: there(d, lambda i, s, k: s in barred)  # noqa: E731
            if j == data["histShiftLastDay"][p]:
                for lit in after(0):
                    m.add(lit == 0)
            for d in range(days - 1) if j else ():
                one = self._any(there(d, lambda i, s, k, j=j: s == j))
                for lit in after(d + 1):
                    m.add_implication(one, lit.negated())
        working = self._any(works)
        if data["persRequireWork"][p]:
            m.add(working == 1)
        self.costs.append((working, data["persWeight"]))
        past = data["histLastStationWorked"][p]
        begin = 0 if common[past] else past
        own = range(1, len(dep))
        last = [int(i == begin) for i in range(len(dep))]
        for d in range(days):
            at = [0] + [0 if common[i] else self._any(there(d, lambda s, j, k, i=i: s == i)) for i in own]
            moved = self._any([lit for lit in at if not isinstance(lit, int)])
            new = [m.new_bool_var("") for _ in dep]
            m.add_exactly_one(new)
            for i in range(len(dep)):
                m.add(new[i] == at[i]).only_enforce_if(moved)
                m.add(new[i] == last[i]).only_enforce_if(moved.negated())
            for i in own:
                if not common[i]:
                    change = m.new_bool_var("")
                    m.add(change >= at[i] - last[i] - last[0])
                    self.costs.append((change, data["stationWeight"]))
            last = new
        if data["persRisk"][p]:
            for i in own:
                both = m.new_bool_var("")
                m.add(both >= last[i] + working - 1)
                self.costs.append((both, data["riskWeight"] * dep[i]))
        used = []
        for value in sorted(set(dep)):
            lits = [lit for d in range(days) for lit in there(d, lambda i, j, k, v=value: dep[i] == v)]
            lits += [work.negated() for work in works] if value == 0 else []
            used.append(1 if dep[past] == value else self._any(lits))
        m.add(sum(used) <= 2)

    def fixed(self, roster):
        key = lambda i, j, k: f"St{i}/Sh{j}/Sk{k}"  # noqa: E731
        return [(lit, int(roster[f"p{p + 1}"][d] == key(*kind))) for (p, d, *kind), lit in self.x.items()]


class Sickness(Peer):
    """roster-sickness; its value is what its objective lacks to the price of all shifts."""

    def __init__(self, data):
        super().__init__()
        m, shifts, people = self.model, range(data["n_shifts"]), range(data["n_employees"])
        start, stop, contracts = data["start_time"], data["stop_time"], data["contract"]
        needed, self.data = data["req_expertise"], data
        held = lambda e, s: data["is_assigned"][e * len(shifts) + s]  # noqa: E731
        taken = [any(held(e, s) for e in people) for s in shifts]
        self.x = x = {(e, s): m.new_bool_var("") for e in people for s in shifts}
        windows = [[t for t in shifts if start[t] < stop[s] and start[s] < stop[t]] for s in shifts]
        price = 1 + max(*contracts, *(stop[s] - start[s] for s in shifts))
        for e in people:
            for s in shifts:
                if held(e, s) or taken[s] or needed[s] not in data["employee_expertises"][e]:
                    m.add(x[e, s] == int(held(e, s)))
                m.add(sum(x[e, t] for t in windows[s]) <= max(1, sum(held(e, t) for t in windows[s])))
                for t in windows[s]:
                    if s < t and not held(e, s) and not held(e, t):
                        m.add_at_most_one(x[e, s], x[e, t])
            off = m.new_int_var(0, sum(stop) + max(contracts), "")
            m.add_abs_equality(off, sum(x[e, s] * (stop[s] - start[s]) for s in shifts) - contracts[e])
            self.costs.append((off, 1))
        for s in shifts:
            nobody = m.new_bool_var("")
            m.add_exactly_one(nobody, *(x[e, s] for e in people))
            self.costs.append((nobody, price))

    def fixed(self, roster):
        """How many of each kind everybody takes decides the value; the first open shifts of the kind stand for them."""
        data, fixed = self.data, []
        n = data["n_shifts"]
        held = {s for s in range(n) if any(data["is_assigned"][s::n])}
        left = {}
        for s in range(n):
            if s not in held:
                kind = f"{data['start_time'][s]}-{data['stop_time'][s]}e{data['req_expertise'][s]}"
                left.setdefault(kind, []).append(s)
        takes = {(int(key[1:]) - 1, left[kind].pop()) for key, row in roster.items() for kind in row if kind}
        for (e, s), lit in self.x.items():
            fixed.append((lit, int(data["is_assigned"][e * n + s] or (e, s) in takes)))
        return fixed


FAMILIES = {"requirements": Rotating, "num_staff": OnCall, "numPers": Physicians, "is_assigned": Sickness}


def main(arguments):
    seconds = float(arguments[0])
    for name in arguments[1:]:
        path = Path(name)
        text = path.read_text()
        data = data_from(text, path.name)
        ward = ward_from(text, path.name)
        outcome = solve(ward, seconds)
        peer = next(kind for key, kind in FAMILIES.items() if key in data)(data)
        if outcome.status in ("optimal", "feasible"):
            value, _, proven, _ = peer.solve(60, peer.fixed(outcome.roster.named(ward)))
            assert proven, path.name
            assert value is not None, f"{path.name}: our roster breaks the family's rules"
            assert value == outcome.objective, (path.name, value, outcome.objective)
        ours = f"{outcome.objective} ({outcome.status}), bound {outcome.bound}, {outcome.cpu_seconds:.1f} CPU s"
        print(f"{path.name}: {ours}", end="", flush=True)
        value, bound, proven, took = peer.solve(seconds)
        print(f" | plain {value}{' (optimal)' if proven else ''}, bound {bound:.0f}, {took:.1f} CPU s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
