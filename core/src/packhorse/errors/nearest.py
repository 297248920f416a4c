"""What a person probably meant by an unknown name: the nearest known one."""

from collections.abc import Iterable

SHORTEST_BEGINNING = 3
"""Characters of a name that stand for the whole of it."""


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """A question to append to an error, with a space before it; empty where no name is near.

    Near is a name with two neighbouring letters swapped (which a similarity by
    common runs misses in short names), one that is at least 70 % alike (66 %
    in three letters, where one letter differs), or the only one that begins like this.
    """
    from difflib import get_close_matches  # only where something is wrong

    typed = _folded(name)
    by_folded = {_folded(known): known for known in names}
    swapped = [typed[:at] + typed[at + 1] + typed[at] + typed[at + 2 :] for at in range(len(typed) - 1)]
    near = [one for one in swapped if one in by_folded] or get_close_matches(
        typed, by_folded, n=1, cutoff=0.7 if len(typed) > 3 else 0.66
    )
    if not near and len(typed) >= SHORTEST_BEGINNING:
        near = [one for one in by_folded if one.startswith(typed)]
        near = near if len(near) == 1 else []
    return f" Did you mean {by_folded[near[0]]!r}?" if near else ""


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")
