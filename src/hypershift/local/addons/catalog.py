"""The add-ons of a management cluster: the shared ones, its storage class, Cluster API."""

from collections.abc import Mapping
from dataclasses import dataclass

from hypershift import addons as shared
from hypershift.kit import Manifest
from hypershift.kit.assets import asset
from hypershift.local.cluster.plan import Plan

API_PORT = 6443
#: Rights of the supervisor and its provider, which wait for them.
ACCESS = "access"
#: What a management cluster has beside the shared add-ons.
ASSETS = ("storage", "cluster-api")


@dataclass(frozen=True, slots=True)
class Values:
    """What the add-ons of one cluster follow."""

    plan: Plan
    nodes: int
    #: Image references by tag name, as the release payload lists them.
    images: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Stages:
    """Add-ons in the order in which they are installed."""

    #: What a node waits for to be ready.
    network: list[Manifest]
    #: What pods wait for: Services, names, volumes.
    basics: list[Manifest]
    #: What waits for definitions of kinds.
    controllers: list[Manifest]

    @property
    def all(self) -> list[Manifest]:
        return [*self.network, *self.basics, *self.controllers]


def addons(values: Values) -> Stages:
    """Every object with the values of its cluster."""
    shared_values, (storage, controllers) = network(values), ASSETS

    def with_images(*manifests: Manifest) -> list[Manifest]:
        return [shared.with_images(values.images, each) for each in manifests]

    basics = shared.manifests(shared_values, (shared.KUBE_PROXY, shared.COREDNS))
    return Stages(
        network=with_images(*shared.manifests(shared_values, (shared.KUBE_ROUTER,))),
        basics=with_images(*basics, *asset(__package__, storage)),
        controllers=with_images(*asset(__package__, controllers)),
    )


def network(values: Values) -> shared.Values:
    """What the shared add-ons follow: the plan's ranges, and the host at the bridge's address."""
    plan = values.plan
    return shared.Values(
        pod_networks=(str(plan.pods),),
        dns_addresses=(str(plan.dns_service),),
        upstream=str(plan.gateway),
        api_address=str(plan.gateway),
        api_port=API_PORT,
        nodes=values.nodes,
        routed=True,
    )


def access() -> list[Manifest]:
    """What the supervisor and its provider may do."""
    return list(asset(__package__, ACCESS))


def cluster_api_objects(image: str) -> list[Manifest]:
    """Cluster API's manager as any cluster can run it, from an image with that entry point."""
    images = {"cluster-api": image}
    found = [shared.with_images(images, each) for each in asset(__package__, "cluster-api")]
    for each in workloads(found):
        del each["spec"]["template"]["spec"]["containers"][0]["command"]
    return found


def workloads(manifests: list[Manifest]) -> list[Manifest]:
    """Those whose pods must run before the cluster is complete."""
    return [each for each in manifests if each["kind"] in shared.WORKLOADS]
