"""`packhorse call --login` and its like; `packhorse sign-ins`."""

import json
import stat
import sys
from pathlib import Path

import pytest
from stable import HERE
from walking import Person, Program

from live import in_here

pytestmark = pytest.mark.wire

BROWSER = f"{sys.executable} {HERE / 'browser.py'} %s"


@pytest.fixture
def run(monkeypatch, capfd, place, tmp_path):
    """Runs a command line as a user whose own folder is empty."""
    here = in_here(monkeypatch, capfd)

    def ran(*arguments: str, **env: str):
        given = {"BROWSER": BROWSER, "XDG_DATA_HOME": str(tmp_path), "WALKER": "ada@example.org", **env}
        return here(place.bench, *arguments, **given)

    return ran


@pytest.fixture
def url(place):
    return place.served.url


def kept_in(folder: Path) -> list[Path]:
    return list((folder / "packhorse" / "signed-in").iterdir())


def test_a_person_signs_in_once_and_calls_as_often_as_they_like(run, url, tmp_path):
    first = run("call", "--url", url, "--login", "saddle", '{"horse": "Ada"}')
    again = run("call", "--url", url, "--login", "saddle", '{"horse": "Bess"}', BROWSER="false %s")

    assert first.stdout == "Ada is saddled\n"
    assert "Sign in in your browser: http://127.0.0.1" in first.stderr
    assert (again.stdout, again.stderr) == ("Bess is saddled\n", "")
    (kept,) = kept_in(tmp_path)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700


def test_a_token_that_has_ended_is_renewed_without_the_person(run, url, tmp_path):
    run("call", "--url", url, "--login", "whoami")
    (kept,) = kept_in(tmp_path)
    before = json.loads(kept.read_text())
    kept.write_text(json.dumps({**before, "ends": 1}))

    again = run("call", "--url", url, "--login", "whoami", BROWSER="false %s")

    assert "ada@example.org" in again.stdout
    assert json.loads(kept.read_text())["tokens"]["refresh_token"] != before["tokens"]["refresh_token"]


def test_tools_are_listed_for_the_person_who_signs_in(run, url, tmp_path):
    elsewhere = {"WALKER": "bob@example.org", "XDG_DATA_HOME": str(tmp_path / "of-bob")}

    assert "saddle (horse)" in run("tools", "--url", url, "--login").stdout
    assert "saddle" not in run("tools", "--url", url, "--login", **elsewhere).stdout


def test_who_is_signed_in_without_a_role_hears_as_whom_and_who_gives_roles(run, url):
    ran = run("call", "saddle", "--url", url, "--login", WALKER="bob@example.org")

    assert "There is no tool 'saddle' that you may call" in ran.stderr
    assert "You are signed in as bob@example.org, with no role: the operator gives roles." in ran.stderr


def test_whoever_refuses_is_told_once_that_they_are_not_signed_in(run, url, tmp_path, caplog):
    refused = run("call", "--url", url, "--login", "whoami", WALKER_ANSWERS="no")

    assert refused.returncode == 1
    assert "The person refused." in refused.stderr
    assert "NOT_SIGNED_IN" in refused.stderr
    assert "authorization code" not in refused.stderr
    assert [record for record in caplog.records if record.exc_info] == []
    assert kept_in(tmp_path) == [] or "tokens" not in json.loads(kept_in(tmp_path)[0].read_text())


def test_no_token_is_asked_for_over_plain_http(run):
    refused = run("call", "--url", "http://tools.example.org/mcp", "--login", "whoami")

    assert "in clear text" in refused.stderr


def test_prompts_of_a_server_are_shown(run, url):
    run("call", "--url", url, "--login", "whoami")

    assert run("prompt", "--url", url, "--login", "groom", "horse=Ada").stdout == "user: Groom Ada.\n"
    assert "Did you mean 'groom'?" in run("prompt", "--url", url, "--login", "grom").stderr


def test_the_operator_sees_who_is_signed_in_and_ends_it(run, place):
    scribe = Program.registered(place.address)
    refresh = Person(place.address, "cleo@example.org").tokens(scribe)["refresh_token"]

    listed = run("sign-ins")
    ended = run("sign-ins", "--revoke", "cleo@example.org")

    assert "cleo@example.org  Scribe  since 20" in listed.stdout
    assert ended.stdout == "1 sign-in of cleo@example.org ended.\n"
    assert scribe.renewed(refresh).status_code == 400
    assert "cleo@example.org" not in run("sign-ins").stdout
    assert json.loads(run("sign-ins", "--revoke", "cleo@example.org", "--json").stdout)["ended"] == 0
    nobody = run("sign-ins", "--revoke", "cleo@example.org")
    assert (nobody.returncode, "nobody is signed in as 'cleo@example.org'" in nobody.stderr) == (1, True)


def test_who_signed_in_at_a_terminal_can_sign_out(run, url, tmp_path):
    assert run("sign-out").stdout == "You are signed in to no server.\n"
    run("call", "whoami", "--url", url, "--login", WALKER="cleo@example.org")
    listed, typo = run("sign-out").stdout, run("sign-out", f"{url}p")
    before = run("sign-ins").stdout.count("cleo@example.org")
    out = run("sign-out", url)

    assert listed == f"{url}\n"
    assert f"Did you mean '{url}'?" in typo.stderr
    assert out.stdout == f"Signed out of {url}.\n"
    assert run("sign-ins").stdout.count("cleo@example.org") == before - 1
    assert kept_in(tmp_path) == []
    assert run("sign-out", url).returncode == 1
