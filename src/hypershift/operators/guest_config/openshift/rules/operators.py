"""Resources that configure the operators inside a hosted cluster."""

from collections.abc import Iterator
from typing import Any

from hypershift.api import annotations
from hypershift.api.domains import ingress_domain
from hypershift.api.operators.configuration import OperatorConfiguration
from hypershift.api.operators.network import NetworkOperator, OVNKubernetes
from hypershift.api.platforms.traits import traits_of
from hypershift.api.publishing import is_aro
from hypershift.api.values import Capability
from hypershift.api.view import encode
from hypershift.kit import Manifest, deep_merge
from hypershift.operators.guest_config.openshift.rules.guest import CLUSTER, Guest

OPERATOR = "operator.openshift.io/v1"
REGISTRY = "imageregistry.operator.openshift.io/v1"
MANAGED, REMOVED = "Managed", "Removed"
OVN, INTERNAL, EXTERNAL = "OVNKubernetes", "Internal", "External"
#: Where an IngressController finds the certificate of the control plane's own authority.
CERTIFICATE = "default-ingress-cert"


def manifests(guest: Guest) -> Iterator[Manifest]:
    """Yield what is written again whenever it differs."""
    yield _operator("CloudCredential", {"credentialsMode": "Manual", "managementState": MANAGED})
    cloud = traits_of(guest.spec.platform.type)
    if not cloud.hosts_storage_operators:
        return
    spec = {"managementState": MANAGED, "logLevel": "Normal", "operatorLogLevel": "Normal"}
    yield _operator("CSISnapshotController", spec)
    yield _operator("Storage", spec)
    # The managed service brings its own storage drivers.
    for driver in () if is_aro(guest.spec) else cloud.csi_drivers:
        yield {**_operator("ClusterCSIDriver", spec), "metadata": {"name": driver}}


def at_first(guest: Guest) -> Iterator[Manifest]:
    """Yield what users of the cluster own once it is there."""
    cloud = traits_of(guest.spec.platform.type)
    if guest.has_capability(Capability.IMAGE_REGISTRY) and not cloud.registry_finds_its_volume:
        yield registry(guest)
    if guest.has_capability(Capability.INGRESS):
        yield ingress_controller(guest)


def network(guest: Guest, live: Manifest | None) -> Manifest:
    """The network operator's resource: most of it cannot be changed once the operator read it."""
    said = guest.spec.operator_configuration or OperatorConfiguration()
    wanted = said.cluster_network_operator or NetworkOperator()
    before = ((live or {}).get("spec") or {}).get("defaultNetwork") or {}
    settings = guest.side.network(before, guest.spec)
    if wanted.ovn_kubernetes_config and guest.networking.network_type == OVN:
        settings = deep_merge(settings, {"ovnKubernetesConfig": ovn(wanted.ovn_kubernetes_config)})
    state = ((live or {}).get("spec") or {}).get("managementState") or MANAGED
    spec: dict[str, Any] = {"managementState": state}
    if settings:
        spec["defaultNetwork"] = settings
    if wanted.disable_multi_network:
        spec["disableMultiNetwork"] = True
    return _operator("Network", spec)


def ovn(said: OVNKubernetes) -> Manifest:
    """The user's settings of OVN-Kubernetes, those that they made."""
    found: Manifest = encode(said)
    return {key: value for key, value in found.items() if value}


def registry(guest: Guest) -> Manifest:
    """The image registry as it starts; users decide about replicas and storage after that."""
    cloud = traits_of(guest.spec.platform.type)
    spec: dict[str, Any] = {
        "managementState": MANAGED,
        "replicas": 1 if guest.single else 2,
        "httpSecret": guest.registry_secret,
    }
    if cloud.keeps_registry_in_memory or cloud.registry_removed_at_first:
        spec["storage"] = {"emptyDir": {}}
    if cloud.registry_removed_at_first:
        spec |= {"managementState": REMOVED, "replicas": 1}
    return {**_operator("Config", spec), "apiVersion": REGISTRY}


def registry_mended(guest: Guest, live: Manifest) -> Manifest | None:
    """What every registry's configuration needs, where the live one lacks it."""
    found = live.get("spec") or {}
    missing = {"managementState": MANAGED, "httpSecret": guest.registry_secret}
    spec = {key: value for key, value in missing.items() if not found.get(key)}
    return {**_operator("Config", spec), "apiVersion": REGISTRY} if spec else None


def ingress_controller(guest: Guest) -> Manifest:
    """The default ingress as it starts."""
    side = guest.side
    spec: dict[str, Any] = {
        "domain": ingress_domain(guest.spec, guest.name),
        "replicas": 1 if guest.single else 2,
        "endpointPublishingStrategy": publishing(guest),
    }
    if side.own_ingress_certificate:
        spec["defaultCertificate"] = {"name": CERTIFICATE}
    if side.ingress_tolerations:
        spec["nodePlacement"] = {"tolerations": [dict(one) for one in side.ingress_tolerations]}
    metadata = {"name": "default", "namespace": "openshift-ingress-operator"}
    return {"apiVersion": OPERATOR, "kind": "IngressController", "metadata": metadata, "spec": spec}


def publishing(guest: Guest) -> Manifest:
    """How the default ingress is reached: what the user says goes before what the cloud does."""
    said = guest.spec.operator_configuration or OperatorConfiguration()
    wanted = said.ingress_operator.endpoint_publishing_strategy if said.ingress_operator else None
    if wanted is not None:
        found: Manifest = encode(wanted)
        return found
    if guest.annotations.get(annotations.PRIVATE_INGRESS_CONTROLLER) == "true":
        return {"type": "Private", "private": {}}
    asked = guest.annotations.get(annotations.INGRESS_LOAD_BALANCER_SCOPE) == INTERNAL
    internal = asked or guest.side.is_internal(guest.spec)
    return guest.side.publishing(guest.spec, INTERNAL if internal else EXTERNAL)


def _operator(kind: str, spec: Manifest) -> Manifest:
    return {"apiVersion": OPERATOR, "kind": kind, "metadata": {"name": CLUSTER}, "spec": spec}
