"""What became of the sixty drawn problems: prints the counts, then every refusal, dispute and miss with its reason.

Each kept formulation is checked against its text and solved anew; the verdicts are those of `outcomes.json`.
"""

import json
from collections import Counter

from test_replay import OUTCOMES, PROBLEMS, SOLVED, words

from packhorse_discovery.domain.formulation.evidence import supported
from packhorse_discovery.domain.formulation.form_reader import read
from packhorse_discovery.solver.formulation.solve import solve

if __name__ == "__main__":
    verdicts = Counter(row["verdict"] for row in OUTCOMES.values())
    changed, unsaid = [], []
    for key, document in SOLVED.items():
        formulation = read(document)
        answer = solve(formulation, seconds=60)
        known = OUTCOMES[key].get("objective")
        same = answer.objective is known or abs(float(answer.objective or 0) - float(known or 0)) < 1e-4 * abs(
            known or 1
        )
        changed += [] if same and answer.status == OUTCOMES[key]["status"] else [key]
        unsaid += [key] if PROBLEMS.is_dir() and supported(formulation, words(key)).faults else []
    agreed = verdicts["right"] + verdicts["missed"]
    print(json.dumps(verdicts), f"{verdicts['right']} of {agreed} right = {verdicts['right'] / agreed:.1%}")
    print("solved anew:", len(SOLVED), "with another answer:", changed, "with a number not said or derived:", unsaid)
    for verdict in ("refused", "infeasible as written", "label false", "missed"):
        for key, row in OUTCOMES.items():
            if row["verdict"] == verdict:
                print(f"{verdict:22} {key.partition('/')[2]:24} {row['why']}")
