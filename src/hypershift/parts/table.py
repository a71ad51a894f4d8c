"""The pinned table of parts: every real binary, its version, and each way to get it.

Versions are exact and change together with `modules/`: a Go proxy may carry one patch release of
a line and lack the next, so each of these was seen to build as it stands.
"""

from collections.abc import Iterator, Mapping

from hypershift.parts.part import GoModule, Package, Part, Release

#: Kubernetes releases that we can make a payload of, newest first; the first is the default.
KUBERNETES_VERSIONS = ("1.35.8", "1.34.10")
KUBERNETES = KUBERNETES_VERSIONS[0]
_COMMANDS = (
    "kube-apiserver",
    "kubectl",
    "kubelet",
    "kube-controller-manager",
    "kube-scheduler",
    "kube-proxy",
)


def kubernetes(version: str) -> GoModule:
    """The Kubernetes binaries of one release."""
    major, minor, _ = version.split(".")
    stamp = {
        "gitVersion": f"v{version}",
        "gitMajor": major,
        "gitMinor": minor,
        "gitCommit": "",
        "gitTreeState": "archive",
    }
    variables = ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")
    return GoModule(
        name=f"kubernetes-{major}.{minor}",
        version=version,
        upstream="k8s.io/kubernetes",
        packages={command: f"k8s.io/kubernetes/cmd/{command}" for command in _COMMANDS},
        stamps={f"{place}.{name}": text for place in variables for name, text in stamp.items()},
        release=Release(
            "https://dl.k8s.io/v{version}/bin/linux/{arch}/{name}",
            "https://dl.k8s.io/v{version}/bin/linux/{arch}/{name}.sha256",
        ),
        cpu_seconds=880,
    )


def _github(repository: str, tag: str, asset: str, checksums: str, member: str = "") -> Release:
    base = f"https://github.com/{repository}/releases/download/{tag}"
    return Release(f"{base}/{asset}", f"{base}/{checksums}", member)


ETCD = GoModule(
    name="etcd",
    version="3.6.16",
    upstream="go.etcd.io/etcd",
    packages={
        "etcd": "go.etcd.io/etcd/server/v3",
        "etcdctl": "go.etcd.io/etcd/etcdctl/v3",
        "etcdutl": "go.etcd.io/etcd/etcdutl/v3",
    },
    release=_github(
        "etcd-io/etcd",
        "v{version}",
        "etcd-v{version}-linux-{arch}.tar.gz",
        "SHA256SUMS",
        "etcd-v{version}-linux-{arch}/{name}",
    ),
    cpu_seconds=80,
)

CONTAINERD = GoModule(
    name="containerd",
    version="2.4.2",
    upstream="github.com/containerd/containerd/v2",
    packages={
        command: f"github.com/containerd/containerd/v2/cmd/{command}"
        for command in ("containerd", "containerd-shim-runc-v2", "ctr")
    },
    stamps={"github.com/containerd/containerd/v2/version.Version": "v2.4.2"},
    tags=("no_btrfs", "no_devmapper", "no_zfs"),
    release=_github(
        "containerd/containerd",
        "v{version}",
        "containerd-static-{version}-linux-{arch}.tar.gz",
        "containerd-static-{version}-linux-{arch}.tar.gz.sha256sum",
        "bin/{name}",
    ),
    cpu_seconds=170,
)

RUNC = GoModule(
    name="runc",
    version="1.5.2",
    upstream="github.com/opencontainers/runc",
    packages={"runc": "github.com/opencontainers/runc"},
    stamps={"main.version": "1.5.2"},
    tags=("netgo", "osusergo", "seccomp"),
    cgo=True,
    release=_github("opencontainers/runc", "v{version}", "runc.{arch}", "runc.sha256sum"),
    cpu_seconds=25,
)

CNI = GoModule(
    name="cni-plugins",
    version="1.9.1",
    upstream="github.com/containernetworking/plugins",
    packages={
        name: f"github.com/containernetworking/plugins/plugins/{kind}/{name}"
        for name, kind in (
            ("bridge", "main"),
            ("host-local", "ipam"),
            ("loopback", "main"),
            ("portmap", "meta"),
        )
    },
    stamps={"github.com/containernetworking/plugins/pkg/utils/buildversion.BuildVersion": "v1.9.1"},
    release=_github(
        "containernetworking/plugins",
        "v{version}",
        "cni-plugins-linux-{arch}-v{version}.tgz",
        "cni-plugins-linux-{arch}-v{version}.tgz.sha256",
        "./{name}",
    ),
    cpu_seconds=9,
)

KUBE_ROUTER = GoModule(
    name="kube-router",
    version="2.10.0",
    upstream="github.com/cloudnativelabs/kube-router/v2",
    packages={"kube-router": "github.com/cloudnativelabs/kube-router/v2/cmd/kube-router"},
    stamps={"github.com/cloudnativelabs/kube-router/v2/pkg/version.Version": "v2.10.0"},
    cpu_seconds=325,
)

COREDNS = GoModule(
    name="coredns",
    version="1.14.7",
    upstream="github.com/coredns/coredns",
    packages={"coredns": "."},
    release=_github(
        "coredns/coredns",
        "v{version}",
        "coredns_{version}_linux_{arch}.tgz",
        "coredns_{version}_linux_{arch}.tgz.sha256",
        "coredns",
    ),
    cpu_seconds=120,
)

REGISTRY = GoModule(
    name="registry",
    version="3.1.2",
    upstream="github.com/distribution/distribution/v3",
    packages={"registry": "."},
    stamps={"github.com/distribution/distribution/v3/version.version": "v3.1.2"},
    release=_github(
        "distribution/distribution",
        "v{version}",
        "registry_{version}_linux_{arch}.tar.gz",
        "registry_{version}_linux_{arch}.tar.gz.sha256",
        "registry",
    ),
    cpu_seconds=80,
)

CLUSTER_API = GoModule(
    name="cluster-api",
    version="1.13.6",
    upstream="sigs.k8s.io/cluster-api",
    packages={"cluster-api": "sigs.k8s.io/cluster-api"},
    stamps={
        "sigs.k8s.io/cluster-api/version.gitVersion": "v1.13.6",
        "sigs.k8s.io/cluster-api/version.gitMajor": "1",
        "sigs.k8s.io/cluster-api/version.gitMinor": "13",
        "sigs.k8s.io/cluster-api/version.gitTreeState": "archive",
    },
    cpu_seconds=260,
)

KONNECTIVITY = GoModule(
    name="konnectivity",
    version="0.36.0",
    upstream="sigs.k8s.io/apiserver-network-proxy",
    packages={
        f"konnectivity-{role}": f"sigs.k8s.io/apiserver-network-proxy/cmd/{role}"
        for role in ("server", "agent")
    },
    cpu_seconds=150,
)

CLUSTER_AUTOSCALER = GoModule(
    name="cluster-autoscaler",
    version="1.33.0",
    upstream="k8s.io/autoscaler/cluster-autoscaler",
    packages={"cluster-autoscaler": "k8s.io/autoscaler/cluster-autoscaler"},
    stamps={
        "k8s.io/autoscaler/cluster-autoscaler/version.ClusterAutoscalerVersion": "1.33.0",
    },
    tags=("clusterapi",),
    cpu_seconds=440,
)

CRI_TOOLS = GoModule(
    name="cri-tools",
    version="1.36.0",
    upstream="sigs.k8s.io/cri-tools",
    packages={"crictl": "sigs.k8s.io/cri-tools/cmd/crictl"},
    stamps={"sigs.k8s.io/cri-tools/pkg/version.Version": "v1.36.0"},
    release=_github(
        "kubernetes-sigs/cri-tools",
        "v{version}",
        "crictl-v{version}-linux-{arch}.tar.gz",
        "crictl-v{version}-linux-{arch}.tar.gz.sha256",
        "crictl",
    ),
    cpu_seconds=90,
)

HELM = GoModule(
    name="helm",
    version="3.22.0",
    upstream="helm.sh/helm/v3",
    packages={"helm": "helm.sh/helm/v3/cmd/helm"},
    stamps={"helm.sh/helm/v3/internal/version.version": "v3.22.0"},
    release=Release(
        "https://get.helm.sh/helm-v{version}-linux-{arch}.tar.gz",
        "https://get.helm.sh/helm-v{version}-linux-{arch}.tar.gz.sha256sum",
        "linux-{arch}/{name}",
    ),
    cpu_seconds=150,
)

KWOK = GoModule(
    name="kwok",
    version="0.8.0",
    upstream="sigs.k8s.io/kwok",
    packages={"kwok": "sigs.k8s.io/kwok/cmd/kwok"},
    stamps={"sigs.k8s.io/kwok/pkg/consts.Version": "v0.8.0"},
    cpu_seconds=195,
)

PROMETHEUS = GoModule(
    name="prometheus",
    version="0.313.5",  # of the module; people call it 3.13.5
    upstream="github.com/prometheus/prometheus",
    packages={"promtool": "github.com/prometheus/prometheus/cmd/promtool"},
    # Rules are checked without asking any cloud for its machines.
    tags=("remove_all_sd",),
    release=_github(
        "prometheus/prometheus",
        "v3.13.5",
        "prometheus-3.13.5.linux-{arch}.tar.gz",
        "sha256sums.txt",
        "prometheus-3.13.5.linux-{arch}/{name}",
    ),
    cpu_seconds=240,
)

PAUSE = GoModule(
    name="pause",
    version="1.0.0",
    upstream="hypershift/parts/pause",
    packages={"pause": "."},
    cpu_seconds=2,
)

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
    KONNECTIVITY,
    CLUSTER_AUTOSCALER,
    CRI_TOOLS,
    HELM,
    KWOK,
    PROMETHEUS,
    PAUSE,
)

#: Tools of the distribution, fetched as packages beside the system and never installed on it.
PACKAGES: Mapping[str, Package] = {
    # the dynamic one: a static glibc crashes when it looks a name up
    "busybox": Package("busybox", "bin/busybox"),
    "conntrack": Package("conntrack", "usr/sbin/conntrack"),
    "dash": Package("dash", "bin/dash"),
    "ethtool": Package("ethtool", "usr/sbin/ethtool"),
    "findmnt": Package("util-linux", "bin/findmnt"),
    "haproxy": Package("haproxy", "usr/sbin/haproxy"),
    "ip": Package("iproute2", "bin/ip"),
    "ipset": Package("ipset", "sbin/ipset"),
    "losetup": Package("mount", "sbin/losetup"),
    "mount": Package("mount", "bin/mount"),
    "nft": Package("nftables", "usr/sbin/nft"),
    "nsenter": Package("util-linux", "usr/bin/nsenter"),
    "socat": Package("socat", "usr/bin/socat"),
    "tc": Package("iproute2", "sbin/tc"),
    "umount": Package("mount", "bin/umount"),
    "unshare": Package("util-linux", "usr/bin/unshare"),
    "xtables-nft-multi": Package("iptables", "usr/sbin/xtables-nft-multi"),
}

#: Files that tools read, from packages that have no tool: protocol names, authorities.
DATA_PACKAGES = ("ca-certificates", "netbase")

#: What runc's build needs from the distribution: headers and a static library.
SECCOMP = Package("libseccomp-dev", "usr/lib")


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
        yield from (Part(name, module, name + suffix) for name in module.packages)
    yield from (Part(name, package, name) for name, package in PACKAGES.items())
