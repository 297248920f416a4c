"""How many wrong structures the evidence check refuses, and how many right values: prints the counts.

    python measure.py [--seed 2] [--per-kind 40] [--missed] [--fresh]

The batch of seed 1 was mended on; the figure to publish is that of a later seed.
"""

import argparse
import json
import runpy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packhorse_discovery.domain.reading.evidence import Verdict, check
from packhorse_discovery.domain.reading.words import words_of

HERE = Path(__file__).parent
SHARED = HERE.resolve().parents[2].parent / "shared" / "discovery" / "evidence" / "answers.json"
MUTATE = runpy.run_path(str(HERE / "mutate.py"))


def verdict_of(answer: dict[str, Any], refinement: dict[str, Any]) -> Verdict:
    """The check of a refinement on the day of its interview."""
    return check(refinement, words_of(answer["answer"]), origin=answer["interview_day"], today=answer["interview_day"])


def refused_of(answers: list[dict[str, Any]]) -> list[tuple[str, str, Any, str]]:
    """Every right value that is refused: the answer's name, path, value, reason."""
    return [
        (one["name"], _pointer(back.path), back.value, back.why)
        for one in answers
        for back in verdict_of(one, one["refinement"]).refused
    ]


def leaves_of(answers: list[dict[str, Any]]) -> int:
    """How many values the right refinements hold."""
    verdicts = [verdict_of(one, one["refinement"]) for one in answers]
    return sum(len(one.states) + len(one.refused) for one in verdicts)


def outcomes(
    answers: list[dict[str, Any]], seed: int, per_kind: int
) -> Iterator[tuple[str, bool, str, list[str], dict[str, Any]]]:
    """(kind, whether it is refused, the answer's name, the paths changed, the refinement) of every mutation."""
    for index, kind, refinement, paths in MUTATE["mutations"](answers, seed, per_kind):
        verdict = verdict_of(answers[index], refinement)
        yield kind, _caught(refinement, verdict, paths), answers[index]["name"], paths, refinement


def _caught(refinement: dict[str, Any], verdict: Verdict, paths: list[str]) -> bool:
    """Whether one of the changed places, or a value in it, is not recorded as supported."""
    refused = [_pointer(one.path) for one in verdict.refused]
    lost = [_pointer(one.path[:-1]) for one in verdict.refused if one.key]
    for path in paths:
        if any(one == path or one.startswith(path + "/") or path.startswith(one + "/") for one in refused):
            return True
        if any(path == one or path.startswith(one + "/") for one in lost):
            return True
    return False


def _pointer(path: tuple[str | int, ...]) -> str:
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--per-kind", type=int, default=40)
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    given = parser.parse_args()
    answers = json.loads((HERE / "fresh.json" if given.fresh else SHARED).read_text())
    lost = refused_of(answers)
    print(f"right values refused: {len(lost)} of {leaves_of(answers)}")
    for one in lost if given.missed else ():
        print("  ", *one)
    counted: Counter[tuple[str, bool]] = Counter()
    for kind, caught, name, paths, refinement in outcomes(answers, given.seed, given.per_kind):
        counted[kind, caught] += 1
        if not caught and given.missed:
            print("  passed:", kind, name, paths, json.dumps(_at(refinement, paths[0]))[:300])
    for kind in sorted({kind for kind, _ in counted}):
        print(f"{kind}: {counted[kind, True]} of {counted[kind, True] + counted[kind, False]}")
    merged = {kind for kind, _ in counted if "merged" in kind}
    plain = [(caught, many) for (kind, caught), many in counted.items() if kind not in merged]
    print(f"without merged rows: {sum(n for ok, n in plain if ok)} of {sum(n for _, n in plain)}")


def _at(node: Any, path: str) -> Any:
    for part in path.split("/")[1:]:
        try:
            node = node[int(part)] if isinstance(node, list) else node.get(part)
        except (ValueError, IndexError, AttributeError):
            return None
    return node


if __name__ == "__main__":
    main()
