"""Models of other people's code are made ready at their first use while `deferred`, and at once otherwise."""

import subprocess
import sys
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from packhorse.schema.deferred import deferred


def test_a_model_is_built_at_its_first_use_and_then_refuses_what_it_always_does():
    with deferred():

        class Inner(BaseModel):
            number: int

        class Outer(BaseModel):
            inner: Inner

        adapter = TypeAdapter(Outer | Inner)

    assert not _ready(Outer, adapter)
    assert adapter.validate_python({"inner": {"number": 1}}) == Outer(inner=Inner(number=1))
    with pytest.raises(ValidationError):
        Outer.model_validate({"inner": {"number": "one"}})
    assert _ready(Outer, adapter)


def test_what_is_defined_afterwards_is_built_at_once():
    with pytest.raises(ZeroDivisionError), deferred():
        _ = 1 / 0

    class Plain(BaseModel):
        number: int

    assert _ready(Plain, TypeAdapter(Plain | int))


def _ready(model: type[BaseModel], adapter: TypeAdapter[Any]) -> bool:
    return model.__pydantic_complete__ and adapter.pydantic_complete


_SCHEMAS = """
import contextlib, hashlib, json, sys
from packhorse.schema.deferred import deferred
from pydantic import BaseModel, TypeAdapter
with deferred() if sys.argv[1] == "deferred" else contextlib.nullcontext():
    import mcp_types._v2026_07_28, mcp_types.jsonrpc
def ready(one):
    return one.pydantic_complete if isinstance(one, TypeAdapter) else one.__pydantic_complete__
found = {
    f"{module}.{name}": value
    for module in ("mcp_types._types", "mcp_types._v2026_07_28", "mcp_types.jsonrpc")
    for name, value in vars(sys.modules[module]).items()
    if isinstance(value, TypeAdapter)
    or (isinstance(value, type) and issubclass(value, BaseModel) and value is not BaseModel)
}
most = sum(map(ready, found.values())) > len(found) / 2
made = {
    name: one.json_schema() if isinstance(one, TypeAdapter) else one.model_json_schema() for name, one in found.items()
}
print(most, hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest())
"""


@pytest.mark.wire
def test_the_sdks_models_are_the_same_whether_deferred_or_not():
    ways = {
        way: subprocess.run([sys.executable, "-c", _SCHEMAS, way], capture_output=True, text=True, check=True).stdout
        for way in ("deferred", "at once")
    }
    (few, deferred_schemas), (most, schemas) = (said.split() for said in ways.values())

    assert (few, most) == ("False", "True")
    assert deferred_schemas == schemas
