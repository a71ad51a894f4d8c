"""What tests and people use beside a cluster."""

from datetime import date

from hypershift.parts.part import GoModule, Release
from hypershift.parts.signing import OpenPgp
from hypershift.parts.table.github import github, github_address
from hypershift.parts.table.kubernetes import KUBERNETES, kubernetes

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
        OpenPgp(
            ("208DD36ED5BB3745A16743A4C7C6FBB5B91C1155",),  # Scott Rigby
            since=date(2026, 9, 9),
            detached=github_address(
                "helm/helm", "v{version}", "helm-v{version}-linux-{arch}.tar.gz.sha256sum.asc"
            ),
        ),
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
    release=github(
        "prometheus/prometheus",
        "v3.13.5",
        "prometheus-3.13.5.linux-{arch}.tar.gz",
        "sha256sums.txt",
        "prometheus-3.13.5.linux-{arch}/{name}",
    ),
    cpu_seconds=240,
)

#: Writes the names of published services into a DNS zone of a cloud.
EXTERNAL_DNS = GoModule(
    name="external-dns",
    version="0.21.0",
    upstream="sigs.k8s.io/external-dns",
    packages={"external-dns": "sigs.k8s.io/external-dns"},
    stamps={"sigs.k8s.io/external-dns/pkg/apis/externaldns.Version": "v0.21.0"},
    cpu_seconds=600,
)

#: A pod network that tests bring along in the place of ours.
FLANNEL = GoModule(
    name="flannel",
    version="0.26.7",
    upstream="github.com/flannel-io/flannel",
    packages={"flanneld": "github.com/flannel-io/flannel"},
    stamps={"github.com/flannel-io/flannel/pkg/version.Version": "v0.26.7"},
    cpu_seconds=200,
)

#: Kubernetes' conformance suite: its specs, what runs them, and the programs of its images.
CONFORMANCE = GoModule(
    name="conformance",
    version=KUBERNETES,
    upstream="k8s.io/kubernetes",
    packages={
        "agnhost": "k8s.io/kubernetes/test/images/agnhost",
        "e2e.test": "k8s.io/kubernetes/test/e2e",
        "ginkgo": "github.com/onsi/ginkgo/v2/ginkgo",
        "nonewprivs": "k8s.io/kubernetes/test/images/nonewprivs",
        "sample-apiserver": "k8s.io/sample-apiserver",
    },
    tests=frozenset({"e2e.test"}),
    stamps=kubernetes(KUBERNETES).stamps,
    cpu_seconds=900,
)
