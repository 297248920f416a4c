"""Models of other people's code that are made ready when they are first used, instead of when they are imported."""

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import BaseModel, ConfigDict, TypeAdapter


@contextmanager
def deferred() -> Iterator[None]:
    """Models and adapters that are defined meanwhile build their validators at their first use.

    The SDK defines several hundred of them for all its revisions, of which a server uses a few: building all is a
    sixth of a start. Pydantic can defer each (``defer_build``), but has no switch for those of others. Where its
    adapters read another name than ``_defer_build``, they are built at once as before.
    """
    config, adapters = BaseModel.model_config, vars(TypeAdapter).get("_defer_build")
    BaseModel.model_config = ConfigDict(defer_build=True)
    setattr(TypeAdapter, "_defer_build", True)  # noqa: B010  # a property, which mypy would not let us replace
    try:
        yield
    finally:
        BaseModel.model_config = config
        setattr(TypeAdapter, "_defer_build", adapters)  # noqa: B010  # as above
