"""aws-cloud-controller-manager: nodes, load balancers and routes of a guest on AWS."""

from collections.abc import Iterator
from pathlib import Path

from hypershift.component import Asset, Component, View, edit, on_platform, traits, with_proxy
from hypershift.kit import InvalidSpec, Manifest

NAME = "aws-cloud-controller-manager"
CONTAINER = "cloud-controller-manager"
MODE = "aws-load-balancer-health-probe-mode"
PROBE = "shared-load-balancer-health-probe"
#: How load balancers ask for a node's health: all at one place, or each at its service's port.
SHARED, MODES = "Shared", ("Shared", "ServiceNodePort")
LAST_PORT = 65535


def deployment(view: View, manifest: Manifest) -> Manifest:
    return with_proxy(view, edit.add_args(manifest, CONTAINER, view.tls.flags), CONTAINER)


def config(view: View, manifest: Manifest) -> Manifest:
    cloud = (view.spec["platform"].get("aws") or {}).get("cloudProviderConfig") or {}
    values = {
        "Zone": cloud.get("zone") or "",
        "VPC": cloud.get("vpc") or "",
        "KubernetesClusterID": view.infra_id,
        "SubnetID": (cloud.get("subnet") or {}).get("id") or "",
        "ClusterServiceLoadBalancerHealthProbeMode": probe_mode(view),
        "NLBSecurityGroupMode": "Managed",
        **dict(shared_probe(view)),
    }
    lines = [f"{name} = {value}" for name, value in values.items()]
    return edit.set_data(manifest, {"aws.conf": "\n".join(["[Global]", *lines])})


def probe_mode(view: View) -> str:
    mode = view.annotation(MODE) or SHARED
    if mode not in MODES:
        raise InvalidSpec(f"annotation {MODE}: {mode!r} is none of {', '.join(MODES)}")
    return mode


def shared_probe(view: View) -> Iterator[tuple[str, str]]:
    """Yield where all ask, as the cluster's annotations say; of no use where each asks its own."""
    if probe_mode(view) != SHARED:
        return
    if path := view.annotation(f"{PROBE}-path"):
        yield "ClusterServiceSharedLoadBalancerHealthProbePath", path
    if port := view.annotation(f"{PROBE}-port"):
        if not port.isdigit() or not 1 <= int(port) <= LAST_PORT:
            raise InvalidSpec(f"annotation {PROBE}-port: {port!r} is no port")
        yield "ClusterServiceSharedLoadBalancerHealthProbePort", port


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(Asset("config.yaml", adapt=config),),
    when=on_platform("AWS"),
    traits=(traits.TokenMinter("kube-controller-manager", "kube-system"),),
    multi_zone_spread=True,
)
