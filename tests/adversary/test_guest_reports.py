"""What a guest's objects say of themselves is repeated on the management cluster: within bounds.

A status that the management API refuses would take all conditions of the controller with it, and a
large one would be stored there again with each word that the guest changes.
"""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lib.memory import MemoryClient

from hypershift.api import HostedControlPlane, read
from hypershift.api.defaults import zeroed
from hypershift.api.release import VersionStatus
from hypershift.kit import Manifest, TransientError
from hypershift.kube.tokens import mint
from hypershift.operators.guest_config.openshift.rules import status, version
from hypershift.operators.guest_config.openshift.rules.guest import Guest

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
ENTRY: Manifest = {
    "state": "Completed",
    "startedTime": "2026-01-01T00:00:00Z",
    "completionTime": None,
    "image": "registry.example/r:1",
    "verified": False,
}
DESIRED: Manifest = {"version": "4.20.1", "image": "registry.example/r:1"}
NOW = datetime(2026, 1, 1, tzinfo=UTC)
PLANE = zeroed(HostedControlPlane, {"metadata": {"name": "demo", "namespace": "clusters-demo"}})
GUEST = Guest(
    plane=read(HostedControlPlane, PLANE),
    release_version="4.20.1",
    components={},
    images={},
    addresses={},
)
GOOD: Manifest = {"desired": DESIRED, "history": [ENTRY], "observedGeneration": 1}


def told(**changes: Any) -> Manifest:
    return {"status": GOOD | changes}


@pytest.mark.parametrize(
    "changes",
    [
        {"desired": None},
        {"desired": {"image": "x"}},
        {"desired": DESIRED | {"version": 5}},
        {"history": [{}]},
        {"history": [3]},
        {"history": "x"},
        {"history": [ENTRY | {"startedTime": "yesterday"}]},
        {"history": [{name: value for name, value in ENTRY.items() if name != "state"}]},
        {"history": [ENTRY | {"image": "x" * 2_000_000}]},
        {"observedGeneration": "x"},
    ],
)
def test_a_version_that_the_management_api_refuses_is_not_repeated(changes: Manifest) -> None:
    assert status.version_status(told(**changes)) is None


@pytest.mark.parametrize("field", ["availableUpdates", "conditionalUpdates"])
@pytest.mark.parametrize("value", [[3], "x", [{"version": "x" * 2_000_000}]])
def test_updates_that_make_no_sense_cost_only_themselves(field: str, value: object) -> None:
    found = status.version_status(told(**{field: value}))
    assert found == GOOD | {"availableUpdates": None}


def test_long_lists_are_cut_to_what_the_api_takes() -> None:
    found = status.version_status(told(history=[ENTRY] * 5000, availableUpdates=[DESIRED] * 500))
    assert found is not None
    assert [len(found[name]) for name in ("history", "availableUpdates")] == [100, 100]


@given(JSON, st.sampled_from(("desired", "history", "availableUpdates", "conditions", "all")))
def test_whatever_a_guest_says_the_answer_is_small_and_sound(value: Any, field: str) -> None:
    live: Any = {"status": value} if field == "all" else told(**{field: value})
    if (found := status.version_status(live)) is not None:
        read(VersionStatus, found)
        assert len(json.dumps(found)) <= status.LARGEST
    assert all(one.message is not None for one in status.conditions(live))


ANSWERS: tuple[Manifest, ...] = (
    {},
    {"status": None},
    {"status": {}},
    {"status": []},
    {"status": {"token": None}},
    {"status": {"token": 5}},
    {"status": {"token": ""}},
    {"status": {"token": "a\r\nHost: evil"}},
    {"status": {"token": "x" * 1_000_000}},
)


@pytest.mark.parametrize("answer", ANSWERS)
async def test_a_token_that_is_none_is_an_answer_like_no_answer(answer: Manifest) -> None:
    """An error that nobody expects would keep a control plane from ever being deleted."""

    class Hostile(MemoryClient):
        async def submit(self, *_: Any, **__: Any) -> Manifest:
            return answer

    with pytest.raises(TransientError):
        await mint(Hostile(), "kube-system", "control-plane-operator", "openshift")


@pytest.mark.parametrize("reason", ["no word", "a\nb", "x" * 2000, "1st", "", "-", "ü"])
def test_a_reason_is_one_word_and_a_message_has_an_end(reason: str) -> None:
    one = {"type": "Failing", "status": "True", "reason": reason, "message": "m" * 100_000}
    live = told(conditions=[one, 3, None, {}])
    for found in status.conditions(live):
        assert re.fullmatch(r"[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?", str(found.reason))
        assert len(found.message) <= status.LONGEST


@given(
    JSON
    | st.fixed_dictionaries(
        {
            "status": JSON
            | st.fixed_dictionaries(
                {
                    "capabilities": JSON | st.fixed_dictionaries({"knownCapabilities": JSON}),
                    "conditions": JSON | st.lists(st.fixed_dictionaries({"type": JSON}) | JSON),
                }
            )
        }
    )
)
def test_whatever_shape_an_answer_has_its_configuration_goes_on(live: Any) -> None:
    found = live if isinstance(live, dict) else {}
    known = version.known_capabilities(found)
    assert known is None or all(isinstance(one, str) for one in known)
    made = version.cluster_operator(GUEST, version.OPERATORS[0], found, NOW)
    assert len(made["status"]["conditions"]) == len(version.CONDITIONS)
