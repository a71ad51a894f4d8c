"""cluster-autoscaler: when it runs, and which flags follow the cluster."""

from typing import Any

import pytest
from tests.unit.component.clusters import a_view, container, flags

from hypershift.component import View, render, runs
from hypershift.controlplane import cluster_autoscaler
from hypershift.controlplane.cluster_autoscaler import KUBERNETES, NAME, OPENSHIFT, manages_machines
from hypershift.kit import Manifest
from hypershift.release import Product

KUBECONFIG: dict[tuple[str, str], Manifest] = {
    ("Secret", "demo-7x2kf-kubeconfig"): {"kind": "Secret", "data": {"value": ""}}
}
REPORTED = {"kubeConfig": {"name": "admin-kubeconfig"}}


def workload(view: View) -> Manifest:
    return render(KUBERNETES, view)[-1]


def scaled(**autoscaling: Any) -> list[str]:
    view = a_view(autoscaling=autoscaling)
    return list(cluster_autoscaler.flags(view))


def test_it_runs_once_there_is_a_way_into_the_cluster() -> None:
    assert manages_machines(a_view(status=REPORTED, objects=KUBECONFIG))
    assert not manages_machines(a_view(objects=KUBECONFIG))
    assert not manages_machines(a_view(status=REPORTED))


def test_a_cluster_without_machine_management_does_without_it() -> None:
    view = a_view(
        status=REPORTED, objects=KUBECONFIG, annotations={"disable-machine-management": ""}
    )
    assert not manages_machines(view)


def test_a_kubernetes_payload_without_its_image_does_without_it() -> None:
    view = a_view(status=REPORTED, objects=KUBECONFIG)
    assert not runs(KUBERNETES, view)
    assert runs(OPENSHIFT, a_view(product=Product.OPENSHIFT, status=REPORTED, objects=KUBECONFIG))


def test_no_pod_runs_while_no_pool_asks_for_it() -> None:
    asleep = a_view(annotations={"disable-cluster-autoscaler": "true"})
    assert workload(asleep)["spec"]["replicas"] == 0
    assert workload(a_view(controllerAvailabilityPolicy="HighlyAvailable"))["spec"]["replicas"] == 1


def test_it_enters_the_cluster_as_cluster_api_does() -> None:
    volumes = workload(a_view())["spec"]["template"]["spec"]["volumes"]
    secret = next(one["secret"] for one in volumes if one["name"] == "kubeconfig")
    assert secret["secretName"] == "demo-7x2kf-kubeconfig"
    assert secret["items"] == [{"key": "value", "path": "target-kubeconfig"}]


def test_an_annotation_names_another_image() -> None:
    view = a_view(annotations={"cluster-autoscaler-image": "example.org/ca:1"})
    assert container(workload(view), NAME)["image"] == "example.org/ca:1"


def test_defaults_leave_scaling_down_to_the_program() -> None:
    found = scaled(scaling="ScaleUpAndScaleDown")
    assert found[0] == "--expander=priority,least-waste"
    assert not any("scale-down" in flag for flag in found)


def test_a_cluster_that_only_grows_says_so() -> None:
    assert scaled(scaling="ScaleUpOnly")[0] == "--scale-down-enabled=false"


def test_every_limit_has_its_flag_in_the_originals_order() -> None:
    found = scaled(
        scaling="ScaleUpAndScaleDown",
        scaleDown={
            "delayAfterAddSeconds": 0,
            "delayAfterDeleteSeconds": 5,
            "delayAfterFailureSeconds": 7,
            "unneededDurationSeconds": 30,
            "utilizationThresholdPercent": 5,
        },
        maxNodesTotal=0,
        maxPodGracePeriod=60,
        maxNodeProvisionTime="20m",
        maxFreeDifferenceRatioPercent=100,
        podPriorityThreshold=-10,
        balancingIgnoredLabels=["custom"],
        expanders=["Random", "LeastWaste"],
    )
    assert found[:13] == [
        "--scale-down-enabled=true",
        "--scale-down-delay-after-add=0s",
        "--scale-down-delay-after-delete=5s",
        "--scale-down-delay-after-failure=7s",
        "--scale-down-unneeded-time=30s",
        "--scale-down-utilization-threshold=0.05",
        "--max-nodes-total=0",
        "--max-graceful-termination-sec=60",
        "--max-node-provision-time=20m",
        "--max-free-difference-ratio=1.00",
        "--expendable-pods-priority-cutoff=-10",
        "--balancing-ignore-label=custom",
        "--expander=random,least-waste",
    ]


@pytest.mark.parametrize(
    ("platform", "label"), [("AWS", "lifecycle"), ("Azure", "agentpool"), ("Local", None)]
)
def test_labels_of_a_cloud_do_not_count_there(platform: str, label: str | None) -> None:
    found = list(cluster_autoscaler.flags(a_view(platform={"type": platform})))
    extra = [flag.partition("=")[2] for flag in found if flag.startswith("--balancing")][6:]
    assert extra[:1] == ([label] if label else [])


def test_it_may_neither_make_nor_delete_machines() -> None:
    role = next(one for one in render(KUBERNETES, a_view()) if one["kind"] == "Role")
    verbs = {verb for rule in role["rules"] for verb in rule["verbs"]}
    assert verbs == {"get", "list", "watch", "update", "patch"}


def test_it_reaches_the_management_api_and_its_own_namespace_alone() -> None:
    pod = workload(a_view())["spec"]["template"]
    assert pod["metadata"]["labels"]["hypershift.openshift.io/need-management-kas-access"] == "true"
    assert pod["spec"]["automountServiceAccountToken"] is True
    found = flags(workload(a_view()), NAME)
    assert found["node-group-auto-discovery"] == "clusterapi:namespace=$(MY_NAMESPACE)"
