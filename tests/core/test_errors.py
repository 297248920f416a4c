"""What packhorse raises on purpose."""

import pickle

import pytest

from packhorse import PackError, PackhorseError, RequestError, UserError
from packhorse.errors import AUTHORIZATION, INVALID_PARAMS


@pytest.mark.parametrize("kind", [UserError, PackError, RequestError])
def test_one_root_catches_whatever_is_raised_on_purpose(kind):
    assert issubclass(kind, PackhorseError)


def test_a_refusal_needs_only_its_words():
    refusal = UserError("Ask for a year from 1900.")

    assert (str(refusal), refusal.message) == ("Ask for a year from 1900.", "Ask for a year from 1900.")
    assert (refusal.code, refusal.jsonrpc_code, refusal.details) == ("REFUSED", INVALID_PARAMS, {})


def test_a_refusal_keeps_its_own_copy_of_the_details():
    details = {"limit": 3}
    refusal = UserError("Too many.", details=details)
    details["limit"] = 4

    assert refusal.details == {"limit": 3}


def test_a_refusal_survives_the_way_out_of_a_child_process():
    refusal = UserError("Too many.", code="TOO_MANY", jsonrpc_code=-32005, details={"limit": 3})

    back = pickle.loads(pickle.dumps(refusal))

    assert vars(back) == vars(refusal)
    assert str(back) == "Too many."


def test_a_request_error_survives_the_way_out_of_a_child_process():
    error = RequestError(AUTHORIZATION, "authorization", "Not for you.", details={"name": "age"})

    back = pickle.loads(pickle.dumps(error))

    assert vars(back) == vars(error)
    assert str(back) == "Not for you."
