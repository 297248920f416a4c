"""As a family member would try it, with an assistant: in Spanish and English, with both surnames misspelt."""

import pytest
from tests.locator import trial

pytestmark = pytest.mark.anyio


async def test_the_pages_of_the_trial_are_what_a_client_gets(tmp_path):
    page, _ = await trial.played(tmp_path)

    assert page == trial.PAGE.read_text(encoding="utf-8"), "python -m tests.locator.trial"


async def test_a_family_finds_the_person_in_three_calls_and_1500_tokens_in_either_language(tmp_path):
    _, walks = await trial.played(tmp_path)

    assert [walk.language for walk in walks] == ["es", "en"]
    for walk in walks:
        assert walk.calls <= 3
        assert walk.tokens <= 1500
        assert walk.name == "«JOSE GUADALUPE HERNANDEZ MARQUEZ»"
        assert walk.phone == "(229) 838-5000"
