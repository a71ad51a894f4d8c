"""The add-ons of a management cluster: the shared ones, its storage class, Cluster API."""

from collections.abc import Mapping
from dataclasses import dataclass

from hypershift import addons as shared
from hypershift.kit import Manifest
from hypershift.local.plan import Plan

API_PORT = 6443
#: Rights of the supervisor and its provider, which wait for them.
ACCESS = "access"
#: What a management cluster has beside the shared add-ons, installed after them.
ASSETS = ("storage", "cluster-api")


@dataclass(frozen=True, slots=True)
class Values:
    """What the add-ons of one cluster follow."""

    plan: Plan
    nodes: int
    #: Image references by tag name, as the release payload lists them.
    images: Mapping[str, str]


def addons(values: Values) -> list[Manifest]:
    """Every object, in the order of installation."""
    own = [each for name in ASSETS for each in shared.asset(__package__, name)]
    found = [*shared.manifests(network(values)), *own]
    return [shared.with_images(values.images, each) for each in found]


def network(values: Values) -> shared.Values:
    """What the shared add-ons follow: the plan's ranges, and the host at the bridge's address."""
    plan = values.plan
    return shared.Values(
        pod_networks=(str(plan.pods),),
        dns_address=str(plan.dns_service),
        upstream=str(plan.gateway),
        api_address=str(plan.gateway),
        api_port=API_PORT,
        nodes=values.nodes,
    )


def access() -> list[Manifest]:
    """What the supervisor and its provider may do."""
    return list(shared.asset(__package__, ACCESS))


def workloads(manifests: list[Manifest]) -> list[Manifest]:
    """Those whose pods must run before the cluster is complete."""
    return [each for each in manifests if each["kind"] in shared.WORKLOADS]
