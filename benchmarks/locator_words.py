"""Makes the shipped list of ordinary words: ``python benchmarks/locator_words.py``, with wordfreq installed.

``plugins/locator/src/packhorse_locator/data/SOURCES.md`` says what it is and under which licence.
"""

import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path

from packhorse_locator.domain.query.tokens import fold

TARGET = Path(__file__).parents[1] / "plugins/locator/src/packhorse_locator/data/words.txt"
LEAST = 2.6
"""Zipf frequency from which on a word is ordinary: about one use in two and a half million words."""


def main() -> None:
    """Write the list, the commonest words first."""
    wordfreq = import_module("wordfreq")
    zipf: dict[str, float] = {}
    for language in ("en", "es"):
        for word in wordfreq.iter_wordlist(language):
            frequency = wordfreq.zipf_frequency(word, language)
            if frequency < LEAST:
                break
            if re.fullmatch("[a-z]{2,}", fold(word)):
                zipf[fold(word)] = max(zipf.get(fold(word), 0.0), frequency)
    lines = defaultdict(list)
    for word, frequency in zipf.items():
        lines[round(frequency * 10)].append(word)
    text = "\n".join(f"{tenths} {' '.join(sorted(words))}" for tenths, words in sorted(lines.items(), reverse=True))
    TARGET.write_text(text + "\n", "utf-8")
    print(f"{len(zipf)} words, {TARGET.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
