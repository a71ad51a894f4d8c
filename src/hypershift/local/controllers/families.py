"""Which IP families a balanced Service has an address of."""

from typing import Final

from hypershift.kit import Manifest, annotations_of
from hypershift.local.cluster.plan import Plan

V4: Final = "IPv4"
V6: Final = "IPv6"
#: Said by a mirror for its guest's Service: this cluster's own Services are IPv4, and its API
#: server takes no other family for them.
FAMILIES: Final = "local.hypershift.io/ip-families"


def families(service: Manifest) -> tuple[str, ...]:
    """The families of a Service, the first one first; an API server that knows one names none."""
    if said := annotations_of(service).get(FAMILIES):
        return tuple(one for one in said.split(",") if one in (V4, V6))
    return tuple(service["spec"].get("ipFamilies") or (V4,))


def family_of(address: str) -> str:
    """The family of an address."""
    return V6 if ":" in address else V4


def served(service: Manifest, plan: Plan) -> tuple[str, ...]:
    """Those families of a Service that the balancer has addresses of."""
    return tuple(one for one in families(service) if one == V4 or plan.ipv6)


def problem(service: Manifest, plan: Plan) -> str:
    """Why a Service gets no address at all for its families; empty when it gets one."""
    if served(service, plan):
        return ""
    return "the Service is IPv6 alone, and this host had no IPv6 when the cluster was made"
