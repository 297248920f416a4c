"""What a deployment offers: collected once, in a stable order, and never changed after."""

import functools
import logging
from typing import Annotated, Any

import pytest

from packhorse import Context, Guard, Host, PackError, Prompt, Resolve, Resource, Tool, UserError, Verifier
from packhorse.door.catalogue import Catalogue


def age(day: int = 1) -> int:
    """How many days old the moon is."""
    return day


def phase() -> str:
    """Which phase the moon is in."""
    return "full"


def greet(name: str = "you") -> str:
    """Say hello."""
    return name


def fact() -> str:
    return "round"


def nobody(credential: str) -> None: ...


def names(catalogue: Catalogue) -> list[str]:
    return list(catalogue.tools)


# --- what becomes of an offer ---


def test_a_plain_function_is_a_tool_with_every_default(make_pack, deploy):
    entry = deploy(moon=make_pack(tools=[age])).catalogue.tools["age"]

    assert (entry.pack, entry.name, entry.description) == ("moon", "age", "How many days old the moon is.")
    assert entry.offer == Tool(fn=age)
    assert entry.arguments.schema["properties"] == {"day": {"default": 1, "type": "integer"}}
    assert entry.answers.schema["properties"] == {"result": {"type": "integer"}}


def test_what_a_tool_says_of_itself_wins_over_its_function(make_pack, deploy):
    tool = Tool(fn=age, name="moon.age", description="Another.", input_schema={"type": "object"})
    entry = deploy(moon=make_pack(tools=[tool])).catalogue.tools["moon.age"]

    assert (entry.description, entry.arguments.schema) == ("Another.", {"type": "object"})


def test_a_description_is_the_docstring_without_its_indent(make_pack, deploy):
    def indented() -> str:
        """First line.

        Second line.
        """
        return ""

    assert deploy(moon=make_pack(tools=[indented])).catalogue.tools["indented"].description == (
        "First line.\n\nSecond line."
    )


class Desk:
    """A desk of tools."""

    def find(self, name: str) -> str:
        """Find somebody."""
        return name


def test_prompts_and_resources_may_go_without_a_description(make_pack, deploy):
    catalogue = deploy(moon=make_pack(prompts=[greet], resources=[Resource(uri="facts://moon", fn=fact)])).catalogue

    assert catalogue.prompts["greet"].description == "Say hello."
    assert (catalogue.resources["facts://moon"].name, catalogue.resources["facts://moon"].description) == ("fact", None)
    assert not catalogue.resources["facts://moon"].is_template


def test_a_hook_gets_the_host_of_its_pack(make_pack, deploy):
    seen: list[Host] = []

    def register(host: Host) -> list[Any]:
        seen.append(host)
        return [age]

    deploy(moon=make_pack(tools=register), sun=make_pack(tools=[phase]))

    assert [host.pack for host in seen] == ["moon"]


def test_a_hook_may_return_anything_to_iterate(make_pack, deploy):
    def register() -> Any:
        yield age
        yield phase

    assert names(deploy(moon=make_pack(tools=register)).catalogue) == ["age", "phase"]


# --- all together ---


def test_offers_come_by_pack_as_served_and_then_as_the_pack_lists_them(make_pack, deploy):
    sun, moon = make_pack(tools=[greet]), make_pack(tools=[phase, age])

    assert names(deploy(sun=sun, moon=moon).catalogue) == ["greet", "phase", "age"]
    assert names(deploy(server={"packs": ("moon", "sun")}, sun=sun, moon=moon).catalogue) == ["phase", "age", "greet"]


def test_the_catalogue_cannot_be_changed(make_pack, deploy):
    catalogue = deploy(moon=make_pack(tools=[age], prompts=[greet])).catalogue

    for shelf in (catalogue.tools, catalogue.resources, catalogue.prompts, catalogue.local_names):
        with pytest.raises(TypeError):
            shelf["more"] = None
    with pytest.raises(AttributeError):
        catalogue.tools = {}
    with pytest.raises(AttributeError):
        catalogue.tools["age"].name = "other"


# --- names ---


@pytest.mark.parametrize(
    ("kind", "offer", "name", "cure"),
    [
        pytest.param(
            "tools", Tool(fn=age), "age", 'Write prefix = "sun_" or exclude = ["age"] under [packs.sun]', id="tool"
        ),
        pytest.param(
            "prompts",
            Prompt(fn=greet),
            "greet",
            'prefix = "sun_" or exclude = ["greet"] under [packs.sun]',
            id="prompt",
        ),
        pytest.param(
            "resources",
            Resource(uri="facts://{day}", fn=age),
            "facts://{day}",
            'Write exclude = ["facts://{day}"] under [packs.sun]',
            id="template",
        ),
    ],
)
def test_two_packs_with_one_name_stop_the_start_and_the_cure_is_spelled_out(make_pack, deploy, kind, offer, name, cure):
    with pytest.raises(PackError) as refused:
        deploy(moon=make_pack(**{kind: [offer]}), sun=make_pack(**{kind: [offer]}))
    said = str(refused.value)

    assert f"packs 'moon' and 'sun' both offer a {kind.removesuffix('s')} {name!r}" in said
    assert cure in said


def test_the_cures_do_cure(make_pack, deploy):
    packs = {"moon": make_pack(tools=[age]), "sun": make_pack(tools=[age])}

    assert names(deploy(tables={"sun": {"prefix": "sun_"}}, **packs).catalogue) == ["age", "sun_age"]
    assert names(deploy(tables={"sun": {"exclude": ("age",)}}, **packs).catalogue) == ["age"]
    assert names(deploy(server={"packs": ("sun",)}, **packs).catalogue) == ["age"]


def test_a_pack_that_clashes_with_itself_stops_the_start(make_pack, deploy):
    with pytest.raises(PackError, match="pack 'moon' offers the tool 'age' twice"):
        deploy(moon=make_pack(tools=[age, age]))


def test_a_tool_and_a_prompt_may_share_a_name(make_pack, deploy):
    catalogue = deploy(moon=make_pack(tools=[greet], prompts=[greet])).catalogue

    assert (list(catalogue.tools), list(catalogue.prompts)) == (["greet"], ["greet"])


def test_a_prefix_is_put_before_tools_and_prompts_and_not_before_uris(make_pack, deploy):
    module = make_pack(tools=[age], prompts=[greet], resources=[Resource(uri="facts://moon", fn=fact)])
    catalogue = deploy(tables={"moon": {"prefix": "m_"}}, moon=module).catalogue

    assert (list(catalogue.tools), list(catalogue.prompts), list(catalogue.resources)) == (
        ["m_age"],
        ["m_greet"],
        ["facts://moon"],
    )
    assert catalogue.local_names == {("moon", "age"): "m_age"}


def test_a_name_that_a_prefix_makes_too_long_is_refused(make_pack, deploy):
    module = make_pack(tools=[Tool(fn=age, name="a" * 120)])
    broken = deploy(tables={"moon": {"prefix": "moon_in_full_"}}, moon=module).catalogue.broken

    assert "1 to 128" in broken[0].reason


@pytest.mark.parametrize("name", ["age", "greet", "facts://moon"])
def test_what_is_excluded_is_not_served(make_pack, deploy, name):
    module = make_pack(tools=[age], prompts=[greet], resources=[Resource(uri="facts://moon", fn=fact)])
    catalogue = deploy(tables={"moon": {"exclude": (name,), "prefix": "m_"}}, moon=module).catalogue

    served = [*catalogue.tools, *catalogue.prompts, *catalogue.resources]
    assert served == [
        one for one in ("m_age", "m_greet", "facts://moon") if one != (f"m_{name}" if "/" not in name else name)
    ]


def test_an_exclusion_of_nothing_is_refused_with_what_there_is(make_pack, deploy):
    module = make_pack(tools=[age], prompts=[greet], resources=[Resource(uri="facts://moon", fn=fact)])

    with pytest.raises(PackError, match=r"\[packs.moon\] lists 'aeg', .*: age, facts://moon, greet"):
        deploy(tables={"moon": {"exclude": ("aeg",)}}, moon=module)


# --- packs that break ---


def boom(host: Host) -> Any:
    raise ValueError("no table")


def leave(host: Host) -> Any:
    raise SystemExit("gone")


def forget(host: Host) -> Any: ...


def halfway(host: Host) -> Any:
    yield phase
    raise UserError("no second tool")


class Odd: ...


def undescribed() -> str:
    return ""


def undescribable(thing: Odd) -> str:
    """Take something odd."""
    return ""


def unanswerable() -> Odd:
    """Give something odd."""
    return Odd()


def described(**given: Any) -> str:
    """Take anything."""
    return ""


BREAKING = [
    pytest.param({"tools": boom}, "ValueError: no table", id="it raises"),
    pytest.param({"tools": leave}, "SystemExit: gone", id="it exits"),
    pytest.param({"tools": halfway}, "no second tool", id="it raises halfway"),
    pytest.param({"tools": forget}, "register_tools returned None; return a list", id="it forgets to return"),
    pytest.param({"tools": 5}, "register_tools must return a list, but returned int", id="a number"),
    pytest.param({"tools": "age"}, "register_tools must return a list, but returned str", id="a text"),
    pytest.param({"tools": {"age": age}}, "register_tools must return a list, but returned dict", id="a mapping"),
    pytest.param({"tools": [5]}, "register_tools returned int; return Tool values", id="a list of numbers"),
    pytest.param({"tools": [Odd]}, "register_tools returned type; return Tool values", id="a class"),
    pytest.param({"tools": [Prompt(fn=greet)]}, "register_tools returned Prompt; return Tool values", id="a prompt"),
    pytest.param({"resources": [fact]}, "register_resources returned function; return Resource", id="a function"),
    pytest.param({"prompts": [Tool(fn=age)]}, "register_prompts returned Tool; return Prompt values", id="a tool"),
    pytest.param({"tools": [undescribed]}, "tool 'undescribed' has no description: give its function", id="no words"),
    pytest.param({"tools": [undescribable]}, "tool 'undescribable': ", id="an argument without a schema"),
    pytest.param({"tools": [unanswerable]}, "tool 'unanswerable': its return type has no JSON", id="such an answer"),
    pytest.param(
        {"tools": [Tool(fn=age, self_argument="who")]}, "tool 'age': self_argument 'who' is not one", id="no self"
    ),
    pytest.param(
        {"tools": [Tool(fn=described, input_schema={"type": "objekt"})]},
        "tool 'described': its input schema",
        id="schema",
    ),
    pytest.param(
        {"prompts": [Prompt(fn=greet, arguments={"nmae": "Who"})]},
        "prompt 'greet': 'nmae' is described or completed, but the function has no such argument",
        id="argument",
    ),
    pytest.param(
        {"prompts": [Prompt(fn=greet, complete={"nmae": lambda text: []})]},
        "prompt 'greet': 'nmae' is described or completed",
        id="complete",
    ),
    pytest.param(
        {"resources": [Resource(uri="facts://{dya}", fn=greet, complete={"day": lambda text: []})]},
        "resource 'facts://{dya}': the variable 'day' has a completion, but is not in the URI",
        id="completion of a variable that is not there",
    ),
    pytest.param(
        {"resources": [Resource(uri="facts://{dya}", fn=functools.partial(Desk().find))]},
        "resource 'facts://{dya}' has no variable 'name', which its function needs",
        id="a variable that the function needs",
    ),
]


@pytest.mark.parametrize(("hooks", "reason"), BREAKING)
def test_a_pack_whose_hook_fails_is_put_aside_whole_and_the_others_serve(make_pack, deploy, caplog, hooks, reason):
    good = {"tools": [age]} if "tools" not in hooks else {"prompts": [greet]}
    catalogue = deploy(bad=make_pack(**{**good, **hooks}), sun=make_pack(tools=[phase])).catalogue
    (broken,) = catalogue.broken

    assert (broken.found.name, broken.found.version) == ("bad", "1.2")
    assert broken.reason.startswith(reason)
    assert (list(catalogue.tools), list(catalogue.prompts), list(catalogue.resources)) == (["phase"], [], [])
    assert [pack.found.name for pack in catalogue.packs] == ["sun"]
    assert f"pack bad 1.2 is not served: {broken.reason}" in caplog.messages


@pytest.mark.parametrize(
    "uri", ["a://{name}", "a://{+name}", "a://{/name*}", "a://{?other,name}", "a://{name:3}", "a://x{#name}"]
)
def test_variables_are_read_in_every_form_of_a_template(make_pack, deploy, uri):
    resource = Resource(uri=uri, fn=Desk().find, unchecked=["name"])
    catalogue = deploy(desk=make_pack(resources=[resource])).catalogue

    assert catalogue.broken == ()
    assert catalogue.resources[uri].is_template


def test_what_the_host_fills_in_is_no_variable(make_pack, deploy):
    def read(ctx: Context, who: Annotated[str, Resolve(fact)], name: str, more: int = 1) -> str:
        return name

    assert deploy(desk=make_pack(resources=[Resource(uri="a://{name}", fn=read)])).catalogue.broken == ()


# --- who is asked ---


def verdict(principal: Any, call: Any) -> None: ...


def test_verifiers_and_guards_are_kept_in_the_order_of_packs(make_pack, deploy):
    first, second = Verifier(nobody), Verifier(lambda credential: None)
    guard = Guard(verdict)
    moon, sun = make_pack(auth=[first, guard]), make_pack(auth=[second])

    catalogue = deploy(moon=moon, sun=sun).catalogue

    assert catalogue.verifiers == (first, second)
    assert [one.judge for one in catalogue.guards] == [verdict]


def test_a_guard_for_what_is_not_served_is_told_to_the_deployer(make_pack, deploy, caplog):
    with caplog.at_level(logging.WARNING):
        deploy(moon=make_pack(tools=[age], auth=[Guard(verdict, tools=["aeg"])]))

    assert "a guard is for the tool 'aeg', which is not served here" in caplog.messages


@pytest.mark.parametrize(
    "auth",
    [
        pytest.param(boom, id="it raises"),
        pytest.param([5], id="it returns something else"),
        pytest.param(forget, id="it forgets to return"),
    ],
)
def test_a_pack_that_guards_the_others_is_not_put_aside_in_silence(make_pack, deploy, auth):
    with pytest.raises(PackError, match=r"pack 'keeper' .* checks who may call, but cannot"):
        deploy(keeper=make_pack(auth=auth), sun=make_pack(tools=[phase]))
