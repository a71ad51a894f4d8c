"""gcp-cloud-controller-manager: nodes, load balancers and routes of a guest on Google's cloud."""

from pathlib import Path

from hypershift.api.values import PlatformType
from hypershift.component import Asset, Component, View, edit, on_platform, traits
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.lines import one_line

NAME = "gcp-cloud-controller-manager"
CONTAINER = "cloud-controller-manager"


def deployment(view: View, manifest: Manifest) -> Manifest:
    return edit.add_args(manifest, CONTAINER, view.tls.flags)


def config(view: View, manifest: Manifest) -> Manifest:
    gcp = view.spec.platform.gcp
    if gcp is None:
        raise InvalidSpec("the cluster says nothing of its project", field="spec.platform.gcp")
    values = {
        "project-id": gcp.project,
        "network-name": gcp.network_config.network.name,
        # The tag that node pools give their machines, which may have small letters alone.
        "node-tags": f"{view.infra_id}-worker".lower(),
        "multizone": "true",
        "token-url": '"nil"',
    }
    place = "spec.platform.gcp"
    told = (f"{name} = {one_line(value, place)}" for name, value in values.items())
    lines = ["[Global]", *told]
    return edit.set_data(manifest, {"cloud.conf": "\n".join(lines)})


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(Asset("config.yaml", adapt=config),),
    when=on_platform(PlatformType.GCP),
    traits=(traits.TokenMinter("cloud-controller-manager", "kube-system"),),
    multi_zone_spread=True,
)
