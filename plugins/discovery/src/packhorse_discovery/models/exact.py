"""What every model of this pack is."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer
from pydantic.fields import FieldInfo

Count = Annotated[int, Field(ge=0)]


class Exact(BaseModel):
    """An object that takes no field it does not name."""

    model_config = ConfigDict(extra="forbid")


class Lean(Exact):
    """An answer that leaves out what is empty: a field without a default is always there."""

    @model_serializer(mode="wrap")
    def _filled(self, handler: SerializerFunctionWrapHandler):  # type: ignore[no-untyped-def]  # noqa: ANN202 -- a kind named here would be the published schema
        shown: dict[str, Any] = handler(self)
        fields = type(self).model_fields
        return {
            name: each for name, each in shown.items() if fields[name].is_required() or not _idle(each, fields[name])
        }


def _idle(value: Any, field: FieldInfo) -> bool:
    return value in (None, "", [], {}) or value == field.default
