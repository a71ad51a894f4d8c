from typing import Any

import pytest

from hypershift.kit import Manifest
from hypershift.local.addons.install import is_available


def a_workload(kind: str, **status: Any) -> Manifest:
    return {
        "kind": kind,
        "metadata": {"name": "x", "generation": 2},
        "spec": {"replicas": 2},
        "status": {"observedGeneration": 2, **status},
    }


@pytest.mark.parametrize(
    ("workload", "available"),
    [
        (a_workload("Deployment", readyReplicas=2, updatedReplicas=2), True),
        (a_workload("Deployment", readyReplicas=2, updatedReplicas=1), False),
        (a_workload("Deployment"), False),
        (a_workload("Deployment", readyReplicas=2, updatedReplicas=2, observedGeneration=1), False),
        (
            a_workload(
                "DaemonSet", desiredNumberScheduled=3, numberReady=3, updatedNumberScheduled=3
            ),
            True,
        ),
        (
            a_workload(
                "DaemonSet", desiredNumberScheduled=3, numberReady=2, updatedNumberScheduled=3
            ),
            False,
        ),
        (a_workload("DaemonSet"), False),
    ],
)
def test_a_workload_is_available_when_all_its_present_pods_are_ready(
    workload: Manifest, *, available: bool
) -> None:
    assert is_available(workload) is available
