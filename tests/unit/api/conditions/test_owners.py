"""Each condition has one controller that writes it."""

import inspect

import pytest

from hypershift.api import conditions
from hypershift.api.conditions import (
    OWNERS,
    ConditionType,
    ControlPlaneCondition,
    ControlPlaneReason,
    Owner,
    why_not_owner,
)
from hypershift.api.conditions.owners import SHOWN_BY_CLUSTER

KIND = "HostedControlPlane"


def test_the_owner_may_set_its_condition() -> None:
    assert not why_not_owner(Owner.CONTROL_PLANE, KIND, ControlPlaneCondition.VALID_RELEASE_INFO)


def test_another_controller_may_not() -> None:
    why = why_not_owner(Owner.GUEST_CONFIG, KIND, ControlPlaneCondition.VALID_RELEASE_INFO)
    assert why == (
        "hosted-cluster-config-operator must not change ValidReleaseInfo of a HostedControlPlane: "
        "only hostedcontrolplane does"
    )


def test_a_condition_of_another_kind_is_refused() -> None:
    why = why_not_owner(Owner.NODE_POOL, "NodePool", ControlPlaneCondition.ETCD_AVAILABLE)
    assert why.endswith("the kind has no such condition")


def test_a_last_word_is_given_by_one_reason_alone() -> None:
    kind = ControlPlaneCondition.CLOUD_RESOURCES_DESTROYED
    last = ControlPlaneReason.CLEANUP_TIMED_OUT
    assert not why_not_owner(Owner.CONTROL_PLANE, KIND, kind, last)
    other = ControlPlaneReason.REMAINING_CLOUD_RESOURCES
    assert why_not_owner(Owner.CONTROL_PLANE, KIND, kind, other)


def test_a_kind_that_is_not_ours_has_no_owners() -> None:
    assert not why_not_owner("anyone", "Shop", ControlPlaneCondition.AVAILABLE)


def test_a_type_stands_in_the_enum_of_the_cluster_or_is_copied_but_not_both() -> None:
    own = {str(each) for each in conditions.HostedClusterCondition}
    assert not own & {str(each) for each in SHOWN_BY_CLUSTER}


@pytest.mark.parametrize(
    "words",
    [
        conditions.HostedClusterCondition,
        conditions.ControlPlaneCondition,
        conditions.NodePoolConditionType,
        conditions.ComponentCondition,
        conditions.LocalClusterCondition,
        conditions.LocalMachineCondition,
    ],
    ids=lambda words: words.__name__,
)
def test_every_condition_of_a_kind_has_an_owner(words: type[ConditionType]) -> None:
    assert inspect.isclass(words)
    assert any(set(words) <= set(owned) for owned in OWNERS.values())
