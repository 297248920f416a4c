"""The page's side of MCP Apps, with a view of the tests."""

import pytest

from packhorse import View

SCRIPT = """
show({ draw(answer, { stage, input, context }) {
  stage.append(el("h1", {}, answer.title), el("p", {}, `asked ${input.day}`), el("p", {}, context.theme || "none"));
} });
"""


@pytest.fixture
def view(tmp_path):
    def made(script: str = SCRIPT) -> View:
        (tmp_path / "shown.js").write_text(script)
        return View(tmp_path / "shown.js", title="Shown")

    return made


def answered(**structured):
    return {"content": [{"type": "text", "text": "in words"}], "structuredContent": structured}


def test_a_view_says_who_it_is_before_anything_else(client, view):
    shown = client(view().page())
    first, second = shown.said[:2]
    assert first["method"] == "ui/initialize"
    assert first["params"]["protocolVersion"] == "2026-01-26"
    assert first["params"]["appInfo"]["name"] == "Shown"
    assert first["params"]["appCapabilities"] == {"availableDisplayModes": ["inline", "fullscreen"]}
    assert second["method"] == "ui/notifications/initialized"


def test_it_says_that_it_waits_until_there_is_an_answer(client, view):
    shown = client(view().page())
    assert "Waiting for the answer." in shown.text


def test_it_draws_the_structured_answer_and_knows_what_was_asked(client, view):
    shown = client(view().page(), theme="dark")
    shown.answer({"day": "2026-02-15"}, answered(title="The moon"))
    assert shown.text.split("\n\n") == ["The moon", "asked 2026-02-15", "dark"]


def test_text_of_an_answer_is_never_read_as_html(client, view):
    shown = client(view().page())
    shown.answer({}, answered(title="<img src=x onerror=alert(1)>"))
    assert "<img src=x" in shown.text
    assert shown.inside("document.images.length") == 0


def test_a_refusal_is_shown_in_its_words(client, view):
    shown = client(view().page())
    shown.answer({}, {"isError": True, "content": [{"type": "text", "text": "Error: no such day [INVALID_DATE]"}]})
    assert "Error: no such day [INVALID_DATE]" in shown.text
    assert shown.inside("document.querySelector('[role=alert]') !== null")


def test_an_answer_without_structure_is_shown_as_its_text(client, view):
    shown = client(view().page())
    shown.answer({}, {"content": [{"type": "text", "text": "only words"}]})
    assert "only words" in shown.text


def test_an_answer_that_cannot_be_drawn_is_shown_as_its_text(client, view):
    shown = client(view("show({ draw(answer) { answer.none.such; } });").page())
    shown.answer({}, answered(title="x"))
    assert "in words" in shown.text
    assert [one["params"]["level"] for one in shown.said if one.get("method") == "notifications/message"] == ["error"]


def test_a_call_that_was_given_up_says_so(client, view):
    shown = client(view().page())
    shown.page.evaluate(
        'send({ method: "ui/notifications/tool-cancelled", params: { reason: "By you." } }),'
        ' send({ id: "then", method: "ping" }), heard((data) => data.id === "then")'
    )
    assert "Cancelled. By you." in shown.text


def test_the_client_may_change_the_scheme_while_it_is_shown(client, view):
    shown = client(view().page(), scheme="light", theme="light")
    before = shown.measured()["paper"]
    shown.page.evaluate(
        'send({ method: "ui/notifications/host-context-changed", params: { theme: "dark" } }),'
        ' send({ id: "then", method: "ping" }), heard((data) => data.id === "then")'
    )
    after = shown.measured()["paper"]
    assert (before, after) == ("rgb(255, 255, 255)", "rgb(20, 23, 31)")


def test_it_keeps_clear_of_edges_that_the_client_covers(client, view):
    shown = client(view().page())
    shown.page.evaluate(
        'send({ method: "ui/notifications/host-context-changed", params: { safeAreaInsets: { top: 44, left: 0 } } }),'
        ' send({ id: "then", method: "ping" }), heard((data) => data.id === "then")'
    )
    paddings = shown.inside("[getComputedStyle(document.body).paddingTop, getComputedStyle(document.body).paddingLeft]")
    assert paddings == ["60px", "16px"]


def test_its_type_is_the_clients_and_its_colours_are_not(client, view):
    shown = client(view().page(), theme="light")
    shown.page.evaluate(
        'send({ method: "ui/notifications/host-context-changed", params: { styles: { variables: {'
        ' "--font-sans": "Georgia, serif", "--color-text-primary": "#eee", "--ink": "#eee" } } } }),'
        ' send({ id: "then", method: "ping" }), heard((data) => data.id === "then")'
    )
    style = "getComputedStyle(document.body)"
    assert shown.inside(f"[{style}.fontFamily, {style}.color]") == ["Georgia, serif", "rgb(28, 33, 43)"]


def test_without_a_theme_the_system_decides(client, view):
    assert client(view().page(), scheme="dark").measured()["paper"] == "rgb(20, 23, 31)"


def test_it_tells_its_size_and_tells_it_again_when_it_grows(client, view):
    grows = 'show({ draw(answer, { stage }) { stage.append(el("p", { style: { height: "900px" } }, "tall")); } });'
    shown = client(view(grows).page())
    shown.answer({}, answered(title="x"))
    size = shown.page.evaluate(
        'heard((data) => data.method === "ui/notifications/size-changed" && data.params.height > 900)'
    )
    assert size["params"]["width"] == 900


def test_it_answers_the_end_of_its_frame_and_refuses_what_it_does_not_know(client, view):
    shown = client(view().page())
    ended = shown.page.evaluate(
        'send({ id: "end", method: "ui/resource-teardown", params: { reason: "closed" } }),'
        ' heard((data) => data.id === "end")'
    )
    assert ended["result"] == {}
    refused = shown.page.evaluate('send({ id: "no", method: "tools/list" }), heard((data) => data.id === "no")')
    assert refused["error"]["code"] == -32601


def test_what_others_send_is_not_heard(client, view):
    shown = client(view().page())
    shown.inside(
        "window.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-result',"
        " params: { structuredContent: { title: 'forged' } } }, '*')"
    )
    shown.answer({}, answered(title="true"))
    assert "forged" not in shown.text


LOADING = """
show({ async draw(answer, { stage }) {
  stage.append(el("p", { id: "stopped" }, "0"));
  const stopped = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    stopped.push(event.effectiveDirective);
    document.getElementById("stopped").textContent = [...new Set(stopped)].sort().join(" ");
  });
  fetch("https://packhorse.test/secret").catch(() => {});
  stage.append(el("img", { src: "https://packhorse.test/pixel.png", alt: "" }));
  document.head.append(el("link", { rel: "stylesheet", href: "https://packhorse.test/style.css" }));
  document.head.append(el("script", { src: "https://packhorse.test/script.js" }));
  stage.append(el("iframe", { src: "https://packhorse.test/" }));
} });
"""


def test_a_view_that_tries_to_load_or_send_is_stopped(chromium, view):
    page = chromium.page()
    page.load(view(LOADING).page({"title": "x"}))
    told = page.evaluate(
        "new Promise((resolve) => { const look = () => { const text = document.getElementById('stopped')?.textContent;"
        " if (text && text.split(' ').length === 5) resolve(text); else requestAnimationFrame(look); }; look(); })"
    )
    requests = page.requests
    page.close()
    assert told == "connect-src frame-src img-src script-src-elem style-src-elem"
    assert requests == []


def test_an_answer_inside_the_page_is_drawn_without_a_client(chromium, view):
    page = chromium.page()
    page.load(view().page({"title": "</script><b>bold</b>"}))
    text, complaints = page.evaluate("document.body.innerText"), page.complaints
    page.close()
    assert "</script><b>bold</b>" in text
    assert complaints == []


def test_a_page_that_is_opened_by_itself_says_what_it_is(chromium, view):
    page = chromium.page()
    page.load(view().page())
    text = page.evaluate("document.body.innerText")
    page.close()
    assert "inside a client that shows MCP Apps" in text
