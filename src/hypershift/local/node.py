"""The management cluster's nodes: what each machine is told when it boots."""

from collections.abc import Mapping
from datetime import datetime

from hypershift.ignition import (
    Config,
    Mirror,
    NodeSettings,
    certificate_kubeconfig,
    file,
    node_config,
)
from hypershift.ignition.config import Storage
from hypershift.ignition.merge import merge
from hypershift.kit import Secret
from hypershift.local import pki
from hypershift.local.plan import node_name, node_names, zone_name
from hypershift.local.state import Layout, Spec
from hypershift.local.units.resolver import REGISTRY_HOST
from hypershift.pki import KeyPair

SERVING_CERTIFICATE = "/etc/kubernetes/kubelet-serving.crt"
SERVING_KEY = "/etc/kubernetes/kubelet-serving.key"
MAX_PODS = 500
LEASE_SECONDS = 10


def names(spec: Spec) -> tuple[str, ...]:
    """The nodes of a cluster."""
    return node_names(spec.name, spec.nodes)


def zone_of(spec: Spec, number: int) -> str:
    """Nodes go round the zones, so that any two zones differ by one node at most."""
    return zone_name(number % spec.zones)


def nodes_in(spec: Spec, zone: str) -> tuple[str, ...]:
    """The nodes of one zone."""
    return tuple(
        node_name(spec.name, number)
        for number in range(spec.nodes)
        if zone_of(spec, number) == zone
    )


def user_data(
    where: Layout, spec: Spec, number: int, images: Mapping[str, str], now: datetime
) -> Config:
    """A full configuration: no ignition server runs before the first node does."""
    plan, name = spec.plan, node_name(spec.name, number)
    client, serving = pki.node_pairs(where, name, str(plan.machine(number)), now)
    authority = (where.pki / "ca.crt").read_text()
    settings = NodeSettings(
        authority=authority,
        kubeconfig=certificate_kubeconfig(
            plan.api_url,
            authority,
            client.certificate.decode(),
            Secret(client.key.reveal().decode()),
        ),
        bootstrap=False,
        sandbox_image=images["pause"],
        cluster_dns=(str(plan.dns_service),),
        mirrors=(Mirror(REGISTRY_HOST, (f"http://{plan.registry}",)),),
        max_pods=MAX_PODS,
        kubelet={
            "serverTLSBootstrap": False,
            "rotateCertificates": False,
            "tlsCertFile": SERVING_CERTIFICATE,
            "tlsPrivateKeyFile": SERVING_KEY,
            # Renewed every quarter of it: the sooner a dead node is noticed.
            "nodeLeaseDurationSeconds": LEASE_SECONDS,
            "nodeStatusUpdateFrequency": "5s",
        },
    )
    return merge(node_config(settings), _serving(serving))


def _serving(pair: KeyPair) -> Config:
    return Config(
        storage=Storage(
            files=(
                file(SERVING_CERTIFICATE, pair.certificate.decode()),
                file(SERVING_KEY, pair.key.reveal().decode(), 0o600),
            )
        )
    )
