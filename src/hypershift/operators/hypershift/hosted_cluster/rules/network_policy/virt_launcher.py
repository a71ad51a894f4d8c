"""The policy around KubeVirt machines, which are pods beside the control plane."""

import ipaddress
from collections.abc import Iterator

from hypershift.api import labels
from hypershift.api.conditions import (
    Condition,
    HostedClusterCondition,
    HostedClusterReason,
    false,
    true,
)
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.values import PublishingStrategyType
from hypershift.kit import METADATA_RANGES, Manifest
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.ranges import (
    uncovered,
)
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.rules import block, policy
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.surroundings import (
    Networks,
    Surroundings,
    single,
)
from hypershift.platforms import platform_of

NAME = "virt-launcher"
INFRA_ID = labels.INFRA_ID
COMPONENT = labels.CONTROL_PLANE_COMPONENT
#: Control plane pods that the machines talk to directly.
CONTROL_PLANE_PEERS = (
    {COMPONENT: "kube-apiserver"},
    {COMPONENT: "oauth-openshift"},
    {"app": "ignition-server-proxy"},
)
READABLE = (
    "Infrastructure cluster network configuration is readable; "
    "CIDR-based egress restrictions are active."
)
UNREADABLE = (
    "The external infrastructure kubeconfig lacks permission to read "
    "networks.config.openshift.io/cluster. The virt-launcher NetworkPolicy has been created "
    "without CIDR-based egress restrictions, resulting in weaker tenant isolation. Grant a "
    "ClusterRole with get on networks.config.openshift.io to the infra service account for full "
    "isolation."
)


def infra_namespace(spec: HostedClusterSpec) -> str:
    """The namespace in another cluster where the machines live; empty when it is ours."""
    section = spec.platform.kubevirt
    return section.credentials.infra_namespace if section and section.credentials else ""


def virt_launcher(spec: HostedClusterSpec, namespace: str, around: Surroundings) -> Manifest:
    """The machines' policy, where the machines are."""
    external = infra_namespace(spec)
    networks = (around.infra_networks or Networks()) if external else around.networks
    machines = {INFRA_ID: spec.infra_id or "", "kubevirt.io": NAME}
    kept_from = networks.all
    if not external and not around.openshift:
        kept_from += around.machines_kept_from()
    peers = list(_peers(machines, kept_from))
    if not external and around.openshift:
        peers += [{"podSelector": {"matchLabels": labels}} for labels in CONTROL_PLANE_PEERS]
    return policy(
        NAME,
        external or namespace,
        {"matchLabels": machines},
        ingress=[{"ports": [{"protocol": protocol} for protocol in ("TCP", "UDP", "SCTP")]}],
        egress=[{"to": peers}, *_node_ports(spec)],
    )


def infra_conditions(spec: HostedClusterSpec, around: Surroundings) -> list[Condition]:
    """Whether the machines' policy could be as strict as it should be."""
    if not platform_of(spec).rules.machines_are_pods or not infra_namespace(spec):
        return []
    kind = HostedClusterCondition.VALID_KUBEVIRT_POLICY_RBAC
    if around.infra_networks is not None:
        return [true(kind, READABLE)]
    reason = HostedClusterReason.INFRA_NETWORK_READ_FAILED
    return [false(kind, reason, f"{UNREADABLE} Error: {around.infra_error}")]


def _peers(machines: dict[str, str], kept_from: tuple[str, ...]) -> Iterator[Manifest]:
    yield block(4, kept_from)
    yield block(6, kept_from)
    yield {"podSelector": {"matchLabels": machines}}
    yield {
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "openshift-dns"}},
        "podSelector": {"matchLabels": {"dns.operator.openshift.io/daemonset-dns": "default"}},
    }
    router = "ingresscontroller.operator.openshift.io/deployment-ingresscontroller"
    yield {
        "namespaceSelector": {"matchLabels": {"name": "openshift-ingress"}},
        "podSelector": {"matchLabels": {router: "default"}},
    }


def _node_ports(spec: HostedClusterSpec) -> list[Manifest]:
    addresses: dict[str, None] = {}
    for service in spec.services:
        chosen = service.service_publishing_strategy
        by_port = chosen.type == PublishingStrategyType.NODE_PORT
        address = chosen.node_port.address if by_port and chosen.node_port else ""
        # The user names the address: never one that the policy keeps machines from.
        if _is_address(address) and not _is_metadata(address):
            addresses[single(address)] = None
    return [{"to": [{"ipBlock": {"cidr": cidr}}]} for cidr in addresses]


def _is_metadata(address: str) -> bool:
    return not uncovered([address], METADATA_RANGES)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
