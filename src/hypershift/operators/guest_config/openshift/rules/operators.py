"""Resources by which operators of the guest are told what this cluster wants of them."""

from collections.abc import Iterator

from hypershift.api.configuration.operator_hub import OperatorHub
from hypershift.api.platforms.traits import traits_of
from hypershift.api.values import AvailabilityPolicy, Capability
from hypershift.api.view import encode
from hypershift.kit import Manifest
from hypershift.operators.guest_config.openshift.rules.guest import CLUSTER, Guest, config

OPERATOR = "operator.openshift.io/v1"
MANAGED, REMOVED = "Managed", "Removed"
LIFECYCLE = "operator-lifecycle-manager"
MARKETPLACE = "openshift-marketplace"
#: The default catalogs and how the marketplace shows them.
CATALOGS = {
    "certified-operators": ("Certified Operators", -200),
    "community-operators": ("Community Operators", -400),
    "redhat-operators": ("Red Hat Operators", -100),
}
CATALOG_PORT = 50051


def manifests(guest: Guest) -> Iterator[Manifest]:
    """Yield what is written again whenever it differs."""
    yield _operator("CloudCredential", {"credentialsMode": "Manual", "managementState": MANAGED})
    yield _operator("Storage", {"managementState": MANAGED})
    yield _operator("CSISnapshotController", {"managementState": MANAGED})
    for driver in traits_of(guest.spec.platform.type).csi_drivers:
        spec = {"managementState": MANAGED, "logLevel": "Normal", "operatorLogLevel": "Normal"}
        yield {**_operator("ClusterCSIDriver", spec), "metadata": {"name": driver}}
    if guest.catalogs_beside:
        yield operator_hub(guest)
        # A payload without the lifecycle manager has not even the kind.
        yield from catalog_sources(guest) if LIFECYCLE in guest.images else ()


def at_first(guest: Guest) -> Iterator[Manifest]:
    """Yield what users of the cluster own once it is there."""
    if guest.has_capability(Capability.IMAGE_REGISTRY):
        yield registry(guest)
    if guest.has_capability(Capability.INGRESS):
        yield ingress_controller(guest)
    if not guest.catalogs_beside:
        yield operator_hub(guest)


def registry(guest: Guest) -> Manifest:
    """The image registry: one replica more than a disk can serve needs shared storage."""
    cloud = traits_of(guest.spec.platform.type)
    single = guest.spec.infrastructure_availability_policy == AvailabilityPolicy.SINGLE_REPLICA
    memory = cloud.keeps_registry_in_memory
    state = REMOVED if cloud.registry_removed_at_first else MANAGED
    spec: Manifest = {"managementState": state, "replicas": 1 if single or memory else 2}
    if memory:
        spec["storage"] = {"managementState": "Unmanaged", "emptyDir": {}}
    found = _operator("Config", spec)
    return {**found, "apiVersion": "imageregistry.operator.openshift.io/v1"}


def ingress_controller(guest: Guest) -> Manifest:
    """The default ingress, with the certificate of the control plane's own authority."""
    single = guest.spec.infrastructure_availability_policy == AvailabilityPolicy.SINGLE_REPLICA
    spec = {"replicas": 1 if single else 2, "defaultCertificate": {"name": "default-ingress-cert"}}
    metadata = {"name": "default", "namespace": "openshift-ingress-operator"}
    return {"apiVersion": OPERATOR, "kind": "IngressController", "metadata": metadata, "spec": spec}


def operator_hub(guest: Guest) -> Manifest:
    """Which of the default catalogs are offered; the hub has none beside the plane."""
    said: Manifest = encode(guest.configuration.operatorhub or OperatorHub())
    if guest.catalogs_beside:
        said = {**said, "disableAllDefaultSources": True}
    return config("OperatorHub", said)


def catalog_sources(guest: Guest) -> Iterator[Manifest]:
    """The default catalogs, served from the control plane's namespace."""
    hub = guest.configuration.operatorhub
    if hub is not None and hub.disable_all_default_sources:
        return
    for name, (shown, priority) in CATALOGS.items():
        spec = {
            "sourceType": "grpc",
            "address": f"{name}:{CATALOG_PORT}",
            "displayName": shown,
            "publisher": "Red Hat",
            "priority": priority,
            "updateStrategy": {"registryPoll": {"interval": "10m"}},
        }
        metadata = {
            "name": name,
            "namespace": MARKETPLACE,
            "annotations": {
                "target.workload.openshift.io/management": '{"effect": "PreferredDuringScheduling"}'
            },
        }
        yield {
            "apiVersion": "operators.coreos.com/v1alpha1",
            "kind": "CatalogSource",
            "metadata": metadata,
            "spec": spec,
        }


def _operator(kind: str, spec: Manifest) -> Manifest:
    return {"apiVersion": OPERATOR, "kind": kind, "metadata": {"name": CLUSTER}, "spec": spec}
