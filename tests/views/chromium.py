"""A headless Chromium, driven by the DevTools protocol over a pair of pipes: no driver, no port, no library."""

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 60
"""For one answer of the browser, on a busy machine."""

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    # A frame without an origin stays in its page's process: one session sees both.
    "--disable-features=IsolateSandboxedIframes",
    "--remote-debugging-pipe",
)


def installed() -> str | None:
    """Where Chromium is; None where it is not installed."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Chromium:
    """One browser. Its events are kept until somebody takes them."""

    def __init__(self, program: str, profile: Path) -> None:
        asking, self._out = _pipe()
        self._in, answering = _pipe()
        # The protocol is spoken on descriptors 3 (to the browser) and 4 (from it).
        become = f"import os, sys; os.dup2({asking}, 3); os.dup2({answering}, 4); os.execv(sys.argv[1], sys.argv[1:])"
        self._process = subprocess.Popen(
            [sys.executable, "-c", become, program, *_FLAGS, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(asking, answering),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(asking)
        os.close(answering)
        self._count = 0
        self._rest = b""
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, session: str | None = None, **params: Any) -> Any:
        """What the browser answers."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") != self._count:
                self.events.append(answer)
            elif "error" in answer:
                raise AssertionError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def event(self, method: str, session: str) -> dict[str, Any]:
        """The next event of this name, waited for, and taken."""
        while True:
            for place, event in enumerate(self.events):
                if event.get("method") == method and event.get("sessionId") == session:
                    return self.events.pop(place)
            self.events.append(self._next())

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + SECONDS
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise AssertionError(f"Chromium has not answered for {SECONDS} s")
            read = os.read(self._in, 1 << 20)
            if not read:
                raise AssertionError(f"Chromium ended (exit {self._process.wait()})")
            self._rest += read
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def page(self, width: int = 900, height: int = 900, scheme: str = "light") -> "Page":
        """A new empty page."""
        return Page(self, width, height, scheme)

    def close(self) -> None:
        """End it, with every process that it started."""
        try:
            self.call("Browser.close")
            self._process.wait(60)
        except (AssertionError, subprocess.TimeoutExpired, OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        os.close(self._out)
        os.close(self._in)


class Page:
    """One page, and what it did: ``requests``, ``complaints``."""

    def __init__(self, browser: Chromium, width: int, height: int, scheme: str) -> None:
        self._browser = browser
        self._target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = browser.call("Target.attachToTarget", targetId=self._target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height)
        self.media(scheme)
        self._world: int | None = None

    def call(self, method: str, **params: Any) -> Any:
        """One command to this page."""
        return self._browser.call(method, self._session, **params)

    def resize(self, width: int, height: int = 900) -> None:
        """Another window."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, scheme: str = "light", kind: str = "") -> None:
        """What the system prefers; ``kind`` may be print."""
        self.call(
            "Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}]
        )

    def loaded(self) -> None:
        """Wait until the page that it goes to has loaded."""
        self._browser.event("Page.loadEventFired", self._session)

    def load(self, html: str) -> None:
        """Put a document in."""
        frame = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        self.call("Page.setDocumentContent", frameId=frame, html=html)

    def goto(self, url: str) -> None:
        """Open an address, and wait until it has loaded."""
        self.call("Page.navigate", url=url)
        self.loaded()

    def click(self, selector: str) -> None:
        """Press what a selector finds, as a mouse does."""
        element = f"document.querySelector({json.dumps(selector)})"
        where = self.evaluate(
            f"((one) => {{ one.scrollIntoView({{block: 'center'}}); const box = one.getBoundingClientRect();"
            f" return [box.x + box.width / 2, box.y + box.height / 2]; }})({element})"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=where[0], y=where[1], button="left", clickCount=1)

    def fill(self, selector: str, text: str) -> None:
        """Type into what a selector finds, instead of what stands there."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).select()")
        self.evaluate(f"document.querySelector({json.dumps(selector)}).focus()")
        self.call("Input.insertText", text=text)

    def evaluate(self, expression: str, *, inside: bool = False) -> Any:
        """The value of an expression, awaited; ``inside`` the page's frame."""
        params: dict[str, Any] = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        if inside:
            params["contextId"] = self._frame_world()
        answer = self.call("Runtime.evaluate", **params)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def _frame_world(self) -> int:
        if self._world is None:
            child = self.call("Page.getFrameTree")["frameTree"]["childFrames"][0]["frame"]["id"]
            self._world = self.call("Page.createIsolatedWorld", frameId=child)["executionContextId"]
        return self._world

    def press(self, key: str, **modifiers: Any) -> None:
        """A key, wherever the focus is."""
        code = {"Tab": 9, "Enter": 13, " ": 32, "End": 35, "Home": 36, "PageUp": 33, "PageDown": 34}.get(key)
        code = code or {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}[key]
        text = {"Enter": "\r", " ": " "}.get(key)
        typed = {"text": text} if text else {}
        held = 2 if modifiers.get("control") else 8 if modifiers.get("shift") else 0
        common = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": held}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **typed)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def screenshot(self, path: Path, high: int | None = None) -> None:
        """The whole page, as it is; or its first ``high`` pixels."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": high or size["height"], "scale": 1}
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        path.write_bytes(base64.b64decode(data))

    @property
    def requests(self) -> list[str]:
        """What this page asked a network for: not its own text, nor what its policy stopped before it was sent."""
        stopped = {
            event["params"]["requestId"]
            for event in self._of("Network.loadingFailed")
            if event["params"].get("blockedReason") == "csp"
        }
        asked = [event["params"] for event in self._of("Network.requestWillBeSent")]
        urls = [one["request"]["url"] for one in asked if one["requestId"] not in stopped]
        return [url for url in urls if not url.startswith(("about:", "data:"))]

    @property
    def complaints(self) -> list[str]:
        """Errors that a developer would see."""
        self.evaluate("0")  # whatever came before has been said by now
        return [
            *(event["params"]["exceptionDetails"]["text"] for event in self._of("Runtime.exceptionThrown")),
            *(
                str(event["params"]["args"])
                for event in self._of("Runtime.consoleAPICalled")
                if event["params"]["type"] in {"error", "warning", "assert"}
            ),
            *(
                event["params"]["entry"]["text"]
                for event in self._of("Log.entryAdded")
                if event["params"]["entry"]["level"] in {"error", "warning"}
            ),
        ]

    def _of(self, method: str) -> list[dict[str, Any]]:
        return [
            event
            for event in self._browser.events
            if event.get("sessionId") == self._session and event["method"] == method
        ]

    def close(self) -> None:
        """Shut it, and forget what it did."""
        self._browser.call("Target.closeTarget", targetId=self._target)
        self.forget()

    def forget(self) -> None:
        """Nothing that it did so far is asked about any more."""
        self._browser.events = [one for one in self._browser.events if one.get("sessionId") != self._session]


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are above the descriptors that the browser's own will have."""
    ends = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    return high
