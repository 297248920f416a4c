"""The functions that every side serves: one plain, one async. They do next to nothing, so that hosts are measured."""


def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


async def echo(text: str) -> str:
    """Say the same text again."""
    return text


async def note(text: str) -> str:
    """Say the same text again, as something that might have written it down."""
    return text


def keep(n: int) -> int:
    """Give a number back, as something that might have changed something."""
    return n
