"""The schemas of the binding specification, read from it in place."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, FormatChecker

SPECIFICATION = Path(__file__).parents[3] / "shared" / "spec" / "scheduling.md"


def schema_of(heading: str, part: str) -> dict[str, Any]:
    """The JSON schema below ``### N. `heading` `` and ``**part:**``; skips where the specification is not here."""
    if not SPECIFICATION.exists():
        pytest.skip(f"{SPECIFICATION} is not here")
    section = re.split(rf"^### \d+\. `{re.escape(heading)}`$", SPECIFICATION.read_text(), flags=re.MULTILINE)[1]
    _, _, rest = section.partition(f"**{part}:**")
    found: dict[str, Any] = json.loads(rest.split("```json", 1)[1].split("```", 1)[0])
    return found


def check(body: Any, heading: str, part: str) -> None:
    """Fail where the body is not what the specification says."""
    Draft7Validator(schema_of(heading, part), format_checker=FormatChecker()).validate(body)
