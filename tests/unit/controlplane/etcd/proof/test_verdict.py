"""A verdict passes through a termination message; anything else is none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.api.conditions import RestoreProofReason
from hypershift.controlplane.etcd.proof import Verdict, read_verdict
from hypershift.controlplane.etcd.proof.verdict import LONGEST

GOOD = Verdict(RestoreProofReason.RESTORED, "all is there", 12.3, 1, 2, 3, 4, 5)


@given(st.sampled_from(RestoreProofReason), st.text(max_size=200), st.integers(0, 2**40))
def test_a_verdict_comes_out_as_it_went_in(
    reason: RestoreProofReason, message: str, figure: int
) -> None:
    made = Verdict(reason, message, 1.5, figure, figure, figure, figure, figure)
    text = made.text()
    if len(text) <= LONGEST:
        assert read_verdict(text) == made


def test_a_long_message_is_shortened_to_fit() -> None:
    text = Verdict(RestoreProofReason.DIFFERENT, "x" * 10_000).text()
    assert len(text) < LONGEST
    assert read_verdict(text) is not None


@pytest.mark.parametrize(
    "change",
    [
        {"reason": "Wonderful"},
        {"seconds": "1"},
        {"seconds": -1},
        {"keys": True},
        {"keys": 2**60},
        {"size": None},
    ],
)
def test_a_field_of_the_wrong_kind_makes_it_none(change: dict[str, object]) -> None:
    assert read_verdict(json.dumps(json.loads(GOOD.text()) | change)) is None


@given(st.text())
def test_other_text_is_no_verdict(text: str) -> None:
    assert read_verdict(text) is None


@pytest.mark.parametrize("text", ["[" * 4000, "{}", "[]", '"x"', "x" * 5000])
def test_hostile_text_is_no_verdict(text: str) -> None:
    assert read_verdict(text) is None
