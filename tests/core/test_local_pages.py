"""Pages for a decision beside a server over stdio: there while something waits, and gone without a complaint."""

import webbrowser

import anyio
import httpx2
import pytest
from tests.core.seeds import pack_of

from packhorse import Approvals, Route
from packhorse.cli.local_pages import LocalPages


@pytest.mark.parametrize("how", ["nothing waits any more", "the client has gone"])
def test_a_page_is_served_while_something_waits_and_leaves_no_error_in_the_log(deploy, monkeypatch, caplog, how):
    urls, waits = [], [True]
    page = Route(fn=lambda: "Decide.", path="/decide", public=True)
    approvals = Approvals(pending=lambda caller: ["one"] if waits[0] else [], show=str, decide=print)
    pages = LocalPages(deploy(seed=pack_of(routes=[page], approvals=[approvals])))
    monkeypatch.setattr("packhorse.cli.local_pages.LOOK_SECONDS", 0.01)

    async def serve_until_it_is_over():
        opened = anyio.Event()

        def browse(url):
            urls.append(url)
            anyio.from_thread.run_sync(opened.set)

        monkeypatch.setattr(webbrowser, "open", browse)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(pages.run)
            while not pages.open("/decide"):
                await anyio.lowlevel.checkpoint()
            await opened.wait()
            async with httpx2.AsyncClient(headers={"Connection": "close"}) as http:
                assert (await http.get(urls[0])).status_code == 200
                waits[0] = how != "nothing waits any more"
                while not waits[0]:
                    try:
                        await http.get(urls[0])
                    except httpx2.HTTPError:
                        break
            tasks.cancel_scope.cancel()

    async def in_time():
        with anyio.fail_after(30):
            await serve_until_it_is_over()

    anyio.run(in_time)

    assert [record.message for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")] == []
