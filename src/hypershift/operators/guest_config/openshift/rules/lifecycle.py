"""The lifecycle manager of operators: its hub, and the default catalogs."""

from collections.abc import Iterator

from hypershift.api import annotations
from hypershift.api.configuration.operator_hub import OperatorHub
from hypershift.api.values import OLMCatalogPlacement
from hypershift.kit import Manifest
from hypershift.operators.guest_config.openshift.rules.guest import Guest, config
from hypershift.release import catalogs

#: The image of the lifecycle manager: a payload without it has not even the kinds.
LIFECYCLE = "operator-lifecycle-manager"
MARKETPLACE = "openshift-marketplace"
#: The default catalogs and how the marketplace shows them.
SHOWN = {
    "certified-operators": ("Certified Operators", -200),
    "community-operators": ("Community Operators", -400),
    "redhat-operators": ("Red Hat Operators", -100),
}
#: A catalog of earlier releases.
RETIRED = "redhat-marketplace"
CATALOG_PORT = 50051
SOURCE = "operators.coreos.com/v1alpha1"


def hub(guest: Guest) -> Manifest:
    """Which of the default catalogs are offered, as the HostedCluster says it."""
    said = guest.configuration.operatorhub or OperatorHub()
    off = {"disableAllDefaultSources": True} if said.disable_all_default_sources else {}
    return config("OperatorHub", off)


def written(guest: Guest) -> Iterator[Manifest]:
    """The hub, where the catalogs run beside the control plane: users inside cannot edit it."""
    if guest.catalogs_beside:
        yield hub(guest)


def seeded(guest: Guest) -> Iterator[Manifest]:
    """The hub, where the cluster runs its catalogs itself and its users decide about them."""
    if not guest.catalogs_beside:
        yield hub(guest)


def sources(guest: Guest, live: Manifest | None) -> Iterator[Manifest]:
    """The default catalogs, unless the hub inside switches them off."""
    off = ((live or {}).get("spec") or {}).get("disableAllDefaultSources")
    if LIFECYCLE in guest.images and not off:
        for name in SHOWN:
            yield _source(guest, name)


def unwanted(live: Manifest | None) -> Iterator[Manifest]:
    """Catalogs that were ours and are offered no longer."""
    off = ((live or {}).get("spec") or {}).get("disableAllDefaultSources")
    for name in (*(SHOWN if off else ()), RETIRED):
        metadata = {"name": name, "namespace": MARKETPLACE}
        yield {"apiVersion": SOURCE, "kind": "CatalogSource", "metadata": metadata}


def _source(guest: Guest, name: str) -> Manifest:
    shown, priority = SHOWN[name]
    spec = {
        "sourceType": "grpc",
        "displayName": shown,
        "publisher": "Red Hat",
        "priority": priority,
        "grpcPodConfig": {"securityContextConfig": "restricted"},
        "updateStrategy": {"registryPoll": {"interval": "10m"}},
        **_place(guest, name),
    }
    metadata = {
        "name": name,
        "namespace": MARKETPLACE,
        "annotations": {
            "target.workload.openshift.io/management": '{"effect": "PreferredDuringScheduling"}'
        },
    }
    return {"apiVersion": SOURCE, "kind": "CatalogSource", "metadata": metadata, "spec": spec}


def _place(guest: Guest, name: str) -> Manifest:
    """Where the catalog is served: beside the control plane, or by a pod of the release's index."""
    match guest.spec.olm_catalog_placement:
        case OLMCatalogPlacement.MANAGEMENT:
            return {"address": f"{name}:{CATALOG_PORT}"}
        case OLMCatalogPlacement.GUEST:
            told = guest.annotations.get(annotations.OLM_CATALOGS_REGISTRY_OVERRIDES, "")
            return {"image": catalogs.indexes(guest.labelled, told)[name]}
        case _:
            return {}
