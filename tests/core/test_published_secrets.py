"""A secret that stands in a document is nobody's: the host refuses it, and our pages print none."""

import re
from pathlib import Path

import pytest

from packhorse import PackError
from packhorse.settings import load
from packhorse.settings.security import KEY_BYTES, PUBLISHED

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("plugins/*/README.md"), *ROOT.glob("deploy/**/*")]
PLACES = [
    pytest.param("PACKHORSE_AUTH_SECRET", "secret", id="the secret of tokens"),
    pytest.param("PACKHORSE_AUDIT_KEY", "key", id="the key of the record"),
    pytest.param("PACKHORSE_SERVER_STATE_KEY", "state_key", id="the key of questions"),
]


@pytest.mark.parametrize(("variable", "key"), PLACES)
@pytest.mark.parametrize("secret", sorted(PUBLISHED))
def test_a_published_secret_is_refused_with_how_to_make_one(tmp_path, variable, key, secret):
    with pytest.raises(PackError, match=rf"{key} \(from {variable}\): this one is printed.*openssl rand") as refused:
        load(environ={"XDG_CONFIG_HOME": str(tmp_path), variable: secret})
    assert secret not in str(refused.value)


@pytest.mark.parametrize(("variable", "key"), PLACES)
def test_one_of_the_deployers_own_is_taken(tmp_path, variable, key):
    load(environ={"XDG_CONFIG_HOME": str(tmp_path), variable: "b2c4" * 10})


def test_no_page_prints_a_secret_that_would_be_taken():
    literal = re.compile(r"""(?:secret|key)"?\s*[=:]\s*["']([^"'$]+)["']""", re.IGNORECASE)
    pages = [page for page in PAGES if page.is_file()]
    printed = [(page.name, value) for page in pages for value in literal.findall(page.read_text("utf-8"))]
    assert [one for one in printed if len(one[1].encode()) >= KEY_BYTES and one[1] not in PUBLISHED] == []
    assert pages
