"""As a family member would try it: in Spanish, with both surnames misspelt."""

import pytest
from tests.locator import trial
from tests.locator.factories import FAMILY, NOBODY

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("who", [NOBODY, FAMILY], ids=["without an account", "with one"])
async def test_the_son_is_found_first_with_the_telephone_and_what_to_do(client, who):
    async with client(who) as caller:
        prompt = await caller.get_prompt("find_family_member", {"language": "es", "name": "José Guadalupe"})
        reply = await caller.call_tool(
            "parse_natural_query",
            {
                "query": "busco a mi ijo jose guadalupe ernandes markez de mexico",
                "language": "es",
                "auto_execute": True,
            },
        )
        best = reply.structured_content["execution_result"]["results"][0]
        place = await caller.call_tool("get_facility_info", {"facility_name": best["facility_name"]})

    steps = reply.structured_content["execution_result"]["next_steps"]
    assert set(steps) == {"en", "es", "pt", "ht"}
    assert "Llame al centro" in reply.content[0].text
    assert "teléfono" in prompt.messages[0].content.text
    assert best["name"] == "JOSE GUADALUPE HERNANDEZ MARQUEZ"
    assert best["confidence_score"] >= 0.8
    assert best["facility_phone"] == "(229) 838-5000"
    assert place.structured_content["facility"]["contact"]["phone"] == "(229) 838-5000"


async def test_when_nobody_is_found_the_answer_says_in_spanish_what_to_do(client):
    async with client(NOBODY) as caller:
        reply = await caller.call_tool(
            "parse_natural_query",
            {"query": "busco a mi hijo zacarias quezalteco ixtabal", "language": "es", "auto_execute": True},
        )

    assert "no significa que no esté detenido" in reply.content[0].text
    assert "Hable con un abogado" in reply.content[0].text


async def test_the_page_of_the_trial_is_what_a_client_gets(tmp_path):
    assert await trial.played(tmp_path) == trial.PAGE.read_text(encoding="utf-8"), "python -m tests.locator.trial"
