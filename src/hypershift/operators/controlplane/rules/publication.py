"""Everything that publishes a control plane: its Services, its Routes, its router's Services."""

from collections.abc import Iterator
from typing import Any

from hypershift.api import labels
from hypershift.api.well_known import (
    HTTPS_PORT,
    OPENSHIFT_APISERVER,
    OPENSHIFT_OAUTH_APISERVER,
    PACKAGESERVER,
)
from hypershift.kit import Manifest
from hypershift.operators.controlplane.rules.routes import Published, router_services, routes
from hypershift.operators.controlplane.rules.services import services

#: Aggregated API servers beside the API server, and the ports of their pods.
AGGREGATED = {OPENSHIFT_APISERVER: 8443, OPENSHIFT_OAUTH_APISERVER: 8443, PACKAGESERVER: 5443}


def infrastructure(
    plane: Published, owner: Manifest, *, oauth: bool, openshift: bool
) -> Iterator[Manifest]:
    """Yield all of them, owned by the control plane.

    The router's Services are not owned: the original deletes them itself when they have no use.
    """
    found = services(plane.spec, plane.namespace, oauth=oauth, annotations=plane.annotations)
    aggregated = aggregated_services(plane.namespace, oauth=oauth) if openshift else ()
    for made in (*found, *aggregated, *routes(plane, oauth=oauth)):
        metadata = {key: value for key, value in made["metadata"].items() if value}
        yield made | {"metadata": metadata | {"ownerReferences": [owner]}}
    yield from router_services(plane)


def aggregated_services(namespace: str, *, oauth: bool) -> Iterator[Manifest]:
    """Yield the Services whose cluster addresses the guest's aggregated APIs lead to."""
    for name, port in AGGREGATED.items():
        if oauth or name != OPENSHIFT_OAUTH_APISERVER:
            yield _aggregated(namespace, name, port)


def _aggregated(namespace: str, name: str, port: int) -> Manifest:
    # All three carry the first one's labels: one service monitor selects them.
    metadata = {
        "name": name,
        "namespace": namespace,
        "labels": _component(OPENSHIFT_APISERVER),
    }
    entry: dict[str, Any] = {"name": "https", "port": HTTPS_PORT, "protocol": "TCP"}
    body = {
        "type": "ClusterIP",
        "selector": _component(name),
        "ports": [entry | {"targetPort": port}],
    }
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": body}


def _component(name: str) -> dict[str, str]:
    return {"app": name, labels.CONTROL_PLANE_COMPONENT: name}
