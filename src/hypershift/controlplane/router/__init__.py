"""router: one address for all names under which a control plane is published."""

from dataclasses import replace
from pathlib import Path

from hypershift.api import labels
from hypershift.api.publishing import private_vault, swift_instance, uses_router
from hypershift.api.well_known import PRIVATE_ROUTER, ROUTER
from hypershift.component import Asset, Component, Starts, Tier, View, disruption, edit
from hypershift.controlplane.router.config import configuration, served
from hypershift.kit import Manifest, labels_of

NAME = ROUTER
CONFIG = "haproxy.cfg"
#: By this label Azure attaches a pod to the customer's network.
POD_NETWORK = "kubernetes.azure.com/pod-network-instance"


def config(view: View, manifest: Manifest) -> Manifest:
    addresses = {
        name: found["spec"].get("clusterIP", "")
        for (kind, name), found in view.objects.items()
        if kind == "Service"
    }
    text = configuration(served(_routes(view), addresses, private_vault(view.spec)))
    return edit.set_data(manifest, {CONFIG: text})


def deployment(view: View, manifest: Manifest) -> Manifest:
    if instance := swift_instance(view.spec, view.publishing_annotations):
        path = (*edit.pod_path(manifest), "metadata", "labels")
        return edit.at(manifest, path, lambda found: {**found, POD_NETWORK: instance})
    return manifest


def has_router(view: View) -> bool:
    """Whether the cluster has routes for a router of its own; without any it would idle."""
    labelled = any(labels.HOSTED_CONTROL_PLANE in labels_of(route) for route in _routes(view))
    return labelled and uses_router(view.spec, view.publishing_annotations)


def _routes(view: View) -> list[Manifest]:
    return [found for (kind, _), found in view.objects.items() if kind == "Route"]


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("openshift/deployment.yaml", adapt=deployment),
    manifests=(
        Asset(
            stub={"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": NAME}},
            adapt=config,
        ),
        disruption.asset(PRIVATE_ROUTER, called=NAME),
    ),
    when=has_router,
    depends_on=("ignition-server",),
    tier=Tier.API_CRITICAL,
    starts=Starts.BEFORE_API_SERVER,
    multi_zone_spread=True,
    request_serving=True,
)

#: Where the management cluster has no Routes, the view holds what they would say.
KUBERNETES = replace(
    OPENSHIFT,
    workload=Asset("kubernetes/deployment.yaml", adapt=deployment),
    depends_on=(),
)

__all__ = ["CONFIG", "KUBERNETES", "NAME", "OPENSHIFT", "configuration", "has_router", "served"]
