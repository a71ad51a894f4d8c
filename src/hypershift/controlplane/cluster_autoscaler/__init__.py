"""cluster-autoscaler: adds and removes machines of node pools that have a range of sizes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypershift.api import annotations, labels
from hypershift.api.autoscaling import ClusterAutoscaling, ScaleDown
from hypershift.api.values import Expander, Scaling
from hypershift.api.well_known import cluster_api_kubeconfig
from hypershift.component import Asset, Component, View, edit, monitoring, traits
from hypershift.kit import Manifest

NAME = "cluster-autoscaler"

#: What the flag calls the ways to choose among pools; the first two are the default.
EXPANDERS: dict[str, str] = {
    Expander.PRIORITY: "priority",
    Expander.LEAST_WASTE: "least-waste",
    Expander.RANDOM: "random",
}
DEFAULT_EXPANDERS = (Expander.PRIORITY, Expander.LEAST_WASTE)

#: Labels by which pools differ although their nodes are alike; clouds add their own.
IGNORED_LABELS = (
    labels.NODE_POOL,
    "topology.ebs.csi.aws.com/zone",
    "topology.disk.csi.azure.com/zone",
    "ibm-cloud.kubernetes.io/worker-id",
    "vpc-block-csi-driver-labels",
    labels.GLOBAL_PULL_SECRET_ENABLED,
)

#: Plain values of `spec.autoscaling` and `scaleDown`, with the flag that takes each.
LIMITS = {
    "max_nodes_total": "--max-nodes-total={}",
    "max_pod_grace_period": "--max-graceful-termination-sec={}",
    "max_node_provision_time": "--max-node-provision-time={}",
    "max_free_difference_ratio_percent": "--max-free-difference-ratio={}",
    "pod_priority_threshold": "--expendable-pods-priority-cutoff={}",
}
TIMES = {
    "delay_after_add_seconds": "--scale-down-delay-after-add={}s",
    "delay_after_delete_seconds": "--scale-down-delay-after-delete={}s",
    "delay_after_failure_seconds": "--scale-down-delay-after-failure={}s",
    "unneeded_duration_seconds": "--scale-down-unneeded-time={}s",
    "utilization_threshold_percent": "--scale-down-utilization-threshold={}",
}


def flags(view: View) -> Iterator[str]:
    """Yield the flags that follow the cluster; constant ones live in deployment.yaml."""
    options = view.spec.autoscaling or ClusterAutoscaling()
    yield from scale_down(options)
    yield from _given(options, LIMITS)
    yield from (_ignore(label) for label in options.balancing_ignored_labels)
    wanted = options.expanders or DEFAULT_EXPANDERS
    yield f"--expander={','.join(EXPANDERS[name] for name in wanted if name in EXPANDERS)}"
    yield from (_ignore(label) for label in IGNORED_LABELS)
    yield from (_ignore(label) for label in view.cloud.differing_node_labels)


def scale_down(options: ClusterAutoscaling) -> Iterator[str]:
    """Yield when nodes are removed; the program's own defaults hold for what is unset."""
    if options.scaling == Scaling.UP_ONLY:
        yield "--scale-down-enabled=false"
    elif options.scaling == Scaling.UP_AND_DOWN and options.scale_down is not None:
        yield "--scale-down-enabled=true"
        yield from _given(options.scale_down, TIMES)


def _given(options: ClusterAutoscaling | ScaleDown, table: dict[str, str]) -> Iterator[str]:
    for name, flag in table.items():
        value: Any = getattr(options, name)
        if value not in (None, ""):
            yield flag.format(f"{value / 100:.2f}" if name.endswith("percent") else value)


def _ignore(label: str) -> str:
    return f"--balancing-ignore-label={label}"


def deployment(view: View, manifest: Manifest) -> Manifest:
    manifest = edit.add_args(manifest, NAME, flags(view))
    if image := view.annotation(annotations.CLUSTER_AUTOSCALER_IMAGE):
        manifest = edit.change_container(manifest, NAME, lambda found: {**found, "image": image})
    manifest = edit.change_pod(manifest, lambda pod: _with_kubeconfig(pod, kubeconfig(view)))
    return edit.put(manifest, ("spec", "replicas"), 0 if switched_off(view) else 1)


def _with_kubeconfig(pod: Manifest, secret: str) -> Manifest:
    (volume,) = pod["spec"]["volumes"]
    return edit.put(pod, ("spec", "volumes"), [edit.put(volume, ("secret", "secretName"), secret)])


def kubeconfig(view: View) -> str:
    """The Secret with Cluster API's own way into the hosted cluster."""
    return cluster_api_kubeconfig(view.infra_id)


def switched_off(view: View) -> bool:
    """Whether the cluster keeps it without running it."""
    return view.annotated(annotations.DISABLE_CLUSTER_AUTOSCALER)


def manages_machines(view: View) -> bool:
    """Whether there are machines of ours, and a way into the cluster that they belong to."""
    return (
        not view.annotated(annotations.DISABLE_MACHINE_MANAGEMENT)
        and view.status.kube_config is not None
        and view.find("Secret", kubeconfig(view)) is not None
    )


_OTHERS = (Asset("common/rolebinding.yaml"), Asset("common/serviceaccount.yaml"))
_MONITOR = Asset("common/podmonitor.yaml", adapt=monitoring.monitor)

OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("openshift/deployment.yaml", adapt=deployment),
    manifests=(_MONITOR, Asset("openshift/role.yaml"), *_OTHERS),
    when=manages_machines,
    after_hash=(traits.AwaitApiServer(),),
    management_access=True,
)

KUBERNETES = replace(
    OPENSHIFT,
    workload=Asset("kubernetes/deployment.yaml", adapt=deployment),
    manifests=(_MONITOR, Asset("kubernetes/role.yaml"), *_OTHERS),
    after_hash=(),
    images=(NAME,),
)
