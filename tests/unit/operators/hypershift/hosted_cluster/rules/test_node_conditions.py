"""What is said about a cluster's nodes."""

from typing import Any

import pytest
from tests.lib.decoded import a_decoded_spec

from hypershift.operators.hypershift.hosted_cluster.rules.node_conditions import (
    auto_node,
    live_migratable,
)

KARPENTER = {
    "autoNode": {"provisionerConfig": {"name": "Karpenter", "karpenter": {"platform": "AWS"}}}
}
ENABLING, DISABLING = "AutoNode is being enabled", "AutoNode is being disabled"


def a_component(name: str, status: str = "", message: str = "") -> dict[str, Any]:
    conditions = [{"type": "RolloutComplete", "status": status, "message": message}]
    return {"metadata": {"name": name}, "status": {"conditions": conditions if status else []}}


DONE = [a_component("karpenter", "True"), a_component("karpenter-operator", "True")]
HALF = [a_component("karpenter", "False", "pods pull"), a_component("karpenter-operator")]


@pytest.mark.parametrize(
    ("spec", "components", "running", "wanted"),
    [
        (
            {},
            DONE,
            [],
            ("False", "AutoNodeNotConfigured", "AutoNode provisioner is not configured"),
        ),
        (
            {},
            [],
            ["karpenter"],
            (
                "False",
                "AutoNodeProgressing",
                f"{DISABLING}: waiting for deployments to be removed: karpenter",
            ),
        ),
        (
            KARPENTER,
            DONE[:1],
            [],
            (
                "False",
                "AutoNodeProgressing",
                f"{ENABLING}: waiting for components to be created",
            ),
        ),
        (
            KARPENTER,
            HALF,
            [],
            (
                "False",
                "AutoNodeProgressing",
                f"{ENABLING}: karpenter: pods pull; karpenter-operator: not rolled out",
            ),
        ),
        (KARPENTER, DONE, [], ("True", "AsExpected", "AutoNode is ready")),
    ],
)
def test_karpenter_makes_nodes(
    spec: dict[str, Any],
    components: list[dict[str, Any]],
    running: list[str],
    wanted: tuple[str, str, str],
) -> None:
    found = auto_node(a_decoded_spec(spec), components, running)
    assert (found.status, found.reason, found.message) == wanted


def test_pools_whose_machines_cannot_move_are_named() -> None:
    def a_pool(name: str, status: str) -> dict[str, Any]:
        condition = {"type": "KubeVirtNodesLiveMigratable", "status": status}
        return {"metadata": {"name": name}, "status": {"conditions": [condition]}}

    good = live_migratable([a_pool("a", "True"), {"metadata": {"name": "b"}}])
    assert (good.status, good.reason, good.message) == ("True", "AsExpected", "All is well")
    bad = live_migratable([a_pool("a", "False"), a_pool("b", "True"), a_pool("c", "False")])
    assert (bad.status, bad.reason) == ("False", "KubeVirtNodesNotLiveMigratable")
    assert "attached to this Hosted Cluster: a, c. It is" in bad.message
