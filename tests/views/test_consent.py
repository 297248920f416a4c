"""A person agrees to a client and signs in, in a real browser: the page, and the way from it to the client."""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest

CORE = Path(__file__).resolve().parents[1] / "core"
sys.path[:0] = [str(CORE / "sign_in"), str(CORE)]

from stable import place_with, provider_running  # noqa: E402 - of the core's tests
from walking import Program, query_of  # noqa: E402

NARROW, WIDE = 360, 1200
LEAST_PIXELS = 44
"""Of what is pressed (WCAG 2.2, success criterion 2.5.5)."""

LAID_OUT = """({
  small: [...document.querySelectorAll("button, a, input:not([type=hidden])")]
    .map((one) => one.getBoundingClientRect()).filter((box) => box.width < LEAST || box.height < LEAST).length,
  unnamed: [...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
    .filter((one) => !one.labels.length && !one.ariaLabel).length,
  buttons: [...document.querySelectorAll("button")].map((one) => one.innerText),
})""".replace("LEAST", str(LEAST_PIXELS))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with provider_running() as provider, place_with(tmp_path_factory.mktemp("stable"), provider) as made:
        yield made


@pytest.fixture
def client():
    """A program that waits on a loopback port: its address, and what it was sent."""
    sent = []

    class Waiting(BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path.startswith("/callback"):
                sent.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<title>arrived</title>")

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Waiting)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/callback", sent
    server.shutdown()
    thread.join()
    server.server_close()


def asked(page, place, redirect):
    """Open the page that asks whether a client may act for the person."""
    program = Program.registered(place.address, redirect, client_name="Scribe")
    page.call("Page.navigate", url=f"{place.address}/authorize?{urlencode(program.request())}")
    page.loaded()
    return program


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_the_page_can_be_read_and_answered_at_any_width(place, client, chromium, measure, width, scheme):
    page = chromium.page(width, scheme=scheme)
    asked(page, place, client[0])

    shown = page.evaluate(measure)
    laid_out = page.evaluate(LAID_OUT)

    assert (shown["faint"], shown["small"], shown["wide"]) == ([], [], 0)
    assert laid_out == {"small": 0, "unnamed": 0, "buttons": ["Sign in", "Refuse"]}
    assert "«Scribe» wants to use packhorse for you" in page.evaluate("document.body.innerText")
    assert page.complaints == []
    page.close()


def test_whoever_agrees_comes_by_the_provider_to_the_client(place, client, chromium):
    redirect, sent = client
    page = chromium.page(NARROW)
    program = asked(page, place, redirect)

    page.evaluate("document.activeElement.blur()")
    page.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Sign in"
    page.press("Enter")
    page.loaded()
    page.evaluate("""document.querySelector('button[value="ada@example.org"]').click()""")
    page.loaded()

    assert page.evaluate("document.title") == "arrived"
    stopped = [one for one in page.complaints if "Content Security Policy" in one]  # the provider's page has others
    assert stopped == []
    answer = query_of(sent[-1])
    assert program.token(answer["code"]).status_code == 200
    page.close()


def test_whoever_refuses_comes_to_the_client_without_a_code(place, client, chromium):
    redirect, sent = client
    page = chromium.page(WIDE)
    asked(page, place, redirect)

    page.evaluate("""document.querySelector('button[value="no"]').click()""")
    page.loaded()

    assert query_of(sent[-1])["error"] == "access_denied"
    page.close()


def test_the_page_stays_empty_in_the_frame_of_another_page(place, client, chromium):
    program = Program.registered(place.address, client[0])
    page = chromium.page(WIDE)
    asked_for = f"{place.address}/authorize?{urlencode(program.request())}"
    page.load(f'<iframe onload="this.loaded = true" src="{asked_for}"></iframe>')
    page.evaluate(
        "new Promise((done) => { const frame = document.querySelector('iframe'); "
        "if (frame.loaded) { done(); } else { frame.onload = done; } })"
    )

    (frame,) = page.call("Page.getFrameTree")["frameTree"]["childFrames"]

    assert "/signin/consent" in frame["frame"]["unreachableUrl"]
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_where_one_signs_in_for_the_console_can_be_read_and_answered_at_any_width(
    place, chromium, measure, width, scheme
):
    page = chromium.page(width, scheme=scheme)
    page.goto(f"{place.address}/console")

    shown = page.evaluate(measure)
    laid_out = page.evaluate(LAID_OUT)

    assert (shown["faint"], shown["small"], shown["wide"]) == ([], [], 0)
    assert (laid_out["small"], laid_out["unnamed"], len(laid_out["buttons"])) == (0, 0, 1)
    assert page.complaints == []
    page.close()


def test_a_person_signs_in_for_the_console_by_keyboard_and_out_again(place, chromium):
    page = chromium.page(NARROW)
    page.goto(f"{place.address}/console/record?name=saddle")
    page.press("Tab")
    assert page.evaluate("document.activeElement.innerText").startswith("Sign in at 127.0.0.1")
    page.press("Enter")
    page.loaded()
    page.evaluate("""document.querySelector('button[value="ada@example.org"]').click()""")
    page.loaded()  # the way on, which is no redirect
    page.loaded()

    assert page.evaluate("location.pathname + location.search") == "/console/record?name=saddle"
    assert "ada@example.org" in page.evaluate("document.querySelector('header').innerText")
    assert page.evaluate("document.cookie") == ""
    page.click(".who button")
    page.loaded()
    assert "still signed in at" in page.evaluate("document.body.innerText")
    page.goto(f"{place.address}/console")
    assert page.evaluate("location.pathname") == "/signin"
    stopped = [one for one in page.complaints if "Content Security Policy" in one]
    assert stopped == []
    page.close()
