"""API servers that run beside the control plane and serve a part of the cluster's API."""

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass

from hypershift.api.well_known import (
    HTTPS_PORT,
    OPENSHIFT_APISERVER,
    OPENSHIFT_OAUTH_APISERVER,
    PACKAGESERVER,
)
from hypershift.kit import Manifest
from hypershift.operators.guest_config.openshift.rules.guest import Guest

NAMESPACE = "default"


@dataclass(frozen=True, slots=True)
class Server:
    """An API server, by its Service, and the group versions that it serves."""

    service: str
    #: The payload's image of it: a server that the payload lacks serves nothing.
    image: str
    groups: tuple[str, ...]
    #: The priority among groups, and among versions of one.
    priority: tuple[int, int] = (9900, 15)


def _openshift(*names: str) -> tuple[str, ...]:
    return tuple(f"v1.{name}.openshift.io" for name in names)


OPENSHIFT = Server(
    OPENSHIFT_APISERVER,
    "openshift-apiserver",
    _openshift(
        *("apps", "authorization", "build", "image", "quota"),
        *("route", "security", "template", "project"),
    ),
)
OAUTH = Server(OPENSHIFT_OAUTH_APISERVER, "oauth-apiserver", _openshift("oauth", "user"))
PACKAGES = Server(
    PACKAGESERVER,
    "operator-lifecycle-manager",
    ("v1.packages.operators.coreos.com",),
    (2000, 15),
)


def manifests(guest: Guest) -> Iterator[Manifest]:
    """What leads to each server that has an address.

    An API that nobody serves would keep every namespace of the cluster from being deleted.
    """
    servers = (OPENSHIFT, *((OAUTH,) if guest.oauth_enabled else ()), PACKAGES)
    for server in servers:
        address = guest.addresses.get(server.service, "")
        if address and server.image in guest.images:
            yield _service(server)
            yield _endpoints(server, address)
            for group in server.groups:
                yield _api_service(server, group, guest.root_ca)


def _service(server: Server) -> Manifest:
    """A Service without pods: its endpoints are in the control plane's namespace."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": server.service, "namespace": NAMESPACE},
        "spec": {"ports": [{"name": "https", "port": HTTPS_PORT, "protocol": "TCP"}]},
    }


def _endpoints(server: Server, address: str) -> Manifest:
    port = {"name": "https", "port": HTTPS_PORT, "protocol": "TCP"}
    return {
        "apiVersion": "v1",
        "kind": "Endpoints",
        "metadata": {"name": server.service, "namespace": NAMESPACE},
        "subsets": [{"addresses": [{"ip": address}], "ports": [port]}],
    }


def _api_service(server: Server, name: str, root_ca: str) -> Manifest:
    version, _, group = name.partition(".")
    among_groups, among_versions = server.priority
    return {
        "apiVersion": "apiregistration.k8s.io/v1",
        "kind": "APIService",
        "metadata": {"name": name},
        "spec": {
            "group": group,
            "version": version,
            "caBundle": b64encode(root_ca.encode()).decode(),
            "groupPriorityMinimum": among_groups,
            "versionPriority": among_versions,
            "service": {"name": server.service, "namespace": NAMESPACE, "port": HTTPS_PORT},
        },
    }
