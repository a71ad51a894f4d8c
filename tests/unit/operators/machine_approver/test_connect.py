"""The approver calls a hosted cluster when somebody may ask there, and no sooner."""

import random
from typing import Any

import pytest
import structlog
from tests.lib.memory import MemoryClient

from hypershift.kit import Manifest, SystemClock
from hypershift.kube import kinds
from hypershift.operators.machine_approver.look import connect
from hypershift.operators.machine_approver.scope import ApproverScope
from hypershift.runtime import Context, Stop

NAMESPACE = "clusters-demo"
MACHINE: Manifest = {
    "apiVersion": kinds.MACHINE.api_version,
    "kind": kinds.MACHINE.kind,
    "metadata": {"name": "worker", "namespace": NAMESPACE},
}


def a_scope(plane: dict[str, str], *objects: Manifest) -> ApproverScope:
    nothing: Any = None
    kube = MemoryClient(*objects)
    context = Context(
        kube=kube, live=kube, clock=SystemClock(), events=nothing, log=structlog.get_logger(),
        remotes=nothing, rng=random.Random(1),  # noqa: S311 - nothing secret
    )  # fmt: skip
    conditions = [{"type": kind, "status": status} for kind, status in plane.items()]
    manifest = {
        "apiVersion": kinds.HOSTED_CONTROL_PLANE.api_version,
        "kind": kinds.HOSTED_CONTROL_PLANE.kind,
        "metadata": {"name": "demo", "namespace": NAMESPACE},
        "status": {"conditions": conditions},
    }
    return ApproverScope(manifest, context)


@pytest.mark.parametrize(
    ("plane", "objects", "reason"),
    [
        ({"KubeAPIServerAvailable": "False"}, [MACHINE], "ApiServerNotAvailable"),
        ({"KubeAPIServerAvailable": "True"}, [], "NoMachines"),
        ({"KubeAPIServerAvailable": "True"}, [MACHINE], "NoKubeconfig"),
        ({"KubeAPIServerAvailable": "True", "Available": "True"}, [], "NoKubeconfig"),
    ],
)
async def test_why_a_cluster_is_not_called(
    plane: dict[str, str], objects: list[Manifest], reason: str
) -> None:
    outcome = await connect(a_scope(plane, *objects))
    assert isinstance(outcome, Stop)
    assert outcome.reason == reason
