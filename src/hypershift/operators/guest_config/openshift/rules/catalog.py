"""Every object inside an OpenShift cluster that is ours, in the order of installation."""

from collections.abc import Callable, Iterable, Iterator

from hypershift.api import labels
from hypershift.api.values import Capability
from hypershift.kit import Manifest, labels_of
from hypershift.kit.assets import asset
from hypershift.operators.guest_config.openshift.rules import (
    access,
    aggregated,
    cloud,
    config,
    lifecycle,
    operators,
    policies,
    referred,
)
from hypershift.operators.guest_config.openshift.rules.guest import CONFIG, Guest, config_map

#: The image of the operator that brings monitoring.
MONITORING = "cluster-monitoring-operator"
#: A namespace, and the rights of the controller that makes Routes of Ingresses.
FOR_INGRESS = frozenset(
    {
        "openshift-ingress",
        "openshift-route-controllers",
        "system:openshift:openshift-controller-manager:ingress-to-route-controller",
    }
)

Part = Callable[[Guest], Iterator[Manifest]]


def _asset(name: str) -> Part:
    """The objects of an asset file, but those of a part of the product that the cluster lacks."""

    def found(guest: Guest) -> Iterator[Manifest]:
        return _capable(guest, asset(__package__, name))

    return found


def _monitoring(guest: Guest) -> Iterator[Manifest]:
    """Rules and scrapes for the cluster's own monitoring: a payload without it lacks the kinds."""
    if MONITORING in guest.images:
        yield from asset(__package__, "monitoring")


#: What is written again whenever it differs. A part that cannot be made costs itself alone.
PARTS: tuple[Part, ...] = (
    _asset("requests"),
    _asset("namespaces"),
    _asset("access"),
    _asset("software"),
    aggregated.manifests,
    config.manifests,
    referred.registry_trust,
    referred.proxy_trust,
    referred.login,
    policies.manifests,
    cloud.registry_policy,
    access.manifests,
    operators.manifests,
    lifecycle.written,
    cloud.credentials,
    cloud.configuration,
    cloud.identities,
    cloud.nodes,
    _monitoring,
)


def manifests(guest: Guest) -> Iterator[Manifest]:
    """Everything that is written in each pass whatever the cluster holds."""
    for part in PARTS:
        yield from map(managed, part(guest))


def at_first(guest: Guest) -> Iterator[Manifest]:
    """Yield what is made once and then belongs to users of the cluster."""
    yield config_map(
        "openshift-install", CONFIG, {"invoker": "hypershift", "version": guest.release_version}
    )
    yield from access.at_first(guest)
    yield from operators.at_first(guest)
    yield from lifecycle.seeded(guest)


def unwanted(guest: Guest) -> Iterator[Manifest]:
    """What earlier passes wrote and the HostedCluster no longer asks for."""
    yield from referred.unwanted(guest)
    yield from access.unwanted(guest)


def managed(manifest: Manifest) -> Manifest:
    """Mark an object as ours."""
    metadata = manifest["metadata"]
    return {
        **manifest,
        "metadata": {**metadata, "labels": {**labels_of(manifest), labels.MANAGED: "true"}},
    }


def _capable(guest: Guest, found: Iterable[Manifest]) -> Iterator[Manifest]:
    """Yield objects but those of ingress, where the cluster has none."""
    without = not guest.has_capability(Capability.INGRESS)
    for made in found:
        if not (without and made["metadata"]["name"] in FOR_INGRESS):
            yield made
