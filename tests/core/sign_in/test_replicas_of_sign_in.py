"""Two replicas with one database: what one began the other finishes, and what happens once happens once."""

from dataclasses import replace

import pytest
from stable import SECRET, place_with, stable_in
from walking import Person, Program

pytestmark = pytest.mark.drill


def test_a_sign_in_goes_on_at_another_replica(tmp_path, provider, new_database):
    shared = {"PACKHORSE_SERVER_DATABASE": new_database(), "PACKHORSE_SERVER_STATE_KEY": SECRET,
              "PACKHORSE_SERVER_REPLICAS": "2"}  # fmt: skip
    with place_with(tmp_path / "one", provider, env=shared) as one:
        other_bench = stable_in(tmp_path / "two", provider, one.served.port)
        with other_bench.serving("stable", env=shared) as two:
            here = Program.registered(one.address)
            there = replace(here, address=two.address)
            code = Person(one.address).signed_in(here)["code"]

            first = there.token(code)
            assert first.status_code == 200
            second = here.renewed(first.json()["refresh_token"])
            assert second.status_code == 200
            assert there.renewed(first.json()["refresh_token"]).status_code == 400
            assert here.renewed(second.json()["refresh_token"]).status_code == 400

            returning = Person(one.address)
            answer = returning.at_provider(returning.agreed(returning.asked(here)))
            assert returning.back(answer.replace(one.address, two.address)).status_code == 303
            assert returning.back(answer).status_code == 403
