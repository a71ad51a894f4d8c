"""Builders of what clouds are asked about a pool's machines."""

from typing import Any

from hypershift.api import HostedCluster, NodePool, read
from hypershift.api.defaults import zeroed
from hypershift.kit import Manifest, deep_merge
from hypershift.platforms import PLATFORMS, PoolFacts
from hypershift.release import BootImages, Product, Release

#: The key of each cloud under `spec.platform`.
KEYS = {
    "AWS": "aws",
    "Agent": "agent",
    "Azure": "azure",
    "GCP": "gcp",
    "KubeVirt": "kubevirt",
    "Local": "local",
    "OpenStack": "openstack",
    "PowerVS": "powervs",
}

#: The machines of each cloud on which Cluster API makes them.
MACHINES = {
    name: platform.pools.machines
    for name, platform in PLATFORMS.items()
    if platform.pools.machines is not None
}


def pool_facts(
    platform: str,
    wanted: Manifest | None = None,
    *,
    cluster: Manifest | None = None,
    stream: Manifest | None = None,
    images: dict[str, str] | None = None,
    version: str = "4.21.3",
    pool: Manifest | None = None,
    hosted_cluster: Manifest | None = None,
    **more: Any,
) -> PoolFacts:
    """What a cloud knows of a pool that asks for `wanted`, in a cluster that asks for `cluster`."""
    key = KEYS[platform]
    usual: Manifest = {
        "metadata": {"name": "workers", "namespace": "clusters", "uid": "pool-uid"},
        "spec": {
            "arch": "amd64",
            "clusterName": "demo",
            "release": {"image": f"registry.example/release:{version}"},
            "platform": {"type": platform, **({key: wanted} if wanted is not None else {})},
        },
    }
    plane: Manifest = {
        "metadata": {"name": "demo", "namespace": "clusters"},
        "spec": {"infraID": "demo-abcde", "platform": {"type": platform, key: cluster or {}}},
    }
    whole_cluster = deep_merge(plane, hosted_cluster or {})
    whole_pool = deep_merge(usual, pool or {})
    return PoolFacts(
        cluster=read(HostedCluster, whole_cluster),
        wanted=read(NodePool, whole_pool),
        given=read(NodePool, zeroed(NodePool, whole_pool)),
        namespace="clusters-demo",
        release=Release(
            version,
            Product.OPENSHIFT,
            images or {},
            boot_images=BootImages({"architectures": stream or {}}),
        ),
        **more,
    )
