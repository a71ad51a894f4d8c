"""What the autoscaler is told of a pool that has no machine yet."""

from typing import Any

from hypershift.api import NodePool, read
from hypershift.operators.hypershift.node_pool.rules import capacity

PREFIX = "capacity.cluster-autoscaler.kubernetes.io"


def told(machine: dict[str, Any], **spec: Any) -> dict[str, str]:
    template = {"kind": "LocalMachineTemplate", "spec": {"template": {"spec": machine}}}
    pool = {"spec": {"autoScaling": {"min": 0, "max": 3}, **spec}}
    return capacity.annotations(read(NodePool, pool), template)


def test_sizes_are_the_templates() -> None:
    found = told({"cpu": "1", "memory": "3Gi"}, arch="arm64")
    assert found == {
        f"{PREFIX}/cpu": "1",
        f"{PREFIX}/memory": "3Gi",
        f"{PREFIX}/labels": "kubernetes.io/arch=arm64",
    }


def test_a_template_that_says_nothing_has_default_sizes() -> None:
    found = told({})
    assert (found[f"{PREFIX}/cpu"], found[f"{PREFIX}/memory"]) == ("2", "2Gi")


def test_labels_and_taints_of_the_nodes_to_come_are_told() -> None:
    found = told(
        {},
        nodeLabels={"zoo": "1", "a": "b", "kubernetes.io/arch": "lies"},
        taints=[
            {"key": "x", "effect": "y"},
            {"key": "gpu", "value": "yes", "effect": "NoSchedule"},
        ],
    )
    assert found[f"{PREFIX}/labels"] == "a=b,kubernetes.io/arch=amd64,zoo=1"
    assert found[f"{PREFIX}/taints"] == "gpu=yes:NoSchedule,x:y"


def test_a_pool_of_a_fixed_size_tells_nothing() -> None:
    template = {"kind": "LocalMachineTemplate", "spec": {"template": {"spec": {}}}}
    assert capacity.annotations(read(NodePool, {"spec": {"replicas": 2}}), template) == {}


def test_sizes_are_those_that_a_clouds_provider_found() -> None:
    status = {"capacity": {"cpu": "4", "memory": "16Gi", "nvidia.com/gpu": "2"}}
    template = {"kind": "AWSMachineTemplate", "spec": {"template": {"spec": {}}}, "status": status}
    pool = read(NodePool, {"spec": {"autoScaling": {"min": 0, "max": 1}}})
    assert capacity.annotations(pool, template) == {
        f"{PREFIX}/cpu": "4",
        f"{PREFIX}/memory": "16Gi",
        f"{PREFIX}/gpu-type": "nvidia.com/gpu",
        f"{PREFIX}/gpu-count": "2",
        f"{PREFIX}/labels": "kubernetes.io/arch=amd64",
    }


def test_a_template_of_a_cloud_tells_nothing_before_its_provider_does() -> None:
    template = {"kind": "AWSMachineTemplate", "spec": {"template": {"spec": {}}}}
    pool = read(NodePool, {"spec": {"autoScaling": {"max": 1}}})
    assert capacity.annotations(pool, template) == {}
