"""cluster-image-registry-operator: runs the guest's image registry, from outside the guest."""

from pathlib import Path

from hypershift.api.platforms.azure_identity import AzureControlPlaneIdentities as Identities
from hypershift.api.platforms.azure_identity import AzureManagedIdentity
from hypershift.api.values import Capability
from hypershift.component import (
    Asset,
    Component,
    View,
    edit,
    monitoring,
    serving,
    traits,
    vault,
    with_proxy,
)
from hypershift.kit import Manifest

NAME = "cluster-image-registry-operator"
VOLUME, PROVIDED = "image-registry-cert", "managed-azure-image-registry"


def deployment(view: View, manifest: Manifest) -> Manifest:
    manifest = with_proxy(view, manifest, NAME)
    version = view.user_release.version
    values = {
        "RELEASE_VERSION": version,
        "OPERATOR_IMAGE_VERSION": version,
        "OPERATOR_IMAGE": view.release.find(NAME),
        "IMAGE": view.user_release.find("docker-registry"),
        "IMAGE_PRUNER": view.user_release.find("cli"),
    }
    manifest = edit.set_env(manifest, NAME, values)
    store = vault.volume(VOLUME, PROVIDED)
    return vault.with_credentials(view, manifest, NAME, store, identity)


def identity(found: Identities) -> AzureManagedIdentity | None:
    return found.image_registry


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        vault.asset(PROVIDED, identity),
        Asset("config.yaml", adapt=serving.generic_config),
        Asset(
            "podmonitor.yaml",
            adapt=monitoring.scraping(
                monitoring.Scraped("registryOperator", monitoring.dropped("(.*)"))
            ),
        ),
    ),
    when=lambda view: view.has_capability(Capability.IMAGE_REGISTRY),
    depends_on=("openshift-apiserver",),
    traits=(traits.TokenMinter(NAME, "openshift-image-registry", api=True),),
    multi_zone_spread=True,
)
