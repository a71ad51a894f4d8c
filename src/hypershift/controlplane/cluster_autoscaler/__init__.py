"""cluster-autoscaler: adds and removes machines of node pools that have a range of sizes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypershift.component import Asset, Component, View, edit, monitoring, traits
from hypershift.kit import Manifest

NAME = "cluster-autoscaler"

#: What the flag calls the ways to choose among pools; the first two are the default.
EXPANDERS = {"Priority": "priority", "LeastWaste": "least-waste", "Random": "random"}
DEFAULT_EXPANDERS = ("Priority", "LeastWaste")

#: Labels by which pools differ although their nodes are alike; clouds add their own.
IGNORED_LABELS = (
    "hypershift.openshift.io/nodePool",
    "topology.ebs.csi.aws.com/zone",
    "topology.disk.csi.azure.com/zone",
    "ibm-cloud.kubernetes.io/worker-id",
    "vpc-block-csi-driver-labels",
    "hypershift.openshift.io/nodepool-globalps-enabled",
)
PLATFORM_IGNORED_LABELS = {
    "AWS": ("lifecycle", "k8s.amazonaws.com/eniConfig", "topology.k8s.aws/zone-id"),
    "Azure": ("agentpool", "kubernetes.azure.com/agentpool"),
}

#: Plain values of `spec.autoscaling` and `scaleDown`, with the flag that takes each.
LIMITS = {
    "maxNodesTotal": "--max-nodes-total={}",
    "maxPodGracePeriod": "--max-graceful-termination-sec={}",
    "maxNodeProvisionTime": "--max-node-provision-time={}",
    "maxFreeDifferenceRatioPercent": "--max-free-difference-ratio={}",
    "podPriorityThreshold": "--expendable-pods-priority-cutoff={}",
}
TIMES = {
    "delayAfterAddSeconds": "--scale-down-delay-after-add={}s",
    "delayAfterDeleteSeconds": "--scale-down-delay-after-delete={}s",
    "delayAfterFailureSeconds": "--scale-down-delay-after-failure={}s",
    "unneededDurationSeconds": "--scale-down-unneeded-time={}s",
    "utilizationThresholdPercent": "--scale-down-utilization-threshold={}",
}


def flags(view: View) -> Iterator[str]:
    """Yield the flags that follow the cluster; constant ones live in deployment.yaml."""
    options: dict[str, Any] = view.spec.get("autoscaling") or {}
    yield from scale_down(options)
    yield from _given(options, LIMITS)
    yield from (_ignore(label) for label in options.get("balancingIgnoredLabels") or ())
    wanted = options.get("expanders") or DEFAULT_EXPANDERS
    yield f"--expander={','.join(EXPANDERS[name] for name in wanted if name in EXPANDERS)}"
    yield from (_ignore(label) for label in IGNORED_LABELS)
    yield from (_ignore(label) for label in PLATFORM_IGNORED_LABELS.get(view.platform, ()))


def scale_down(options: dict[str, Any]) -> Iterator[str]:
    """Yield when nodes are removed; without a word about it the program's own defaults hold."""
    scaling = options.get("scaling")
    if scaling == "ScaleUpOnly":
        yield "--scale-down-enabled=false"
    elif scaling == "ScaleUpAndScaleDown" and options.get("scaleDown") is not None:
        yield "--scale-down-enabled=true"
        yield from _given(options["scaleDown"], TIMES)


def _given(options: dict[str, Any], table: dict[str, str]) -> Iterator[str]:
    for name, flag in table.items():
        value = options.get(name)
        if value not in (None, ""):
            yield flag.format(f"{value / 100:.2f}" if name.endswith("Percent") else value)


def _ignore(label: str) -> str:
    return f"--balancing-ignore-label={label}"


def deployment(view: View, manifest: Manifest) -> Manifest:
    manifest = edit.add_args(manifest, NAME, flags(view))
    if image := view.annotation("cluster-autoscaler-image"):
        manifest = edit.change_container(manifest, NAME, lambda found: {**found, "image": image})
    manifest = edit.change_pod(manifest, lambda pod: _with_kubeconfig(pod, kubeconfig(view)))
    return edit.put(manifest, ("spec", "replicas"), 0 if switched_off(view) else 1)


def _with_kubeconfig(pod: Manifest, secret: str) -> Manifest:
    (volume,) = pod["spec"]["volumes"]
    return edit.put(pod, ("spec", "volumes"), [edit.put(volume, ("secret", "secretName"), secret)])


def kubeconfig(view: View) -> str:
    """The Secret with Cluster API's own way into the hosted cluster."""
    return f"{view.infra_id}-kubeconfig"


def switched_off(view: View) -> bool:
    """Whether the cluster keeps it without running it."""
    return view.annotated("disable-cluster-autoscaler")


def manages_machines(view: View) -> bool:
    """Whether there are machines of ours, and a way into the cluster that they belong to."""
    return (
        not view.annotated("disable-machine-management")
        and bool((view.hcp.get("status") or {}).get("kubeConfig"))
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
