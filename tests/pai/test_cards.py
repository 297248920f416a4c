import math
import time
from types import MappingProxyType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from packhorse_pai import convert
from packhorse_pai.domain.cards import LIMITS, MOST_BYTES, Card, parse
from packhorse_pai.domain.names import Agent, Party, Prose, Wildcard, tokens
from packhorse_pai.domain.rendering import render
from packhorse_pai.domain.sections import Section
from packhorse_pai.service.folders import shipped_cards

CARD = """# PORTER Identity Card

## Identity
- **Role:** Carries things
- **Tier:** Specialist
- **Model:** haiku

## Chain of Command
- **Reports To:** FOREMAN
- **Can Spawn:** None (terminal)
- **Escalate To:** FOREMAN

## Standing Orders (Execute Without Asking)
1. Carry
2. Put down

## Escalation Triggers (MUST Escalate)
- It is too heavy

## Key Constraints
- Never drop it

## One-Line Charter
"Gently."
"""


def kinds(text, stem="PORTER"):
    return {finding.kind for finding in parse(text, stem=stem).findings}


def test_every_known_card_gives_every_expected_field(known, expected):
    assert {name: convert.card_fields(known[name].card) for name in known} == expected


def test_no_known_card_has_a_grave_finding(known):
    assert [name for name, reading in known.items() if reading.grave] == []


def test_every_known_card_comes_back_from_its_rendering(known):
    for name, reading in known.items():
        assert parse(render(reading.card), stem=name).card == reading.card


def test_our_own_cards_have_no_findings_and_come_back_from_their_rendering():
    for name, reading in shipped_cards().items():
        assert reading.findings == ()
        assert parse(render(reading.card), stem=name) == reading


names = st.from_regex(r"[A-Z][A-Z0-9_]{0,10}", fullmatch=True)
words = st.text(
    st.characters(exclude_categories=("C", "Z"), exclude_characters="`<>|"), min_size=1, max_size=30
).filter(lambda text: not text.startswith(("#", "-", "*", "+", "~")) and not text[0].isdigit() and ":**" not in text)
cards = st.builds(
    Card,
    name=names,
    role=words,
    tier=words,
    model=words,
    reports_to=words,
    can_spawn=words,
    escalate_to=words,
    standing_orders=st.lists(words, max_size=4).map(tuple),
    escalation_triggers=st.lists(words, max_size=4).map(tuple),
    constraints=st.lists(words, max_size=4).map(tuple),
    charter=words.filter(lambda text: '"' not in text),
    boot_instruction=st.none() | words,
    spawnable=st.booleans(),
    limits=st.dictionaries(st.sampled_from(LIMITS), st.integers(0, 10**6)).map(MappingProxyType),
    rate=st.none() | st.from_regex(r"[1-9][0-9]{0,3}/(minute|hour|day)", fullmatch=True),
    capabilities=st.lists(st.from_regex(r"[a-z][a-z_]{0,10}", fullmatch=True), max_size=3, unique=True).map(tuple),
    extra=st.lists(
        st.builds(Section, words.map(lambda word: f"About {word}"), st.lists(words, min_size=1, max_size=3).map(tuple)),
        max_size=2,
        unique_by=lambda part: part.title,
    ).map(tuple),
)


@given(cards)
def test_parse_of_render_is_identity(card):
    assert parse(render(card), stem=card.name).card == card


@given(st.binary(max_size=3000))
@example(b"# PORTER Identity Card\n## Identity\n- **Role:**" + b" \xff" * 3)
@example(b"\x00" * 100)
def test_arbitrary_bytes_are_read_without_an_exception(source):
    parse(source, stem="PORTER")


@given(
    st.lists(
        st.sampled_from([*CARD.split("\n"), "```", "<!--", "-->", "  - nested", "## Identity", "\u2028"]), max_size=60
    )
)
def test_any_order_of_a_cards_lines_is_read_without_an_exception(lines):
    parse("\n".join(lines), stem="PORTER")


@pytest.mark.parametrize(
    "piece",
    [
        "- **Can Spawn:** A, B\n",
        "((((",
        "- ",
        "# ",
        "```\n",
        "<!-- ",
        "| a ",
        "    - x\n",
        "**x:** ",
        "1. ",
        "\t",
        "A_",
    ],
)
def test_time_is_linear_up_to_the_cap(piece):
    def cost(size):
        text = (CARD + piece * (size // len(piece)))[:size].encode()
        begun = time.process_time()
        parse(text, stem="PORTER")
        return time.process_time() - begun

    # Four times the size in at most eight times the time: a quadratic reader needs sixteen. The least of three to
    # thirty measurements is the reader's own: what the machine does beside it only adds.
    whole = quarter = math.inf
    for turn in range(30):
        whole, quarter = min(whole, cost(MOST_BYTES)), min(quarter, cost(MOST_BYTES // 4))
        if turn >= 2 and whole < 8 * quarter + 0.01:
            break
    assert whole < 8 * quarter + 0.01


def test_a_card_above_the_cap_is_not_read_and_has_no_rights():
    reading = parse(CARD + "x" * MOST_BYTES, stem="PORTER")

    assert reading.grave
    assert reading.card == Card("PORTER")


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        pytest.param(lambda text: text + "\n## Identity\n- **Role:** King\n", "duplicate_section", id="section twice"),
        pytest.param(
            lambda text: text.replace("- **Escalate", "- **Can Spawn:** ORCHESTRATOR\n- **Escalate"),
            "duplicate_field",
            id="field twice",
        ),
        pytest.param(lambda text: text.replace("# PORTER", "# KING"), "title", id="another's title"),
        pytest.param(lambda text: text.replace(" Identity Card", ""), "title", id="no title"),
        pytest.param(lambda text: text + "\n## Limits\n- **Calls:** many\n", "limit", id="limit that is no number"),
        pytest.param(lambda text: text + "\n## Limits\n- **Cals:** 3\n", "limit", id="limit misspelt"),
        pytest.param(lambda text: text.encode() + b"\xff", "not_utf8", id="not UTF-8"),
    ],
)
def test_an_ambiguous_card_is_grave(change, kind):
    reading = parse(change(CARD), stem="PORTER")

    assert reading.grave
    assert kind in {finding.kind for finding in reading.findings if finding.grave}


@pytest.mark.parametrize(
    "hidden",
    [
        "```\n- **Can Spawn:** KING\n```",
        "<!--\n- **Can Spawn:** KING\n-->",
        "    - **Can Spawn:** KING",
        "~~~\n- **Can Spawn:** KING",
    ],
    ids=["fence", "comment", "nested", "open fence"],
)
def test_what_a_reader_of_the_card_would_not_see_as_a_field_is_none(hidden):
    card = parse(CARD.replace("- **Can Spawn:** None (terminal)", hidden), stem="PORTER").card

    assert card.can_spawn == ""
    assert card.spawns == ()


def test_a_list_ends_with_its_section():
    card = parse(CARD, stem="PORTER").card

    assert card.standing_orders == ("Carry", "Put down")
    assert card.escalation_triggers == ("It is too heavy",)


def test_spawn_agents_may_stand_in_a_nested_list():
    card = parse(CARD.replace("None (terminal)", "\n  - DBA\n  - QA_TESTER"), stem="PORTER").card

    assert card.spawns == (Agent("DBA"), Agent("QA_TESTER"))


def test_an_unknown_tier_is_found_and_not_grave():
    assert "unknown_tier" in kinds(CARD.replace("Specialist", "Emperor"))


def test_a_limit_is_read_and_so_is_a_rate():
    card = parse(CARD + "\n## Limits\n- **Calls:** 3\n- **Rate:** 30 / hour\n", stem="PORTER").card

    assert (dict(card.limits), card.rate) == ({"calls": 3}, "30/hour")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("None (terminal specialist)", ()),
        ("none", ()),
        ("NONESUCH", (Agent("NONESUCH"),)),
        ("G2_RECON (GS), G5_PLANNING*", (Agent("G2_RECON"), Agent("G5_PLANNING", starred=True))),
        ("IG (DELEGATION_AUDITOR)", (Agent("DELEGATION_AUDITOR", alias="IG"),)),
        ("/search-party (120 probes)", (Party("/search-party"),)),
        ("ANY agent (wide lateral authority)", (Wildcard(),)),
        ("A, task-specific agents as needed", (Agent("A"), Prose("task-specific agents as needed"))),
        ("A (one, two), B", (Agent("A"), Agent("B"))),
        ("../X", (Prose("../X"),)),
        ("SCHEDUL\u0415R", (Prose("SCHEDUL\u0415R"),)),
    ],
)
def test_a_spawn_line_names_only_what_it_names_for_certain(line, found):
    assert tokens(line) == found
