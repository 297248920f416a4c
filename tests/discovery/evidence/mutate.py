"""Make wrong refinements from right ones: seven kinds, the same for the same seed.

Written without sight of the check that is to refuse them. See README.md beside this file for the format and for what
makes each kind wrong.

    python mutate.py ANSWERS.json [--seed 1] [--per-kind 40]    one JSON object a line
    python mutate.py ANSWERS.json --count                       how much material each kind has
"""

import argparse
import ast
import copy
import datetime as dt
import itertools
import json
import operator
import random
import re
import sys
from pathlib import Path

WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)?[ T]?(\d\d:\d\d)?")
RANGE = re.compile(r"(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?")
MINUTES = {"seconds": 1 / 60, "minutes": 1, "hours": 60, "days": 1440, "weeks": 10080}
OTHER_UNITS = ["kg", "litres", "pallets", "crates", "tonnes", "metres", "barrels"]
SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
TENS = """twenty thirty forty fifty sixty seventy eighty ninety"""
NUMBER_WORDS = {word: n for n, word in enumerate(SMALL.split())}
NUMBER_WORDS |= {word: 10 * n for n, word in enumerate(TENS.split(), 2)}
TEXTS = {"quote", "rule", "derived", "units", "value-string"}
STEP_NAMES = ["etching", "annealing", "sandblasting", "calibration", "varnishing", "embossing", "galvanising"]
THING_NAMES = ["robot arm", "autoclave", "overhead crane", "Mr Petrov", "Ms Okonkwo", "zinc bath", "Dr Novak"]
ORDER_NAMES = ["Bellweather", "Hotel Adler", "Nordholm", "Quistgaard", "Ms Okonkwo", "Zuniga", "Mr Petrov"]
QUALIFIERS = ["express", "spare", "organic", "overnight", "junior", "deluxe", "temporary"]
NEGATIONS = {
    r"\bnever\b": ("always", ""),
    r"\bnobody\b|\bno one\b": ("everybody", "somebody"),
    r"\bnothing\b": ("everything", "something"),
    r"\bnone\b": ("all", "some"),
    r"\bneither\b": ("each", "either"),
    r"\bcannot\b|\bcan't\b|\bcan not\b": ("can", "must"),
    r"\b(must|may|will|should|do|does|is|are) not\b": (r"\1", r"\1 always"),
    r"\b(?:is|are|do|does|wo|must|should|was)n't\b": ("do", "must"),
    r"\bnot\b ?": ("", "only "),
    r"\bno\b": ("every", "any"),
    r"\bwithout\b": ("with", "only with"),
}
NEGATED = re.compile(r"\b(?:no|not|never|nobody|nothing|none|neither|without|except|cannot|\w+n't)\b", re.IGNORECASE)
NO_THING = re.compile(r"\bno ([A-Za-z][\w-]+)(?=[.,;!?]| here| at all| any more| left| today| yet)")
NO_STEP = re.compile(r"\b(?:don't|doesn't|do not|does not|never) ([a-z]{4,})")
EVERYDAY = """rush hurry more longer doubt idea way need matter less earlier later exceptions problem point chance
have need want know like work will take come make keep give tell open start leave think reckon touch bring close happen
stand drive allow care mind stop rely trust count look talk meet sell move mean wait stay help even ever really always
"""
REMOVED = object()


# --- what stands in a refinement ------------------------------------------------------------------------------------


def nodes(node, path=()):
    """Yield (path, value) of every node, the root first."""
    yield path, node
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield from nodes(value, (*path, key))


def is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_quantity(value):
    return isinstance(value, dict) and RANGE.fullmatch(str(value.get("value-string", ""))) is not None


def is_moment(value):
    return isinstance(value, str) and bool(value) and MOMENT.fullmatch(value) is not None


def is_days(value):
    return isinstance(value, list) and bool(value) and all(day in WEEKDAYS for day in value)


def is_value(value):
    return is_number(value) or is_quantity(value) or is_moment(value) or is_days(value)


def rows(refinement):
    """Yield (path, row) of every object that stands in a list, rules left out."""
    for path, node in nodes(refinement):
        if isinstance(node, dict) and path and isinstance(path[-1], int) and "rule" not in node:
            yield path, node


def names(row):
    """The row's own names: what it is called, and of what and where it is."""
    return {k: v for k, v in row.items() if isinstance(v, str) and k not in TEXTS and not is_moment(v)}


def values(row):
    return {key: value for key, value in row.items() if is_value(value)}


def normal(value):
    """The meaning of a value, so that 90 minutes and 1.5 hours are equal."""
    if is_quantity(value):
        factor = MINUTES.get(value.get("units"))
        ends = tuple(round(float(end) * (factor or 1), 6) for end in value["value-string"].split("-"))
        return (ends, "time" if factor else value.get("units"))
    return tuple(sorted(value)) if is_days(value) else value


def stems(text):
    return {word[:5] for word in re.findall(r"[a-z0-9]+", text.lower()) if len(word) > 2 or word.isdigit()}


def numbers_in(answer, refinement):
    """Numbers of the answer and of its refinement: what a wrong value may be borrowed from."""
    found = {float(digits) for digits in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", answer)}
    found |= {float(NUMBER_WORDS[word]) for word in re.findall(r"[a-z]+", answer.lower()) if word in NUMBER_WORDS}
    for _, node in nodes(refinement):
        if is_quantity(node):
            found |= {float(end) for end in node["value-string"].split("-")}
        elif is_number(node):
            found.add(float(node))
    return sorted(n for n in found if n > 0)


def written(number):
    return str(int(number)) if float(number).is_integer() else f"{number:.6g}"


def pointer(path):
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in path)


def edited(refinement, edits):
    """A copy with the value at each path replaced, or removed; removals come last."""
    result = copy.deepcopy(refinement)
    for path, value in sorted(edits.items(), key=lambda edit: edit[1] is REMOVED):
        *parents, key = path
        place = result
        for parent in parents:
            place = place[parent]
        if value is REMOVED:
            del place[key]
        elif isinstance(place, list) and key == len(place):
            place.append(copy.deepcopy(value))
        else:
            place[key] = copy.deepcopy(value)
    return result


def said(row, answer):
    """Stems of the row's names that the answer says; two rows that share them all cannot be told apart by words."""
    return stems(" ".join(names(row).values())) & stems(answer)


def full_name(refinement, path):
    """Names of a row and of the rows that hold it."""
    found = []
    place = refinement
    for key in path:
        place = place[key]
        if isinstance(place, dict) and isinstance(key, int):
            found.extend(names(place).values())
    return " ".join(found)


# --- wrong number ---------------------------------------------------------------------------------------------------


def wrong_numbers(number, borrowed):
    """Numbers that are not this one: said elsewhere, slipped digits, off by one, doubled, halved, a digit more."""
    digits = written(number)
    near = {number + 1, number * 2, number * 10}
    if number > 1:
        near |= {number - 1, number / 2}
    if digits.isdigit() and len(digits) > 1 and digits[::-1][0] != "0":
        near.add(float(digits[::-1]))
    whole = float(number).is_integer()
    candidates = near | set(borrowed)
    return sorted(n for n in candidates if n > 0 and n != number and (not whole or float(n).is_integer()))


OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def computed(formula):
    """Value of a formula of numbers and + - * /."""

    def of(node):
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](of(node.left), of(node.right))
        return node.value

    return of(ast.parse(formula, mode="eval").body)


def wrong_formulas(quantity, borrowed):
    """The formula with one of its numbers borrowed from elsewhere, and its value: consistent, and wrong."""
    formula = quantity["derived"]
    for match in re.finditer(r"\d+(?:\.\d+)?", formula):
        for other in borrowed:
            changed = formula[: match.start()] + written(other) + formula[match.end() :]
            value = computed(changed)
            if abs(value - computed(formula)) > 1e-9 and value > 0:
                yield {**quantity, "value-string": written(value), "derived": changed}


def wrong_number(answer, refinement):
    borrowed = numbers_in(answer, refinement)
    for path, node in nodes(refinement):
        if is_number(node) and node > 0:
            for other in wrong_numbers(node, borrowed):
                yield {path: int(other) if float(other).is_integer() else other}
        elif is_quantity(node):
            low, _, high = node["value-string"].partition("-")
            for other in wrong_numbers(float(low), borrowed):
                if not high or other < float(high):
                    text = written(other) + (f"-{high}" if high else "")
                    yield {(*path, "value-string"): text}
            for other in wrong_numbers(float(high), borrowed) if high else ():
                if other > float(low):
                    yield {(*path, "value-string"): f"{low}-{written(other)}"}
            for changed in wrong_formulas(node, borrowed) if "derived" in node else ():
                yield {(*path, key): changed[key] for key in ("value-string", "derived")}
        elif path and path[-1] == "rule":
            for match in re.finditer(r"(?<![\d:-])\d+(?![\d:-])", node):
                for other in wrong_numbers(float(match[0]), [])[:4]:
                    yield {path: node[: match.start()] + written(other) + node[match.end() :]}


# --- swapped rows ---------------------------------------------------------------------------------------------------


def swapped_rows(answer, refinement):
    lists = {}
    for path, row in rows(refinement):
        lists.setdefault(tuple("*" if isinstance(key, int) else key for key in path), []).append((path, row))
    for (path, row), (other_path, other) in itertools.chain(*(itertools.combinations(x, 2) for x in lists.values())):
        mine, theirs = values(row), values(other)
        fields = [f for f in mine if f in theirs and normal(mine[f]) != normal(theirs[f])]
        same_name = stems(full_name(refinement, path)) & stems(answer) == stems(
            full_name(refinement, other_path)
        ) & stems(answer)
        if same_name and (row.get("quote") != other.get("quote") or len(fields) < 2):
            continue
        choices = [(f,) for f in fields] + ([tuple(fields)] if len(fields) > 1 and not same_name else [])
        for chosen in choices:
            if row | {f: theirs[f] for f in chosen} == other and other | {f: mine[f] for f in chosen} == row:
                continue  # the same two rows in another order
            edits = {(*path, f): theirs[f] for f in chosen} | {(*other_path, f): mine[f] for f in chosen}
            yield edits


# --- invented row ---------------------------------------------------------------------------------------------------


def unsaid(candidates, answer):
    return [name for name in candidates if not stems(name) & stems(answer)]


def invented_row(answer, refinement):
    for path, row in rows(refinement):
        own = names(row)
        if not own or row.get("count") == 0 or not (values(row) or any(isinstance(v, list) for v in row.values())):
            continue
        key = next(iter(own)) if len(own) < 2 or not {"from", "to", "to-place"} & set(own) else list(own)[1]
        pool = STEP_NAMES if key in ("process-id", "operation-id", "activity-id", "event-type-id") else ORDER_NAMES
        pool = THING_NAMES if key in ("resource-id", "resource", "name") else pool
        siblings = next(v for p, v in nodes(refinement) if p == path[:-1])
        place = (*path[:-1], len(siblings))
        new_names = unsaid(pool, answer) + [f"{word} {own[key]}" for word in unsaid(QUALIFIERS, answer)]
        for name in new_names:
            new = {k: v for k, v in row.items() if k not in ("quote", "after")} | {key: name}
            yield {place: new}


# --- invented unit --------------------------------------------------------------------------------------------------


def invented_unit(answer, refinement):
    for path, node in nodes(refinement):
        if not is_quantity(node) or "units" not in node:
            continue
        unit = node["units"]
        head, slash, tail = unit.partition("/")
        if slash:
            others = [f"{head}/{other}" for other in ("minute", "hour", "day") if other != tail.rstrip("s")]
        elif unit in MINUTES:
            others = [other for other in MINUTES if other != unit]
        else:
            others = [o for o in unsaid(OTHER_UNITS, answer) if o != unit and not re.search(rf"\b\d*{o}\b", answer)]
        for other in others:
            yield {(*path, "units"): other}


# --- shifted date or time -------------------------------------------------------------------------------------------


def shifted_moments(moment, key, others, answer):
    """Moments of the same form that are not this one: shifted, slipped, or said of something else."""
    day, time = MOMENT.fullmatch(moment).groups()
    join = moment[10:11] if day and time else ""
    if day:
        date = dt.date.fromisoformat(day)
        for shift in (-7, 7, 3) if key in ("until", "to") else (-7, -1, 1, 7, 30):
            yield (date + dt.timedelta(shift)).isoformat() + join + (time or "")
        if date.day <= 12 and date.day != date.month:
            yield date.replace(month=date.day, day=date.month).isoformat() + join + (time or "")
    if time:
        minutes = int(time[:2]) * 60 + int(time[3:])
        shifts = [-60, -30, 30, 60, 120]
        if half_of_day_is_said(answer, minutes):
            shifts.append(720 if minutes < 720 else -720)
        for shift in shifts:
            if 0 < minutes + shift < 1440:
                yield f"{day or ''}{join}{(minutes + shift) // 60:02}:{(minutes + shift) % 60:02}"
    for other in others:
        other_day, other_time = MOMENT.fullmatch(other).groups()
        if other != moment and (bool(other_day), bool(other_time)) == (bool(day), bool(time)):
            yield other


def half_of_day_is_said(answer, minutes):
    """Whether words beside the hour say morning or evening, so that twelve hours off cannot be meant."""
    hour = minutes // 60
    word = next((w for w, n in NUMBER_WORDS.items() if n == (hour % 12 or 12)), "")
    marked = rf"\b(?:{hour % 12 or 12}|{word})(?::?\d\d)?\W{{0,2}}(?:am\b|pm\b|a\.m|p\.m|in the \w+|tomorrow morning)"
    return hour % 12 != 0 and re.search(marked + rf"|\b{hour:02}:\d\d", answer, re.IGNORECASE) is not None


def shifted_days(days):
    week = {day: n for n, day in enumerate(WEEKDAYS)}
    if len(days) < 7:
        yield sorted((WEEKDAYS[(week[day] + 1) % 7] for day in days), key=WEEKDAYS.index)
        for other in (day for day in WEEKDAYS if day not in days):
            yield sorted([*days, other], key=WEEKDAYS.index)
            yield sorted([*days[:-1], other], key=WEEKDAYS.index)


def shifted_moment(answer, refinement):
    others = [node for path, node in nodes(refinement) if is_moment(node)]
    for path, node in nodes(refinement):
        if is_moment(node):
            for other in dict.fromkeys(shifted_moments(node, path[-1], others, answer)):
                yield {path: other}
        elif is_days(node):
            for other in shifted_days(node):
                if normal(other) != normal(node):
                    yield {path: other}
        elif path and path[-1] == "rule":
            for match in re.finditer(r"\b(\d\d):(\d\d)\b", node):
                for hour in {max(int(match[1]) - 1, 0), min(int(match[1]) + 1, 23)} - {int(match[1])}:
                    text = f"{node[: match.start()]}{hour:02}:{match[2]}{node[match.end() :]}"
                    yield {path: text}


# --- dropped negation -----------------------------------------------------------------------------------------------


def affirmed(text):
    """The text with its first negation turned round, in two ways; none where it denies nothing."""
    for pattern, positives in NEGATIONS.items():
        if re.search(pattern, text, re.IGNORECASE):
            return [" ".join(re.sub(pattern, x, text, count=1, flags=re.IGNORECASE).split()) for x in positives]
    return []


def cut(quote):
    """The longest part of the quote that holds no negation: each of its words is still in the answer."""
    parts = [part.strip(" ,.;:") for part in NEGATED.split(quote)]
    return max(parts, key=len)


def sentences_with(answer, row):
    own = said(row, answer)
    return [s for s in re.split(r"(?<=[.!?;\n])\s+|\n", answer) if own & stems(s)]


def denied_counts(answer, refinement):
    for path, node in nodes(refinement):
        if is_number(node) and node == 0:
            for n in sorted({1, 2, 3} | {int(x) for x in numbers_in(answer, refinement) if x < 20}):
                yield {path: n}
        elif is_quantity(node) and float(node["value-string"].split("-")[0]) == 0:
            for n in sorted({1, 2, 3} | {int(x) for x in numbers_in(answer, refinement)}):
                yield {(*path, "value-string"): str(n)}


def denied_presence(answer, refinement):
    """An absence or a closure becomes hours of presence."""
    for path, row in rows(refinement):
        if path[0] not in ("absences", "closures") or not names(row):
            continue
        present = {"resource": next(iter(names(row).values()))}
        present |= {k: v for k, v in row.items() if k not in ("name", "resource")}
        gone = path if len(refinement[path[0]]) > 1 else path[:1]
        quotes = [{"quote": cut(row["quote"])}] if "quote" in row else []
        for extra in [{}, *quotes]:
            hours = {("hours", len(refinement["hours"])): present | extra} if "hours" in refinement else {}
            yield (hours or {("hours",): [present | extra]}) | {gone: REMOVED}


def denied_rules(answer, refinement):
    for path, node in nodes(refinement):
        for positive in affirmed(node["rule"]) if isinstance(node, dict) and "rule" in node else ():
            changed = {(*path, "rule"): positive}
            yield changed
            quote = node.get("quote", "")
            if NEGATED.search(quote) and len(cut(quote).split()) > 1:
                yield changed | {(*path, "quote"): cut(quote)}


def denied_steps(answer, refinement):
    """A job gets the step of another job that the expert says it skips."""
    wholes = [(path, row) for path, row in rows(refinement) if {"operations", "steps"} & set(row)]
    for (path, whole), (_, other) in itertools.permutations(wholes, 2):
        for key in ("operations", "steps"):
            own = stems(" ".join(" ".join(names(step).values()) for step in whole.get(key, [])))
            for step in other.get(key, []) if key in whole else ():
                word = next(iter(names(step).values()))
                negated = rf"(?:\bno|n't|not|never|\bskips?|without)(?: \w+){{0,2}} {re.escape(word[:4])}"
                sentences = " ".join(sentences_with(answer, whole))
                if not stems(word) & own and re.search(negated, sentences, re.IGNORECASE):
                    new = {k: v for k, v in step.items() if k != "quote"}
                    yield {(*path, key, len(whole[key])): new}


def denied_days(answer, refinement):
    """Hours take in the day that the expert left out."""
    left_out = re.compile(r"(?:not on|never on|except(?: on)?|but not|not) (\w+day)s?\b(?! (?:morn|after|even)\w+)")
    for path, row in rows(refinement):
        for sentence in sentences_with(answer, row) if is_days(row.get("days")) else ():
            for day in left_out.findall(sentence):
                if day in WEEKDAYS and day not in row["days"] and path[0] not in ("absences", "closures"):
                    yield {(*path, "days"): sorted([*row["days"], day], key=WEEKDAYS.index)}


def denied_bounds(answer, refinement):
    """Not before a date becomes by that date, and not after it becomes from it on."""
    before = re.compile(
        r"not before|not until|no earlier|not (?:a \w+ )?earlier|n't (?:\w+ ){0,4}(?:before|until)", re.I
    )
    after = re.compile(r"not after|no later|not later|n't (?:\w+ ){0,4}after", re.I)
    for path, row in rows(refinement):
        for key, other, pattern in (("release", "due", before), ("due", "release", after), ("from", "to", before)):
            if is_moment(row.get(key)) and other not in row and any(map(pattern.search, sentences_with(answer, row))):
                yield {(*path, other): row[key], (*path, key): REMOVED}


def denied_things(answer, refinement):
    """A row for what the words say is not there or not done."""
    steps = [(p, r) for p, r in rows(refinement) if "process-id" in r and is_quantity(r.get("duration"))]
    known = stems(" ".join(full_name(refinement, path) for path, _ in rows(refinement)))
    for pattern in (NO_THING, NO_STEP):
        for thing in {match[1] for match in pattern.finditer(answer)} - set(EVERYDAY.split()):
            if stems(thing) & known or len(re.findall(rf"\b{thing[:5]}", answer, re.IGNORECASE)) > 1:
                continue
            if pattern is NO_STEP and steps:
                path, row = steps[0]
                place = (*path[:-1], len([p for p, _ in rows(refinement) if p[:-1] == path[:-1]]))
                for _, other in steps[:4]:
                    yield {place: {"process-id": thing, "duration": other["duration"]}}
            elif pattern is NO_THING and refinement.get("resources"):
                for count in (1, 2, 3):
                    row = {"resource-id": thing, "count": count}
                    yield {("resources", len(refinement["resources"])): row}


def dropped_negation(answer, refinement):
    makers = (denied_counts, denied_presence, denied_rules, denied_steps, denied_days, denied_bounds, denied_things)
    return itertools.chain(*(make(answer, refinement) for make in makers))


# --- merged rows ----------------------------------------------------------------------------------------------------


def renamed(after, olds, new, own):
    """References to merged rows under their new name: none twice, and none of a row to itself."""
    changed = dict.fromkeys(new if x in olds else x for x in after)
    return [x for x in changed if x != own]


def merged_pairs(row, other):
    """Merged rows of two rows: one name for both with the values of one, or one name with values of each."""
    own, theirs = names(row), names(other)
    mine, others = values(row), values(other)
    differing = [f for f in mine if f in others and normal(mine[f]) != normal(others[f])]
    if not own or not differing:
        return
    lists = {
        k: list(dict.fromkeys([*row.get(k, []), *other.get(k, [])]))
        for k in ("resources", "alternatives", "rooms")
        if row.get(k) or other.get(k)
    }
    apart = [k for k in own if own[k] != theirs.get(k)]
    if not apart:  # one name, other days: the days of both with the hours of one
        if is_days(row.get("days")) and is_days(other.get("days")) and differing != ["days"] and "days" in differing:
            yield row | {"days": sorted({*row["days"], *other["days"]}, key=WEEKDAYS.index)}
        return
    key = apart[0]
    if key == next(iter(own)) or len(apart) == 1:
        yield row | lists | {key: f"{own[key]} and {theirs[key]}"}
        yield row | lists | {key: f"{own[key]} and {theirs[key]}"} | {f: others[f] for f in differing}
        for f in differing:
            if len(mine) > 1 or row.get("resources") or row.get("alternatives"):
                yield row | {f: others[f]}
        for f in others:
            if f not in {*mine, "start", "end"}:
                yield row | {f: others[f]}


def merged_rows(answer, refinement):
    pairs = itertools.combinations(list(rows(refinement)), 2)
    for (path, row), (other_path, other) in pairs:
        if path[:-1] != other_path[:-1] or not set(names(row)) <= set(names(other)):
            continue
        mine, theirs = (stems(" ".join(names(r).values())) for r in (row, other))
        alike = mine <= theirs or theirs <= mine or said(row, answer) == said(other, answer)
        if alike and names(row) != names(other):
            continue
        for first, second in ((row, other), (other, row)):
            key = next((k for k in names(first) if names(first)[k] != names(second).get(k)), None)
            for merged in merged_pairs(first, second):
                edits = {path: merged, other_path: REMOVED}
                if key:
                    olds, new = {names(first)[key], names(second)[key]}, merged[key]
                    if "after" in merged:
                        merged["after"] = renamed(merged["after"], olds, new, new)
                    for where, sibling in rows(refinement):
                        if where[:-1] == path[:-1] and where not in edits and olds & set(sibling.get("after", [])):
                            edits[(*where, "after")] = renamed(sibling["after"], olds, new, None)
                yield edits


# --- batches --------------------------------------------------------------------------------------------------------

KINDS = {
    "wrong number": wrong_number,
    "swapped rows": swapped_rows,
    "invented row": invented_row,
    "invented unit": invented_unit,
    "shifted date or time": shifted_moment,
    "dropped negation": dropped_negation,
    "merged rows": merged_rows,
}


def material(answers, kind):
    """Per answer, the different edits of this kind: each a new value, or REMOVED, by path into the refinement."""
    found = []
    for entry in answers:
        different = {}
        for edits in KINDS[kind](entry["answer"], entry["refinement"]):
            different.setdefault(repr(sorted((pointer(path), repr(value)) for path, value in edits.items())), edits)
        found.append(list(different.values()))
    return found


def spread(made):
    """The same edits, those of places not yet changed first."""
    times = {}
    order = []
    for edits in made:
        places = tuple(edits)
        times[places] = times.get(places, 0) + 1
        order.append(times[places])
    return [edits for _, edits in sorted(zip(order, made, strict=True), key=lambda pair: pair[0])]


def mutations(answers, seed=1, per_kind=40):
    """Yield (answer index, kind, mutated refinement, paths changed), at most `per_kind` of each kind.

    Answers take turns, so that long ones do not fill a batch. Paths are JSON Pointers (RFC 6901) into the mutated
    refinement. The same arguments give the same mutations.
    """
    for kind in KINDS:
        draw = random.Random(f"{seed}: {kind}")
        by_answer = list(enumerate(material(answers, kind)))
        draw.shuffle(by_answer)
        for _, made in by_answer:
            draw.shuffle(made)
            made[:] = spread(made)
        turns = itertools.zip_longest(*([(index, edits) for edits in made] for index, made in by_answer))
        taken = (one for turn in turns for one in turn if one is not None)
        for index, edits in itertools.islice(taken, per_kind):
            paths = [pointer(moved(path, edits)) for path, value in edits.items() if value is not REMOVED]
            yield index, kind, edited(answers[index]["refinement"], edits), paths


def moved(path, edits):
    """The path after the removals: a row behind a removed one of its list moves up."""
    path = list(path)
    for gone in (other for other, value in edits.items() if value is REMOVED and isinstance(other[-1], int)):
        depth = len(gone) - 1
        if len(path) > depth and list(gone[:-1]) == path[:depth] and path[depth] > gone[-1]:
            path[depth] -= 1
    return tuple(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("answers", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-kind", type=int, default=40)
    parser.add_argument("--count", action="store_true", help="print how much material each kind has, and stop")
    arguments = parser.parse_args()
    answers = json.loads(arguments.answers.read_text())
    if arguments.count:
        for kind in KINDS:
            found = material(answers, kind)
            print(f"{kind}: {sum(map(len, found))} in {sum(map(bool, found))} of {len(answers)} answers")
        return
    for index, kind, mutated, paths in mutations(answers, arguments.seed, arguments.per_kind):
        json.dump({"answer": index, "kind": kind, "paths": paths, "refinement": mutated}, sys.stdout)
        print()


if __name__ == "__main__":
    main()
