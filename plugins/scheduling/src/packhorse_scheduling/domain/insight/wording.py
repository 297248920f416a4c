"""Rules, breaches and requirements in sentences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import evolve

if TYPE_CHECKING:
    from packhorse_scheduling.domain.change.swaps import Obstacle
    from packhorse_scheduling.domain.programme.limits import Limit, RuleSet
    from packhorse_scheduling.domain.rules.kernel import Kernel
    from packhorse_scheduling.domain.rules.violation import Violation
    from packhorse_scheduling.domain.solve.guards import Requirement
    from packhorse_scheduling.domain.solve.rotations import GridFault


def number(value: float) -> str:
    """Without a needless fraction."""
    return f"{value:.1f}".removesuffix(".0")


def counted(count: int, noun: str, many: str = "") -> str:
    """Such as "1 half-day" and "2 half-days"; ``many`` is the plural where it is not the noun with an s."""
    return f"{count} {noun}" if count == 1 else f"{count} {many or noun + 's'}"


def warned(warnings: "Sequence[str]", most: int = 3) -> str:
    """Such as " 2 warnings: ..."; nothing without one."""
    if not warnings:
        return ""
    more = f" And {len(warnings) - most} more." if len(warnings) > most else ""
    return f" {counted(len(warnings), 'warning')}: {' '.join(warnings[:most])}{more}"


def percent(share: float, places: int = 0) -> str:
    """Such as "94.3%"; only what is whole is called 100%."""
    text = f"{share:.{places}%}"
    return f"{1 - 10 ** -(places + 2):.{places}%}" if share < 1 and text == f"{1:.{places}%}" else text


_ROLES = {"FACULTY": ("faculty member", "faculty members"), "RESIDENT": ("resident", "residents")}


def role_words(role: str, count: int = 1) -> str:
    """A role as a noun: "resident", "faculty members", "RNs"."""
    one, many = _ROLES.get(role, (role, f"{role}s"))
    return one if count == 1 else many


def violation_words(kernel: "Kernel", violation: "Violation") -> str:
    """What is wrong, with the value, the limit and whose limit it is."""
    from packhorse_scheduling.domain.programme.calendar import SESSIONS
    from packhorse_scheduling.domain.programme.people import ROLES

    people, services, rules = kernel.programme.people, kernel.programme.services, kernel.programme.rules
    who = people[violation.person].name if violation.person is not None else ""
    what = services[violation.service].name if violation.service is not None else ""
    first, last = kernel.date_of(violation.first), kernel.date_of(violation.last)
    when = f"{first}" if first == last else f"{first} to {last}"
    ending = f"{last}"
    if violation.session is not None:
        when, ending = (f"{words} {SESSIONS[violation.session]}" for words in (when, ending))
    value, limit = number(violation.value), number(violation.limit)
    there = "" if violation.role is None else f"{value} {role_words(ROLES[violation.role], int(violation.value))}"
    most = rules.continuous_hours.value + rules.transition_hours.value
    return {
        "80_HOUR_RULE": f"{who}: {value} hours in the {len_of(violation)} days {when}, above {limit}"
        f" ({rules.weekly_hours.value} a week, averaged, leave taken out)",
        "1_IN_7_RULE": f"{who}: {value} days worked in the {len_of(violation)} days {when}, above {limit}"
        f" ({_free_days(rules)}, leave taken out)",
        "CALL_FREQUENCY_RULE": f"{who}: {value} nights on call in the {len_of(violation)} days {when}, above {limit}",
        "NIGHT_FLOAT_RULE": f"{who}: {value} nights in a row, {when}, above {limit}",
        "CONSECUTIVE_DAYS_RULE": f"{who}: {value} days worked in a row, {when}, above {limit}",
        "24_PLUS_4_RULE": f"{who}: {value} hours on end, {when}, above {limit} (hand-over included up to {most})",
        "14_HOUR_REST_RULE": f"{who}: {value} hours off after {rules.continuous_hours.value} hours in house before"
        f" {ending}, below {limit}",
        "8_HOUR_REST_RULE": f"{who}: {value} hours off before {ending}, below {limit}",
        "WHOLE_NIGHT_RULE": f"{who}: half a night of {what}, {when}; evening and morning belong together",
        "SUPERVISION_RATIO": f"{what}, {when}: residents of {value} supervision units and faculty for {limit}",
        "MINIMUM_STAFFING": f"{what}, {when}: {there}, below {limit}",
        "MAXIMUM_STAFFING": f"{what}, {when}: {there}, above {limit}",
        "CREDENTIAL_REQUIREMENTS": f"{who} on {what}, {when}: role, year or credential does not allow it that day",
        "LEAVE_RULE": f"{who} on {what}, {when}, while on leave",
        "LOCK_RULE": f"{who}, {when}: locked on {what or 'a free half-day'}, and the roster has it otherwise",
        "ROTATION_RULE": f"{who} on {what}, {when}, off the rotation {_rotation(kernel, violation)}",
        "CURRICULUM_RULE": _curriculum_words(kernel, violation, when),
    }.get(violation.rule, violation.rule) + "."


def _rotation(kernel: "Kernel", violation: "Violation") -> str:
    number = violation.extra.get("rotation")
    return "" if number is None else kernel.programme.rotations[number].name


def _curriculum_words(kernel: "Kernel", violation: "Violation", when: str) -> str:
    from packhorse_scheduling.domain.roster.plan import YEARS

    value, limit, name = number(violation.value), number(violation.limit), _rotation(kernel, violation)
    beyond = "below" if violation.value < violation.limit else "above"
    if violation.person is None:
        return f"{name}, {when}: {counted(int(violation.value), 'resident')} by the rotation plan, {beyond} {limit}"
    who = kernel.programme.people[violation.person].name
    if violation.unit == YEARS:
        return f"{who}, PGY {value}, on {name}, {when}: not a rotation of that year of training"
    return f"{who}: {counted(int(violation.value), 'unit')} of {name} in the rotation plan, {beyond} {limit}"


def _free_days(rules: "RuleSet") -> str:
    free, days = rules.free_days.value, rules.average_days
    return "one day in seven free averaged" if free * 7 == days else f"{counted(free, 'day')} free in {days}"


def idle_words(kernel: "Kernel", p: int, d: int, h: int) -> str:
    """Why somebody without duty then has nothing to swap."""
    from packhorse_scheduling.domain.programme.calendar import SESSIONS

    return f"{kernel.programme.people[p].name} has no duty on {kernel.date_of(d)} {SESSIONS[h]} that could be swapped."


def obstacle_words(kernel: "Kernel", kind: "Obstacle", cell: tuple[int, int, int]) -> str:
    """Why a swap cannot be, whatever the rules say of it."""
    from packhorse_scheduling.domain.programme.calendar import SESSIONS

    p, d, h = cell
    who, when = kernel.programme.people[p].name, f"{kernel.date_of(d)} {SESSIONS[h]}"
    return {
        "past": f"{when} has passed: what {who} did then cannot be changed.",
        "locked": f"The assignment of {who} on {when} is locked and must stay.",
        "nothing": f"Both do the same on {when}: there is nothing to swap.",
    }[kind]


def len_of(violation: "Violation") -> int:
    """Days of the violation, both ends included."""
    return violation.last - violation.first + 1


MOST_APART = 3
"""Days of one requirement that are named one by one; more are told as a number and a span."""


def gathered_words(kernel: "Kernel", requirements: "Sequence[Requirement]") -> list[str]:
    """What was asked, as phrases; what differs only by the day is one of them, and so are many locks alike."""
    locks = [one for one in requirements if one.code == "LOCKED_ASSIGNMENT"]
    found = _locks_gathered(kernel, locks)
    alike: dict[Requirement, list[Requirement]] = {}
    for one in requirements:
        if one.code == "LOCKED_ASSIGNMENT":
            continue
        alike.setdefault(evolve(one, day=-1) if one.day >= 0 else one, []).append(one)
    for group in alike.values():
        if len(group) <= MOST_APART:
            found += [requirement_words(kernel, one) for one in group]
            continue
        words = requirement_words(kernel, group[0])
        days = sorted(one.day for one in group)
        first, last = kernel.date_of(days[0]), kernel.date_of(days[-1])
        found.append(
            words.removesuffix(f" on {kernel.date_of(group[0].day)}") + f" on {len(days)} days, {first} to {last}"
        )
    return found


def _locks_gathered(kernel: "Kernel", requirements: "Sequence[Requirement]") -> list[str]:
    """Many locks of one person on one service are a phrase, and so are those of many people in one half-day."""
    locks = kernel.programme.locks
    names = {person.key: person.name for person in kernel.programme.people}
    left = list(requirements)
    found = []
    for of_person in (True, False):
        groups: dict[object, list[Requirement]] = {}
        for one in left:
            lock = locks[one.number]
            groups.setdefault((lock.service, lock.person if of_person else (lock.day, lock.session)), []).append(one)
        left = []
        for group in groups.values():
            if len(group) <= MOST_APART:
                left += group
                continue
            rows = [locks[one.number] for one in group]
            what = "free" if rows[0].service is None else f"on {rows[0].service}"
            if of_person:
                days = sorted(row.day for row in rows)
                when = f"in {len(rows)} half-days, {days[0]} to {days[-1]}"
                found.append(f"{names[rows[0].person]} locked {what} {when}")
            else:
                who = [names[row.person] for row in rows]
                found.append(f"{listing(who)} locked {what} on {rows[0].day} {rows[0].session}")
    return [*found, *(requirement_words(kernel, one) for one in sorted(left))]


def listing(names: "Sequence[str]", most: int = 5) -> str:
    """The first names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


_ROTATION_WORDS = {
    "ROTATION_DONE": "{who} on {name} in the unit from {day}, which is over",
    "ROTATION_BEGUN": "{who} on {name} in the unit from {day}, which has begun",
    "ROTATION_PLAN": "{who} on {name} in the unit from {day} by the rotation plan in force",
    "ROTATION_LEAST": "the least team of {name} in the unit from {day}",
    "ROTATION_MOST": "the largest team of {name} in the unit from {day}",
    "ROTATION_YEAR": "the years of training of {name}, not those of {who}",
    "CURRICULUM_LEAST": "the units of {name} that {who} must have",
    "CURRICULUM_MOST": "the units of {name} that {who} may have",
}


def requirement_words(kernel: "Kernel", requirement: "Requirement") -> str:
    """What was asked, as a phrase."""
    from packhorse_scheduling.domain.programme.people import ROLES

    programme = kernel.programme
    who = programme.people[requirement.person].name if requirement.person >= 0 else ""
    what = programme.services[requirement.service].name if requirement.service >= 0 else ""
    day = kernel.date_of(requirement.day) if requirement.day >= 0 else None
    role = role_words(ROLES[requirement.role], 2) if requirement.role >= 0 else "people"
    rules = programme.rules

    def told(words: str, limit: "Limit") -> str:
        return f"{words} for {who} ({limit.authority})"

    if requirement.code == "LEAVE_RULE":
        leave = programme.leaves[requirement.number]
        return f"leave of {who} from {leave.start} to {leave.end}"
    if requirement.code == "LOCKED_ASSIGNMENT":
        lock = programme.locks[requirement.number]
        return f"{who} locked {'free' if lock.service is None else f'on {lock.service}'} on {lock.day} {lock.session}"
    if requirement.code == "ROTATION_LOCK":
        held = programme.rotation_locks[requirement.number]
        how = "off" if held.avoid else "on"
        return f"{who} locked {how} the rotation {held.rotation} from {held.start} to {held.end}"
    if requirement.code in _ROTATION_WORDS:
        name = programme.rotations[requirement.number].name
        return _ROTATION_WORDS[requirement.code].format(who=who, name=name, day=day)
    return {
        "80_HOUR_RULE": told(f"{rules.weekly_hours.value} hours a week", rules.weekly_hours),
        "1_IN_7_RULE": told(_free_days(rules).removesuffix(" averaged"), rules.free_days),
        "CALL_FREQUENCY_RULE": told(f"call every {_nth(rules.call_every.value)}night at most", rules.call_every),
        "24_PLUS_4_RULE": told(
            f"{rules.continuous_hours.value} hours on end and {rules.transition_hours.value} for hand-over",
            rules.continuous_hours,
        ),
        "14_HOUR_REST_RULE": told(
            f"{rules.rest_after_call_hours.value} hours off after {rules.continuous_hours.value}",
            rules.rest_after_call_hours,
        ),
        "NIGHT_FLOAT_RULE": told(f"at most {counted(rules.night_run.value, 'night')} in a row", rules.night_run),
        "CONSECUTIVE_DAYS_RULE": told(f"at most {counted(rules.day_run.value, 'day')} in a row", rules.day_run),
        "MINIMUM_STAFFING": f"the minimum of {role} on {what} on {day}",
        "MAXIMUM_STAFFING": f"the maximum on {what} on {day}",
        "SUPERVISION_RATIO": f"supervision on {what} on {day}",
        "CREDENTIAL_REQUIREMENTS": f"the credentials of {who} for {what}",
    }.get(requirement.code, requirement.code)


def left_words(kernel: "Kernel", requirements: "Sequence[Requirement]") -> list[str]:
    """Of each minimum of residents among these: who could do it then, of whom on a rotation that holds it."""
    from packhorse_scheduling.domain.programme.calendar import SESSIONS
    from packhorse_scheduling.domain.programme.people import ROLES

    found = []
    for one in requirements:
        if one.code != "MINIMUM_STAFFING":
            continue
        h = max((0, 1), key=lambda half: _missing(kernel, one, half))
        able = _able(kernel, one, h)
        held = [p for p in able if kernel.lock_at.get((p, one.day, h), one.service) != one.service]
        on = kernel.rotation[:, one.day]
        code = kernel.programme.services[one.service].code
        holders = {k for k, rotation in enumerate(kernel.programme.rotations) if code in rotation.services}
        near = [p for p in able if int(on[p]) in holders]
        need = int(kernel.least[one.role, one.service, one.day, h])
        people, role = kernel.programme.people, ROLES[one.role]
        what = f"{kernel.programme.services[one.service].name} on {kernel.date_of(one.day)} {SESSIONS[h]}"
        words = f"{what} needs {need} {role_words(role, need)};"
        if near:
            told = [people[p].name + (" (locked elsewhere)" if p in held else "") for p in near]
            left = sum(p not in held for p in near)
            words += f" on a rotation that holds it: {listing(told)}; left: {left};"
        others = sum(p not in held and p not in near for p in able)
        words += f" {counted(others, 'other')} could" + (", off their rotation." if near else ".")
        found.append(words)
    return found


def _able(kernel: "Kernel", one: "Requirement", h: int) -> list[int]:
    return [p for p in range(kernel.P) if kernel.group[p] == one.role and kernel.may[p, one.service, one.day, h]]


def _missing(kernel: "Kernel", one: "Requirement", h: int) -> int:
    held = kernel.lock_at
    left = sum(held.get((p, one.day, h), one.service) == one.service for p in _able(kernel, one, h))
    return int(kernel.least[one.role, one.service, one.day, h]) - left


def grid_fault_words(kernel: "Kernel", fault: "GridFault") -> str:
    """What a grid of rotations cannot keep, with the unit or day, what was asked, and how much is missing."""
    programme = kernel.programme
    who = programme.people[fault.person].name if fault.person >= 0 else ""
    name = programme.rotations[fault.rotation].name if fault.rotation >= 0 else ""
    first, last = kernel.date_of(fault.first), kernel.date_of(fault.last)
    missing = f"{fault.missing} missing"
    if fault.kind == "demand":
        what = programme.services[fault.service].name
        return f"{what} on {first} needs {counted(fault.need, 'resident')} on a rotation that holds it, {missing}"
    return {
        "team": f"{name} from {first} to {last} asks for {counted(fault.need, 'resident')} present, {missing}",
        "required": f"{who} must have {counted(fault.need, 'unit')} of {name}, {missing}",
        "most": f"{who} may have {counted(fault.need, 'unit')} of {name}, {fault.missing} too many",
        "lock": f"the locks of {who} in the unit from {first} to {last}" + (f" ({name})" if name else ""),
    }[fault.kind]


def _nth(every: int) -> str:
    return {1: "", 2: "second ", 3: "third "}.get(every, f"{every}th ")
