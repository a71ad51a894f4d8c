"""openshift-route-controller-manager: admits routes and gives services outside addresses."""

from pathlib import Path
from typing import Any

from hypershift.component import Asset, Component, View, edit, monitoring
from hypershift.kit import Manifest

NAME = "openshift-route-controller-manager"
SCRAPED = monitoring.Scraped("openshiftRouteControllerManager", monitoring.dropped("(.*)"))


def config(view: View, manifest: Manifest) -> Manifest:
    overlay: dict[str, Any] = {"servingInfo": view.tls.serving_info}
    if cidr := view.external_ip_range:
        overlay["ingress"] = {"ingressIPNetworkCIDR": cidr}
    return edit.merge_yaml(manifest, "config.yaml", overlay)


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml"),
    manifests=(
        Asset("config.yaml", adapt=config),
        Asset("service.yaml", when=monitoring.wanted),
        Asset("servicemonitor.yaml", adapt=monitoring.scraping(SCRAPED), when=monitoring.wanted),
    ),
    depends_on=("openshift-apiserver",),
    multi_zone_spread=True,
)
