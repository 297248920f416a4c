"""Putting a deployment together, and running it."""

import asyncio
import subprocess
import sys
import traceback
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, SecretStr, field_validator

from packhorse import Fault, Host, Pack, PackError, Verifier
from packhorse.testing import connected


def age() -> int:
    """How old."""
    return 1


def nobody(credential: str) -> None: ...


class MoonSettings(BaseModel):
    limit: int = 5
    key: SecretStr | None = None
    sites: tuple[str, ...] = ()

    @field_validator("limit")
    @classmethod
    def _small(cls, limit: int) -> int:
        if limit > 100:
            raise ValueError("give at most 100")
        return limit


def moon(make_pack: Any, **values: Any) -> Any:
    return make_pack(tools=[age], pack=Pack(title="Moon", settings=MoonSettings, **values))


# --- a pack's settings ---


def test_a_packs_own_settings_are_filled_from_its_table(make_pack, deploy):
    table = {"own": {"limit": "7", "sites": ["a"]}}

    host = deploy(tables={"moon": table}, moon=moon(make_pack)).hosts["moon"]

    assert host.settings == MoonSettings(limit=7, sites=("a",))


def test_without_a_table_its_defaults_hold(make_pack, deploy):
    deployment = deploy(moon=moon(make_pack), sun=make_pack(tools=[]))

    assert deployment.hosts["moon"].settings == MoonSettings()
    assert deployment.hosts["sun"].settings is None


@pytest.mark.parametrize(
    ("own", "said"),
    [
        pytest.param({"limti": 5}, "unknown key 'limti'. Did you mean 'limit'?", id="a key misspelt"),
        pytest.param({"limit": "many"}, "limit must be a whole number", id="text for a number"),
        pytest.param({"limit": 500}, "limit: give at most 100", id="its own rule"),
        pytest.param({"limti": 5, "limit": 500}, "limit: give at most 100; unknown key 'limti'", id="every mistake"),
    ],
)
def test_a_mistake_in_them_stops_the_start_and_is_named(make_pack, deploy, own, said):
    with pytest.raises(PackError) as refused:
        deploy(tables={"moon": {"own": own}}, moon=moon(make_pack))

    assert f"[packs.moon]: {said}" in str(refused.value)


def test_a_secret_among_them_is_in_no_message_and_no_traceback(make_pack, deploy):
    own = {"key": ["hunter2"], "limit": "hunter2"}

    with pytest.raises(PackError) as refused:
        deploy(tables={"moon": {"own": own}}, moon=moon(make_pack))

    assert "hunter2" not in "".join(traceback.format_exception(refused.value, limit=0))


def test_a_model_that_takes_further_keys_says_so_itself(make_pack, deploy):
    class Loose(BaseModel):
        model_config = ConfigDict(extra="allow")

    module = make_pack(tools=[age], pack=Pack(title="Moon", settings=Loose))

    assert deploy(tables={"moon": {"own": {"more": 1}}}, moon=module).hosts["moon"].settings.more == 1


@pytest.mark.parametrize(
    ("own", "said"),
    [
        pytest.param({"limit": 5}, "has the key 'limit', but this pack has no settings of its own", id="of its own"),
        pytest.param({"limit_by_adress": "2/hour"}, r".* Did you mean 'limit_by_address'\?", id="of every pack"),
    ],
)
def test_settings_for_a_pack_that_has_none_are_refused(make_pack, deploy, own, said):
    with pytest.raises(PackError, match=rf"\[packs.moon\] {said}"):
        deploy(tables={"moon": {"own": own}}, moon=make_pack(tools=[age]))


def test_a_table_for_a_pack_that_is_not_installed_is_refused(make_pack, deploy):
    with pytest.raises(PackError, match=r"\[packs.mars\] is for a pack that is not installed. Installed packs: moon"):
        deploy(tables={"mars": {}}, moon=make_pack(tools=[age]))


def test_a_table_for_a_pack_that_is_not_served_does_no_harm(make_pack, deploy):
    packs = {"moon": make_pack(tools=[age]), "sun": make_pack(tools=[])}

    assert list(deploy(server={"packs": ("sun",)}, tables={"moon": {"prefix": "m_"}}, **packs).hosts) == ["sun"]


def test_a_settings_model_that_breaks_takes_its_pack_out_of_service(make_pack, deploy):
    class Breaking(BaseModel):
        limit: int = 1

        @field_validator("limit")
        @classmethod
        def _break(cls, limit: int) -> int:
            raise RuntimeError("no table")

    bad = make_pack(tools=[age], pack=Pack(title="Bad", settings=Breaking))

    deployment = deploy(tables={"bad": {"own": {"limit": 1}}}, bad=bad, moon=make_pack(tools=[age]))

    assert [(one.found.name, one.reason) for one in deployment.catalogue.broken] == [("bad", "RuntimeError: no table")]
    assert list(deployment.catalogue.tools) == ["age"]


# --- broken packs ---


def boom() -> Any:
    raise ValueError("no table")


def test_a_strict_deployment_does_not_start_with_a_broken_pack(make_pack, deploy):
    with pytest.raises(PackError) as refused:
        deploy(server={"strict": True}, bad=make_pack(tools=boom), moon=make_pack(tools=[age]))

    assert str(refused.value).endswith(
        "these packs cannot be served: bad 1.2: ValueError: no table. Repair or remove them, or set `strict = false`"
    )


def test_no_packs_at_all_is_a_deployment_too(deploy):
    assert deploy().catalogue.entries == []


# --- authentication ---


def test_with_authentication_an_offer_that_does_not_stops_the_start(make_pack, deploy):
    keeper, module = make_pack(auth=[Verifier(nobody)]), make_pack(tools=[age])

    with pytest.raises(PackError, match="'age' of pack 'moon' does not say who may use it"):
        deploy(keeper=keeper, moon=module)
    assert deploy(tables={"moon": {"exclude": ("age",)}}, keeper=keeper, moon=module).catalogue.entries == []


# --- running ---


class Told:
    """What packs were told, in order."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def pack(self, title: str, *, start: Exception | None = None, stop: Exception | None = None) -> Pack:
        def tell(what: str, error: Exception | None) -> Any:
            def told(host: Host) -> None:
                self.events.append(f"{what} {host.pack}")
                if error:
                    raise error

            return told

        return Pack(title=title, start=tell("start", start), stop=tell("stop", stop))


@pytest.fixture
def told():
    return Told()


def test_packs_start_in_order_and_stop_in_reverse(make_pack, deploy, told):
    packs = {name: make_pack(tools=[], pack=told.pack(name)) for name in ("a", "b")}

    with deploy(**packs, quiet=make_pack(tools=[])).running():
        told.events.append("serve")

    assert told.events == ["start a", "start b", "serve", "stop b", "stop a"]


def test_they_stop_when_serving_fails(make_pack, deploy, told):
    deployment = deploy(a=make_pack(tools=[], pack=told.pack("a")))

    def serve() -> None:
        with deployment.running():
            raise KeyError("port")

    with pytest.raises(KeyError, match="port"):
        serve()
    assert told.events == ["start a", "stop a"]


def test_a_pack_that_cannot_start_is_named_and_those_before_it_are_stopped(make_pack, deploy, told):
    deployment = deploy(
        a=make_pack(tools=[], pack=told.pack("a")),
        b=make_pack(tools=[], pack=told.pack("b", start=ValueError("no table"))),
        c=make_pack(tools=[], pack=told.pack("c")),
    )

    with pytest.raises(PackError, match="pack 'b' could not start: ValueError: no table"), deployment.running():
        pass
    assert told.events == ["start a", "start b", "stop a"]


def test_a_pack_that_fails_to_stop_is_logged_and_the_others_stop(make_pack, deploy, told, caplog):
    deployment = deploy(
        a=make_pack(tools=[], pack=told.pack("a")), b=make_pack(tools=[], pack=told.pack("b", stop=ValueError("stuck")))
    )

    with deployment.running():
        pass

    assert told.events[-2:] == ["stop b", "stop a"]
    assert caplog.messages == ["pack b failed to stop"]


def test_composing_a_deployment_does_not_load_the_protocol_sdk():
    code = (
        "import sys; from packhorse.compose import packs; from packhorse.compose.deployment import compose;"
        " from packhorse.settings import Settings; compose(Settings(), []);"
        " print([name for name in ('mcp', 'mcp_types', 'sqlite3') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert (run.stdout.strip(), run.stderr) == ("[]", "")


@pytest.mark.anyio
async def test_packs_close_on_the_loop_that_served_and_one_that_fails_keeps_none_from_closing(
    make_pack, deploy, caplog
):
    closed: list[Any] = []

    async def close(host: Host) -> None:
        closed.append((host.pack, asyncio.get_running_loop()))

    async def fail(host: Host) -> None:
        raise ValueError("stuck")

    packs = {name: make_pack(tools=[], pack=Pack(title=name, close=hook)) for name, hook in (("a", fail), ("b", close))}
    async with connected(deploy(**packs)):
        assert closed == []

    assert closed == [("b", asyncio.get_running_loop())]
    assert "pack a failed to close" in caplog.messages


def test_what_of_a_pack_cannot_be_served_is_logged_with_its_cure_and_stops_a_strict_start(make_pack, deploy, caplog):
    fault = Fault("feed north", "its file is torn", "Restore the file.")
    pack = make_pack(tools=[age], pack=Pack(title="Moon", faults=lambda host: [fault]))
    deployment = deploy(moon=pack)

    assert [(one.found.name, one.reason, one.cure) for one in deployment.catalogue.broken] == [
        ("feed north", "its file is torn", "Restore the file.")
    ]
    assert "age" in deployment.catalogue.tools
    assert "feed north is not served: its file is torn. Restore the file." in caplog.messages
    with pytest.raises(PackError, match=r"strict = true.*feed north"):
        deploy(server={"strict": True}, moon=pack)
