"""The control plane namespace."""

from hypothesis import given
from hypothesis import strategies as st

from hypershift.component import pod_user
from hypershift.kit import Key
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.rules.namespace import (
    first,
    free_uid,
    namespace,
)
from hypershift.operators.hypershift.ownership import Owner, uid_mark

ME = Owner(Key("clusters", "demo"), "uid-1")


def with_uid(uid: int) -> dict[str, object]:
    return {"metadata": {"annotations": {names.SECURITY_CONTEXT_UID: str(uid)}}}


def test_pods_are_restricted_unless_the_user_says_otherwise() -> None:
    label = "pod-security.kubernetes.io/enforce"
    strict = namespace(ME, {}, 1001, monitored=False)
    assert strict["metadata"]["labels"][label] == "restricted"
    asked = {names.POD_SECURITY_OVERRIDE: "Baseline"}
    assert namespace(ME, asked, 0, monitored=False)["metadata"]["labels"][label] == "baseline"


def test_an_override_that_means_nothing_does_not_weaken_the_namespace() -> None:
    made = namespace(ME, {names.POD_SECURITY_OVERRIDE: "anything"}, 0, monitored=False)
    assert made["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"


def test_a_namespace_remembers_whose_it_is_and_which_user_it_runs_as() -> None:
    made = namespace(ME, {}, 1007, monitored=False)
    assert names.cluster_of(made) == ME.key
    assert uid_mark(made) == ME.uid
    assert pod_user(made) == 1007


@given(st.lists(st.integers(min_value=1001, max_value=1100), max_size=60))
def test_no_two_control_planes_share_a_user(taken: list[int]) -> None:
    assert free_uid(with_uid(uid) for uid in taken) not in taken


def test_the_lowest_free_user_is_taken() -> None:
    assert free_uid([with_uid(1001), with_uid(1003)]) == 1002


def test_what_is_created_first_says_whose_it_is_and_nothing_that_may_change() -> None:
    made = first(namespace(ME, {}, 1007, monitored=True))
    assert made["metadata"]["labels"] == {names.HOSTED_CONTROL_PLANE: "true"}
    assert names.cluster_of(made) == ME.key
    assert uid_mark(made) == ME.uid
    assert pod_user(made) == 1007
