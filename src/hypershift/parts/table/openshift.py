"""OpenShift's programs and manifests, as far as module registries have them: for tests.

Few commits of OpenShift's programs are in a registry, so that no two of these are of one release,
and several programs cannot be had at all. What they make together is no release of OpenShift.
"""

from hypershift.parts.part import GoModule
from hypershift.parts.table.cluster import ETCD

_ORG = "github.com/openshift"


def _program(
    name: str,
    version: str,
    seconds: int,
    *,
    tags: tuple[str, ...] = (),
    stamps: dict[str, str] | None = None,
    data: dict[str, tuple[str, ...]] | None = None,
    patched: dict[str, str] | None = None,
) -> GoModule:
    """One program, in a repository of its own name."""
    return GoModule(
        name=name,
        version=version,
        upstream=f"{_ORG}/{name}",
        packages={name: f"{_ORG}/{name}/cmd/{name}"},
        tags=tags,
        stamps=stamps or {},
        data=data or {},
        patched=patched or {},
        cpu_seconds=seconds,
    )


#: Kubernetes as OpenShift has it: with its admission, authorization and configuration file.
_FORK = "1.35.1"
_COMMANDS = ("kube-apiserver", "kube-controller-manager", "kube-scheduler")
_STAMPS = {"gitVersion": f"v{_FORK}", "gitMajor": "1", "gitMinor": "35", "gitTreeState": "archive"}
HYPERKUBE = GoModule(
    name="openshift-kubernetes",
    version="1.30.1-0.20260305123649-d18f3f005eaa",
    upstream=f"{_ORG}/kubernetes",
    packages={f"openshift-{name}": f"k8s.io/kubernetes/cmd/{name}" for name in _COMMANDS},
    stamps={
        f"{place}.{name}": text
        for place in ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")
        for name, text in _STAMPS.items()
    },
    cpu_seconds=900,
)

#: etcd as OpenShift has it: its proxy of metrics shows a certificate with a common name. No
#: registry has the fork; this is upstream's, with the line of that change.
OPENSHIFT_ETCD = GoModule(
    name="openshift-etcd",
    version=ETCD.version,
    upstream=ETCD.upstream,
    packages={"openshift-etcd": ETCD.packages["etcd"]},
    patched={ETCD.packages["etcd"]: f"v{ETCD.version}"},
    cpu_seconds=60,
)

#: What renders the resources of configuration, the resources themselves, and the feature gates.
API = GoModule(
    name="openshift-api",
    version="0.0.0-20260618181827-d22a47a846dc",
    upstream=f"{_ORG}/api",
    packages={
        "openshift-config-render": f"{_ORG}/api/payload-command/cmd/render",
        "openshift-feature-sets": f"{_ORG}/api/payload-command/cmd/write-available-featuresets",
    },
    data={
        "openshift-api-manifests.tar": (
            "payload-manifests",
            "payload-command/empty-resources",
            "config/v1/zz_generated.crd-manifests",
            "operator/v1/zz_generated.crd-manifests",
            "imageregistry/v1/zz_generated.crd-manifests",
        )
    },
    cpu_seconds=60,
)

_VERSION_OPERATOR = "cluster-version-operator"
VERSION_OPERATOR = _program(
    _VERSION_OPERATOR,
    "1.0.1-0.20260202115537-557510ea0603",
    280,
    stamps={f"{_ORG}/{_VERSION_OPERATOR}/pkg/version.Raw": "v1.0.1-557510ea0603"},
    data={f"{_VERSION_OPERATOR}-manifests.tar": ("install", "bootstrap")},
)

#: The security context constraints of every cluster: manifests of an operator that no hosted
#: cluster runs.
CONSTRAINTS = GoModule(
    name="cluster-kube-apiserver-operator",
    version="0.0.0-alpha.0.0.20260205184824-4bbd3be9dfda",
    upstream=f"{_ORG}/cluster-kube-apiserver-operator",
    packages={},
    data={"openshift-constraints.tar": ("bindata/bootkube/scc-manifests",)},
)

PROGRAMS = (
    _program(
        "openshift-apiserver",
        "0.0.0-alpha.0.0.20230503155233-aac3dd5bf054",
        350,
        patched={"k8s.io/apiserver": "v0.26.2"},
    ),
    _program("oauth-apiserver", "0.0.0-20241113172817-afe74a0a2f6b", 255),
    _program("cluster-etcd-operator", "0.0.0-alpha.0.0.20241204234553-ec243c9c0111", 300),
    _program("cluster-policy-controller", "0.0.0-20260622225645-050c1ee6aeb0", 300),
    _program("route-controller-manager", "0.0.0-20241218160919-bc97534a12a7", 250),
    _program(
        "openshift-controller-manager",
        "0.0.0-alpha.0.0.20241104140441-f299e54abad2",
        350,
        tags=("containers_image_openpgp",),
    ),
)

#: Operators of the guest's network, which run beside its control plane, with their manifests.
GUEST_OPERATORS = (
    GoModule(
        name="cluster-dns-operator",
        version="0.0.0-20260320133120-3d2141182243",
        upstream=f"{_ORG}/cluster-dns-operator",
        packages={"dns-operator": f"{_ORG}/cluster-dns-operator/cmd/dns-operator"},
        data={"dns-operator-manifests.tar": ("manifests",)},
        cpu_seconds=250,
    ),
    _program(
        "cluster-network-operator",
        "0.0.0-20260423021409-142432afacfb",
        350,
        data={"network-operator-manifests.tar": ("manifests", "bindata")},
    ),
)

OPENSHIFT = (
    OPENSHIFT_ETCD,
    HYPERKUBE,
    API,
    VERSION_OPERATOR,
    CONSTRAINTS,
    *PROGRAMS,
    *GUEST_OPERATORS,
)
#: The names of all their programs and archives.
OPENSHIFT_PARTS = tuple(name for module in OPENSHIFT for name in module.names)
