"""kube-controller-manager of the Kubernetes payload, with upstream's own flags."""

import ipaddress
from collections.abc import Iterator
from pathlib import Path

from hypershift.component import Asset, Component, View, edit, kubeconfig, with_proxy
from hypershift.component.kubeconfig import Identity
from hypershift.controlplane.kube_controller_manager.common import (
    CLIENT,
    KUBECONFIG,
    MONITOR,
    NAME,
    SERVICE,
    common_flags,
    grace_flag,
)
from hypershift.kit import Manifest

#: The default size of each node's part of a pod range.
NODE_PREFIX = {4: 24, 6: 64}


def flags(view: View) -> Iterator[str]:
    """Yield the flags that follow the cluster."""
    yield from lease_flags(view)
    yield f"--cluster-cidr={','.join(view.cluster_cidrs)}"
    yield f"--service-cluster-ip-range={','.join(view.service_cidrs)}"
    yield grace_flag(view)
    yield from mask_flags(view)
    yield from common_flags(view)


def lease_flags(view: View) -> Iterator[str]:
    """Yield how long leadership lasts: long for a single replica, because no other waits for it.

    One that must renew every few seconds loses the lease and restarts whenever its node is busy.
    """
    lease, renew, retry = ("30s", "25s", "6s") if view.single_replica else ("15s", "12s", "3s")
    yield f"--leader-elect-lease-duration={lease}"
    yield f"--leader-elect-renew-deadline={renew}"
    yield f"--leader-elect-retry-period={retry}"


def mask_flags(view: View) -> Iterator[str]:
    """Yield the size of a node's share of each pod range."""
    networks = view.networking.cluster_network or ()
    for item in networks:
        version = ipaddress.ip_network(item.cidr, strict=False).version
        prefix = item.host_prefix or NODE_PREFIX[version]
        suffix = f"-ipv{version}" if len(networks) > 1 else ""
        yield f"--node-cidr-mask-size{suffix}={prefix}"


def deployment(view: View, manifest: Manifest) -> Manifest:
    return with_proxy(view, edit.add_args(manifest, NAME, flags(view)), NAME)


KUBERNETES = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("kubernetes/deployment.yaml", adapt=deployment),
    manifests=(
        kubeconfig.asset(KUBECONFIG, Identity(CLIENT, files="/etc/kubernetes/client")),
        SERVICE,
        MONITOR,
    ),
    multi_zone_spread=True,
    reads=(f"Secret/{CLIENT}", "Secret/cluster-signer-ca", "Secret/sa-signing-key"),
    # It rereads both certificates, its own and its client's, by itself.
    reloads=frozenset({f"Secret/{CLIENT}", "Secret/kcm-server"}),
)
