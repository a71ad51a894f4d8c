"""openshift-controller-manager: builds, image streams and deployment configs of a guest."""

from pathlib import Path
from typing import Any

from hypershift.api.configuration.image import Image
from hypershift.api.values import Capability
from hypershift.component import Asset, Component, View, edit, monitoring, observed
from hypershift.controlplane.openshift_controller_manager.builds import builds
from hypershift.kit import Manifest
from hypershift.kit.budget import BadDocument
from hypershift.kit.documents import read

NAME = "openshift-controller-manager"
CONFIG, KEY = "openshift-controller-manager-config", "config.yaml"
SCRAPED = monitoring.Scraped(
    "openshiftControllerManager", monitoring.kept("openshift_build_status_phase_total")
)
#: Without a registry of its own a cluster has no pull secrets for it either.
WITHOUT_SECRETS = "-openshift.io/serviceaccount-pull-secrets"
EVERY, REMOVED = "*", "Removed"


def config(view: View, manifest: Manifest) -> Manifest:
    image = view.configuration.image or Image()
    overlay: dict[str, Any] = {
        "build": {
            "imageTemplateFormat": {"format": view.release.find("docker-builder")},
            **builds(view),
        },
        "deployer": {"imageTemplateFormat": {"format": view.release.find("deployer")}},
        "servingInfo": view.tls.serving_info,
        "featureGates": view.gates,
        **controllers(view),
    }
    if image.external_registry_hostnames:
        hosts = list(image.external_registry_hostnames)
        overlay.setdefault("dockerPullSecret", {})["registryURLs"] = hosts
    if cidr := view.external_ip_range:
        overlay["ingress"] = {"ingressIPNetworkCIDR": cidr}
    return edit.merge_yaml(manifest, KEY, overlay)


def controllers(view: View) -> dict[str, Any]:
    """Which controllers run; the guest's configuration operator writes them, too."""
    if not view.has_capability(Capability.IMAGE_REGISTRY):
        return {
            "controllers": [EVERY, WITHOUT_SECRETS],
            "dockerPullSecret": {"internalRegistryHostname": ""},
        }
    try:
        live = read(view.text(CONFIG, KEY) or "{}")
    except BadDocument:
        live = {}
    found = followed(view, list((live or {}).get("controllers") or ()))
    return {"controllers": found} if found else {}


def followed(view: View, live: list[str]) -> list[str]:
    """The live controllers, by what the guest's administrators make of their registry."""
    state = observed.spec(view, "registry").get("managementState")
    if not state or view.cloud.keeps_registry_secrets:
        return live
    others = [name for name in live if name != WITHOUT_SECRETS]
    return [*(others or [EVERY]), WITHOUT_SECRETS] if state == REMOVED else others


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
