"""aws-cloud-controller-manager: nodes, load balancers and routes of a guest on AWS."""

from pathlib import Path

from hypershift.component import Asset, Component, View, edit, on_platform, traits
from hypershift.kit import Manifest

NAME = "aws-cloud-controller-manager"
CONTAINER = "cloud-controller-manager"
SHARED_PROBE = "shared-load-balancer-health-probe"


def deployment(view: View, manifest: Manifest) -> Manifest:
    return edit.add_args(manifest, CONTAINER, view.tls.flags)


def config(view: View, manifest: Manifest) -> Manifest:
    cloud = (view.spec["platform"].get("aws") or {}).get("cloudProviderConfig") or {}
    mode = view.annotation("aws-load-balancer-health-probe-mode") or "Shared"
    values = {
        "Zone": cloud.get("zone") or "",
        "VPC": cloud.get("vpc") or "",
        "KubernetesClusterID": view.infra_id,
        "SubnetID": (cloud.get("subnet") or {}).get("id") or "",
        "ClusterServiceLoadBalancerHealthProbeMode": mode,
        "NLBSecurityGroupMode": "Managed",
        "ClusterServiceSharedLoadBalancerHealthProbePath": view.annotation(f"{SHARED_PROBE}-path"),
        "ClusterServiceSharedLoadBalancerHealthProbePort": view.annotation(f"{SHARED_PROBE}-port"),
    }
    always = list(values)[:6]
    lines = [f"{name} = {value}" for name, value in values.items() if value or name in always]
    return edit.set_data(manifest, {"aws.conf": "\n".join(["[Global]", *lines])})


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(Asset("config.yaml", adapt=config),),
    when=on_platform("AWS"),
    traits=(traits.TokenMinter("kube-controller-manager", "kube-system"),),
    multi_zone_spread=True,
)
