"""A search for a person, shown: where, how sure, and not a figure more than the text says."""

import re

import anyio
import pytest

from packhorse.contract.principal import Principal
from packhorse.testing import connected, deployment_for
from packhorse_locator import pack as locator
from served import served

FAMILY = Principal("anonymous")
ADVOCATE = Principal("human", subject="ada", roles=frozenset({"ADVOCATE"}))
CASES = {
    "found": (FAMILY, "search_by_name", {"first_name": "Jose Guadalupe", "last_name": "Hernandes Marques"}),
    "several": (ADVOCATE, "search_by_name", {"first_name": "Mohamed", "last_name": "Ali"}),
    "by number": (ADVOCATE, "search_by_alien_number", {"alien_number": "A900100028", "include_history": True}),
    "nobody": (FAMILY, "search_by_name", {"first_name": "Xaver", "last_name": "Huberbauer"}),
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Each search on the sample registry, by name of the case."""
    deployment = deployment_for(data_dir=tmp_path_factory.mktemp("registry"), locator=locator)

    async def ask(principal, tool, arguments):
        async with connected(deployment, principal=principal) as client:
            return await served(client, tool, arguments)

    return {name: anyio.run(ask, *case) for name, case in CASES.items()}


@pytest.fixture(params=CASES)
def answer(request, answers):
    return answers[request.param]


def show(client, one, **options):
    view = client(one.html, **options)
    view.answer(one.arguments, one.result)
    return view


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
def test_a_search_can_be_read_in_both_schemes_and_on_a_narrow_screen(client, answer, theme, width):
    measured = show(client, answer, theme=theme, width=width).measured()
    assert (measured["faint"], measured["small"], measured["wide"]) == ([], [], 0)


def test_the_view_has_every_sentence_of_the_summary_and_no_figure_or_quotation_beyond_the_text(client, answer):
    text, shown = answer.result["content"][0]["text"], show(client, answer).text
    assert answer.result["structuredContent"]["summary"] in shown
    assert {int(one) for one in re.findall(r"\d+", shown)} <= {int(one) for one in re.findall(r"\d+", text)}
    assert set(re.findall("«[^»]*»", shown)) <= set(re.findall("«[^»]*»", text))


def test_where_and_how_sure_stand_in_the_words_of_the_text(client, answers):
    (found,) = answers["found"].result["structuredContent"]["results"]
    view = show(client, answers["found"])
    facts = view.inside("Object.fromEntries([...document.querySelectorAll('dt')].map((it) => [it.innerText, "
                        "[...it.parentElement.querySelectorAll('dd')].at(-1).innerText]))")  # fmt: skip
    assert facts["Held at"] == found["facility_name"]
    assert facts["Name match"] in answers["found"].result["content"][0]["text"]
    assert found["name"] in view.text
