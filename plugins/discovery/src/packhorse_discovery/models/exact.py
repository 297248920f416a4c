"""What every answer of the pack is: an object of the named fields and of no others."""

from pydantic import BaseModel, ConfigDict


class Exact(BaseModel):
    """An object that takes no field it does not name."""

    model_config = ConfigDict(extra="forbid")
