"""The configuration files of the add-ons, as the programs read them."""

import json
from collections.abc import Sequence

from hypershift.kit import ip_versions


def kube_proxy(pod_networks: Sequence[str]) -> str:
    """kube-proxy's configuration; the address that it binds to says which family comes first."""
    ipv6 = ip_versions(pod_networks)[:1] == (6,)
    config = {
        "apiVersion": "kubeproxy.config.k8s.io/v1alpha1",
        "kind": "KubeProxyConfiguration",
        "mode": "nftables",
        # A node port is open on every address of its machine.
        "bindAddress": "::" if ipv6 else "0.0.0.0",  # noqa: S104
        "clusterCIDR": ",".join(pod_networks),
        "detectLocalMode": "ClusterCIDR",
        # A machine shares the host's kernel and may not raise its limits.
        "conntrack": {"maxPerCore": 0, "min": 0},
        "healthzBindAddress": "[::]:10256" if ipv6 else "0.0.0.0:10256",
        "metricsBindAddress": "127.0.0.1:10249",
        "nftables": {"minSyncPeriod": "0s"},
    }
    return json.dumps(config, indent=1)


def pod_network() -> str:
    """What the container runtime calls for each pod; kube-router fills in the node's range."""
    bridge = {
        "type": "bridge",
        "bridge": "kube-bridge",
        "isDefaultGateway": True,
        "hairpinMode": True,
        "ipam": {"type": "host-local"},
    }
    ports = {"type": "portmap", "capabilities": {"portMappings": True}, "snat": True}
    config = {"cniVersion": "0.4.0", "name": "pods", "plugins": [bridge, ports]}
    return json.dumps(config, indent=1)


def corefile(upstream: str, domain: str) -> str:
    """CoreDNS' configuration: the cluster's names, and `upstream` for all others."""
    return f"""\
.:53 {{
    errors
    health :8080 {{
        lameduck 2s
    }}
    ready :8181
    kubernetes {domain} in-addr.arpa ip6.arpa {{
        pods insecure
        fallthrough in-addr.arpa ip6.arpa
        ttl 5
    }}
    forward . {upstream}
    cache 10
    loadbalance
    reload
}}
"""
