"""Every object inside an OpenShift cluster that is ours, in the order of installation."""

from collections.abc import Iterable, Iterator

from hypershift.api import labels
from hypershift.api.values import Capability
from hypershift.kit import Manifest, labels_of
from hypershift.kit.assets import asset
from hypershift.operators.guest_config.openshift.rules import (
    access,
    aggregated,
    config,
    operators,
    policies,
)
from hypershift.operators.guest_config.openshift.rules.guest import CONFIG, Guest, config_map

INGRESS_NAMESPACE = "openshift-ingress"
#: Rights of the controller that makes Routes of Ingresses.
INGRESS_RIGHTS = "system:openshift:openshift-controller-manager:ingress-to-route-controller"


def manifests(guest: Guest) -> Iterator[Manifest]:
    """Yield what is written again whenever it differs.

    An API that is not served yet costs its own objects alone: the others come first.
    """
    for made in _everything(guest):
        yield _managed(made)


def at_first(guest: Guest) -> Iterator[Manifest]:
    """Yield what is made once and then belongs to users of the cluster."""
    yield config_map(
        "openshift-install", CONFIG, {"invoker": "hypershift", "version": guest.release_version}
    )
    yield from operators.at_first(guest)


def _everything(guest: Guest) -> Iterator[Manifest]:
    yield from _capable(guest, asset(__package__, "namespaces"))
    yield from _capable(guest, asset(__package__, "access"))
    yield from aggregated.manifests(guest)
    yield from config.manifests(guest)
    yield from config.trusted_ca(guest)
    yield from policies.manifests(guest)
    yield from access.manifests(guest)
    yield from operators.manifests(guest)


def _capable(guest: Guest, found: Iterable[Manifest]) -> Iterator[Manifest]:
    """Yield objects but those of ingress, where the cluster has none."""
    without = not guest.has_capability(Capability.INGRESS)
    for made in found:
        if not (without and made["metadata"]["name"] in {INGRESS_NAMESPACE, INGRESS_RIGHTS}):
            yield made


def _managed(manifest: Manifest) -> Manifest:
    metadata = manifest["metadata"]
    return {
        **manifest,
        "metadata": {**metadata, "labels": {**labels_of(manifest), labels.MANAGED: "true"}},
    }
