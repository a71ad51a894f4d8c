"""aws-cloud-controller-manager: nodes, load balancers and routes of a guest on AWS."""

from collections.abc import Iterator
from pathlib import Path

from hypershift.api import annotations
from hypershift.api.platforms.aws import AWSCloudProviderConfig
from hypershift.api.values import PlatformType
from hypershift.component import Asset, Component, View, edit, on_platform, traits, with_proxy
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.lines import one_line

NAME = "aws-cloud-controller-manager"
CONTAINER = "cloud-controller-manager"
#: How load balancers ask for a node's health: all at one place, or each at its service's port.
SHARED, MODES = "Shared", ("Shared", "ServiceNodePort")
LAST_PORT = 65535


def deployment(view: View, manifest: Manifest) -> Manifest:
    return with_proxy(view, edit.add_args(manifest, CONTAINER, view.tls.flags), CONTAINER)


def config(view: View, manifest: Manifest) -> Manifest:
    aws = view.spec.platform.aws
    cloud = (aws.cloud_provider_config if aws else None) or AWSCloudProviderConfig(vpc="")
    values = {
        "Zone": cloud.zone or "",
        "VPC": cloud.vpc,
        "KubernetesClusterID": view.infra_id,
        "SubnetID": (cloud.subnet.id if cloud.subnet else None) or "",
        "ClusterServiceLoadBalancerHealthProbeMode": probe_mode(view),
        "NLBSecurityGroupMode": "Managed",
        **dict(shared_probe(view)),
    }
    place = "spec.platform.aws.cloudProviderConfig"
    lines = [f"{name} = {one_line(value, place)}" for name, value in values.items()]
    return edit.set_data(manifest, {"aws.conf": "\n".join(["[Global]", *lines])})


def probe_mode(view: View) -> str:
    mode = view.annotation(annotations.AWS_LOAD_BALANCER_HEALTH_PROBE_MODE) or SHARED
    if mode not in MODES:
        name = _last_part(annotations.AWS_LOAD_BALANCER_HEALTH_PROBE_MODE)
        raise InvalidSpec(f"annotation {name}: {mode!r} is none of {', '.join(MODES)}")
    return mode


def shared_probe(view: View) -> Iterator[tuple[str, str]]:
    """Yield where all ask, as the cluster's annotations say; of no use where each asks its own."""
    if probe_mode(view) != SHARED:
        return
    if path := view.annotation(annotations.SHARED_HEALTH_PROBE_PATH):
        yield "ClusterServiceSharedLoadBalancerHealthProbePath", path
    if port := view.annotation(annotations.SHARED_HEALTH_PROBE_PORT):
        short = port.isdecimal() and len(port) <= len(str(LAST_PORT))
        if not short or not 1 <= int(port) <= LAST_PORT:
            name = _last_part(annotations.SHARED_HEALTH_PROBE_PORT)
            raise InvalidSpec(f"annotation {name}: {port[:80]!r} is no port")
        yield "ClusterServiceSharedLoadBalancerHealthProbePort", port


def _last_part(annotation: str) -> str:
    return annotation.rpartition("/")[2]


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(Asset("config.yaml", adapt=config),),
    when=on_platform(PlatformType.AWS),
    traits=(traits.TokenMinter("kube-controller-manager", "kube-system"),),
    multi_zone_spread=True,
)
