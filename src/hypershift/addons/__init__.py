"""What every Kubernetes cluster of ours runs, management or hosted: network, Services, names."""

from hypershift.addons.catalog import (
    ASSETS,
    COREDNS,
    KUBE_PROXY,
    KUBE_ROUTER,
    WORKLOADS,
    Values,
    assets,
    image_tags,
    manifests,
    with_images,
)

__all__ = [
    "ASSETS",
    "COREDNS",
    "KUBE_PROXY",
    "KUBE_ROUTER",
    "WORKLOADS",
    "Values",
    "assets",
    "image_tags",
    "manifests",
    "with_images",
]
