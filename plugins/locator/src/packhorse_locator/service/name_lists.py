"""The tables of names that come with the pack, handed to the reader of sentences; they are read with the first one."""

from importlib.resources import files

from packhorse_locator.domain.query.bearers import LISTS


def shipped(name: str) -> str:
    """The text of a table, by its file's name."""
    return files("packhorse_locator").joinpath("data", name).read_text("utf-8")


def hand_in() -> None:
    """Lets sentences be read with the shipped tables."""
    LISTS.hand_in(shipped)
