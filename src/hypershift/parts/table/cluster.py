"""What clusters are made of beside Kubernetes itself."""

from hypershift.parts.part import GoModule
from hypershift.parts.table.github import github

ETCD = GoModule(
    name="etcd",
    version="3.6.16",
    upstream="go.etcd.io/etcd",
    packages={
        "etcd": "go.etcd.io/etcd/server/v3",
        "etcdctl": "go.etcd.io/etcd/etcdctl/v3",
        "etcdutl": "go.etcd.io/etcd/etcdutl/v3",
    },
    release=github(
        "etcd-io/etcd",
        "v{version}",
        "etcd-v{version}-linux-{arch}.tar.gz",
        "SHA256SUMS",
        "etcd-v{version}-linux-{arch}/{name}",
    ),
    cpu_seconds=80,
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
    release=github(
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
    release=github(
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

CLUSTER_API_AWS = GoModule(
    name="cluster-api-provider-aws",
    version="2.13.0",
    upstream="sigs.k8s.io/cluster-api-provider-aws/v2",
    packages={"cluster-api-provider-aws": "sigs.k8s.io/cluster-api-provider-aws/v2"},
    stamps={"sigs.k8s.io/cluster-api-provider-aws/v2/version.gitVersion": "v2.13.0"},
    cpu_seconds=350,
)

AWS_ENCRYPTION = GoModule(
    name="aws-encryption-provider",
    version="0.0.0-20250516182915-ebac1888726f",
    upstream="sigs.k8s.io/aws-encryption-provider",
    packages={"aws-encryption-provider": "sigs.k8s.io/aws-encryption-provider/cmd/server"},
    cpu_seconds=40,
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
