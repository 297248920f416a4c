"""The input schemas as the specification publishes them: ``data/schemas.json``.

Two optional arguments go beyond it in the search by name: the country and the
year of birth, which tell people of one name apart.
"""

import json
from importlib.resources import files
from typing import Any

Schema = dict[str, Any]

SCHEMAS: dict[str, Schema] = json.loads(files("packhorse_locator").joinpath("data", "schemas.json").read_text("utf-8"))
"""By the name of the tool."""
