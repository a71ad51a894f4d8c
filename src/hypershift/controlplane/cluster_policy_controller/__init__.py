"""cluster-policy-controller: gives namespaces their ranges of users and their pod security."""

from pathlib import Path

from hypershift.component import Asset, Component, View, edit, traits
from hypershift.kit import Manifest

NAME = "cluster-policy-controller"


def config(view: View, manifest: Manifest) -> Manifest:
    overlay = {"featureGates": view.gates, "servingInfo": view.tls.serving_info}
    return edit.merge_yaml(manifest, "config.yaml", overlay)


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml"),
    manifests=(Asset("config.yaml", adapt=config),),
    depends_on=("openshift-apiserver",),
    after_hash=(traits.AwaitApiServer(),),
    multi_zone_spread=True,
)
