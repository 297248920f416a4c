"""Reading a pack's function."""

import functools

import pytest

from packhorse import Context
from packhorse.schema.parameters import is_async, parameters_of

pytestmark = pytest.mark.python


def plain(a: int, b: str = "x") -> float: ...


class Desk:
    def method(self, a: int) -> str: ...

    async def later(self, a: int) -> str: ...

    def __call__(self, a: int, ctx: Context | None = None) -> str: ...


class AsyncDesk:
    async def __call__(self, a: int) -> str: ...


@pytest.mark.parametrize(
    "fn",
    [
        pytest.param(Desk().method, id="a bound method"),
        pytest.param(Desk(), id="an object that can be called"),
        pytest.param(functools.partial(plain, b="y"), id="a partial function"),
        pytest.param(functools.partial(Desk().method), id="a partial method"),
        pytest.param(functools.wraps(plain)(lambda *args, **kwargs: None), id="a decorated function"),
    ],
)
def test_types_are_read_from_anything_that_can_be_called(fn):
    assert parameters_of(fn).plain["a"].annotation is int
    assert "ctx" not in parameters_of(fn).plain  # which may be optional


@pytest.mark.parametrize(
    ("fn", "expected"),
    [
        pytest.param(plain, False, id="function"),
        pytest.param(Desk().method, False, id="method"),
        pytest.param(Desk().later, True, id="async method"),
        pytest.param(Desk(), False, id="object"),
        pytest.param(AsyncDesk(), True, id="async object"),
        pytest.param(functools.partial(Desk().later, a=1), True, id="partial of an async method"),
    ],
)
def test_what_has_to_be_awaited_is_known_beforehand(fn, expected):
    assert is_async(fn) is expected
