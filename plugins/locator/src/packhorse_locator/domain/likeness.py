"""How alike two names are written: for a reader to see why a record was found, never to decide."""

from packhorse_locator.domain.answers import Likeness


def likeness(asked: tuple[str, str, str], written: tuple[str, str, str]) -> Likeness:
    """Likeness of (first, middle, last), in Latin letters without accents.

    Per part the normalised Indel similarity of rapidfuzz, whatever the order
    of words; the whole is that of all parts together.
    """
    from rapidfuzz import fuzz

    def alike(one: str, other: str) -> float:
        return round(fuzz.token_sort_ratio(one, other) / 100, 3)

    asked_words = [_latin(part) for part in asked]
    written_words = [_latin(part) for part in written]
    parts = [
        alike(one, other) if one and other else None for one, other in zip(asked_words, written_words, strict=True)
    ]
    if parts[1] is None and asked_words[0] and written_words[0]:
        # A second given name may be in either field: take the reading that fits better.
        parts[0] = max(
            parts[0] or 0.0,
            alike(" ".join(filter(None, asked_words[:2])), " ".join(filter(None, written_words[:2]))),
        )
    whole = alike(" ".join(filter(None, asked_words)), " ".join(filter(None, written_words)))
    return Likeness(whole, *parts)


def _latin(text: str) -> str:
    from anyascii import anyascii

    return " ".join("".join(c if c.isalnum() else " " for c in anyascii(text)).casefold().split())
