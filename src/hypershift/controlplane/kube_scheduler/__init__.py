"""kube-scheduler: assigns the hosted cluster's pods to its nodes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypershift.api.values import SchedulerProfile
from hypershift.component import Asset, Component, View, edit, kubeconfig, monitoring, traits
from hypershift.component.kubeconfig import Identity
from hypershift.kit import Manifest

NAME = "kube-scheduler"
KUBECONFIG = "kube-scheduler-kubeconfig"
CLIENT = "kube-scheduler-client"

#: Overrides by profile; a profile that is absent runs the scheduler's defaults.
PROFILES: dict[str, dict[str, Any]] = {
    SchedulerProfile.HIGH_NODE_UTILIZATION: {
        "pluginConfig": [
            {"name": "NodeResourcesFit", "args": {"scoringStrategy": {"type": "MostAllocated"}}},
        ],
        "plugins": {
            "score": {
                "disabled": [{"name": "NodeResourcesBalancedAllocation"}],
                "enabled": [{"name": "NodeResourcesFit", "weight": 5}],
            },
        },
    },
    SchedulerProfile.NO_SCORING: {
        "plugins": {stage: {"disabled": [{"name": "*"}]} for stage in ("preScore", "score")},
    },
}


def flags(view: View) -> Iterator[str]:
    """Yield the flags that follow the cluster; constant ones live in deployment.yaml."""
    yield from view.tls.flags
    for gate, enabled in view.feature_gates.items():
        yield f"--feature-gates={gate}={str(enabled).lower()}"
    if view.profiling_disabled(NAME):
        yield "--profiling=false"
    yield from policy_flags(view)


def policy_flags(view: View) -> Iterator[str]:
    """Yield where a policy of the user's own lies; only OpenShift's scheduler asks for one."""
    policy = view.scheduler.policy
    if view.openshift and policy and policy.name:
        yield f"--policy-config-map={policy.name}"
        yield f"--policy-config-namespace={view.namespace}"


def deployment(view: View, manifest: Manifest) -> Manifest:
    return edit.add_args(manifest, NAME, flags(view))


def config(view: View, manifest: Manifest) -> Manifest:
    profile = PROFILES.get(view.scheduler.profile or "")
    if profile is None:
        return manifest
    profiles = [{"schedulerName": "default-scheduler", **profile}]
    return edit.merge_json(manifest, "config.json", {"profiles": profiles})


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("openshift/deployment.yaml", adapt=deployment),
    manifests=(
        Asset("common/config.yaml", adapt=config),
        kubeconfig.asset(KUBECONFIG, Identity(CLIENT)),
        Asset("common/service.yaml"),
        monitoring.asset(
            NAME,
            job=NAME,
            namespace="openshift-kube-scheduler",
            service=NAME,
            endpoints=({}, {"path": "/metrics/resources"}),
            scraped=(
                monitoring.Scraped("kubeScheduler", monitoring.dropped(".*")),
                monitoring.Scraped("kubeSchedulerResourceMetrics", monitoring.dropped(".*")),
            ),
        ),
    ),
    after_hash=(traits.AwaitApiServer(),),
    multi_zone_spread=True,
)

KUBERNETES = replace(
    OPENSHIFT,
    workload=Asset("kubernetes/deployment.yaml", adapt=deployment),
    manifests=OPENSHIFT.with_assets(
        kubeconfig.asset(KUBECONFIG, Identity(CLIENT, files="/etc/kubernetes/client"))
    ),
    after_hash=(),
    reads=(f"Secret/{CLIENT}", "Secret/root-ca", "Secret/scheduler-server"),
    # It rereads both certificates, its own and its client's, by itself.
    reloads=frozenset({"Secret/scheduler-server", f"Secret/{CLIENT}"}),
)
