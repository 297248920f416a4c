"""The shared design by itself: every text colour on every ground that it may stand on, and every edge, measured."""

from itertools import combinations
from math import dist
from operator import mul

import pytest

from packhorse.contract import design

GROUNDS = ("paper", "raised")
STATES = ("good", "warn", "bad")
KINDS = tuple(f"kind-{n}" for n in range(1, 11))
TEXTS = [
    *((text, ground) for text in ("ink", "quiet", "link") for ground in GROUNDS),
    *((state, ground) for state in STATES for ground in (*GROUNDS, f"{state}-ground")),
    *(("ink", f"{state}-ground") for state in STATES),
    *(("ink", kind) for kind in KINDS),
    ("paper", "ink"),
    *(("paper", state) for state in STATES),
]
EDGES = [(edge, ground) for edge in ("edge", "focus", "good", "warn", "bad") for ground in GROUNDS]

CONTRAST = """
((pairs) => {
  const probe = document.body.appendChild(document.createElement("i"));
  const light = (name) => {
    probe.style.color = `var(--${name})`;
    const [x, y, z] = getComputedStyle(probe).color.match(/[\\d.]+/g).map((one) => {
      const c = one / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  return pairs.map(([a, b]) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return [`${a} on ${b}`, (x + 0.05) / (y + 0.05)];
  });
})
"""
SAMPLE = """<main>
<h1>Heading</h1><h2>Second</h2><h3>Third</h3>
<p>Text with <a href="#x">a link</a>, <code>code</code>, <small>small print</small> and
<span class="quiet">more</span>.</p>
<p><span class="chip">plain</span> <span class="chip good">good</span> <span class="chip warn">warn</span>
<span class="chip bad">bad</span></p>
<div class="note"><p>A note.</p></div><div class="note good"><p>Good.</p></div>
<div class="note warn"><p>A warning.</p></div><div class="note bad"><p>An error.</p></div>
<dl class="facts"><div><dt>Name</dt><dd>Value <small class="quiet">unit</small></dd></div></dl>
<div class="bar"><button type="button">Press</button><button type="button" aria-pressed="true">Pressed</button>
<button type="button" disabled>Off</button><input value="typed" aria-label="Typed"></div>
<div class="scroll" tabindex="0"><table><caption>Caption</caption><thead><tr><th scope="col">Head</th></tr></thead>
<tbody><tr><th scope="row">Row</th><td class="number">1</td></tr></tbody></table></div>
<table class="stack"><thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead>
<tbody><tr><th scope="row">a-very-long-word-that-does-not-end-before-the-edge-of-a-narrow-screen</th>
<td data-label="B">b</td></tr></tbody></table>
<details open><summary>More</summary>
<pre>{"some": "long line of text that goes on and on and on and on and on"}</pre></details>
</main>"""


# How a colour looks to somebody without one kind of cone, in linear RGB: Machado, Oliveira and Fernandes, "A
# Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15 (2009), severity 1.0.
SIGHT = {
    "any": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
# sRGB to XYZ (IEC 61966-2-1) and its white.
XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
APART = 11.5
"""CIELAB distance of two kinds: five times the least that is noticed (2.3: Mahy, Van Eycken, Oosterlinck 1994)."""


def lab(rgb, sight):
    """CIE 1976 L*a*b* of an sRGB colour (0 to 255) as this sight sees it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (one / 255 for one in rgb)]
    seen = [min(1, max(0, sum(map(mul, row, linear)))) for row in sight]
    shares = [sum(map(mul, row, seen)) / sum(row) for row in XYZ]
    x, y, z = (t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in shares)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.fixture
def page(chromium):
    opened = []

    def made(scheme, width=900, kind=""):
        styles = design.stylesheet("timeline", "grid", "chart")
        one = chromium.page(width, scheme=scheme)
        opened.append(one)
        one.media(scheme, kind)
        one.load(design.document("A sample", SAMPLE, styles=styles))
        return one

    yield made
    for one in opened:
        one.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("pairs", "least"), [(TEXTS, 4.5), (EDGES, 3)], ids=["texts", "edges"])
def test_colours_keep_their_contrast(page, scheme, pairs, least):
    found = page(scheme).evaluate(f"{CONTRAST}({[list(pair) for pair in pairs]})")
    assert [pair for pair in found if pair[1] < least] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_two_schemes_differ(page, scheme):
    paper = page(scheme).evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 31)"}[scheme]


@pytest.mark.parametrize("kind", ["", "print"])
@pytest.mark.parametrize("width", [320, 900])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_element_can_be_read(page, measure, scheme, width, kind):
    measured = page(scheme, width, kind).evaluate(measure)
    assert measured["faint"] == []
    assert measured["small"] == []
    assert measured["wide"] == 0


def test_what_has_the_focus_is_outlined(page):
    shown = page("light")
    outlined = set()
    for _ in range(6):
        shown.press("Tab")
        tag, width, style = shown.evaluate(
            "(({ tagName }, { outlineWidth, outlineStyle }) => [tagName, outlineWidth, outlineStyle])"
            "(document.activeElement, getComputedStyle(document.activeElement))"
        )
        assert (width, style) == ("2px", "solid"), tag
        outlined.add(tag)
    assert {"A", "BUTTON", "INPUT", "DIV", "SUMMARY"} <= outlined


def test_a_narrow_table_of_cards_says_the_name_of_each_column(page):
    shown = page("light", 320)
    assert shown.evaluate("getComputedStyle(document.querySelector('.stack td'), '::before').content") == '"B: "'


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_kinds_are_told_apart_without_one_kind_of_cone(page, scheme, sight):
    colours = page(scheme).evaluate(
        f"{list(KINDS)}.map((kind) => {{ const one = document.body.appendChild(document.createElement('i'));"
        " one.style.color = `var(--${kind})`; return getComputedStyle(one).color.match(/[\\d.]+/g).map(Number); })"
    )
    seen = dict(zip(KINDS, (lab(one, SIGHT[sight]) for one in colours), strict=True))
    close = {pair: round(dist(seen[pair[0]], seen[pair[1]]), 1) for pair in combinations(KINDS, 2)}
    assert {pair: apart for pair, apart in close.items() if apart < APART} == {}
