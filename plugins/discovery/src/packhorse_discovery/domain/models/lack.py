"""What an interview has not given yet, and a model cannot do without."""

from attrs import frozen


@frozen
class Lack:
    """One missing value: what it is, in words, and where it belongs."""

    words: str
    eads_id: str = ""
    path: str = ""


class NotBuildableError(ValueError):
    """There is no model yet; ``lacks`` says why. The message has the first few."""

    def __init__(self, lacks: tuple[Lack, ...]) -> None:
        more = f" and {len(lacks) - 3} more" if len(lacks) > 3 else ""
        super().__init__("; ".join(each.words for each in lacks[:3]) + more)
        self.lacks = lacks
