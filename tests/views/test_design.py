"""The shared design by itself: every text colour on every ground that it may stand on, and every edge, measured."""

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
