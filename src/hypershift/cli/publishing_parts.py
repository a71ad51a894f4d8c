"""Parts for measuring beside components: what publishes a cluster, its nodes and its signers."""

from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from hypershift.api import HostedCluster, HostedControlPlane, NodePool, read
from hypershift.api.annotations import SWIFT_POD_NETWORK_INSTANCE
from hypershift.api.defaults import zeroed
from hypershift.api.values import PlatformType
from hypershift.cli.output import documents
from hypershift.component.view import ARO
from hypershift.controlplane.router import configuration, served
from hypershift.ignition import api_proxy
from hypershift.ignition.codec import to_builtins
from hypershift.ignition.worker import ssh_keys
from hypershift.kit import Key, Manifest, TerminalError, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.operators.controlplane.rules.publication import infrastructure
from hypershift.operators.controlplane.rules.routes import Published
from hypershift.operators.hypershift.node_pool.rules.api_access import (
    Images,
    SharedIngress,
    is_exempt,
)
from hypershift.operators.hypershift.node_pool.rules.api_access import api_proxy as node_proxy
from hypershift.operators.hypershift.shared_ingress.rules import config as shared_ingress
from hypershift.operators.pki.rules import access
from hypershift.platforms import platform_named

#: A case becomes the text of one file; a case that cannot be rendered has none.
Renderer = Callable[[Manifest], str]

#: The release's name of the forwarder on nodes.
HAPROXY = "haproxy-router"


def publishing_parts(part: Manifest) -> Iterator[tuple[str, str]]:
    """Yield file names and texts of a part's cases; nothing for a part that is not of these."""
    if part["part"] not in RENDERERS:
        return
    suffix, renderer = RENDERERS[part["part"]]
    common = part.get("everyCase") or {}
    for case, details in part["cases"].items():
        with suppress(TerminalError):
            yield f"{case}.{suffix}", renderer(common | details | {"case": case})


def _infrastructure(case: Manifest) -> str:
    plane = read(HostedControlPlane, zeroed(HostedControlPlane, case["hostedControlPlane"]))
    found = plane.metadata.annotations or {}
    if not _is_managed(case):
        found = {key: value for key, value in found.items() if key != SWIFT_POD_NETWORK_INSTANCE}
    published = Published(
        spec=plane.spec,
        name=plane.metadata.name,
        namespace=plane.metadata.namespace,
        annotations=found,
        ingress_domain=case.get("defaultIngressDomain", ""),
    )
    owner = {
        "apiVersion": plane.api_version,
        "kind": plane.kind,
        "name": plane.metadata.name,
        "uid": plane.metadata.uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }
    return documents(infrastructure(published, owner, oauth=True, openshift=True))


def _router(case: Manifest) -> str:
    return configuration(
        served(case["routes"], case["serviceAddresses"], case.get("keyVaultHost", ""))
    )


def _shared_ingress(case: Manifest) -> str:
    objects: list[Manifest] = case["objects"]
    clusters = [found for found in objects if found["kind"] == "HostedCluster"]
    return shared_ingress.undisputed(_member(found, objects) for found in clusters)


def _member(cluster: Manifest, objects: list[Manifest]) -> shared_ingress.Member:
    metadata: Mapping[str, str] = cluster["metadata"]
    namespace = control_plane_namespace(Key(metadata["namespace"], metadata["name"]))
    inside = [found for found in objects if found["metadata"].get("namespace") == namespace]
    return shared_ingress.Member(
        read(HostedCluster, zeroed(HostedCluster, cluster)),
        tuple(found for found in inside if found["kind"] == "Route"),
        {found["metadata"]["name"]: found for found in inside if found["kind"] == "Service"},
    )


def _node_proxy(case: Manifest) -> str:
    """HAProxy on a node; a cluster behind the shared ingress is reached by the address of that."""
    cluster: Manifest = case["hostedCluster"]
    objects = {(found["kind"], found["metadata"]["name"]): found for found in case["objects"]}
    name = ((cluster.get("status") or {}).get("kubeconfig") or {}).get("name", "")
    secret = objects.get(("Secret", name))
    kubeconfig = b64decode(secret["data"]["kubeconfig"]).decode() if secret else None
    shared = None
    if _is_managed(case):
        service = objects.get(("Service", "router")) or {}
        balancer = (service.get("status") or {}).get("loadBalancer") or {}
        addresses = [found.get("ip", "") for found in balancer.get("ingress") or ()]
        shared = SharedIngress(HAPROXY, next(iter(addresses), ""))
    images = Images({HAPROXY: HAPROXY})
    return api_proxy.haproxy_config(
        node_proxy(
            read(HostedCluster, zeroed(HostedCluster, cluster)),
            read(NodePool, zeroed(NodePool, {"spec": {}})),
            images=images,
            kubeconfig=kubeconfig,
            canonical=False,
            shared_ingress=shared,
        )
    )


def _node_ignition(case: Manifest) -> str:
    """What carries HAProxy to a node, or a CONNECT client where a proxy is on the way."""
    ends = tuple((case[f"{end}Address"], case[f"{end}Port"]) for end in ("external", "internal"))
    # The case spells its ranges with a space before them, as no cluster can.
    networks = (case["serviceNetwork"].strip(), case["clusterNetwork"].strip())
    forward = "" if is_exempt(case["noProxy"], ends, networks) else case["proxy"]
    (external, external_port), (internal, internal_port) = ends
    known = case["platform"] in set(PlatformType)
    health = platform_named(case["platform"]).pools.health_path if known else "/version"
    proxy = api_proxy.ApiProxy(
        internal=internal,
        internal_port=internal_port,
        external=external,
        external_port=external_port,
        image=case["controlPlaneOperatorImage" if forward else "image"],
        health_path=health,
        cluster_id=case["clusterID"] if case["sharedIngress"] else None,
        forward_proxy=forward,
    )
    return documents([api_proxy.ignition(proxy)])


def _is_managed(case: Manifest) -> bool:
    environment: Mapping[str, str] = case.get("environment") or {}
    return environment.get("MANAGED_SERVICE") == ARO


def _worker_keys(case: Manifest) -> str:
    return documents([to_builtins(ssh_keys(case["sshKey"]))])


def _signer_rights(case: Manifest) -> str:
    """A role or a binding, by the name of the case; the binding is to the role of its kind."""
    cluster, name = key_of(case["hostedCluster"]), case["case"]
    role = (access.approver_role if "approver" in name else access.signer_role)(cluster)
    if name.endswith("binding"):
        role = access.binding(cluster, role, case["serviceAccountNamespace"])
    return documents([role])


RENDERERS: dict[str, tuple[str, Renderer]] = {
    "infrastructure": ("yaml", _infrastructure),
    "apiserver-proxy-ignition": ("yaml", _node_ignition),
    "apiserver-proxy-config": ("cfg", _node_proxy),
    "router-config": ("cfg", _router),
    "shared-ingress-config": ("cfg", _shared_ingress),
    "worker-ssh-ignition": ("yaml", _worker_keys),
    "pki-operator-cluster-rbac": ("yaml", _signer_rights),
}
