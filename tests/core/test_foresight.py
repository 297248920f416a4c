"""What a call would do, asked beforehand; the version that it is meant for; and forms of pages."""

from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.core.seeds import pack_of

from packhorse import Approvals, Context, Foresight, PackError, Page, RequestError, Route, Tool, UserError
from packhorse import expected_version as expected
from packhorse.contract.principal import LOCAL
from packhorse.door.execution import Requester
from packhorse.http.app import Service
from packhorse.testing import deployment_for

pytestmark = pytest.mark.anyio

HOST = "http://127.0.0.1"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Shop:
    """A shop of one shelf: what is on it has a version."""

    def __init__(self) -> None:
        self.version = 1
        self.told: list[Any] = []

    def sell(self, what: str) -> dict[str, Any]:
        """Sell what is on the shelf."""
        meant = expected()
        if meant is not None and meant != f"shelf {self.version}":
            raise UserError("The shelf has changed since.", code="STALE")
        self.version += 1
        return {"sold": what, "meant": meant}

    def preview(self, ctx: Context, arguments: Any) -> str:
        if arguments["what"] == "nothing":
            raise UserError("There is none.", code="NOT_FOUND")
        return f"{arguments['what']} leaves shelf {self.version}. " + "x" * 1000

    def ahead(self, ctx: Context, what: str) -> dict[str, Any]:
        """Say what a sale would do."""
        seen: Foresight = ctx.wait(ctx.foresee, "sell", {"what": what})
        return {"preview": seen.preview, "version": seen.version}

    def sell_as_seen(self, ctx: Context, version: str, what: str) -> dict[str, Any]:
        """Sell what was seen."""
        reply = ctx.wait(ctx.call_expecting, version, "sell", {"what": what})
        self.told.append(expected())
        return dict(reply.structured)

    def deployment(self, folder: Path, **more: Any) -> Any:
        tools = [
            Tool(
                fn=self.sell,
                destructive=True,
                preview=self.preview,
                version=lambda ctx, arguments: f"shelf {self.version}",
            ),
            Tool(fn=self.ahead, read_only=True),
            Tool(fn=self.sell_as_seen, destructive=True),
        ]
        return deployment_for(data_dir=folder, shop=pack_of(tools=tools, **more))


async def called(deployment: Any, tool: str, **arguments: Any) -> Any:
    return (await deployment.dispatcher.call_tool(Requester(LOCAL), tool, arguments)).structured


async def test_a_preview_says_what_a_call_would_do_in_at_most_600_letters_and_does_nothing(tmp_path):
    shop = Shop()
    seen = await called(shop.deployment(tmp_path), "ahead", what="bread")
    assert seen["preview"].startswith("bread leaves shelf 1.")
    assert len(seen["preview"]) == 600
    assert seen["version"] == "shelf 1"
    assert shop.version == 1


async def test_a_preview_raises_the_refusal_of_the_call(tmp_path):
    with pytest.raises(UserError, match="There is none"):
        await called(Shop().deployment(tmp_path), "ahead", what="nothing")


async def test_a_call_for_a_version_that_has_passed_writes_nothing(tmp_path):
    shop = Shop()
    deployment = shop.deployment(tmp_path)
    sold = await called(deployment, "sell_as_seen", version="shelf 1", what="bread")
    assert sold == {"sold": "bread", "meant": "shelf 1"}
    with pytest.raises(UserError, match="changed since"):
        await called(deployment, "sell_as_seen", version="shelf 1", what="bread")
    assert shop.version == 2
    assert shop.told == [None], "the version is of the inner call alone"


async def test_nothing_can_be_foreseen_of_a_tool_that_the_caller_has_not(tmp_path):
    def look(ctx: Context) -> dict[str, Any]:
        """Look at what is not there."""
        ctx.wait(ctx.foresee, "hidden", {})
        return {}

    deployment = deployment_for(data_dir=tmp_path, shop=pack_of(tools=[Tool(fn=look, read_only=True)]))
    with pytest.raises(RequestError, match="no tool with this name"):
        await called(deployment, "look")


def counter(sent: list[Any]) -> Route:
    def show(key: str) -> Page:
        """A form."""
        return Page(f"<form method=post><input name=a></form>{key}", styles="p{}", forms=True)

    def take(key: str, form: dict[str, str]) -> Page:
        """What it sends."""
        sent.append((key, form))
        return Page("taken", styles="p{}")

    return Route(path="/count/{key}", fn=show, form=take, public=True)


async def test_a_form_is_taken_by_post_alone_from_this_servers_own_pages(tmp_path):
    sent: list[Any] = []
    service = Service(deployment_for(data_dir=tmp_path, shop=pack_of(routes=[counter(sent)])))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(service.app), base_url=HOST) as http:
        page = await http.get("/count/k")
        assert "form-action 'self'" in page.headers["content-security-policy"]
        assert page.headers["referrer-policy"] == "same-origin"
        for headers, body, status in (
            ({**FORM, "Origin": HOST}, "a=1", 200),
            ({**FORM, "Origin": "null"}, "a=2", 403),
            ({**FORM, "Origin": "https://elsewhere.example"}, "a=3", 403),
            ({"Content-Type": "application/json"}, '{"a": "4"}', 415),
            (FORM, "a=5&a=6", 400),
        ):
            assert (await http.post("/count/k", content=body, headers=headers)).status_code == status
    assert sent == [("k", {"a": "1"})]


async def test_what_waits_is_collected_by_pack_and_must_be_of_its_kind(tmp_path):
    waiting = Approvals(lambda who: [], lambda key: "", lambda who, key, yes: None)
    module = pack_of(tools=[])
    from packhorse import hookimpl

    module.register_approvals = hookimpl(lambda: [waiting])
    assert deployment_for(data_dir=tmp_path, shop=module).catalogue.approvals == (("shop", waiting),)
    module.register_approvals = hookimpl(lambda: ["waiting"])
    with pytest.raises(PackError, match="register_approvals returned str"):
        deployment_for(data_dir=tmp_path, shop=module)
