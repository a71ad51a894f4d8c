"""Names of a private control plane outside of its zone: external-dns reads them from Services.

A user whose network resolves the public zone reaches a private API server by the name of its
Route: the Service leads from this name to the endpoint in the cluster's network.
"""

from collections.abc import Iterator

from hypershift.api import HostedControlPlane, annotations, labels
from hypershift.api.publishing import hostname, is_public, published_by
from hypershift.api.values import PublishingStrategyType, ServiceType
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.controlplane.private_link.scope import EndpointScope
from hypershift.operators.controlplane.rules.owner import owner_reference

#: The Service of each published name.
CALLED = {
    ServiceType.API_SERVER: "kube-apiserver-private-external",
    ServiceType.OAUTH_SERVER: "oauth-private-external",
}
MARK = {labels.EXTERNAL_PRIVATE_SERVICE: "true"}


def wanted(plane: HostedControlPlane, namespace: str, target: str) -> Iterator[Manifest]:
    """Yield the Services of a control plane that only its own network reaches."""
    if is_public(plane.spec):
        return
    for service, name in CALLED.items():
        routed = published_by(plane.spec, service, PublishingStrategyType.ROUTE)
        host = hostname(plane.spec, service) if routed else ""
        if host:
            yield {
                "apiVersion": "v1",
                "kind": "Service",
                "metadata": {
                    "name": name,
                    "namespace": namespace,
                    "labels": MARK,
                    "annotations": {annotations.EXTERNAL_DNS_HOSTNAME: host},
                    "ownerReferences": [owner_reference(plane)],
                },
                "spec": {"type": "ExternalName", "externalName": target},
            }


async def write_outside(scope: EndpointScope, plane: HostedControlPlane, target: str) -> None:
    """Write these Services, and delete those of a control plane that became public."""
    made = list(wanted(plane, scope.namespace, target))
    await scope.kube.apply_all(made)
    kept = {each["metadata"]["name"] for each in made}
    for name in CALLED.values():
        if name in kept:
            continue
        found = await scope.kube.find(kinds.SERVICE, name, scope.namespace)
        marked = found and MARK.items() <= (found["metadata"].get("labels") or {}).items()
        if marked:
            await scope.kube.delete(kinds.SERVICE, name, scope.namespace)
