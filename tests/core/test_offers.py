"""What hooks return: checks that concern one offer alone."""

import functools
from dataclasses import FrozenInstanceError

import pytest

from packhorse import Guard, Pack, PackError, Prompt, Resource, Tool, Verifier
from packhorse.contract.offers import Example, Icon
from packhorse.contract.packs import Call, Scene


def age(day: int) -> int:
    """How old."""
    return day


@pytest.mark.parametrize("name", ["a", "a.b", "A-1_b", "x" * 128])
def test_a_name_is_what_the_protocol_allows(name):
    assert Tool(fn=age, name=name).name == name
    assert Prompt(fn=age, name=name).name == name


@pytest.mark.parametrize("name", ["a b", "a/b", "größe", "x" * 129, "a\n"])
@pytest.mark.parametrize("kind", [Tool, Prompt], ids=["tool", "prompt"])
def test_any_other_name_is_refused(kind, name):
    with pytest.raises(PackError, match="1 to 128 characters: letters, digits"):
        kind(fn=age, name=name)


def test_a_function_whose_name_is_none_has_to_be_given_one():
    with pytest.raises(PackError, match="tool '<lambda>'"):
        Tool(fn=lambda: 1)

    assert Tool(fn=lambda: 1, name="one").name == "one"
    assert Tool(fn=functools.partial(age, 1)).name is None


@pytest.mark.parametrize("uri", ["facts", "/facts", "facts:moon"])
def test_a_resource_needs_a_uri_with_a_scheme(uri):
    with pytest.raises(PackError, match="write a URI with a scheme, such as facts://moon"):
        Resource(uri=uri, fn=age)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param({"timeout": 0}, "tool 'age': timeout must be above 0 seconds", id="no time"),
        pytest.param({"timeout": -1}, "timeout must be above 0 seconds", id="less than none"),
        pytest.param({"timeout": float("nan")}, "timeout must be above 0 seconds", id="not a number"),
        pytest.param({"concurrency": 0}, "tool 'age': concurrency must be at least 1", id="no call at a time"),
    ],
)
def test_a_limit_under_which_nothing_could_run_is_refused(options, said):
    with pytest.raises(PackError, match=said):
        Tool(fn=age, **options)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: Tool(fn=age, roles="ADMIN"), id="roles of a tool"),
        pytest.param(lambda: Resource(uri="a://b", fn=age, roles="ADMIN"), id="roles of a resource"),
        pytest.param(lambda: Resource(uri="a://{b}", fn=age, unchecked="b"), id="variables of a resource"),
        pytest.param(lambda: Prompt(fn=age, roles="ADMIN"), id="roles of a prompt"),
        pytest.param(lambda: Guard(lambda principal, call: None, tools="age"), id="tools of a guard"),
    ],
)
def test_a_text_is_not_taken_for_a_list_of_its_letters(make):
    with pytest.raises(PackError, match="must be a list of names"):
        make()


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(Tool(fn=age), id="tool"),
        pytest.param(Resource(uri="a://b", fn=age), id="resource"),
        pytest.param(Prompt(fn=age), id="prompt"),
        pytest.param(Guard(lambda principal, call: None), id="guard"),
        pytest.param(Verifier(lambda credential: None), id="verifier"),
        pytest.param(Call("age", "moon", {}), id="call"),
        pytest.param(Pack(title="Moon"), id="pack"),
        pytest.param(Icon("data:,"), id="icon"),
        pytest.param(Example({}), id="example"),
        pytest.param(Scene("Moon", [], lambda answers: []), id="scene"),
    ],
)
def test_what_a_hook_returns_cannot_be_changed_afterwards(value):
    with pytest.raises(FrozenInstanceError):
        setattr(value, next(iter(type(value).__dataclass_fields__)), None)
