"""From a name as written to plain words: one alphabet, one case, no ornaments.

The order matters: text decoded wrongly is repaired before compatibility forms are taken apart, look-alike letters
before transliteration, digits after it.
"""

import re
import unicodedata
from functools import lru_cache

from attrs import frozen


def listed(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# Letters of other alphabets that look like Latin ones (Unicode confusables, UTS 39, single letters only).
LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһӏАВЕКМНОРСТУХІЈЅԚԜαοενικρτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijsdhlABEKMHOPCTYXIJSQWaoevikptuxABEZHIKMNOPTYX",
)
# What takes a letter's place in scans and in typed text.
DIGITS = str.maketrans("01345689", "oleasbbg")
# Marks inside a word that join rather than part it: apostrophes, ayn and hamza signs, and the mark of a lost letter.
JOINERS = re.compile("['\u2019\u2018`\u00b4\u02bb\u02bc\u02bf\u02be\u2032?\ufffd\"]")
MISDECODED = re.compile(
    "[\u00c2-\u00c5\u00d0\u00d1\u00d8\u00d9\u00e0-\u00ef][\u0080-\u00bf\u2013-\u203a\u0152-\u0178\u2122]"
)
HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]+")
# Family names of two characters, from the Hundred Family Surnames; every other one has a single character.
HAN_DOUBLE = listed(
    "欧阳 歐陽 司马 司馬 上官 诸葛 諸葛 夏侯 东方 東方 尉迟 皇甫 公孙 公孫 慕容 司徒 令狐 端木 南宫 南宮 万俟"
)

HANGUL = re.compile("[\uac00-\ud7a3]+")
HANGUL_DOUBLE = listed("남궁 황보 제갈 선우 독고 사공 서문")
# Characters that are read otherwise in a surname than elsewhere: Unicode CLDR, transform Han-Latin-Names, and their
# traditional forms.
HAN_SURNAMES = {
    **dict.fromkeys("种重", "chong"),
    **dict.fromkeys("盖蓋", "ge"),
    **dict.fromkeys("区區", "ou"),
    **dict.fromkeys("单單", "shan"),
    **dict.fromkeys("乐樂", "yue"),
    **dict.fromkeys("员員", "yun"),
    **dict(zip("秘刀牟繁仇任召折", ("bi", "diao", "mu", "po", "qiu", "ren", "shao", "she"), strict=True)),
    **dict(zip("隗解燕尉查翟曾", ("wei", "xie", "yan", "yu", "zha", "zhai", "zeng"), strict=True)),
}

PARTICLES = listed(
    "de del la las los el y e da do dos das di du des le van von der den ter bin ben ibn bint binti al ul ud d"
)
# Courtesy titles and marks of generation in the languages served; never a name beside another word.
HONORIFICS = listed(
    "mr mrs ms miss mister dr dra sr sra srta senor senora jr junior ii iii iv don dona mme mlle monsieur madame "
    "lic ing prof rev shri smt haji hajji hajj sheikh "
    "president presidente presidenta minister ministro ministra senator senador senadora colonel coronel maulavi "
    "mawlawi mullah mulla ayatollah hon sgt lt cpt"
)
# What officers write for a missing name: first/last/middle name unknown.
PLACEHOLDERS = listed("fnu lnu nfn nln nmn nmi unk unknown desconocido desconocida xxx")


@frozen
class Word:
    """One word of a name.

    Attributes:
        text: Letters a-z only, at least one.
        particle: It may be left out or joined without changing who is meant (``de la``, ``bin``).
        native: It was written in an alphabet that shows other sounds than Latin, so vowels may be missing.
    """

    text: str
    particle: bool = False
    native: bool = False


def redecoded(text: str) -> str:
    """UTF-8 that was read as Latin-1 or Windows-1252, put right; anything else unchanged."""
    if not MISDECODED.search(text):
        return text
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return text


def unmasked(word: str) -> str:
    """Look-alike letters put back into a word that mixes Latin with Cyrillic or Greek."""
    if word.isascii() or not any("a" <= c <= "z" or "A" <= c <= "Z" for c in word):
        return word
    return word.translate(LOOKALIKES)


def surname_parted(text: str) -> str:
    """A whole Chinese or Korean name without a space, parted after the family name, which comes first."""

    def part(found: re.Match[str]) -> str:
        run = found.group()
        if not 2 <= len(run) <= 4:
            return run
        doubles = HAN_DOUBLE if HAN.fullmatch(run) else HANGUL_DOUBLE
        cut = 2 if run[:2] in doubles and len(run) > 2 else 1
        return f"{HAN_SURNAMES.get(run[:cut], run[:cut])} {run[cut:]}"

    return HANGUL.sub(part, HAN.sub(part, text))


def surname_read(text: str) -> str:
    """A surname in Chinese characters, in the reading that they have in surnames."""
    plain_text = text.strip()
    return HAN_SURNAMES.get(plain_text, text)


def plain(word: str) -> tuple[str, bool]:
    """One written word in letters a-z (and what is no letter), and whether it came from another alphabet."""
    if word.isascii():
        return word.lower(), False
    from anyascii import anyascii

    word = unmasked(word)
    native = not any("LATIN" in unicodedata.name(c, "LATIN") for c in word if c.isalpha())
    if native and len(word) > 4 and word.startswith("ال"):  # the Arabic article
        word = word[2:]
    return JOINERS.sub("", anyascii(word)).lower(), native


@lru_cache(maxsize=16_384)
def words_of(text: str, family: bool) -> tuple[Word, ...]:
    """The words of one field of a name, in order.

    Args:
        text: The field as written.
        family: Whether it is the surname: a single ``y`` or ``e`` is a particle there and an initial elsewhere.

    Returns:
        Words with at least one letter. Titles and placeholders are gone unless nothing else is left of a title;
        a field of particles alone keeps them as words.
    """
    text = unicodedata.normalize("NFKC", redecoded(text))
    text = "".join(
        "" if unicodedata.category(c) in {"Cf", "Mn"} and not c.isalpha() and native_mark(c) else c for c in text
    )
    text = JOINERS.sub("", text)
    found: list[tuple[str, bool]] = []
    for written in re.split(r"[\s\-\u2010-\u2015_,;/|()\[\]]+", text):
        folded, native = plain(written)
        if any(c.isdigit() for c in folded) and any(c.isalpha() for c in folded):
            folded = folded.translate(DIGITS)
        found.extend((piece, native) for piece in re.findall("[a-z]+", folded))
    found = respelled(found)
    kept = [(w, n) for w, n in found if w not in PLACEHOLDERS]
    named = [(w, n) for w, n in kept if w not in HONORIFICS] or kept
    words = [Word(w, w in PARTICLES and (family or len(w) > 1), n) for w, n in named]
    if all(w.particle for w in words):
        words = [Word(w.text, False, w.native) for w in words]
    return tuple(words)


def native_mark(mark: str) -> bool:
    """Whether a mark may go before transliteration: invisible formatting, and Arabic or Hebrew vowel points."""
    return unicodedata.category(mark) == "Cf" or "\u0591" <= mark <= "\u05c7" or "\u064b" <= mark <= "\u0670"


def respelled(found: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Three or more single letters in a row are one word spelled out."""
    out: list[tuple[str, bool]] = []
    run: list[str] = []
    for word, native in [*found, ("", False)]:
        if len(word) == 1:
            run.append(word)
            continue
        if len(run) >= 3:
            out.append(("".join(run), False))
        else:
            out.extend((letter, False) for letter in run)
        run = []
        if word:
            out.append((word, native))
    return out


def fold_plainly(text: str) -> str:
    """Any text in plain lower-case words with single spaces: for what is compared but is no name, such as a country."""
    return " ".join(plain(unicodedata.normalize("NFKC", text))[0].split())
