"""The DNS domain inside a hosted cluster: what its Services and pods are called by."""

import re
from collections.abc import Mapping
from typing import Final

from hypershift.api.annotations import CLUSTER_DOMAIN

DEFAULT: Final = "cluster.local"
#: A pod's search path begins with `NAMESPACE.svc.DOMAIN`, whose whole is bounded.
LONGEST: Final = 128
_LABEL = r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"{_LABEL}(\.{_LABEL})*")


def cluster_domain(annotations: Mapping[str, str] | None) -> str:
    """The domain that a HostedCluster or HostedControlPlane has."""
    return (annotations or {}).get(CLUSTER_DOMAIN) or DEFAULT


def domain_problem(wanted: Mapping[str, str], live: Mapping[str, str] | None) -> str:
    """Say what is wrong with a cluster's domain; `live` are its control plane's annotations."""
    domain = cluster_domain(wanted)
    if len(domain) > LONGEST or not _DOMAIN.fullmatch(domain):
        return (
            f"annotation {CLUSTER_DOMAIN}: {domain[:LONGEST]!r} is no DNS domain of lower case"
            f" letters, digits and dashes with at most {LONGEST} characters"
        )
    if live is not None and (kept := cluster_domain(live)) != domain:
        return (
            f"annotation {CLUSTER_DOMAIN}: the domain of a cluster cannot change, pods know it by"
            f" {kept!r}: set it back"
        )
    return ""
