"""Kept results: for whom, for how long, in how much room, and worked out once."""

import json
from dataclasses import dataclass
from types import MappingProxyType

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from packhorse.contract.content import Link, Reply, Text
from packhorse.contract.offers import Resource, Tool
from packhorse.contract.principal import ANONYMOUS, LOCAL, Principal
from packhorse.contract.questions import InputRequired
from packhorse.door.cache import ResultCache, cacheable, copy_of, key_of, visibility_class
from packhorse.errors import PackError, UserError

pytest.importorskip("cachetools", reason="cachetools is not installed: nothing is kept")

CANARY = "canary-4b7f1c"


@dataclass(frozen=True, slots=True)
class Whose:
    per_caller: bool


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Work:
    """Something to compute, that counts how often it was, and can be held up."""

    def __init__(self, gives=None, *, held=False):
        self.gives = gives if gives is not None else Reply({"n": [1]}, [Text("{}")])
        self.runs = 0
        self.may_end = anyio.Event()
        self.begun = anyio.Event()
        if not held:
            self.may_end.set()

    async def __call__(self):
        self.runs += 1
        self.begun.set()
        await self.may_end.wait()
        if isinstance(self.gives, Exception):
            raise self.gives
        return self.gives


def cache(entries=10, size=10_000, clock=None):
    return ResultCache(entries, size, clock or Clock())


def age(day: str) -> str:
    """An offer's function."""
    return day


# What may be kept


@pytest.mark.parametrize(
    ("offer", "kept"),
    [
        pytest.param(Tool(fn=age, ttl=60, read_only=True), True, id="a tool that reads"),
        pytest.param(Tool(fn=age, read_only=True), False, id="no ttl"),
        pytest.param(Tool(fn=age, destructive=True), False, id="one that destroys, without a ttl"),
        pytest.param(Resource(uri="facts://moon", fn=age, ttl=60), True, id="a resource"),
        pytest.param(Resource(uri="facts://moon", fn=age), False, id="a resource without a ttl"),
        pytest.param(Resource(uri="facts://moon", fn=age, ttl=60, subscribable=True), False, id="one with subscribers"),
    ],
)
def test_only_what_changes_nothing_and_says_how_long_is_kept(offer, kept):
    assert cacheable(offer) is kept


@pytest.mark.parametrize(
    ("offer", "asks", "said"),
    [
        pytest.param(Tool(fn=age, ttl=60), False, "read_only=True", id="a tool that may change something"),
        pytest.param(Tool(fn=age, ttl=60, idempotent=True), False, "read_only=True", id="one that may do so twice"),
        pytest.param(Tool(fn=age, ttl=60, read_only=True, destructive=True), False, "changes nothing", id="both"),
        pytest.param(Tool(fn=age, ttl=60, read_only=True), True, "depends on the caller", id="one that asks"),
        pytest.param(Tool(fn=age, ttl=-1, read_only=True), False, "0 (never cached) or more", id="a ttl below 0"),
    ],
)
def test_an_offer_that_must_not_be_kept_and_says_it_may_stops_the_start(offer, asks, said):
    with pytest.raises(PackError) as refused:
        cacheable(offer, asks=asks)

    assert "'age'" in str(refused.value)
    assert said in str(refused.value)


# For whom

ANNA = Principal("human", "anna", frozenset({"READER", "ADMIN"}), frozenset({"b", "a"}), {"iss": "i", "exp": 1})


@pytest.mark.parametrize("per_caller", [pytest.param(False, id="for all"), pytest.param(True, id="for each")])
def test_a_caller_is_in_one_class_however_the_token_lists_its_rights(per_caller):
    again = Principal("human", "anna", frozenset({"ADMIN", "READER"}), frozenset({"a", "b"}), {"exp": 2, "iss": "i"})

    assert visibility_class(ANNA, Whose(per_caller)) == visibility_class(again, Whose(per_caller))


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(Principal("agent", "anna", ANNA.roles, ANNA.scopes), id="another kind"),
        pytest.param(Principal("human", "anna", frozenset({"READER"}), ANNA.scopes), id="a role less"),
        pytest.param(Principal("human", "anna", frozenset({'READER", "ADMIN'}), ANNA.scopes), id="one role like two"),
        pytest.param(Principal("human", "anna", ANNA.roles, frozenset({"a"})), id="a scope less"),
        pytest.param(ANONYMOUS, id="nobody known"),
        pytest.param(LOCAL, id="the deployer"),
    ],
)
def test_callers_who_may_see_different_things_are_in_different_classes(other):
    assert visibility_class(ANNA, Whose(False)) != visibility_class(other, Whose(False))


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(Principal("human", "ben", ANNA.roles, ANNA.scopes, {"iss": "i"}), id="another subject"),
        pytest.param(Principal("human", "anna", ANNA.roles, ANNA.scopes, {"iss": "j"}), id="of another issuer"),
        pytest.param(Principal("human", "anna", ANNA.roles, ANNA.scopes, {"iss": "i"}, ("boss",)), id="for another"),
    ],
)
def test_where_the_offer_says_so_each_caller_is_a_class(other):
    assert visibility_class(ANNA, Whose(True)) != visibility_class(other, Whose(True))


# Under which key

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
ARGUMENTS = st.dictionaries(st.text(max_size=3), JSON, max_size=4)


def turned(value):
    """The same JSON with every object's names the other way round."""
    if isinstance(value, dict):
        return {key: turned(item) for key, item in reversed(value.items())}
    return [turned(item) for item in value] if isinstance(value, list) else value


@given(ARGUMENTS)
def test_the_order_of_names_does_not_matter(arguments):
    assert key_of("age", arguments, "1", ("local",)) == key_of("age", turned(arguments), "1", ("local",))


@given(ARGUMENTS, ARGUMENTS)
def test_arguments_share_a_key_only_when_their_json_is_the_same(one, other):
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)

    assert (key_of("age", one, "1", ()) == key_of("age", other, "1", ())) is same


def test_frozen_arguments_are_found_under_the_same_key():
    frozen = MappingProxyType({"a": MappingProxyType({"b": (1, 2)})})

    assert key_of("age", frozen, "1", ()) == key_of("age", {"a": {"b": [1, 2]}}, "1", ())


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(("phase", {"a": 1}, "1", ("local",)), id="another tool"),
        pytest.param(("age", {"a": True}, "1", ("local",)), id="true for 1"),
        pytest.param(("age", {"a": "1"}, "1", ("local",)), id="text for a number"),
        pytest.param(("age", {"a": 1}, "2", ("local",)), id="newer data"),
        pytest.param(("age", {"a": 1}, "1", ("human",)), id="another class"),
        pytest.param(("age", {"a": 1}, "1", ("local", "x")), id="a class with one part more"),
    ],
)
def test_each_part_of_a_question_makes_another_key(other):
    assert key_of("age", {"a": 1}, "1", ("local",)) != key_of(*other)


def test_a_key_shows_nothing_of_the_arguments():
    assert CANARY.encode() not in key_of("age", {"name": CANARY}, "1", ())


# How long, and in how much room


@pytest.mark.anyio
async def test_a_result_is_kept_for_its_time_from_when_it_was_there():
    clock, work = Clock(), Work()
    kept = cache(clock=clock)

    async def slow():
        clock.now += 100
        return await work()

    await kept.result(b"k", 10, slow)
    clock.now += 9.9
    await kept.result(b"k", 10, work)
    assert work.runs == 1
    clock.now += 0.1
    await kept.result(b"k", 10, work)
    assert work.runs == 2


@pytest.mark.parametrize(
    ("entries", "size"), [pytest.param(2, 10_000, id="by number"), pytest.param(10, 250, id="by bytes")]
)
@pytest.mark.anyio
async def test_what_was_not_asked_for_longest_goes_first(entries, size):
    kept = cache(entries, size)
    works = {key: Work("x" * 100) for key in (b"a", b"b", b"c")}
    for key in (b"a", b"b", b"a", b"c", b"a", b"c"):
        await kept.result(key, 60, works[key])

    assert [work.runs for work in works.values()] == [1, 1, 1]
    assert (len(kept._kept), kept._kept.currsize) == (2, 200)
    await kept.result(b"b", 60, works[b"b"])
    assert works[b"b"].runs == 2


@pytest.mark.anyio
async def test_a_result_above_all_room_is_given_and_not_kept_and_drives_nothing_out():
    kept, small, large = cache(size=100), Work("x"), Work("x" * 101)
    await kept.result(b"small", 60, small)

    assert await kept.result(b"large", 60, large) == large.gives
    await kept.result(b"small", 60, small)

    assert (len(kept._kept), small.runs, large.runs) == (1, 1, 1)


class Room(RuleBasedStateMachine):
    """Whatever is asked for and whenever, the room is enough and no result is old or another's."""

    def __init__(self):
        super().__init__()
        self.clock = Clock()
        self.cache = ResultCache(4, 50, self.clock)

    @rule(key=st.integers(0, 9), size=st.integers(0, 60), ttl=st.integers(1, 9))
    def ask(self, key, size, ttl):
        async def compute():
            return [key, self.clock.now + ttl, "x" * size]

        async def asked():
            return await self.cache.result(bytes([key]), ttl, compute)

        found, until, _ = anyio.run(asked)
        assert found == key
        assert self.clock.now < until

    @rule(seconds=st.integers(1, 5))
    def wait(self, seconds):
        self.clock.now += seconds

    @invariant()
    def there_is_room(self):
        assert len(self.cache._kept) <= 4
        assert self.cache._kept.currsize <= 50


TestRoom = Room.TestCase


# Nobody changes another's


@given(JSON)
def test_a_copy_is_equal_and_its_lists_and_objects_are_its_own(value):
    def containers(item):
        if isinstance(item, dict | list):
            yield id(item)
            for inner in item.values() if isinstance(item, dict) else item:
                yield from containers(inner)

    reply = Reply(value, [Text("x"), Link("u://x", "x")], {"m": value})
    copied = copy_of(reply)

    assert copied == reply
    assert not set(containers([copied.structured, copied.meta])) & set(containers([value, reply.meta]))


# Worked out once


@pytest.mark.anyio
async def test_equal_questions_at_the_same_time_are_worked_out_once():
    kept, work, answers = cache(), Work(held=True), []

    async def ask():
        answers.append(await kept.result(b"k", 60, work))

    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        work.may_end.set()

    assert answers == [work.gives] * 5
    assert work.runs == 1
    assert len({id(answer.structured) for answer in answers}) == 5


@pytest.mark.anyio
async def test_different_questions_do_not_wait_for_one_another():
    kept, held, quick = cache(), Work(held=True), Work("quick")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(kept.result, b"held", 60, held)
        await held.begun.wait()
        assert await kept.result(b"quick", 60, quick) == "quick"
        held.may_end.set()


@pytest.mark.anyio
async def test_a_failure_reaches_all_who_wait_and_is_not_kept():
    kept, work, heard = cache(), Work(UserError("Ask for less.", code="TOO_MUCH"), held=True), []

    async def ask():
        with pytest.raises(UserError) as refused:
            await kept.result(b"k", 60, work)
        heard.append(refused.value.code)

    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        work.may_end.set()

    assert (heard, work.runs, len(kept._kept)) == (["TOO_MUCH"] * 3, 1, 0)
    work.gives = "now"
    assert await kept.result(b"k", 60, work) == "now"


@pytest.mark.anyio
async def test_when_the_one_who_works_it_out_goes_away_the_next_takes_over():
    kept, work, answers = cache(), Work(held=True), []
    leader = anyio.CancelScope()

    async def lead():
        with leader:
            await kept.result(b"k", 60, work)

    async def follow():
        answers.append(await kept.result(b"k", 60, work))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lead)
        await work.begun.wait()
        for _ in range(3):
            tasks.start_soon(follow)
        await anyio.wait_all_tasks_blocked()
        leader.cancel()
        await anyio.wait_all_tasks_blocked()
        assert work.runs == 2
        work.may_end.set()

    assert (len(answers), work.runs) == (3, 2)
    assert leader.cancelled_caught


@pytest.mark.anyio
async def test_one_who_waits_can_go_away_alone():
    kept, work, answers = cache(), Work(held=True), []
    follower = anyio.CancelScope()

    async def lead():
        answers.append(await kept.result(b"k", 60, work))

    async def follow():
        with follower:
            await kept.result(b"k", 60, work)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lead)
        await work.begun.wait()
        tasks.start_soon(follow)
        await anyio.wait_all_tasks_blocked()
        follower.cancel()
        await anyio.wait_all_tasks_blocked()
        work.may_end.set()

    assert (len(answers), work.runs, follower.cancelled_caught) == (1, 1, True)


@pytest.mark.anyio
async def test_a_question_to_one_caller_is_given_to_no_other():
    kept, answers = cache(), []
    asking = Work(InputRequired({}), held=True)

    async def ask():
        answers.append(await kept.result(b"k", 60, asking))

    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        asking.may_end.set()

    assert (asking.runs, len(kept._kept), len(answers)) == (3, 0, 3)
