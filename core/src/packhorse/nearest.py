"""What a person probably meant by a name that is none: the nearest one that is."""

from collections.abc import Iterable


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """A question to put behind what is wrong, with a space before it; nothing where no name is near."""
    from difflib import get_close_matches  # only where something is wrong

    by_folded = {_folded(known): known for known in names}
    near = get_close_matches(_folded(name), by_folded, n=1, cutoff=0.7)
    return f" Did you mean {by_folded[near[0]]!r}?" if near else ""


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")
