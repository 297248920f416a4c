"""Outside sources: tried again, left alone, taken up again; and what callers and the log hear of it."""

import functools
import logging
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta

import anyio
import pytest

from packhorse import PackError, UserError
from packhorse_locator.service.sources import SOURCE_DOWN, Breaker, Retry, Source, SourceDown, Transient

CANARY = "canary-4b7f1c"
START = datetime(2026, 1, 1, tzinfo=UTC)


class World:
    """A source under test, with its time, and what it was asked."""

    def __init__(self, **choices):
        self.seconds = 0.0
        self.waits = []
        self.asked = 0
        self.answers = []
        self.source = Source(
            "The registry",
            clock=lambda: START + timedelta(seconds=self.seconds),
            monotonic=lambda: self.seconds,
            sleep=self.sleep,
            async_sleep=self.async_sleep,
            **{"retry": Retry(3, 1, 10, 0), "breaker": Breaker(5, 30), **choices},
        )

    def sleep(self, seconds):
        self.waits.append(seconds)
        self.seconds += seconds

    async def async_sleep(self, seconds):
        self.sleep(seconds)

    def ask(self):
        self.asked += 1
        answer = self.answers.pop(0) if self.answers else "here"
        if isinstance(answer, BaseException):
            raise answer
        return answer

    async def ask_async(self):
        return self.ask()

    def fails(self, times):
        self.answers = [Transient(CANARY) for _ in range(times)]


def plainly(world, **how):
    return world.source.call(world.ask, **how)


def on_the_loop(world, **how):
    return anyio.run(functools.partial(world.source.call_async, world.ask_async, **how))


both = pytest.mark.parametrize("call", [pytest.param(plainly, id="plain"), pytest.param(on_the_loop, id="async")])


@both
def test_an_answer_is_given_as_it_is(call):
    world = World()

    assert call(world, idempotent=True) == "here"
    assert (world.asked, world.waits, world.source.state, world.source.since) == (1, [], "up", None)


@both
def test_what_failed_and_may_pass_is_tried_again_after_longer_and_longer(call):
    world = World(retry=Retry(6, 1, 5, 0), breaker=Breaker(10))
    world.fails(5)

    assert call(world, idempotent=True) == "here"
    assert (world.asked, world.waits) == (6, [1, 2, 4, 5, 5])


@both
def test_chance_adds_no_more_than_it_may_and_the_longest_wait_holds(call):
    world = World(retry=Retry(40, 1, 3, 1.5), breaker=Breaker(100))
    world.fails(39)

    call(world, idempotent=True)

    first, second, *rest = world.waits
    assert 1 <= first <= 2.5
    assert 2 <= second <= 3
    assert set(rest) == {3}


def test_waits_differ_where_chance_is_asked_for():
    firsts = set()
    for _ in range(20):
        world = World(retry=Retry(2, 1, 10, 5))
        world.fails(1)
        plainly(world, idempotent=True)
        firsts.update(world.waits)

    assert len(firsts) > 1


@both
@pytest.mark.parametrize("how", [pytest.param({}, id="not said"), pytest.param({"idempotent": False}, id="denied")])
def test_a_call_that_may_change_something_is_made_once(call, how):
    world = World()
    world.fails(1)

    with pytest.raises(SourceDown):
        call(world, **how)

    assert (world.asked, world.waits) == (1, [])


@both
@pytest.mark.parametrize(
    "raised",
    [
        pytest.param(UserError("No such person.", code="UNKNOWN"), id="a refusal"),
        pytest.param(KeyError("name"), id="a bug"),
        pytest.param(KeyboardInterrupt(), id="stopped"),
    ],
)
def test_what_will_not_pass_is_not_tried_again_and_goes_through_untouched(call, raised):
    world = World()
    world.answers = [raised]

    with pytest.raises(type(raised)) as caught:
        call(world, idempotent=True)

    assert caught.value is raised
    assert world.asked == 1


@both
def test_a_pack_may_name_its_own_passing_errors(call):
    world = World(transient=(ConnectionError, TimeoutError))
    world.answers = [ConnectionResetError(), TimeoutError()]

    assert call(world, idempotent=True) == "here"

    world.answers = [Transient()]
    with pytest.raises(Transient):
        call(world, idempotent=True)


@both
def test_who_tried_in_vain_hears_which_source_since_when_and_nothing_of_the_failure(call):
    world = World()
    world.fails(3)

    with pytest.raises(SourceDown) as down:
        call(world, idempotent=True)

    assert down.value.message == (
        "The registry has not answered since 2026-01-01T00:00:00Z, and can be tried again from now on. Your request is"
        " not the cause: send it again then, or go on without this source."
    )
    assert (down.value.code, down.value.details) == (
        SOURCE_DOWN,
        {
            "source": "The registry",
            "since": "2026-01-01T00:00:00Z",
            "tried_again_at": "2026-01-01T00:00:03Z",
            "retry_after_seconds": 0,
        },
    )
    assert CANARY not in down.value.message + str(down.value.details)


@both
def test_a_source_that_fails_again_and_again_is_left_alone_and_callers_hear_at_once(call):
    world = World()
    world.fails(5)
    for _ in range(2):
        with pytest.raises(SourceDown):
            call(world, idempotent=True)
    assert (world.asked, world.source.state, world.source.since) == (5, "down", START + timedelta(seconds=4))

    world.seconds += 10
    with pytest.raises(SourceDown) as down:
        call(world, idempotent=True)

    assert world.asked == 5
    assert down.value.details == {
        "source": "The registry",
        "since": "2026-01-01T00:00:04Z",
        "tried_again_at": "2026-01-01T00:00:34Z",
        "retry_after_seconds": 20,
    }
    assert "again in 20 s" in down.value.message


@both
def test_the_failure_that_ends_a_sources_credit_says_how_long_it_is_left_alone(call):
    world = World(breaker=Breaker(1, 30))
    world.fails(1)

    with pytest.raises(SourceDown) as down:
        call(world)

    assert (down.value.details["retry_after_seconds"], world.asked) == (30, 1)


@both
def test_failures_count_only_one_after_another(call):
    world = World(breaker=Breaker(3, 30))
    for _ in range(5):
        world.fails(2)
        for _ in range(2):
            with pytest.raises(SourceDown):
                call(world)
        call(world)

    assert (world.asked, world.source.state) == (15, "up")


def test_a_source_that_takes_its_time_is_not_down():
    world = World(breaker=Breaker(2, 30))

    def slow():
        world.seconds += 600
        return world.ask()

    assert [world.source.call(slow) for _ in range(5)] == ["here"] * 5
    assert world.source.state == "up"


@both
@pytest.mark.parametrize(
    "answer", [pytest.param("here", id="an answer"), pytest.param(UserError("No such person."), id="a refusal")]
)
def test_after_a_while_one_call_tries_and_an_answer_of_any_kind_takes_the_source_up_again(call, answer):
    world = World(breaker=Breaker(1, 30))
    world.fails(1)
    with pytest.raises(SourceDown):
        call(world)
    world.seconds += 30
    world.answers = [answer]

    if isinstance(answer, Exception):
        with pytest.raises(UserError, match="No such"):
            call(world)
    else:
        assert call(world) == "here"

    assert (world.source.state, world.source.since) == ("up", None)


@both
def test_a_trial_that_fails_leaves_it_alone_once_more_and_it_is_down_since_the_first_time(call):
    world = World(breaker=Breaker(1, 30))
    world.fails(4)
    for _ in range(3):
        with pytest.raises(SourceDown) as down:
            call(world, idempotent=True)
        world.seconds += 31

    assert world.asked == 3
    assert down.value.since == START
    assert down.value.details["retry_after_seconds"] == 30


def test_while_one_thread_tries_the_others_do_not():
    world = World(breaker=Breaker(1, 30))
    world.fails(1)
    with pytest.raises(SourceDown):
        plainly(world)
    world.seconds += 31
    trying, may_end, answers = threading.Event(), threading.Event(), []

    def slow():
        trying.set()
        assert may_end.wait(60)
        return "slow"

    thread = threading.Thread(target=lambda: answers.append(world.source.call(slow)))
    thread.start()
    assert trying.wait(60)
    state = world.source.state
    with pytest.raises(SourceDown) as down:
        plainly(world)
    may_end.set()
    thread.join(60)

    assert (answers, state, world.asked, world.source.state) == (["slow"], "trying", 1, "up")
    assert down.value.details["retry_after_seconds"] == 0


@pytest.mark.anyio
async def test_a_trial_that_is_cancelled_lets_the_next_one_try():
    world = World(breaker=Breaker(1, 30))
    world.fails(1)
    with pytest.raises(SourceDown):
        await world.source.call_async(world.ask_async)
    world.seconds += 31

    with anyio.CancelScope() as scope:

        async def ask():
            scope.cancel()
            await anyio.sleep_forever()

        await world.source.call_async(ask, idempotent=True)

    assert scope.cancelled_caught
    assert await world.source.call_async(world.ask_async) == "here"
    assert world.source.state == "up"


@pytest.mark.anyio
async def test_calls_that_run_together_do_not_wait_for_one_another():
    source, here, answers = Source("The registry"), anyio.Event(), []

    async def waits():
        await here.wait()
        answers.append("first")

    async def comes():
        here.set()
        answers.append("second")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(functools.partial(source.call_async, waits, idempotent=True))
        await anyio.wait_all_tasks_blocked()
        await source.call_async(comes, idempotent=True)

    assert answers == ["second", "first"]


def test_two_sources_fail_apart():
    one, other = World(breaker=Breaker(1)), World(breaker=Breaker(1))
    one.fails(1)
    with pytest.raises(SourceDown):
        plainly(one)

    assert (one.source.state, plainly(other), other.source.state) == ("down", "here", "up")


def test_the_log_tells_of_going_and_coming_once_and_of_each_attempt_without_its_words(caplog):
    caplog.set_level(logging.INFO, "packhorse.locator")
    world = World(retry=Retry(2, 1, 1, 0), breaker=Breaker(3, 30))
    world.fails(6)

    for _ in range(5):
        with pytest.raises(SourceDown):
            plainly(world, idempotent=True)
        world.seconds += 31
    plainly(world, idempotent=True)

    assert [(record.levelname, record.getMessage()) for record in caplog.records if record.levelno > logging.INFO] == [
        ("WARNING", "The registry does not answer; it is left alone, and tried every 30 s"),
        ("WARNING", "The registry answers again, after 124 s"),
    ]
    assert "The registry did not answer (Transient), attempt 1 of 2" in caplog.messages
    assert CANARY not in caplog.text
    assert {record.source for record in caplog.records} == {"The registry"}


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(lambda: Retry(attempts=0), id="no attempt"),
        pytest.param(lambda: Retry(first_seconds=-1), id="a wait before now"),
        pytest.param(lambda: Retry(most_seconds=-1), id="a longest wait before now"),
        pytest.param(lambda: Retry(jitter_seconds=-1), id="chance before now"),
        pytest.param(lambda: Breaker(failures=0), id="no failure"),
        pytest.param(lambda: Breaker(open_seconds=0), id="no time alone"),
    ],
)
def test_rules_that_make_no_sense_stop_the_start(wrong):
    with pytest.raises(PackError, match="must be"):
        wrong()


@pytest.mark.parametrize("kind", [Exception, UserError])
def test_a_refusal_cannot_be_called_a_failure_of_the_source(kind):
    with pytest.raises(PackError, match="also occurs when the source refuses"):
        Source("The registry", transient=(ConnectionError, kind))


def test_making_one_loads_neither_the_libraries_nor_the_protocol():
    found = (
        "import sys; from packhorse_locator.service.sources import Source; Source('x');"
        " print({'tenacity', 'interlock', 'mcp'} & set(sys.modules))"
    )

    assert subprocess.check_output([sys.executable, "-c", found], text=True).strip() == "set()"
