"""The pinned table of parts: every real binary, its version, and each way to get it.

Versions are exact and change together with `modules/`: a Go proxy may carry one patch release of
a line and lack the next, so each of these was seen to build as it stands.
"""

from collections.abc import Iterator

from hypershift.parts.part import GoModule, Part
from hypershift.parts.table.cluster import (
    AWS_ENCRYPTION,
    CLUSTER_API,
    CLUSTER_API_AWS,
    CLUSTER_AUTOSCALER,
    COREDNS,
    ETCD,
    KONNECTIVITY,
    KUBE_ROUTER,
    REGISTRY,
)
from hypershift.parts.table.definitions import DEFINITIONS
from hypershift.parts.table.kubernetes import KUBERNETES, KUBERNETES_VERSIONS, kubernetes
from hypershift.parts.table.node import CNI, CONTAINERD, CRI_TOOLS, PAUSE, RUNC
from hypershift.parts.table.openshift import OPENSHIFT, OPENSHIFT_PARTS
from hypershift.parts.table.package import DATA_PACKAGES, PACKAGES, SECCOMP
from hypershift.parts.table.tool import (
    CONFORMANCE,
    EXTERNAL_DNS,
    FLANNEL,
    HELM,
    KWOK,
    PROMETHEUS,
)

__all__ = [
    "CLUSTER_API",
    "CLUSTER_API_AWS",
    "DATA_PACKAGES",
    "DEFINITIONS",
    "EMBEDDED",
    "KUBERNETES",
    "KUBERNETES_VERSIONS",
    "OPENSHIFT_PARTS",
    "PACKAGES",
    "SECCOMP",
    "kubernetes",
    "modules",
    "parts",
]

#: Modules with one version each; Kubernetes has several and is found by `kubernetes(version)`.
MODULES = (
    ETCD,
    CONTAINERD,
    RUNC,
    CNI,
    KUBE_ROUTER,
    COREDNS,
    REGISTRY,
    CLUSTER_API,
    CLUSTER_API_AWS,
    AWS_ENCRYPTION,
    KONNECTIVITY,
    CLUSTER_AUTOSCALER,
    CRI_TOOLS,
    HELM,
    KWOK,
    PROMETHEUS,
    CONFORMANCE,
    EXTERNAL_DNS,
    FLANNEL,
    PAUSE,
    *OPENSHIFT,
)

#: What the embedded cluster runs on, in the order in which it is needed.
EMBEDDED = (
    "etcd",
    "kube-apiserver",
    "kubectl",
    "kube-controller-manager",
    "kube-scheduler",
    "registry",
    "kubelet",
    "kube-proxy",
    "containerd",
    "containerd-shim-runc-v2",
    "ctr",
    "runc",
    "pause",
    *CNI.packages,
    *PACKAGES,
    "kube-router",
    "coredns",
    "cluster-api",
    "etcdctl",
    "etcdutl",
    "konnectivity-server",
    "konnectivity-agent",
)


def modules() -> Iterator[GoModule]:
    """Every Go module, each Kubernetes release being one."""
    yield from (kubernetes(version) for version in KUBERNETES_VERSIONS)
    yield from MODULES


def parts() -> Iterator[Part]:
    """Every part of the table."""
    for module in modules():
        several = module.upstream == "k8s.io/kubernetes" and module.version != KUBERNETES
        suffix = f"@{module.version}" if several else ""
        yield from (Part(name, module, name + suffix) for name in module.names)
    yield from (Part(name, package, name) for name, package in PACKAGES.items())
