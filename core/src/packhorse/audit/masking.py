"""Takes secrets and personal data out of free text, before anything writes it down."""

import re
from collections.abc import Mapping
from functools import lru_cache

from packhorse.errors import PackError

LENGTH = 200
"""The longest pattern of a pack, in characters."""

_NAME = re.compile(r"[a-z][a-z0-9_.-]{0,39}")

_WORDS = (
    r"(?:pass(?:word|wd|phrase|code)|pwd|secret|token|api[_-]?key|(?:access|private|auth|signing|encryption)[_-]?key"
    r"|credentials?|session[_-]?id|signature|jwt|\botp|\bpin|\bssn|\bsig)"
)
_QUOTE = r"\\{0,4}[\"']?"

BUILT_IN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), mark)
    for pattern, mark in (
        # RFC 7468: a private key in text. Without its end, all that follows may belong to it.
        (r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}-----|\Z)", "[key]"),
        # HTTP's own headers (RFC 9110, RFC 6265): to the end of the line, for a value may have several parts.
        (
            rf"(?i)\b((?:proxy-)?authorization|(?:set-)?cookie)({_QUOTE}\s{{0,4}}[:=])[^\r\n]+",
            r"\1\2 [secret]",
        ),
        # RFC 6750, section 2.1 (b64token), and RFC 7617, whose base64 differs from a word by a capital, digit or =.
        (r"\b((?i:bearer)\s{1,4})[A-Za-z0-9._~+/-]{6,}={0,2}", r"\1[token]"),
        (r"\b((?i:basic)\s{1,4})(?=[a-z+/]{0,200}[A-Z0-9=])[A-Za-z0-9+/]{8,}={0,2}", r"\1[token]"),
        # RFC 7519: base64url of a JSON object begins with eyJ; {"alg":"none"} takes 19 letters. Five parts at the most
        # (RFC 7516). One part alone is masked too: it may be all that was kept.
        (r"eyJ[A-Za-z0-9_-]{12,}(?:\.[A-Za-z0-9_-]*){0,4}", "[token]"),
        # Shapes that issuers publish: GitHub, Slack, AWS, Google, Stripe and the makers of language models.
        (
            (
                r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|xox[abeoprs]-[A-Za-z0-9-]{10,}"
                r"|A(?:KIA|SIA)[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,}|[rs]k[-_][A-Za-z0-9_-]{16,})"
            ),
            "[token]",
        ),
        # RFC 3986, section 3.2.1: name and password in a URI, as in a database's address.
        (r"(://)[^\s/@:\"']{0,256}:[^\s/\"']{1,256}@", r"\1[secret]@"),
        (
            (
                rf"(?i)({_WORDS}[\w-]{{0,40}}{_QUOTE}\s{{0,4}}(?:=>|:=|[:=])\s{{0,4}}|--{_WORDS}[\w-]{{0,40}}\s{{1,4}})"
                r"(?:\\{0,4}\"(?:[^\"\\\r\n]++|\\.)*+\"?|\\{0,4}'(?:[^'\\\r\n]++|\\.)*+'?|\S+)"
            ),
            r"\1[secret]",
        ),
        # A long run of hex or base64 under any name: 32 hex digits are 128 bits, 40 of base64 are 240. A path or a
        # sentence in dashes has seldom a capital and a digit.
        (
            (
                r"([:=]\s{0,4}[\"']?)(?:[A-Fa-f0-9]{32,}(?![\w-])"
                r"|(?=[a-z0-9+/_-]{0,80}[A-Z])(?=[A-Za-z+/_-]{0,80}[0-9])[A-Za-z0-9+/_-]{40,}={0,2})"
            ),
            r"\1[secret]",
        ),
        # RFC 5321, section 4.5.3.1: 64 octets before the @, labels of 63. RFC 6531 admits letters of any script.
        (r"[\w.%+'-]{1,64}(?:@|%40|\\u0040|\uff20)(?:[\w-]{1,63}\.){1,8}[\w-]{2,63}", "[e-mail]"),
    )
)


def compiled(name: str, pattern: str) -> re.Pattern[str]:
    """A pack's pattern, found fit to run on any text.

    Raises:
        PackError: naming the pattern, the limit and the cure.
    """
    where = f"the personal-data pattern {name!r}"
    if not _NAME.fullmatch(name):
        raise PackError(f"{where}: a name has at most 40 characters (a-z, 0-9, '_', '.', '-') and begins with a letter")
    if len(pattern) > LENGTH:
        raise PackError(f"{where} has {len(pattern)} characters; at most {LENGTH} are allowed")
    try:
        made = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as exc:
        raise PackError(f"{where} is not a valid Python regular expression ({exc})") from exc
    if made.match("") or made.search(" "):
        raise PackError(
            f"the pattern {where} also matches an empty text or spaces alone: change it so that it matches only text"
            " with at least one visible character"
        )
    return made


TEXT_LIMIT = 65_536
"""Characters of a text that are looked at and kept: what was not looked at is not written."""

_TAIL = 1024  # of a text cut short: where to look for a blank, so that no half of a token is left over
_WORDS_KEPT = 1024
_OWN_ID = re.compile(r"[0-9a-f]{16}")  # `packhorse.contract.clock.request_id`


class Mask:
    r"""Finds bearer tokens, JWTs, private keys, ``password=...`` and its like, e-mail addresses, and packs' patterns.

    ``patterns`` are the packs' own: a name and a regular expression, such as
    ``{"a-number": r"\bA[- ]?\d{8,9}\b"}``. What is found is replaced by
    ``[token]``, ``[secret]``, ``[key]``, ``[e-mail]`` or ``[<name>]``. A person's
    name, or a secret that looks like any other word, cannot be found so: text
    from callers belongs in no message in the first place.

    Raises:
        PackError: a pattern that is wrong or too long.
    """

    def __init__(self, patterns: Mapping[str, str] | None = None) -> None:
        own = tuple((compiled(name, pattern), f"[{name}]") for name, pattern in (patterns or {}).items())
        self._patterns = BUILT_IN + own
        self._words = lru_cache(_WORDS_KEPT)(self.text)

    def text(self, text: str) -> str:
        """``text`` without what was found in it, and cut at `TEXT_LIMIT` characters, which is then said."""
        left_out = ""
        if len(text) > TEXT_LIMIT:
            kept = text[:TEXT_LIMIT]
            blank = max(kept.rfind(" ", TEXT_LIMIT - _TAIL), kept.rfind("\n", TEXT_LIMIT - _TAIL))
            kept = kept[:blank] if blank >= 0 else kept[: TEXT_LIMIT - _TAIL]
            left_out = f" [{len(text) - len(kept)} more characters]"
            text = kept
        for pattern, mark in self._patterns:
            text = pattern.sub(mark, text)
        return text + left_out

    def word(self, text: str) -> str:
        """As `text`, for names and codes, of which there are few; and ids of the host's own make stay as they are."""
        return text if _OWN_ID.fullmatch(text) else self._words(text)
