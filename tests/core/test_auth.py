"""Who is calling, from the credential that is shown."""

import anyio.lowlevel
import pytest

from packhorse import Principal, RequestError, UserError, Verifier
from packhorse.contract.principal import ANONYMOUS
from packhorse.door.authorization import Callers

pytestmark = pytest.mark.anyio

ADA = Principal("human", "ada")
BO = Principal("human", "bo")


def knows(credential: str, principal: Principal) -> Verifier:
    return Verifier(lambda shown: principal if shown == credential else None)


async def slowly(shown: str) -> Principal | None:
    await anyio.lowlevel.checkpoint()
    return ADA if shown == "slow" else None


def refuses(shown: str) -> Principal | None:
    if shown.startswith("stale"):
        raise UserError("It has expired; ask for another.", code="EXPIRED")
    return None


@pytest.mark.parametrize(
    ("credential", "principal"),
    [
        pytest.param(None, ANONYMOUS, id="none at all"),
        pytest.param("a", ADA, id="one that the first knows"),
        pytest.param("b", BO, id="one that only the second knows"),
        pytest.param("slow", ADA, id="one that takes a while to look up"),
    ],
)
async def test_the_first_that_knows_a_credential_decides(credential, principal):
    verifiers = [knows("a", ADA), Verifier(slowly), knows("b", BO), knows("a", BO)]

    assert await Callers(verifiers).identify(credential) == principal


@pytest.mark.parametrize(
    ("verifiers", "credential", "message"),
    [
        pytest.param([], "a", "does not accept this credential", id="nobody to ask"),
        pytest.param([knows("a", ADA)], "b", "does not accept this credential", id="nobody knows it"),
        pytest.param([knows("a", ADA)], "", "does not accept this credential", id="an empty one"),
        pytest.param(
            [Verifier(refuses), knows("stale-a", ADA)], "stale-a", "It has expired", id="the one whose it is says no"
        ),
    ],
)
async def test_a_credential_that_is_shown_must_hold(verifiers, credential, message):
    with pytest.raises(RequestError, match=message) as caught:
        await Callers(verifiers).identify(credential)

    assert (caught.value.code, caught.value.error_type) == (-32000, "authentication")
    if credential:
        assert credential not in caught.value.message.split()


async def test_a_verifier_that_fails_lets_nobody_in():
    with pytest.raises(RequestError, match="cannot verify credentials"):
        await Callers([Verifier(lambda shown: 1 // 0), knows("a", ADA)]).identify("a")
