"""Label keys that a consumer cannot put on control plane pods by `spec.labels`.

Services, NetworkPolicies, anti-affinity, admission of the management cluster and our own clean-up
select pods by these keys. A consumer who set them could take a pod out of a policy or put it
behind another component's Service.
"""

from collections.abc import Mapping
from typing import Final

#: Domains whose keys mean something to a management cluster; subdomains included.
DOMAINS: Final = (
    "openshift.io",
    "k8s.io",
    "x-k8s.io",
    "kubernetes.io",
    "kubevirt.io",
    "azure.workload.identity",
)
#: Keys without a domain that our manifests and policies use.
NAMES: Final = frozenset(
    {
        "app",
        "clusterID",
        "component",
        "control-plane",
        "controller-revision-hash",
        "job-name",
        "k8s-app",
        "kubevirt.io",
        "name",
        "need-management-kas-access",
        "need-metrics-server-access",
        "olm.catalogSource",
        "pod-template-hash",
        "pod-template-generation",
        "tier",
    }
)


def is_reserved(key: str) -> bool:
    """True if only the operator may set this label on a control plane pod."""
    domain, slash, _ = key.partition("/")
    if not slash:
        return key in NAMES
    return any(domain == each or domain.endswith(f".{each}") for each in DOMAINS)


def reserved(labels: Mapping[str, str] | None) -> tuple[str, ...]:
    """The reserved keys among a consumer's labels, sorted."""
    return tuple(sorted(key for key in labels or () if is_reserved(key)))


def permitted(labels: Mapping[str, str] | None) -> dict[str, str]:
    """The labels of a consumer that pods get."""
    return {key: value for key, value in (labels or {}).items() if not is_reserved(key)}
