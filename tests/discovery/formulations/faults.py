"""Seeded faults for right formulations: seven kinds, each as an assistant might slip.

A wrong number is, one time in two, another number of the same formulation. A wrong name is another one of the same
section, so that the expression still reads well. A wrong unit is another one of the formulation, or a neighbour
of the right one (minute for hour, gram for kilogram).
"""

import copy
import random
import re
from collections.abc import Callable
from typing import Any

Document = dict[str, Any]
KINDS = ("relation", "number", "swap", "drop", "name", "goal", "unit")
_NEIGHBOURS = {
    "hour": "minute", "minute": "hour", "$": "euro", "dollar": "euro", "kg": "g", "g": "kg", "km": "mile",
    "ml": "liter", "liter": "ml", "trip": "day", "unit": "box", "year": "month", "euro": "dollar", "mg": "g",
}  # fmt: skip
_LITERAL = re.compile(r"(?<![\w.\[])\d+(?:\.\d+)?(?![\w.\]])")


def faulty(document: Document, kind: str, draw: random.Random) -> Document | None:
    """A copy with one fault of this kind; None where the formulation has no place for it."""
    found = copy.deepcopy(document)
    return found if _KINDS[kind](found, draw) else None


def _text(body: Any) -> str:
    return body["rule"] if isinstance(body, dict) else body


def _spliced(text: str, hit: re.Match[str], word: str) -> str:
    return text[: hit.start()] + word + text[hit.end() :]


def _put(rules: Document, name: str, text: str) -> None:
    if isinstance(rules[name], dict):
        rules[name]["rule"] = text
    else:
        rules[name] = text


def _relation(document: Document, draw: random.Random) -> bool:
    names = [name for name, body in document["rules"].items() if re.search(r"[<>]=", _text(body))]
    if not names:
        return False
    name = draw.choice(names)
    text = _text(document["rules"][name])
    _put(document["rules"], name, re.sub(r"[<>]=", lambda hit: ">=" if hit.group() == "<=" else "<=", text, count=1))
    return True


def _places(document: Document) -> list[tuple[float, Callable[[float], None]]]:
    """Every number but 0 and 1 outside an index, with the way to replace it."""
    found: list[tuple[float, Callable[[float], None]]] = []

    def walk(node: Any, key: Any, holder: Any) -> None:
        if isinstance(node, list):
            for at, each in enumerate(node):
                walk(each, at, node)
        elif isinstance(node, int | float) and not isinstance(node, bool) and node not in (0, 1):
            found.append((node, lambda number: holder.__setitem__(key, number)))

    for name, body in document.get("data", {}).items():
        if isinstance(body, dict):
            field = "values" if "values" in body else "value"
            walk(body[field], field, body)
        else:
            walk(body, name, document["data"])
    rules = document["rules"]
    for name, body in rules.items():
        text = _text(body)
        found += [
            (float(hit.group()), lambda number, n=name, t=text, h=hit: _put(rules, n, _spliced(t, h, f"{number:g}")))
            for hit in _LITERAL.finditer(text)
            if hit.group() not in ("0", "1")
        ]
    return found


def _number(document: Document, draw: random.Random) -> bool:
    places = _places(document)
    if not places:
        return False
    number, put = draw.choice(places)
    others = sorted({each for each, _ in places} - {number})
    slips = [number + 1, number * 10, number / 10, round(number * 1.2, 2), number - 1, number * 2]
    slips = [each for each in slips if each != number and each > 0]
    wrong = draw.choice(others) if others and draw.random() < 0.5 else draw.choice(slips)
    put(int(wrong) if wrong == int(wrong) else wrong)
    return True


def _swap(document: Document, draw: random.Random) -> bool:
    pairs = []

    def walk(node: Any) -> None:
        if isinstance(node, list):
            pairs.extend(
                (node, at) for at in range(len(node) - 1) if not isinstance(node[at], list) and node[at] != node[at + 1]
            )
            for each in node:
                walk(each)

    for body in document.get("data", {}).values():
        if isinstance(body, dict):
            walk(body.get("values"))
    if not pairs:
        return False
    values, at = draw.choice(pairs)
    values[at], values[at + 1] = values[at + 1], values[at]
    return True


def _drop(document: Document, draw: random.Random) -> bool:
    if len(document["rules"]) < 2:
        return False
    del document["rules"][draw.choice(sorted(document["rules"]))]
    return True


def _name(document: Document, draw: random.Random) -> bool:
    texts = {("rules", name): _text(body) for name, body in document["rules"].items()}
    texts |= {(sense, ""): document[sense] for sense in ("minimize", "maximize") if sense in document}
    choices = []
    for place, text in texts.items():
        for section in ("data", "vars", "sets"):
            names = sorted(document.get(section, {}))
            choices.extend(
                (place, hit, [each for each in names if each != hit.group()])
                for hit in re.finditer(r"[A-Za-z_]\w*", text)
                if len(names) > 1 and hit.group() in names and text[hit.start() - 1 : hit.start()] not in ("'", '"')
            )
    if not choices:
        return False
    (section, name), hit, others = draw.choice(choices)
    text = texts[section, name]
    text = text[: hit.start()] + draw.choice(others) + text[hit.end() :]
    if section == "rules":
        _put(document["rules"], name, text)
    else:
        document[section] = text
    return True


def _goal(document: Document, draw: random.Random) -> bool:
    for sense, other in (("minimize", "maximize"), ("maximize", "minimize")):
        if sense in document:
            document[other] = document.pop(sense)
            return True
    return False


def _unit(document: Document, draw: random.Random) -> bool:
    holders = [body for part in ("data", "vars") for body in document.get(part, {}).values()
               if isinstance(body, dict) and body.get("unit")]  # fmt: skip
    if not holders:
        return False
    holder = draw.choice(holders)
    parts = holder["unit"].split("/")
    at = draw.randrange(len(parts))
    own = sorted({each for body in holders for each in body["unit"].split("/")} - {parts[at]})
    wrong = [*own, *([_NEIGHBOURS[parts[at]]] if parts[at] in _NEIGHBOURS else [])]
    if not wrong:
        return False
    parts[at] = draw.choice(wrong)
    holder["unit"] = "/".join(parts)
    return True


_KINDS: dict[str, Callable[[Document, random.Random], bool]] = {
    "relation": _relation, "number": _number, "swap": _swap, "drop": _drop, "name": _name, "goal": _goal, "unit": _unit
}  # fmt: skip


def batch(documents: dict[str, Document], count: int, seed: int) -> list[tuple[str, str, Document]]:
    """``count`` faults: the kinds in turn, each in a formulation drawn at random; id, kind, document."""
    draw = random.Random(seed)
    ids = sorted(documents)
    found: list[tuple[str, str, Document]] = []
    while len(found) < count:
        kind = KINDS[len(found) % len(KINDS)]
        chosen = draw.choice(ids)
        if (mutant := faulty(documents[chosen], kind, draw)) is not None and mutant != documents[chosen]:
            found.append((chosen, kind, mutant))
    return found
